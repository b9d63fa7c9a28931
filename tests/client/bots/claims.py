"""What each sentence of `hint` and `why` claims of a move, in terms of the engine."""

import re
from collections.abc import Callable
from typing import Any

from whist_claims import WHIST

from engine import CHANCE, Game, Over, Turn, all_games
from engine.games import fidchell
from engine.games.fidchess import DISKS, SEAT_SHIFT
from engine.games.kingamon import DISK, KING, NEUTRAL, OFF, PLAY, ROLL, State
from p2p_stonehenge.bots.thought import Thought
from p2p_stonehenge.table.losing import winning_reply


class Claim:
    """A move of which something is said: the state before it as its seat sees it, and after all of it."""

    def __init__(self, game: Game[Any], view: Any, seat: int, thought: Thought) -> None:
        self.game, self.view, self.seat, self.thought = game, view, seat, thought
        played = [thought.action, *([thought.then] if thought.then else [])]
        self.events: list[str] = []
        self.after = view
        for action in played:
            assert action in game.legal(self.after, seat)
            self.events += [event.text for event in game.story(self.after, seat, action)]
            self.after = game.apply(self.after, seat, action)

    def turned(self, state: Any, seat: int) -> Any:
        """Return a state in which it is the turn of `seat`."""
        return fidchell.with_turn(state, seat) if self.game.key == "fidchell" else state._replace(to_move=seat)

    def rivals(self, state: Any) -> list[int]:
        """Return the seats that play against the one that moves."""
        partners = getattr(state.rules, "partners", False)  # who sit opposite each other
        own = {
            seat for seat in self.game.live(state) if seat == self.seat or (partners and (seat - self.seat) % 2 == 0)
        }
        return [seat for seat in self.game.live(state) if seat not in own]

    def can_win(self, state: Any, seat: int) -> bool:
        """Return whether a seat has a move that wins the game if it is its turn."""
        state = self.turned(state, seat)
        for action in self.game.legal(state, seat):
            due = self.game.pending(self.game.apply(state, seat, action))
            if isinstance(due, Over) and seat in due.result.winners:
                return True
        return False

    def takings(self, state: Any, seat: int) -> list[str]:
        """Return the moves with which a seat takes something of the seat that is spoken of."""
        mine = self.game.colours[self.seat - 1]
        state = self.turned(state, seat)
        told = {action: self.game.story(state, seat, action)[0].text for action in self.game.legal(state, seat)}
        if self.game.key == "fidchess":
            return [action for action, text in told.items() if "captures" in text]
        return [action for action, text in told.items() if f"{mine}'s" in text]


# What each sentence means, in terms of the engine.


def over(claim: Claim, *_: str) -> None:
    due = claim.game.pending(claim.after)
    assert isinstance(due, Over)
    assert claim.seat in due.result.winners


def goes_on(claim: Claim, *_: str) -> None:
    assert not isinstance(claim.game.pending(claim.after), Over)


def lost_at_once(claim: Claim, *_: str) -> None:
    assert any(claim.can_win(claim.after, rival) for rival in claim.rivals(claim.after))


def no_win_at_once(claim: Claim, *_: str) -> None:
    assert winning_reply(claim.game, claim.after, claim.seat) is None


def fidchess_disks(state: Any, seat: int) -> int:
    return sum(stack & DISKS for stack in state.cells if stack >> SEAT_SHIFT == seat)


def takes_disks(claim: Claim, disks: str) -> None:
    other = 3 - claim.seat
    assert fidchess_disks(claim.view, other) - fidchess_disks(claim.after, other) == int(disks)
    assert "captures" in claim.events[0]


def wins_back(claim: Claim, *_: str) -> None:
    assert fidchess_disks(claim.after, claim.seat) > fidchess_disks(claim.view, claim.seat)
    assert "Duo" in claim.events[0]


def takes_stack(claim: Claim, disks: str, gone: str | None = None) -> None:
    sizes = {"Oin": 1, "Duo": 2, "Teth": 3, "Peth": 4, "Quen": 5, "Rigant": 0}
    (piece,) = re.findall(r"(?:onto|captures|removes) (?:\w+'s|its) (?:neutral )?(\w+)", claim.events[0])
    assert int(disks) == sizes[piece] or "Rigant" in claim.events[0]
    held = [sum(len(stack) for stack in state.cells) for state in (claim.view, claim.after)]
    assert held[0] - held[1] == int(gone or 0)


def moves_again(claim: Claim, *_: str) -> None:
    due = claim.game.pending(claim.after)
    assert isinstance(due, Turn)
    assert due.seat == claim.seat


def named(claim: Claim, who: str) -> list[int]:
    """Return the seats that a claim calls so."""
    return [claim.after.to_move] if who == "the next player" else claim.rivals(claim.after)


def meets_threat(claim: Claim, who: str) -> None:
    assert any(claim.can_win(claim.view, rival) for rival in named(claim, who)), "there was a threat"
    assert not any(claim.can_win(claim.after, rival) for rival in named(claim, who)), "there is none any more"


def nothing_to_capture(claim: Claim, who: str) -> None:
    assert any(claim.takings(claim.view, rival) for rival in named(claim, who)), "something was to be captured"
    assert not any(claim.takings(claim.after, rival) for rival in named(claim, who)), "nothing is any more"


def prevented(claim: Claim, who: str, move: str) -> None:
    def captures(state: Any) -> bool:
        for rival in named(claim, who):
            turned = claim.turned(state, rival)
            if move in claim.game.legal(turned, rival):
                told = claim.game.story(turned, rival, move)[0].text
                return "captures" in told or claim.game.key == "qenqe"  # whose moves say what lies on their end
        return False

    assert captures(claim.view)
    assert not captures(claim.after)


def threatens(claim: Claim, *_: str) -> None:
    side = {*claim.game.live(claim.after)} - {*claim.rivals(claim.after)}
    assert any(claim.can_win(claim.after, seat) for seat in side)


def missing(state: Any, seat: int) -> int:
    """Return how many fields the chain of a seat to the king lacks at least: by the cheapest way over all fields."""
    board = state.rules.board
    own = state.standing[seat - 1]
    closed = 0
    for number, some in enumerate(state.standing, 1):
        closed |= some if number != seat else 0

    def price(field: int) -> int:
        return 99 if closed >> field & 1 else 0 if own >> field & 1 else 1

    cost, waiting = {}, [(price(field), field) for field in bits(board.gate)]
    while waiting:
        waiting.sort(reverse=True)
        so_far, field = waiting.pop()
        if field in cost or so_far >= 99:
            continue
        cost[field] = so_far
        waiting += [(so_far + price(other), other) for other in bits(board.near[field]) if other not in cost]
    return min((cost[field] for field in bits(board.rim) if field in cost), default=99)


def bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def chain_short(claim: Claim, colour: str, now: str, was: str | None = None, names: str | None = None) -> None:
    assert claim.game.colours[claim.seat - 1] == colour
    assert missing(claim.after, claim.seat) == int(now)
    assert missing(claim.view, claim.seat) == (int(was) if was else 99)
    assert (names is None) == (int(now) > 4)
    if names:
        board, standing = claim.after.rules.board, [*claim.after.standing]
        fields = [board.named[name] for name in names.split(", ")]
        assert len(fields) == int(now)
        for field in fields:
            assert not any(some >> field & 1 for some in standing)
            standing[claim.seat - 1] |= board.pieces[field]
        assert missing(claim.after._replace(standing=tuple(standing)), claim.seat) == 0


def in_the_way(claim: Claim, colour: str, now: str | None = None, was: str | None = None) -> None:
    seat = claim.game.colours.index(colour) + 1
    assert missing(claim.after, seat) == (int(now) if now else 99)
    assert missing(claim.view, seat) == int(was) if was else missing(claim.view, seat) < 99


def takable(claim: Claim, state: Any, victims: list[int], hunters: list[int]) -> set[str]:
    """Return the fields of pieces of some seats that others capture with one move, if it is their turn."""
    found = set()
    for hunter in hunters:
        turned = claim.turned(state, hunter)
        for action in claim.game.legal(turned, hunter):
            _, _, told = claim.game.story(turned, hunter, action)[0].text.partition(" captures ")
            for victim in victims:
                _, _, own = told.partition(f"{claim.game.colours[victim - 1]}'s piece")
                found |= {*re.findall(r"\d+[A-I]\d", own.partition("'s piece")[0])}
    return found


def replies(claim: Claim, state: Any) -> list[Any]:
    """Return the states after each move of a rival, as if it was its turn."""
    found = []
    for rival in claim.rivals(state):
        turned = claim.turned(state, rival)
        found += [claim.game.apply(turned, rival, action) for action in claim.game.legal(turned, rival)]
    return found


def ways_to_close(claim: Claim, number: str, colour: str, names: str) -> None:
    assert claim.game.colours[claim.seat - 1] == colour
    turned = claim.turned(claim.after, claim.seat)
    after = {action: claim.game.apply(turned, claim.seat, action) for action in claim.game.legal(turned, claim.seat)}
    closed = {action.rpartition("-")[2] for action, state in after.items() if missing(state, claim.seat) == 0}
    assert closed == {*names.split(", ")}
    assert len(closed) == int(number) > 1


def unblocked(claim: Claim, colour: str) -> None:
    assert claim.game.colours[claim.seat - 1] == colour
    now = missing(claim.after, claim.seat)
    assert max(missing(state, claim.seat) for state in replies(claim, claim.after)) == now <= 4
    before = [missing(state, claim.seat) for state in replies(claim, claim.view)]
    assert now < missing(claim.view, claim.seat) or max(before) > now, "it was so before"


def are_called(fields: set[str], names: str) -> bool:
    """Return whether some fields are those that are named, or as many as there are said to be."""
    count = re.fullmatch(r"(\d+) pieces", names)
    return len(fields) == int(count[1]) > 4 if count else fields == {*re.split(", | and | or ", names)}


def attacks(claim: Claim, names: str) -> None:
    before, after = (takable(claim, state, claim.rivals(state), [claim.seat]) for state in (claim.view, claim.after))
    assert are_called(after - before, names)


def guards(claim: Claim, names: str) -> None:
    before, after = (takable(claim, state, [claim.seat], claim.rivals(state)) for state in (claim.view, claim.after))
    kept = {claim.after.rules.board.names[field] for field in bits(claim.after.men[claim.seat - 1])}
    assert are_called((before - after) & kept, names)


def out_of_danger(claim: Claim) -> None:
    origin, target = claim.thought.action.split("-")
    assert origin in takable(claim, claim.view, [claim.seat], claim.rivals(claim.view))
    assert target not in takable(claim, claim.after, [claim.seat], claim.rivals(claim.after))


def is_safe(claim: Claim, name: str) -> None:
    assert name == claim.thought.action.rpartition("-")[2]
    assert name not in takable(claim, claim.after, [claim.seat], claim.rivals(claim.after))
    board = claim.after.rules.board
    beside = board.near[board.named[name]]
    assert any(beside & claim.after.men[rival - 1] for rival in claim.rivals(claim.after))


def sides(state: State, seat: int) -> tuple[bytes, bytes]:
    return (state.white, state.red) if seat == 1 else (state.red, state.white)


def rolls_that_take(state: State, hunter: int) -> tuple[int, int]:
    """Return with how many of the 36 rolls the hunter takes the other king, and with how many others a disk.

    Each roll is played in every way.
    """
    game = all_games()["kingamon"]
    start = state._replace(seat=hunter, phase=ROLL, dice=b"", again=0, plays=())
    kings = disks = 0
    for a in range(1, 7):
        for b in range(a, 7):
            waiting, king, disk = [game.apply(start, CHANCE, f"{a}-{b}")], False, False
            while waiting:
                now = waiting.pop()
                if now.phase == PLAY and now.seat == hunter:
                    for play in now.plays:
                        told = game.story(now, hunter, play)[0].text
                        king = king or ("captures" in told and "'s king" in told)
                        disk = disk or "captures" in told
                        waiting.append(game.apply(now, hunter, play))
            kings += king * (1 if a == b else 2)
            disks += (disk and not king) * (1 if a == b else 2)
    return kings, disks


def king_rolls(state: State, hunter: int) -> int:
    return rolls_that_take(state, hunter)[0]


def open_king(claim: Claim, rolls: str) -> None:
    assert claim.after.seat != claim.seat
    assert king_rolls(claim.after, 3 - claim.seat) == int(rolls)


def king_safe(claim: Claim, *_: str) -> None:
    assert king_rolls(claim.view, 3 - claim.seat)
    assert not king_rolls(claim.after, 3 - claim.seat)


def aims(claim: Claim, rolls: str) -> None:
    assert king_rolls(claim.after, claim.seat) == int(rolls)


def captured(claim: Claim, number: str) -> None:
    if claim.game.key == "kingamon":
        assert sum("captures" in text for text in claim.events) == int(number)
    else:
        places = re.findall(r"\d[A-F]\d", claim.events[0].partition("captures")[2])
        assert len(places) == int(number)


def captures_named(claim: Claim, names: str) -> None:
    assert {*re.findall(r"\d[A-F]\d", claim.events[0].partition("captures")[2])} == {*re.split(", | and ", names)}


def borne_off(claim: Claim, number: str) -> None:
    assert sum("bears off" in text for text in claim.events) == int(number)


def made_safe(claim: Claim, name: str) -> None:
    way = int(name) if claim.seat == 1 else OFF - int(name)
    before, after = (sides(state, claim.seat)[0][way] for state in (claim.view, claim.after))
    assert (before & 15) + (before >= KING) < 2 <= (after & 15) + (after >= KING)


def alone(claim: Claim, now: str, was: str) -> None:
    def lone(state: State) -> int:
        own = sides(state, claim.seat)[0]
        return sum(own[way] == DISK for way in range(1, OFF) if way not in NEUTRAL)

    assert (lone(claim.after), lone(claim.view)) == (0 if now == "no" else int(now), int(was))


def king_way(side: bytes) -> int:
    return next(way for way, byte in enumerate(side) if byte >= KING)


def pieces_at(byte: int) -> int:
    return (byte & 15) + (byte >= KING)


def before_the_king(state: State, seat: int) -> int:
    """Return how many pieces of the other side stand before the king of a seat, or may still enter there."""
    own, other = sides(state, seat)
    king = king_way(own)
    return sum(pieces_at(byte) for way, byte in enumerate(other[:OFF]) if OFF - way > king)


def king_past(claim: Claim, pieces: str, colour: str) -> None:
    assert claim.game.colours[2 - claim.seat] == colour
    (old, _), (own, other) = sides(claim.view, claim.seat), sides(claim.after, claim.seat)
    between = range(king_way(old) + 1, king_way(own))
    assert sum(pieces_at(byte) for way, byte in enumerate(other) if OFF - way in between) == int(pieces)


def king_home(claim: Claim) -> None:
    ways = [king_way(sides(state, claim.seat)[0]) for state in (claim.view, claim.after)]
    assert ways[0] < 24 <= ways[1] < OFF


def covered(claim: Claim) -> None:
    old, own = (sides(state, claim.seat)[0] for state in (claim.view, claim.after))
    assert pieces_at(old[king_way(old)]) == 1 < pieces_at(own[king_way(own)])
    assert 0 < king_way(own) < OFF


def on_a_neutral_space(claim: Claim, piece: str, name: str) -> None:
    way = int(name) if claim.seat == 1 else OFF - int(name)
    old, own = (sides(state, claim.seat)[0] for state in (claim.view, claim.after))
    assert way in NEUTRAL
    assert pieces_at(own[way]) > 0 == pieces_at(old[way])
    assert (own[way] >= KING) == (piece == "the king")


def disk_faced(claim: Claim, colour: str, now: str | None = None, was: str | None = None) -> None:
    assert claim.game.colours[2 - claim.seat] == colour
    before, after = (rolls_that_take(state, 3 - claim.seat)[1] for state in (claim.view, claim.after))
    assert before > after == int(now or 0)
    assert before == int(was) if was else not after


def aims_at_a_disk(claim: Claim, rolls: str) -> None:
    before, after = (rolls_that_take(state, claim.seat)[1] for state in (claim.view, claim.after))
    assert after == int(rolls) > before


def walled(claim: Claim, spaces: str, colour: str) -> None:
    assert claim.game.colours[2 - claim.seat] == colour

    def longest(own: bytes, other: bytes) -> int:
        held = "".join("x" if pieces_at(own[way]) > 1 else " " for way in range(1, OFF) if any(other[: OFF - way]))
        return max(map(len, held.split(" ")))

    own, other = sides(claim.after, claim.seat)
    assert longest(own, other) == int(spaces) > longest(sides(claim.view, claim.seat)[0], other)


def guarded(claim: Claim, pieces: str, colour: str) -> None:
    assert claim.game.colours[2 - claim.seat] == colour
    rival = 3 - claim.seat
    assert before_the_king(claim.after, rival) == before_the_king(claim.view, rival) == int(pieces)


def chance(claim: Claim, games: str) -> None:
    assert claim.thought.action in ("roll", "double", "take")
    assert 0 <= int(games) <= 100


def dropped(claim: Claim, points: str) -> None:
    due = claim.game.pending(claim.after)
    assert isinstance(due, Over)
    assert due.result.points[2 - claim.seat] == int(points)


def all_do(claim: Claim, *_: str) -> None:
    """Every card that may be played does what is said of this one."""
    actions = claim.game.legal(claim.view, claim.seat)
    assert len(actions) > 1
    for action in actions:
        every = Claim(claim.game, claim.view, claim.seat, Thought(action, 0.0))
        for known, what in read(claim.thought.reason.partition(", like")[0]):
            CLAIMS[known](every, *what)


def landings(claim: Claim, state: Any, hunter: int) -> dict[str, list[str]]:
    """Return the captures of a seat of Fidchess, if it is its turn, by the space where they land."""
    state, found = claim.turned(state, hunter), dict[str, list[str]]()
    for action in claim.game.legal(state, hunter):
        if "captures" in claim.game.story(state, hunter, action)[0].text:
            found.setdefault(action.removesuffix("=D")[-2:], []).append(action)
    return found


def retaken(claim: Claim, state: Any, hunter: int, action: str, space: str) -> bool:
    after = claim.game.apply(claim.turned(state, hunter), hunter, action)
    return space in landings(claim, after, 3 - hunter)


def stack_out_of_danger(claim: Claim, origin: str) -> None:
    assert claim.thought.action.startswith(f"{origin}-")
    assert origin in landings(claim, claim.view, 3 - claim.seat)
    assert claim.thought.action.partition("-")[2] not in landings(claim, claim.after, 3 - claim.seat)


def stacks_guarded(claim: Claim, names: str) -> None:
    rival = 3 - claim.seat
    before, after = (landings(claim, state, rival) for state in (claim.view, claim.after))
    for space in re.split(", | and ", names):
        assert not any(retaken(claim, claim.view, rival, action, space) for action in before[space])
        assert all(retaken(claim, claim.after, rival, action, space) for action in after[space])


def stacks_attacked(claim: Claim, names: str) -> None:
    before, after = (landings(claim, state, claim.seat) for state in (claim.view, claim.after))
    for space in re.split(", | and ", names):
        assert space not in before
        assert not any(retaken(claim, claim.after, claim.seat, action, space) for action in after[space])


def brought(claim: Claim, where: str) -> None:
    origin, target = claim.thought.action.split("-")
    ahead = (int(target[1:]) - int(origin[1:])) * (1 if claim.seat == 1 else -1)
    assert ahead > 0 or where != "forward"
    assert (origin[0] in "AD" and target[0] in "BC" and ahead >= 0) or where != "nearer the middle"


def said(claim: Claim, *_: str) -> None:
    """It is an estimate of the bot's own, or names nothing but what follows."""


CLAIMS: dict[str, Callable[..., None]] = {
    r"wins at once": over,
    r"wins by force within \d+ turns?": goes_on,
    r"loses at once": lost_at_once,
    r"lets a rival win at once": lost_at_once,
    r"loses by force within \d+ turns?": goes_on,
    r"may (?:win|let a rival win) within \d+ turns?": goes_on,
    r"is the only move that does not lose": goes_on,
    r"is the only move that lets no rival win at once": no_win_at_once,
    r"takes (\d+) disks?": takes_disks,
    r"wins a disk back from the reserve": wins_back,
    r"takes a stack of (\d+) disks?(?:, of which (\d+) leaves? the game)?": takes_stack,
    r"moves again": moves_again,
    r"meets the threat of (the other side|the others|the next player) to win at once": meets_threat,
    r"leaves (the other side|the others|the next player) nothing to capture": nothing_to_capture,
    r"threatens to win at once": threatens,
    r"keeps (the other side|the others|the next player) from capturing by (\S+)": prevented,
    r"brings the piece on ([A-D]\d) out of danger": stack_out_of_danger,
    r"guards ([A-D]\d(?:(?:, [A-D]\d)* and [A-D]\d)?)": stacks_guarded,
    r"attacks ([A-D]\d(?:(?:, [A-D]\d)* and [A-D]\d)?), which nothing guards": stacks_attacked,
    r"brings the piece (forward|nearer the middle)": brought,
    r"captures (\d+) pieces?": captured,
    r"captures (\d[A-F]\d(?:(?:, \d[A-F]\d)* and \d[A-F]\d)?)": captures_named,
    r"leaves (\w+)'s chain to the king (\d+) fields? short "
    r"(?:instead of (\d+)|where it had no way)(?: \(([^)]+)\))?": chain_short,
    r"is in the way of (\w+)'s chain, which (?:lacks (\d+) fields instead of (\d+)|has no way .*now)": in_the_way,
    r"makes (\d+) ways to close (\w+)'s chain \(([^)]+)\)": ways_to_close,
    r"leaves no single move that blocks (\w+)'s chain": unblocked,
    r"threatens to capture (\d+ pieces|\d\w+(?:(?:, \d\w+)* or \d\w+)?)": attacks,
    r"guards (\d+ pieces|\d\w+(?:(?:, \d\w+)* and \d\w+)?) from capture": guards,
    r"brings its piece out of danger": out_of_danger,
    r"cannot be captured on (\w+)": is_safe,
    r"wins the game": over,
    r"leaves the king open to (\d+) of 36 rolls": open_king,
    r"brings the king out of danger": king_safe,
    r"threatens the opposing king with (\d+) of 36 rolls": aims,
    r"bears off (\d+) pieces?": borne_off,
    r"makes space (\d+) safe": made_safe,
    r"leaves (no|\d+) disks? alone instead of (\d+)": alone,
    r"brings the king past (\d+) pieces? of (\w+)": king_past,
    r"brings the king to where it bears off": king_home,
    r"covers the king with a disk": covered,
    r"brings (a piece|the king) to space (\d+), where nothing is captured": on_a_neutral_space,
    r"leaves (\w+) (\d+) of 36 rolls that take a disk instead of (\d+)": disk_faced,
    r"leaves (\w+) no roll that takes a disk": disk_faced,
    r"threatens a disk with (\d+) of 36 rolls": aims_at_a_disk,
    r"holds (\d+) spaces in a row, where (\w+) cannot land": walled,
    r"keeps (\d+) pieces? before the king of (\w+)": guarded,
    r"is best followed by [\w/*()]+": said,
    r"with [\w/*()]+ played after it": said,
    r"leads to a win in about (\d+) of 100 games": chance,
    r"loses (\d+) points? now": dropped,
    r"like every card that may be played": all_do,
    **WHIST,
}
"""Every sentence that a reason may be made of."""

HARMS = (
    "wins .*",
    "may win within .*",
    "takes (?:a stack of )?\\d+ disks?.*",
    "captures .*",
    "threatens to win at once",
    "threatens the opposing king .*",
    r"leaves \w+'s chain to the king [1-3] fields? short .*",
    r"makes \d+ ways to close .*",
)
"""Those which say, of an answer, what was wrong with the move before it."""


def read(reason: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the claims that a reason is made of, each with what it names."""
    found = []
    rest = reason
    while rest:
        fits = [(known, match) for known in CLAIMS if (match := re.match(rf"{known}(?=$|,? | and |; )", rest))]
        assert fits, f"{rest!r} of {reason!r} is checked by nothing"
        known, match = max(fits, key=lambda fit: fit[1].end())
        found.append((known, match.groups()))
        rest = re.sub(r"^(?:,? and |, |; it |; | )", "", rest[match.end() :])
    return found
