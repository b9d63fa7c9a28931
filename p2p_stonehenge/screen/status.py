"""What the line at the bottom of a table says, and what gives way where it would be too long."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from engine import listed
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.table.session import ALL_HERE, Session
from p2p_stonehenge.text.names import quoted, shortened
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.times import spell
from p2p_stonehenge.text.widths import cells, cut
from protocol import Exit

THINKING = "thinking..."
"""What is said while a bot thinks about a question of the player."""
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


class Spare(IntEnum):
    """What the line does without where there is no room for all of it: this, and all that stands before it here."""

    NOTHING = 0
    LINKS = 1
    """That nobody is missing."""
    OTHER_CLOCK = 2
    """The clock of the player who waits."""
    ANSWER = 3
    """What the command does that answers an offer."""
    TO_MOVE = 4
    """The words "to move"."""
    COMMAND = 5
    """The command that answers an offer."""
    MOVER = 6
    """Which other player is to move, as the board shows it."""


class StatusPart(NamedTuple):
    """A part of what the line says of the table, and what is left of it when the line has to do without more."""

    text: str
    shorter: tuple[tuple[Spare, str], ...] = ()
    """What it says from each of these on, least first; a part may give way altogether."""

    def at(self, spare: Spare) -> str:
        """Return what the part says where the line does without `spare`; nothing if it has given way."""
        texts = [self.text, *(text for least, text in self.shorter if least <= spare)]
        return safe(texts[-1])


def parts(session: Session, seat: int, doing: str) -> list[StatusPart]:
    """Return what matters now, most important first; `seat` is the one that acts from here, or 0.

    `doing`: what a bot is doing about what the player has asked it, if one is.
    """
    proposed, links = session.proposed(), session.links()
    # What waits for this player stands first: at the end of a long line it would be cut.
    found = [StatusPart(proposed), _state(session, seat, doing)]
    found += _wanting(session) if session.result else [StatusPart(doing), *_wishes(session), *_partner(session)]
    if not proposed:
        found.append(StatusPart(links, ((Spare.LINKS, ""),) if links in ALL_HERE else ()))
    return found


def line(found: Sequence[StatusPart], spare: Spare = Spare.NOTHING) -> list[str]:
    """Return what is left of some parts, without those that have given way."""
    return [text for part in found if (text := part.at(spare))]


def _state(session: Session, seat: int, doing: str) -> StatusPart:
    """Return whose turn it is, or what the table waits for, and how much time is left; `seat` and `doing` as above."""
    mover = ""
    if session.result:
        state = doing or "the game is over"
    elif seat and len(session.people) == 1:
        state = "your turn"
    elif session.thinks and not seat:
        state = f"{session.label(session.thinks)} thinks"
    else:
        mover = session.label(seat) if seat else session.to_move()
        state = f"{mover} to move" if mover else session.waiting()
    times = bool(state) and session.seconds_left is not None
    both, one = (time_left(session, both=True), time_left(session, both=False)) if times else ("", "")
    left_behind = [session.exit(own) for own in session.people] == [Exit.LEFT_BEHIND] and not session.result
    before = "you were left behind; " * left_behind

    def told(state: str, time: str) -> str:
        return before + ", ".join(part for part in (state, time) if part)

    shorter = [(Spare.OTHER_CLOCK, told(state, one))]
    if mover:
        shorter += [(Spare.TO_MOVE, told(mover, one)), (Spare.MOVER, told("", one))]
    return StatusPart(told(state, both), tuple(shorter))


def _partner(session: Session) -> list[StatusPart]:
    """Return with whom the player here plays together, where the seats are parted into teams."""
    if len(session.teams) < 2 or len(session.people) != 1:
        return []
    (own,) = session.people
    team = next(team for team in session.teams if own in team)
    told = f"with {listed([session.speaker(seat) for seat in team if seat != own])}"
    return [StatusPart(told, ((Spare.LINKS, ""),))]


def _wanting(session: Session) -> list[StatusPart]:
    """Return who wants to play again, once the game is over, and what joins in; or who is awaited for that."""
    follows = session.after()
    if follows.awaited:
        return [StatusPart(f"waiting for {listed([session.speaker(seat) for seat in follows.awaited])} to play again")]
    names = [session.speaker(seat) for seat in follows.wanting]
    told = f"{listed(names)} want{'s' * (len(names) == 1)} to play again"
    return [StatusPart(f"{told}: `again`", ((Spare.COMMAND, told),))] if names else []


def _wishes(session: Session) -> list[StatusPart]:
    """Return who offers a draw or asks for a take-back and what agrees to it."""

    def who(seat: int) -> str:
        return "you" if session.people == (seat,) else session.speaker(seat)

    def answered(told: str, command: str, does: str, seats: Sequence[int]) -> StatusPart:
        if not session.may_agree(seats):
            return StatusPart(told)
        answer = f"{told}: `{command}`"
        return StatusPart(f"{answer} {does}", ((Spare.ANSWER, answer), (Spare.COMMAND, told)))

    offering, asking = session.wishes(), session.asking()
    offers = [f"{who(seat)} {'offer' if who(seat) == 'you' else 'offers'} a draw" for seat in offering]
    found = [StatusPart(offer) for offer in offers[:-1]]
    found += [answered(offer, "draw", "accepts", offering) for offer in offers[-1:]]
    if asking:  # a seat that agreed is listed like the seat that asked
        names = [who(seat) for seat in asking]
        does = "are for" if len(names) > 1 else "ask for" if names == ["you"] else "asks for"
        found.append(answered(f"{' and '.join(names)} {does} a take-back", "takeback", "agrees", asking))
    return found


def time_left(session: Session, *, both: bool = True) -> str:
    """Return how much time is left, where two play and `both` also on the clock of the one who waits."""
    found = f"{spell(session.seconds_left)} left" if session.seconds_left else "no time left"
    for seat in {1, 2} - {session.turn} if both and session.turn and len(session.names) == 2 else ():
        if (clock := session.clock(seat)) is not None:
            found += f"; {'you' if seat in session.people else session.speaker(seat)} {spell(clock)}"
    return found


def keys(session: Session, seat: int, *, again: bool | None, covered: bool, folded: bool = False) -> Sequence[str]:
    """Return what the line may say of the keys, the longest first; `seat`.

    `again`: whether Enter plays another game, None while this one goes on; `covered`: whether it answers a question
    instead, or goes on in a text; `folded`: whether it shows the larger board first.
    """
    out = session.people and not session.still_playing
    ways: Sequence[str] = KEYS if seat else WATCHING_ON if out else WAITING
    if again is not None:
        ways = AT_THE_END if not again else FOLLOW if session.watches else ANOTHER[not session.after().sides_change :]
        ways = tuple(way.replace("Enter:", "Enter twice:") for way in ways) if folded else ways
        ways = ("",) if covered else ways
    return ways if COMMANDS["flip"].offered(session) else tuple(way.replace("F4 flip  ", "") for way in ways)


def fitted(session: Session, found: Sequence[StatusPart], ways: Sequence[str], width: int) -> tuple[str, str]:
    """Return what the line says of the table, by its parts, and of the keys: one of `ways`, or none.

    Where both do not fit, fewer keys are named, then the names are cut, then no keys are named, and then what matters
    less is left out. At the end of a game the keys stay, as nothing else says how it goes on.
    """

    def told(spare: Spare) -> str:
        return f" {'  '.join(line(found, spare))}"

    whole = told(Spare.NOTHING)
    for way in ways:
        if cells(whole + way) + 3 <= width:
            return whole, way
    names = [quoted(safe(name)) for name in session.names]
    tries = [(Spare.NOTHING, ways[-1]), (Spare.LINKS, ways[-1])]
    if not session.result:
        tries += [(spare, "") for spare in Spare if spare is not Spare.NOTHING]
    for spare, way in tries:
        room = width - cells(way) - 3 if way else width - 1
        shown = shortened(told(spare), names, room)
        if cells(shown) <= room:
            break
    return cut(shown, room), way
