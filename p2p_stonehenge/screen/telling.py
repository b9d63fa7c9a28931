"""What is told of a table in lines: its log, its players, its options."""

from collections.abc import Iterable
from itertools import groupby

from p2p_stonehenge.screen.views import Line, row
from p2p_stonehenge.table.exits import captures_unsaid, listed_as, was_typed
from p2p_stonehenge.table.session import Ply, Session
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.palettes import side
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.seats import has_suits
from p2p_stonehenge.text.times import spell
from p2p_stonehenge.text.widths import cells


def told_plies(session: Session, plies: Iterable[Ply]) -> list[Line]:
    """Return actions as they stand in the log: number, action, what it did."""
    lines = []
    for ply in plies:
        style = _style(session, ply.actor) if ply.actor else "class:dim"
        number, action = f"{ply.number:4}  ", ply.action if ply.actor and was_typed(ply.exit) else ""
        for event in ply.story:
            lines.append(row(("class:dim", number), (style, f"{action:<8}"), f" {event.text}"))
            number, action = " " * 6, ""
    return lines


def remark(text: str) -> list[Line]:
    """Return a sentence as it is written down beside what happens in the game; nothing for none."""
    return [row(("class:dim", f"- {safe(text)}"))] if text else []


def short_name(session: Session, seat: int) -> str:
    """Return the short name of a seat: its colour, or the name of its player where colours are suits."""
    return session.speaker(seat) if has_suits(session.game) else session.game.colours[seat - 1]


def briefly(session: Session, plies: Iterable[Ply], width: int) -> Line:
    """Return in one row what others did, for where it is out of sight; what shows it, if that is too long."""
    turns = groupby((ply for ply in plies if ply.actor), key=lambda ply: ply.actor)
    told = ", ".join(f"{short_name(session, seat)} {' '.join(map(_done, turn))}" for seat, turn in turns)
    text = f"- Since your move: {safe(told)}. `last` tells more."
    if cells(text) >= width:
        text = "- More happened before your turn than stands above: `last` shows all of it."
    return row(("class:urgent", text))


def loss(session: Session, ply: Ply) -> Line:
    """Return how an action took pieces of a player here, empty if it took none or was that player's own."""
    own = () if ply.actor in session.people else session.people
    told = [event.text for event in ply.story if not {*own}.isdisjoint(event.takes)]
    return row(("class:urgent", f"- {safe(told[0])}")) if told else row()


def _done(ply: Ply) -> str:
    """Return what was done in the fewest words."""
    return f"{listed_as(ply.action, ply.exit)}{' (captures)' * captures_unsaid(ply.action, ply.story)}"


def who(session: Session) -> list[Line]:
    """Return who sits where, how it is with each and how much time each has left, and what the table was agreed on."""
    turn = session.turn
    live = range(1, len(session.names) + 1) if session.result else session.game.live(session.state)
    watched = session.watched()
    more = [row(f"  {safe(session.partners)}")] if session.partners else []
    more += [row(("class:dim", f"  may watch: {watched}"))] if watched else []
    if session.words:
        more.append(row(("class:dim", f"  the three words: {session.words}")))
    if options := options_told(session.options):
        more.append(row(("class:dim", f"  options: {options}")))
    if session.seconds_left is not None and (not turn or session.clock(turn) is None):  # else it stands on the clock
        time = spell(session.seconds_left) if session.seconds_left else "no time"
        more.append(row(f"  {safe(session.label(turn) if turn else session.waiting())}: {time} left"))
    return [
        row(
            (_style(session, seat), f"  {f'{seat}  ' if has_suits(session.game) else f'{colour:<8}'}"),
            quoted(safe(session.names[seat - 1])),
            " (you)" if seat in session.people else "",
            ("class:dim", _level(session, seat)),
            ("class:dim", "  to move" if seat == turn else "" if seat in live else f"  {session.fate(seat)}"),
            ("class:dim", "" if (clock := session.clock(seat)) is None else f"  {spell(clock)} on the clock"),
            ("class:urgent", f"  {remark}" if (remark := session.remark(seat)) else ""),
            ("class:alarm", "  NOT the one you know by this name" if seat in session.strangers else ""),
        )
        for seat, colour in enumerate(session.game.colours[: len(session.names)], 1)
    ] + more


def _level(session: Session, seat: int) -> str:
    """Return how well the bot of a seat plays, where that is known: `level: casual`, `level: casual, adaptive`."""
    level = session.levels.get(seat, "")
    return f"  level: {level}{', adaptive' * session.adaptive}" if level else ""


def _style(session: Session, seat: int) -> str:
    """Return the style of a seat's colour; none where colours are suits of cards."""
    return "" if has_suits(session.game) else side(session.game.colours[seat - 1])


def options_told(options: Iterable[tuple[str, str]]) -> str:
    """Return options in words: `cube, pieces 20`."""
    return ", ".join(name if value == "true" else f"{name} {value}" for name, value in options)
