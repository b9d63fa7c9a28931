"""A second verifier, written from docs/protocol.md alone: nothing of `protocol` is used here, of `engine` the rules.

It knows no cards; a game in which cards are dealt raises NotImplementedError. Section numbers are those of the page.
What it reads is in `second_reader`.
"""

from collections.abc import Iterator
from itertools import count, takewhile
from types import SimpleNamespace
from typing import Any

from second_reader import (
    ACT,
    ASYNC,
    COMMIT,
    END,
    EPOCH,
    PLAY,
    RESIGN,
    RESULT,
    REVEAL,
    SEQUENCE,
    TAKEBACK,
    TAKES,
    TURN,
    H,
    Invalid,
    need,
    pack,
    read_charter,
    read_event,
    signed,
    unpack,
)

from engine import Chance, Deal, Dice, Over, Result

__all__ = ["Invalid", "Verifier", "verify"]


class Verifier:
    def __init__(self, charter: SimpleNamespace) -> None:
        self.charter, self.game = charter, charter.game
        self.chains: list[list[Any]] = [[] for _ in range(charter.signers)]
        self.proofs: list[tuple[Any, Any]] = []
        n, state = len(charter.ids), charter.state
        at = SimpleNamespace(slot=(0, -1, 0), state=state, due=self.game.pending(state), live=self.game.live(state))
        at.behind, at.placed = [0] * charter.signers, [0] * charter.signers
        at.wishes, at.wished = [0] * n, [0] * n
        at.machine, at.parts, at.bound, at.rolls, at.effects, at.cheats = None, {}, {}, 0, 0, []
        at.plies, at.dealt, at.states, at.back = 0, False, [], [None] * n
        self.path = [self.opened(at)]
        self.begun: dict[int, Any] = {}  # by its base, each agreement by which an epoch of the path began

    # Section 6.

    def copy(self, at: Any) -> Any:
        return SimpleNamespace(
            **{key: list(v) if type(v) is list else dict(v) if type(v) is dict else v for key, v in vars(at).items()}
        )

    def opened(self, at: Any) -> Any:
        at.digest = H(f"{self.game.key}/{self.game.version}", self.game.pack(self.game.view(at.state, 0)))
        kind = END if isinstance(at.due, Over) else TURN
        if isinstance(at.due, Chance) and not self.charter.local:
            if isinstance(at.due.draw, Deal):
                raise NotImplementedError("cards")
            if at.machine is None:
                bound = {s: at.bound[s] for s in at.live if s in at.bound}
                at.machine = SimpleNamespace(
                    number=at.rolls, draw=at.due.draw, live=at.live, bound=bound if len(bound) == len(at.live) else {}
                )
                at.rolls, at.bound = at.rolls + 1, {}
            kind = REVEAL if at.machine.bound else COMMIT
        else:
            at.machine = None
        at.slot = (at.slot[0], at.slot[1] + 1, kind)
        return at

    def givers(self, at: Any) -> tuple[int, ...]:
        return (at.due.seat,) if at.slot[2] == TURN else at.machine.live if at.machine else at.live

    def waiting(self, at: Any, heads: list[int]) -> list[Any]:
        events = [e for s in at.live for e in self.chains[s - 1][at.placed[s - 1] : heads[s - 1]] if e.kind in ASYNC]
        return (
            sorted(events, key=lambda e: (e.slot[1], e.seat, e.number))
            if any(self.changes(at, e) for e in events)
            else []
        )

    def changes(self, at: Any, e: Any) -> bool:
        s = e.seat - 1
        if e.seat not in at.live or e.kind == RESIGN:
            return bool(e.seat in at.live)
        if e.kind == TAKEBACK:
            return bool(e.digest == at.digest) and at.back[s] is None and self.state_after(at, e.body[0]) is not None
        return bool(not at.wished[s] if e.body[0] else at.wishes[s] > 0)

    def state_after(self, at: Any, to: int) -> Any:
        """What may come back: the states since chance, another operator, a seat's end."""
        return next((one for one in at.states if one[0] == to), None)

    def take_back(self, at: Any, to: int) -> None:
        at.state = self.state_after(at, to)[2]
        at.due, at.back = self.game.pending(at.state), [None] * len(at.back)
        at.states, at.plies = [one for one in at.states if one[0] < to], at.plies + 1

    def given(self, at: Any, seat: int, ends: list[int]) -> Any:
        if seat in at.parts:
            return at.parts[seat]
        for e in self.chains[seat - 1][at.behind[seat - 1] : ends[seat - 1]]:
            if (
                e.kind in TAKES[at.slot[2]]
                and (e.slot == at.slot or (at.slot[2] == END and e.slot[1:] == at.slot[1:]))
                and e.digest == at.digest
                and all(h >= b for h, b in zip(e.heads, at.behind, strict=True))
            ) and (at.slot[2] != TURN or (e.kind == SEQUENCE) == bool(self.waiting(at, e.heads))):
                return e
        return None

    def apply(self, at: Any, actor: int, action: str) -> None:
        before, then = at.live, (at.plies, actor, at.state)
        at.state = self.game.apply(at.state, actor, action)
        at.due, at.live = self.game.pending(at.state), self.game.live(at.state)
        if isinstance(at.due, Over):
            at.live = tuple(s for s in before if (s, "resign") != (actor, action))
        at.dealt = at.dealt or (actor == 0 and action.startswith("deal"))
        others = [one for one in at.states if actor and self.operator(one[1]) != self.operator(actor)]
        if not actor or at.live != before or at.dealt:
            at.states = []
        else:
            at.states = [*([] if others else at.states), then]
        at.plies, at.back = at.plies + 1, [None] * len(at.back)

    def resigned(self, at: Any, seat: int) -> None:
        if self.game.refuse(at.state, seat, "resign") is None:
            self.apply(at, seat, "resign")

    def condemned(self, at: Any, e: Any) -> None:
        at.cheats.append((e.seat, e.number))
        self.resigned(at, e.seat)

    def step(self, at: Any, ends: list[int]) -> Any:
        """The position at the next slot, None where the open one waits."""
        if at.slot[2] == END:
            return None
        parts = {s: self.given(at, s, ends) for s in self.givers(at)}
        if None in parts.values():
            return None
        at = self.copy(at)
        if at.slot[2] == TURN:
            ((seat, e),) = parts.items()
            heads = [*e.heads[: seat - 1], e.number, *e.heads[seat:]]
            if e.kind == SEQUENCE:
                self.place(at, self.waiting(at, heads))
            else:
                self.judge(at, e)
            at.behind, at.placed = [*map(max, at.behind, heads)], [*map(max, at.placed, heads)]
            at.effects += 1
            return self.opened(at)
        for s, e in parts.items():
            at.behind[s - 1] = max(at.behind[s - 1], e.number)
        at.effects, at.parts, roll = at.effects + len(parts), {}, at.machine
        if at.slot[2] == COMMIT:
            at.machine = SimpleNamespace(
                **{**vars(roll), "bound": {s: (e.slot[0], e.body[0]) for s, e in parts.items()}}
            )
            return self.opened(at)
        wrong = [
            e
            for s, e in parts.items()
            if self.commitment(roll.bound[s][0], roll.number, s, e.body[0]) != roll.bound[s][1]
        ]
        at.machine, at.bound = None, {} if wrong else {s: (e.slot[0], e.body[1]) for s, e in parts.items()}
        for e in wrong:
            self.condemned(at, e)
        if not wrong:
            self.apply(at, 0, self.outcome(roll, [parts[s].body[0] for s in roll.live]))
        return self.opened(at)

    def place(self, at: Any, events: list[Any]) -> None:
        for e in events:
            if isinstance(at.due, Over) or not self.changes(at, e):
                continue
            at.effects += 1
            if e.kind == RESIGN:
                self.resigned(at, e.seat)
            elif e.kind == TAKEBACK:
                at.back[e.seat - 1] = e.body[0]
                if self.operators(s for s in at.live if at.back[s - 1] == e.body[0]) == self.operators(at.live):
                    self.take_back(at, e.body[0])
            elif e.body[0]:
                at.wishes[e.seat - 1], at.wished[e.seat - 1] = 2, 1
            else:
                at.wishes[e.seat - 1] = 0
            if (
                not isinstance(at.due, Over)
                and all(at.wishes[s - 1] for s in at.live)
                and self.game.refuse(at.state, 0, "draw") is None
            ):
                self.apply(at, 0, "draw")

    def judge(self, at: Any, e: Any) -> None:
        view = self.game.view(at.state, 0)
        if e.kind == PLAY or e.body[0] in ("resign", "draw") or self.game.refuse(view, e.seat, e.body[0]) is not None:
            return self.condemned(at, e)  # no cards here: a PLAY is always a breach
        at.wishes[e.seat - 1], at.wished[e.seat - 1] = max(0, at.wishes[e.seat - 1] - 1), 0
        return self.apply(at, e.seat, e.body[0])

    # Section 7.

    def commitment(self, epoch: int, number: int, seat: int, salt: bytes) -> bytes:
        return H("sh/commit/2", pack((self.charter.table, epoch, number, seat, salt)))

    def outcome(self, roll: Any, salts: list[bytes]) -> str:
        seed = H(
            "sh/outcome/2",
            pack((self.charter.table, roll.number, roll.live, (type(roll.draw).__name__, *roll.draw), tuple(salts))),
        )
        stream = (byte for block in count() for byte in H("sh/stream/2", seed, block.to_bytes(8, "big")))

        def below(b: int) -> int:
            return next(byte for byte in stream if byte < 256 - 256 % b) % b

        if isinstance(roll.draw, Dice):
            return "-".join(str(1 + below(roll.draw.sides)) for _ in range(roll.draw.number))
        return str(roll.draw.outcomes[below(len(roll.draw.outcomes))])

    # Section 8.

    def operator(self, seat: int) -> int:
        return int(self.charter.operators[seat - 1])

    def operators(self, seats: Iterator[Any] | list[int] | set[int] | tuple[int, ...]) -> set[int]:
        return {self.operator(seat) for seat in seats}

    def fold(self) -> None:
        """Enter on each epoch of the path the highest one in force; then close every slot that can be."""
        agreements: dict[Any, dict[int, Any]] = {}
        for chain in self.chains:
            for e in chain:
                if e.kind == EPOCH:
                    agreements.setdefault((e.body[0], e.slot[0], e.body[1]), {})[e.seat] = e
        everything = [len(chain) for chain in self.chains]
        entered = True
        while entered:
            entered = False
            for agreement in sorted(agreements, reverse=True):
                base = [at for at in self.path if at.slot[0] == agreement[1]]
                if (
                    base
                    and agreement > self.begun.get(agreement[1], (0,))
                    and not self.operators({*agreements[agreement]}) & self.went_above(agreement[0])
                    and (start := self.enter(agreement, agreements[agreement], base[0]))
                ):
                    self.path = [at for at in self.path if at.slot[0] < agreement[1]] + start
                    self.begun = {on: one for on, one in self.begun.items() if on < agreement[1]}
                    self.begun[agreement[1]] = agreement
                    entered = True
                    break
        while following := self.step(self.path[-1], everything):
            self.path.append(following)

    def went_above(self, number: int) -> set[int]:
        """The operators of the seats live where the first epoch of the path above a number began, if there is one."""
        return self.operators(next((at.live for at in self.path if at.slot[0] > number), ()))

    def enter(
        self, agreement: tuple[int, int, tuple[tuple[int, int, bytes], ...]], by: dict[int, Any], base: Any
    ) -> Any:
        """The positions of the base and the first one of the new epoch, None if the agreement is not in force."""
        number, epoch, leaving = agreement
        listed = {seat: length for seat, length, _ in leaving}
        ends = [by[s].number - 1 if s in by else listed.get(s, len(chain)) for s, chain in enumerate(self.chains, 1)]
        found = [base]
        while following := self.step(found[-1], ends):
            found.append(following)
        first, base = base.behind, found[-1]
        if any(end < behind for end, behind in zip(ends, first, strict=True)):
            return None
        leavers = {*listed} & {*base.live}
        staying = {*base.live} - leavers
        resigned = {
            s for s in base.live for e in self.chains[s - 1][: ends[s - 1]] if e.kind == RESIGN and e.slot[0] <= epoch
        }
        counted = {*base.live} - resigned or {*base.live}
        stay, play = self.operators(staying & counted), self.operators(counted)
        over = base.slot[2] == END
        if not staying <= {*by} or 2 * len(stay) <= len(play):
            return None
        at = self.copy(base)
        at.slot = (number, *base.slot[1:])
        for s in range(1, len(self.chains) + 1):
            far = listed[s] if s in listed else by[s].number if s in by and s in base.live else 0
            at.behind[s - 1] = max(at.behind[s - 1], far)
        at.effects += len({*by} & {*base.live})
        if over:
            at.behind = [*base.behind]
            return [*found, at]
        given = {s: self.given(base, s, ends) for s in self.givers(base) if at.machine}
        if all(map(given.get, leavers)):
            at.parts = {s: e for s, e in given.items() if e}
            return [*found, at]
        at.machine, at.bound, at.parts = None, {}, {}
        for s in sorted(leavers):
            self.resigned(at, s)
        return [*found, self.opened(at)]

    # Section 9.

    def named(self, e: Any, ends: list[int]) -> bool:
        live = self.path[-1].live
        last = {s: self.chains[s - 1][: ends[s - 1]][-1:] for s in live}
        named = [s for s, one in last.items() if one and one[0].heads[e.seat - 1] >= e.number]
        return self.operators(live) - {self.operator(e.seat)} <= self.operators(named)

    def settled(self, e: Any) -> bool:
        ends = [*map(len, self.chains)]
        for d in [kept for kept, _ in self.proofs if not self.named(kept, ends)]:
            for s, chain in enumerate(self.chains, 1):
                rest = [at for at, one in enumerate(chain) if one == d or one.heads[d.seat - 1] >= d.number]
                ends[s - 1] = min([ends[s - 1], *rest])
        return self.named(e, ends)

    def counts(self, e: Any) -> bool:
        at = self.path[-1]
        used = [chain[: None if s in at.live else at.behind[s - 1]] for s, chain in enumerate(self.chains, 1)]
        names = [chain[-1].heads[e.seat - 1] >= e.number for chain in used if chain]
        guilty = self.operators([e.seat, *(kept.seat for kept, _ in self.proofs)])
        results = [self.given(at, s, [*map(len, self.chains)]) for s in at.live]
        signed = self.operators(one.seat for one in results if one and one.heads[e.seat - 1] < e.number)
        play = self.operators(at.live) - guilty or self.operators(at.live)
        naming = self.operators(one.seat for one in results if one and one.heads[e.seat - 1] >= e.number)
        if at.slot[2] == END and (2 * len(signed & play) > len(play) or play <= naming):
            return False
        return (e.seat in at.live or e.number <= at.behind[e.seat - 1] or any(names)) and not self.settled(e)

    def result(self) -> Result | None:
        at, counting = self.path[-1], [proof for proof in self.proofs if self.counts(proof[0])]
        if not counting:
            return at.due.result if isinstance(at.due, Over) else None
        twice = [kept for kept, _ in counting]
        at = [one for one in self.path if all(one.behind[e.seat - 1] < e.number for e in twice)][-1]
        guilty = self.operators(e.seat for e in twice)
        first = [p for p in counting if not any(all(v.heads[e.seat - 1] >= e.number for v in p) for e in twice)]
        reason = (
            f"{self.charter.names[min(self.operators(p[0].seat for p in first)) - 1]} signed two versions of an event"
        )
        players, nothing = self.operators(at.live), (0,) * len(self.charter.ids)
        if len(players) != 2 or len(guilty & players) != 1:
            return Result((), nothing, reason)
        at = self.copy(at)
        winners = tuple(s for s in at.live if self.operator(s) not in guilty)
        for s in [s for s in at.live if s not in winners]:
            self.resigned(at, s)
        ended = at.due.result if isinstance(at.due, Over) else None
        return Result(winners, ended.points if ended and ended.winners == winners else nothing, reason)

    # Sections 4 and 11.

    def take(self, raw: bytes, signature: bytes) -> None:
        """The checks of section 4 on an event of a file."""
        e = read_event(raw, signature)
        need(e.table == self.charter.table and len(e.heads) == len(self.chains))
        chain, behind = self.chains[e.seat - 1], self.path[-1].behind[e.seat - 1]
        need(e.number == len(chain) + 1)
        need(e.number <= behind + 1024)
        need(sum(len(one.raw) for one in chain[behind:]) + len(raw) <= 524288)
        need(signed(self.charter.ids[e.seat - 1], b"stonehenge/event/2" + raw, signature))
        need(
            all(
                (0 < n <= len(c) and c[n - 1].hash == h) or n == 0
                for n, h, c in zip(e.heads, e.hashes, self.chains, strict=True)
            )
        )
        need(not chain or e.slot[:2] >= chain[-1].slot[:2])
        same = takewhile(lambda o: o.slot[1] == e.slot[1], reversed(chain))
        need(sum((o.kind == EPOCH) == (e.kind == EPOCH) for o in same) < (128 if e.kind == EPOCH else 8))
        last = [c[n - 1] for c, n in zip(self.chains, e.heads, strict=True) if n]
        need(all(x <= y for one in last for x, y in zip(one.heads, e.heads, strict=True)))
        own = max([o.body[0] for o in chain if o.kind == EPOCH], default=0)
        known = [o.body[0] for s, n in enumerate(e.heads) for o in self.chains[s][:n] if o.kind == EPOCH]
        need(own < e.body[0] <= max([e.slot[0], *known]) + 256 if e.kind == EPOCH else e.slot[0] >= own)
        chain.append(e)
        if self.charter.local:
            self.act(e)
        else:
            self.fold()

    def take_proof(self, raw: bytes, signature: bytes, raw2: bytes, signature2: bytes) -> None:
        kept, other = read_event(raw, signature), read_event(raw2, signature2)
        need(not self.charter.local)
        need(
            kept.table == other.table == self.charter.table and len(kept.heads) == len(other.heads) == len(self.chains)
        )
        need(
            kept.seat == other.seat
            and kept.number == other.number <= len(self.chains[kept.seat - 1])
            and kept.hash != other.hash
        )
        stands = self.chains[kept.seat - 1][kept.number - 1]
        need((stands.raw, stands.signature) == (raw, signature))
        need(signed(self.charter.ids[other.seat - 1], b"stonehenge/event/2" + raw2, signature2))
        earlier = [one for one, _ in self.proofs if one.seat == kept.seat]
        need((kept, other) not in self.proofs)
        behind = kept.number <= self.path[-1].behind[kept.seat - 1]
        ends = behind and self.counts(kept) and all(kept.number < e.number for e in earlier if self.counts(e))
        if kept.number not in [one.number for one in earlier] and (len(earlier) < 8 or ends):
            self.proofs.append((kept, other))

    def act(self, e: Any) -> None:
        """Section 10."""
        at = self.copy(self.path[-1])
        if at.slot[2] == END:
            need(e.kind == RESULT and e.body == (b"",) and self.given(at, 1, [e.number]) is e)
            return
        need(e.kind == ACT and (e.slot, e.digest) == (at.slot, at.digest))
        if e.body[0] == 0 and e.body[1].startswith("takeback "):
            number = e.body[1].removeprefix("takeback ")
            need(number in map(str, (one[0] for one in at.states)))
            self.take_back(at, int(number))
        else:
            need(self.game.refuse(at.state, *e.body) is None)
            self.apply(at, *e.body)
        at.behind, at.effects = [e.number], at.effects + 1
        self.path.append(self.opened(at))

    def report(self) -> dict[str, Any]:
        """What `verify --json` prints of a valid file, cheats without the words."""
        at, result, ends = self.path[-1], self.result(), [len(chain) for chain in self.chains]
        by_rules = isinstance(at.due, Over) and result == at.due.result
        return {
            "ok": True,
            "error": None,
            "table": self.charter.table.hex(),
            "game": self.game.key,
            "finished": result is not None,
            "result": result and {**result._asdict(), "winners": [*result.winners], "points": [*result.points]},
            "events": at.effects,
            "signed_events": sum(ends),
            "digest": at.digest.hex(),
            "signed_by": [seat for seat in range(1, len(ends) + 1) if by_rules and self.given(at, seat, ends)],
            "cheats": [[*one, "breach"] for one in at.cheats]
            + [[kept.seat, kept.number, "equivocation"] for kept, _ in self.proofs],
        }


def verify(data: bytes) -> dict[str, Any]:
    """Section 11: the report of a valid file. Raises Invalid."""
    magic = b"p2p-stonehenge transcript 2\n"
    need(data.startswith(magic))
    at = len(magic)
    found: Verifier | None = None
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        need(at + 4 + size <= len(data) and size <= 33792)
        record = unpack(data[at + 4 : at + 4 + size], 33792)
        need(
            type(record) is tuple
            and record != ()
            and [type(one) for one in record[1:]] == [bytes] * {1: 1, 2: 2, 3: 4}.get(record[0], -1)
        )
        need((record[0] == 1) == (found is None))
        if found is None:
            found = Verifier(read_charter(record[1]))
        elif record[0] == 2:
            found.take(*record[1:])
        else:
            found.take_proof(*record[1:])
        at += 4 + size
    if found is None:
        raise Invalid
    return found.report()
