"""What the line at the bottom of a table says, and what gives way where it would be too long."""

from collections.abc import Sequence

from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.table.session import ALL_HERE, Session
from p2p_stonehenge.table.takebacks import LEFT_BEHIND
from p2p_stonehenge.text.names import quoted, shortened
from p2p_stonehenge.text.style import cells, cut, safe, spell

SPARED = 6
"""How much can be left out: see `told`."""
THINKING = "thinking..."
"""What is said while a bot thinks about a question of the player."""
_TO_MOVE = " to move"
KEYS = ("F1 help  F3 log  F4 flip  F5 view  Tab moves", "F1 help  F5 view  Tab moves", "F1 help  Tab moves", "F1 help")
"""What the status line says of the keys: as many as there is room for."""
WAITING = tuple(dict.fromkeys(keys.removesuffix("  Tab moves") for keys in KEYS))
"""The same where nobody here is to move."""
WATCHING_ON = ("quit leaves  F1 help  F3 log  F4 flip  F5 view", "quit leaves  F1 help", "quit leaves")
"""The same for who is out of a game that goes on."""
AT_THE_END = ("result  log  back  quit leaves", "result  quit leaves", "quit leaves")
ANOTHER = ("Enter: again, sides changed  result  log  quit", "Enter: again  result  log  quit", "Enter: again  quit")
FOLLOW = ("Enter: into the next game  result  log  quit", "Enter: next game  result  quit", "Enter: next game  quit")
"""What it says instead when the game is over: what can be typed, where another game can follow, and who watches."""


def told(session: Session, seat: int, doing: str, spare: int = 0) -> list[str]:
    """Return what matters now, most important first; `seat` is the one that acts from here, or 0.

    `doing`: what a bot is doing about what the player has asked it, if one is.

    `spare`, up to SPARED, is how much is left out where there is no room for all: 1, that nobody is missing; 2, the
    clock of the player who waits; 3, what the command does that answers an offer; 4, the words "to move"; 5, that
    command; 6, which other player is to move, as the board shows it.
    """
    if session.result:
        state = doing or "the game is over"
    elif seat:
        state = f"{session.label(seat)} to move" if len(session.people) > 1 else "your turn"
    else:
        state = f"{session.label(session.thinks)} thinks" if session.thinks else session.waiting()
    time = time_left(session, both=spare < 2) if state and session.seconds_left is not None else ""
    if spare > 3 and state.endswith(_TO_MOVE):
        state = state.removesuffix(_TO_MOVE) if spare < SPARED else ""
    state = ", ".join(part for part in (state, time) if part)
    if [session.fate(one) for one in session.people] == [LEFT_BEHIND] and not session.result:
        state = f"you were left behind; {state}"
    wishes = [] if session.result else _wishes(session, spare)
    # What waits for this player stands first: at the end of a long line it would be cut.
    proposed = session.proposed()
    links = "" if proposed or (spare and session.links() in ALL_HERE) else session.links()
    thinking = "" if session.result else doing
    return [safe(part) for part in (proposed, state, thinking, *wishes, links) if part]


def _wishes(session: Session, spare: int) -> list[str]:
    """Return who offers a draw or asks for a take-back and, by `spare`, what agrees to it; see `told`."""

    def who(seat: int) -> str:
        return "you" if session.people == (seat,) else session.speaker(seat)

    def answer(command: str, does: str, seats: Sequence[int]) -> str:
        shown = spare < 5 and session.may_agree(seats)
        return f": `{command}`{f' {does}' * (spare < 3)}" if shown else ""

    offering, asking = session.wishes(), [who(seat) for seat in session.asking()]
    found = [f"{who(seat)} {'offer' if who(seat) == 'you' else 'offers'} a draw" for seat in offering]
    if offering:
        found[-1] += answer("draw", "accepts", offering)
    if asking:  # who agrees is for it as who asked
        does = "are for" if len(asking) > 1 else "ask for" if asking == ["you"] else "asks for"
        found.append(f"{' and '.join(asking)} {does} a take-back{answer('takeback', 'agrees', session.asking())}")
    return found


def time_left(session: Session, *, both: bool = True) -> str:
    """Return how much time is left, where two play and `both` also on the clock of the one who waits."""
    found = f"{spell(session.seconds_left)} left" if session.seconds_left else "no time left"
    for seat in {1, 2} - {session.turn} if both and session.turn and len(session.names) == 2 else ():
        if (clock := session.clock(seat)) is not None:
            found += f"; {'you' if seat in session.people else session.speaker(seat)} {spell(clock)}"
    return found


def keys(session: Session, seat: int, *, again: bool | None, covered: bool) -> Sequence[str]:
    """Return what the line may say of the keys, the longest first; `seat` as in `told`.

    `again`: whether Enter plays another game, None while this one goes on; `covered`: whether it answers a question
    instead, or brings the board back.
    """
    out = session.people and not session.still_playing
    ways: Sequence[str] = KEYS if seat else WATCHING_ON if out else WAITING
    if again is not None:
        ways = AT_THE_END if not again else FOLLOW if session.watches else ANOTHER[not session.after().sides_change :]
        ways = ("",) if covered else ways
    return ways if COMMANDS["flip"].offered(session) else tuple(way.replace("F4 flip  ", "") for way in ways)


def fitted(session: Session, seat: int, doing: str, ways: Sequence[str], width: int) -> tuple[str, str]:
    """Return what the line says of the table, and of the keys: one of `ways`, or none. `seat` and `doing` as in `told`.

    Where both do not fit, fewer keys are named, then the names are cut, then no keys are named, and then what matters
    less is left out. At the end of a game the keys stay, as nothing else says how it goes on.
    """

    def line(spare: int) -> str:
        return f" {'  '.join(told(session, seat, doing, spare))}"

    whole = line(0)
    for way in ways:
        if cells(whole + way) + 3 <= width:
            return whole, way
    names = [quoted(safe(name)) for name in session.names]
    tries = [(0, ways[-1]), (1, ways[-1])]
    if not session.result:
        tries += [(spare, "") for spare in range(1, SPARED + 1)]
    for spare, way in tries:
        room = width - cells(way) - 3 if way else width - 1
        shown = shortened(line(spare), names, room)
        if cells(shown) <= room:
            break
    return cut(shown, room), way
