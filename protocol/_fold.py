"""The fold: from the signed chains of all seats to the one state of the game.

It is a function of the set of events alone: in which order they arrived makes no difference. The game says whose
turn it is, so there is no host, no clock and no vote about order. Positions are immutable; the fold closes one
slot after another:

* a *turn slot* is filled by the seat to act (a move, a resignation, a draw wish or SEQUENCE). All asynchronous
  events that the filling event names take effect before it, so the mover fixes their place.
* a *gather slot* takes one contribution of every live seat. What a seat signed before its contribution takes
  effect before the slot; a seat that resigns instead of contributing, before it signed anything for a later slot,
  makes the attempt void.

A slot made void by a resignation is not final: another seat may have resigned at the same time, and seats then
apply in seat order. The fold therefore keeps the position before the first void slot and starts again from there,
until a later slot has gathered something from every seat that is left.

Two things can come to light late, and the fold then goes back to where they count: a vote against a seat whose
contribution not everybody had, and a second version of an event that not everybody had named.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from engine import CHANCE, PUBLIC, Action, Chance, Deal, Game, Over, Pick, Turn
from protocol._chance import Dealing, Drawn, Hands, Machine, begin
from protocol._charter import LOCAL, Charter
from protocol._deck import MASKED_DECK, DeckScheme
from protocol._event import (
    ACT,
    ASYNCHRONOUS,
    END,
    MOVE,
    RESIGN,
    SETTLE,
    TURN,
    VOTE,
    WISH,
    Fork,
    SignedEvent,
    Slot,
)
from protocol._reading import Cheat, Position, Reading, place

FORKS_TRIED, ATTEMPTS = 7, 64
"""Events of a seat signed in two versions, and ways to suppose which of them stand, that are tried at most at one slot:
whoever signs many must not keep the others busy."""
WISH_OUTLIVES = 2
"""A draw wish lapses with its author's second own move after it."""


class Applied(NamedTuple):
    """One action of the game as it took effect in public, with the state before it.

    `hands` opens what was dealt; `removed` tells a seat that was voted out from one that resigned.
    """

    actor: int
    action: Action
    before: Any
    hands: Hands | None = None
    removed: bool = False


class Fold(Reading):
    """The state of one table, kept up to date with its chains."""

    def __init__(
        self,
        charter: Charter,
        game: Game[Any],
        chains: Sequence[Sequence[SignedEvent]],
        scheme: DeckScheme = MASKED_DECK,
        forks: Sequence[Fork] = (),
    ) -> None:
        body = charter.body
        seats = len(body.seats)
        state = game.start(dict(body.options), seats)
        none = (0,) * seats
        start = Position(
            slot=Slot(0, -1, TURN),
            state=state,
            due=game.pending(state),
            live=game.live(state),
            cursors=(0,) * len(chains),
            wishes=none,
            wished=none,
        )
        super().__init__(game, tuple(seat.operator for seat in body.seats), chains, forks, start)
        self.table = charter.table
        self.log: list[Applied] = []
        """Every action applied, in order."""
        self._scheme = scheme
        self._local = body.kind == LOCAL
        self._openings: list[Position] = []
        """Each slot as it was opened for good, in order: where the fold can go back to."""
        self._next_slot(final=True)
        self._changed = 0

    def changes(self) -> int:
        """Return the first index of `log` that is new or changed since the last call."""
        first, self._changed = self._changed, len(self.log)
        return first

    def advance(self) -> None:
        """Close every slot that the chains allow."""
        first = len(self.log)
        if self.position is not self._openings[-1]:
            self.position = self._openings[-1]
            first = min(first, self.position.plies)
            before = self.log[first:]
            del self.log[first:]
        else:
            before = []
        while self._close() or (self._forks and self._suppose()):
            pass
        while before and first < len(self.log) and self.log[first] == before[0]:
            before.pop(0)
            first += 1
        self._changed = min(self._changed, first)

    def foreseen(self, seat: int, action: Action) -> Machine | None:
        """Return the roll to which an action of the seat to act leads, if all have committed to it before."""
        position = self.position
        if position.standing is None or self.asynchronous():
            return None
        state = self.game.apply(position.state, seat, action)
        due, live = self.game.pending(state), self.game.live(state)
        if not isinstance(due, Chance) or isinstance(due.draw, Deal) or live != position.standing.drawing.live:
            return None
        return self._following(live, due)

    def expected(self) -> Machine | None:
        """Return the roll that follows if the move that is due leads to one, whatever will be drawn by it."""
        position = self.position
        if position.slot.kind != TURN or position.standing is None or position.live != position.standing.drawing.live:
            return None
        return self._following(position.live, Chance(Pick(())))

    def _following(self, live: tuple[int, ...], due: Chance) -> Machine:
        epoch, step, kind = self.position.slot
        return begin(self.table, Slot(epoch, step + 1, kind), live, due, self.position.deals, self.position.standing)

    # Going back.

    def refill(self, kept: SignedEvent) -> None:
        """Go back to before an event: the chains are about to be filled anew, from there on with other events."""
        del self._openings[self._before(kept) :]
        self.votes.clear()
        self._cuts = (), {}

    def hear(self, vote: SignedEvent) -> None:
        """Note a vote. If it came late go back to its slot, where it makes a difference."""
        self.votes.append(vote)
        after = bisect_right(self._openings, vote.slot.step, key=lambda position: position.slot.step)
        if not 0 < after < len(self._openings):
            return
        before = self._openings[after - 1]
        # A void slot was not opened for good: it is found again from the slot before it.
        if before.slot.step == vote.slot.step and vote.body[0] not in self.forkers():
            here, self.position = self.position, before
            decided = self._outvoted()
            self.position = here
            if not decided:
                return
        del self._openings[after:]

    def go_on(self, event: SignedEvent) -> None:
        """Note what a seat has signed after its votes: go back to where one that lapses by that has removed another.

        And to what stood of a forker as long as the seat had not gone on without it.
        """
        epoch, step, _ = event.slot
        before = self._chains[event.seat - 1][: event.number - 1]
        votes = [one for one in before if one.kind == VOTE and one.slot.step < step]
        ended = [vote for vote in votes if vote.slot.epoch < epoch]
        for kept, _ in self._forks:
            if any(vote.body == (kept.seat,) and self._epoch_after(vote, len(before)) is None for vote in ended):
                self.recut(kept)
        for slot in sorted(vote.slot for vote in votes if vote.slot.epoch == epoch):
            after = bisect_right(self._openings, slot.step, key=lambda position: position.slot.step)
            if 0 < after < len(self._openings) and self._openings[after].slot.epoch > epoch:
                del self._openings[after:]
                return

    def recut(self, kept: SignedEvent) -> None:
        """Go back to before an event of which a second version came to light, if that can make a difference."""
        # Whether it stands follows from who was live before it: it may itself have ended its author's game.
        if len(set(self._operator_of)) > 2:
            del self._openings[self._before(kept) :]

    def decided(self, kept: SignedEvent) -> bool:
        """Return whether another version of an event makes no difference beside those held."""
        if self.settled(kept) or any(fork.kept is kept for fork in self._forks):
            return True
        cut = self.cut(kept.seat)
        before = self._openings[self._before(kept) - 1]
        return (cut is not None and cut < kept.number) or len({self._operator_of[seat - 1] for seat in before.live}) < 3

    def _before(self, kept: SignedEvent) -> int:
        """Return how many slots opened for good depend neither on an event nor on what its author signed later."""
        at = kept.seat - 1
        # A vote counts at its slot, and its author's cursor does not pass it; what is signed after it can void it.
        votes = [event.slot.step for event in self._chains[at] if event.kind == VOTE]
        first = min(votes, default=self._openings[-1].slot.step)
        known = sum(1 for one in self._openings if one.cursors[at] < kept.number and one.slot.step <= first)
        return max(1, known)

    def _suppose(self) -> bool:
        """Go on with events that are signed in two versions, if all who are left in the end have named those held.

        So what a seat that has left had not named can no longer be taken back. As many as possible are tried first.
        """
        ahead: dict[int, list[SignedEvent]] = {}
        for kept in sorted(self.open_forks(), key=lambda kept: (kept.seat, kept.number)):
            if kept.number > self.position.cursors[kept.seat - 1]:
                ahead.setdefault(kept.seat, []).append(kept)
        if not ahead or len(self.operators()) < 3:
            return False
        # What a seat has signed in two versions stands only together with what it has signed so before.
        counted = (range(min(len(forked), FORKS_TRIED) + 1) for forked in ahead.values())
        numbers = sorted(product(*counted), key=sum, reverse=True)[:-1]
        before, plies, openings = self.position, len(self.log), len(self._openings)
        for counts in numbers[:ATTEMPTS]:
            parts = zip(ahead.values(), counts, strict=True)
            supposed = tuple(kept for forked, count in parts for kept in forked[:count])
            self.position = before._replace(supposed=before.supposed + supposed)
            while self._close():
                pass
            if all(map(self.settled, supposed)):
                return True
            self.position = before
            del self.log[plies:], self._openings[openings:]
        return False

    # Closing slots.

    def _close(self) -> bool:
        if self._local:
            return self._close_local()
        kind = self.position.slot.kind
        if kind == END:
            return False
        outvoted = self._outvoted()
        if outvoted:
            self._remove(outvoted)
            return True
        return self._close_turn() if kind == TURN else self._close_gather()

    def _outvoted(self) -> list[int]:
        """Return the seats that owe the open slot and that more than half of the operators vote to remove."""
        if not self.votes:
            return []
        return [seat for seat in self.asked() if 2 * len(self.voters(seat)) > len(self.operators())]

    def _remove(self, seats: Sequence[int]) -> None:
        """Let seats leave that were voted out: as if they had resigned at this slot, and a new epoch begins."""
        before = self.position
        for seat in seats:
            if self.game.refuse(self.position.state, seat, "resign") is None:
                self._apply(seat, "resign", removed=True)
        epoch, *rest = before.slot
        self._abandon()
        self.position = self.position._replace(slot=Slot(epoch + len(seats), *rest))
        # After a void slot, which is not final, neither is this one: a resignation may still be on its way.
        final = before is self._openings[-1]
        self._next_slot(final=final, effects=len(seats))

    def _close_turn(self) -> bool:
        due = self.position.due
        assert isinstance(due, Turn)
        event = self.given(due.seat)
        if event is None:
            return False
        self._pass(self._named(event))
        effects = 0
        if event.kind in ASYNCHRONOUS:
            self._pass([event])
        elif self.position.due == due:
            effects = 1
            if event.kind == MOVE:
                self._move(event)
        lengths = [head.length for head in event.heads]
        lengths[event.seat - 1] = event.number
        cursors = tuple(map(max, self.position.cursors, lengths))
        self._next_slot(final=True, effects=effects, cursors=cursors, shown=(event,) if event.shows else ())
        return True

    def _move(self, event: SignedEvent) -> None:
        text = event.body[0]
        state, seat = self.position.state, event.seat
        refusal = self.game.refuse(self.game.view(state, PUBLIC), seat, str(text))
        if refusal is not None or text in ("resign", "draw"):
            reason = refusal.text if refusal else "it is not a move"
            self._condemn(event, f"an unlawful move: {reason}")
            return
        hands = self.position.hands
        checked = (
            hands.check(event, self._scheme) if hands else len(event.body) == 3 and "a share where no card is dealt"
        )
        if isinstance(checked, str):
            self._condemn(event, checked)
            return
        if checked:
            self.position = self.position._replace(hands=checked)
        self._expose(state, seat, str(text))
        self._apply(seat, str(text))
        at = seat - 1
        wishes, wished = self.position.wishes, self.position.wished
        if wishes[at] or wished[at]:
            self.position = self.position._replace(
                wishes=_put(wishes, at, max(0, wishes[at] - 1)), wished=_put(wished, at, 0)
            )

    def _close_gather(self) -> bool:
        position, contributors = self.position, self.contributors()
        contributions: list[SignedEvent] = []
        resigned: list[SignedEvent] = []
        earlier: list[SignedEvent] = []
        for seat in contributors:
            given = self.given(seat)
            if given is None:
                continue
            wishes = [event for event in self._ahead(seat) if event.kind == WISH and event.number < given.number]
            if given.kind == RESIGN:
                resigned += [*wishes, given]
            else:
                contributions.append(given)
                earlier += wishes
        if resigned:
            self._void(resigned)
            return True
        if len(contributions) < len(contributors):
            return False
        self._pass(sorted(earlier, key=place))
        cursors = [*self.position.cursors]
        for event in contributions:
            cursors[event.seat - 1] = max(cursors[event.seat - 1], event.number)
        effects = 0
        if not isinstance(self.position.due, Over):
            effects = len(contributions)
            if position.machine:
                self._step(position.machine, contributions)
        self._next_slot(final=True, effects=effects, cursors=tuple(cursors))
        return True

    def _void(self, resigned: list[SignedEvent]) -> None:
        """Let seats leave instead of contributing; `resigned` are their resignations and the wishes before these.

        Whom more than half remove at one of the void slots that follow has left by that, not by a resignation which
        they had not seen: whoever keeps one back could otherwise take back all that was played without it.
        """
        before, plies, openings = self.position, len(self.log), len(self._openings)
        seats = {event.seat for event in resigned}
        voted = sorted(seats & {vote.body[0] for vote in self.votes if vote.slot.step > before.slot.step})
        for size in range(min(len(voted), len(seats) - 1), -1, -1):
            for late in combinations(voted, size):
                self._pass(sorted((event for event in resigned if event.seat not in late), key=place))
                self._abandon()
                self._next_slot(final=False)
                while late and self.position is not self._openings[-1] and self._close():
                    pass
                if {*late} <= {one.actor for one in self.log[plies:] if one.removed}:
                    return
                self.position = before
                del self.log[plies:], self._openings[openings:]

    def _step(self, machine: Machine, contributions: list[SignedEvent]) -> None:
        """Hand the contributions to the machine that draws chance."""
        taken = machine.take(contributions, self._scheme)
        if isinstance(taken, Drawn):
            before = self.position
            self.position = before._replace(
                machine=None, standing=taken.standing or before.standing, hands=taken.hands or before.hands
            )
            self._apply(CHANCE, taken.action, taken.hands)
        elif isinstance(taken, Machine):
            self.position = self.position._replace(machine=taken)
        else:
            self._abandon()
            for event, reason in taken:
                self._condemn(event, reason)

    def _close_local(self) -> bool:
        event = next((event for event in self._ahead(1) if event.kind == ACT), None)
        if event is None or isinstance(self.position.due, Over):
            return False
        actor, text = event.body
        if not self._fits(event) or not isinstance(actor, int) or not isinstance(text, str):
            return False
        if self.game.refuse(self.position.state, actor, text) is not None:
            return False
        self._move_own_cursor(event)
        self._apply(actor, text)
        self._next_slot(final=True, effects=1)
        return True

    # Effects on the position.

    def _pass(self, events: Sequence[SignedEvent]) -> None:
        """Let asynchronous events take effect, each where it stands."""
        for event in events:
            self._move_own_cursor(event)
            position = self.position
            at = event.seat - 1
            if isinstance(position.due, Over) or not self._counts(event):
                continue
            self.position = position = position._replace(effects=position.effects + 1)
            if event.kind == RESIGN:
                self._apply(event.seat, "resign")
            elif event.body == (0,):
                self.position = self.position._replace(wishes=_put(position.wishes, at, 0))
            else:
                wishes = _put(position.wishes, at, WISH_OUTLIVES)
                self.position = self.position._replace(wishes=wishes, wished=_put(position.wished, at, 1))
            self._agree()

    def _agree(self) -> None:
        position = self.position
        agreed = all(position.wishes[seat - 1] for seat in position.live)
        if agreed and self.game.refuse(position.state, CHANCE, "draw") is None:
            self._apply(CHANCE, "draw")

    def _apply(self, actor: int, action: Action, hands: Hands | None = None, *, removed: bool = False) -> None:
        position = self.position
        state = self.game.apply(position.state, actor, action)
        due = self.game.pending(state)
        live = self.game.live(state)
        if isinstance(due, Over):
            live = tuple(seat for seat in position.live if (seat, "resign") != (actor, action))
        self.log.append(Applied(actor, action, position.state, hands, removed))
        self.position = position._replace(state=state, due=due, live=live, plies=position.plies + 1)

    def _condemn(self, event: SignedEvent, reason: str) -> None:
        """A signed breach of the rules is its author's last event and equals resigning."""
        cheat = Cheat(event.seat, event.hash, reason)
        self.position = self.position._replace(cheats=(*self.position.cheats, cheat))
        if self.game.refuse(self.position.state, event.seat, "resign") is None:
            self._apply(event.seat, "resign")

    def _expose(self, state: Any, seat: int, action: Action) -> None:
        """Note the breaches that an action brings to light; what they cost is for the rules of the game."""
        hands = self.position.hands
        for guilty, card, reason in self.game.revokes(state, seat, action):
            for event in hands.played(guilty, card) if hands else ():
                cheat = Cheat(guilty, event.hash, reason)
                self.position = self.position._replace(cheats=(*self.position.cheats, cheat))

    def _abandon(self) -> None:
        # Salts committed to may have been shown, and not everybody has committed to new ones.
        self.position = self.position._replace(machine=None, standing=None)

    def _next_slot(
        self,
        *,
        final: bool,
        effects: int = 0,
        cursors: tuple[int, ...] | None = None,
        shown: tuple[SignedEvent, ...] = (),
    ) -> None:
        """Open the next slot: what it gathers follows from who is to act; a turn after a void slot is settled first.

        A move may have `shown` its author's salt for the roll to which it led.
        """
        position = self.position
        epoch, step, _ = position.slot
        step += 1
        machine, deals = position.machine, position.deals
        due = position.due
        if isinstance(due, Chance):
            if machine is None and not self._local:
                at = Slot(epoch, step, 0)
                machine = begin(self.table, at, position.live, due, deals, position.standing, shown)
                deals += isinstance(machine, Dealing)
            kind = machine.slot_kind if machine else TURN
        else:
            machine, kind = None, END if isinstance(due, Over) else TURN if final else SETTLE
        self.position = position._replace(
            slot=Slot(epoch, step, kind),
            machine=machine,
            deals=deals,
            effects=position.effects + effects,
            cursors=cursors or position.cursors,
        )
        if final:
            self._openings.append(self.position)

    def _move_own_cursor(self, event: SignedEvent) -> None:
        at = event.seat - 1
        cursors = self.position.cursors
        if event.number > cursors[at]:
            self.position = self.position._replace(cursors=_put(cursors, at, event.number))


def _put(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])
