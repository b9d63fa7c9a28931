"""Fidchess Qenqe: a position, who wins, and reading a position from bytes."""

from typing import NamedTuple

from engine._codec import decode
from engine._house import AGREED, LIMIT, MAX_PACKED, REPEATED, RESIGNED, as_tuple, countable
from engine._qenqe_tables import LETTERS, SPACES, SUPPLY, board_of, has_rigant, is_armed, owner, setup

RIGANT_TAKEN = "Rigant captured"
DISKS_TAKEN = "no disks left"
_WINS = (RIGANT_TAKEN, DISKS_TAKEN, RESIGNED)
_REASONS = ("", *_WINS, AGREED, REPEATED, LIMIT)


class Rules(NamedTuple):
    """The number of seats and the options that matter during play; 0 is off or false."""

    seats: int
    repetition: int
    turn_limit: int
    rigant_stacking: int
    quen: int
    elimination: int
    left_wins: int
    partners: int

    @property
    def highest(self) -> int:
        """Return the most pieces in a stack."""
        return 4 + self.quen


class State(NamedTuple):
    """A position. `board` follows from `cells` and is not packed."""

    cells: tuple[str, ...]
    """The stack on each of the 120 spaces."""
    to_move: int
    """The seat to act; 0 until it is drawn who begins."""
    playing: tuple[int, ...]
    """The seats that have not resigned."""
    actions: int
    winners: tuple[int, ...]
    """Empty while the game goes on, and if it is drawn."""
    reason: str
    """How the game ended; empty while it goes on."""
    history: tuple[bytes, ...]
    """Every position since the last resignation, if repetition counts: those before it cannot come again."""
    rules: Rules
    board: int


def partner(seat: int) -> int:
    """Return the seat opposite, at a table of four."""
    return (seat + 1) % 4 + 1


def winners_over(loser: int, seat: int, playing: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """Return who wins when a move of `seat` puts `loser` out."""
    if rules.partners:
        return tuple(other for other in playing if other not in (loser, partner(loser)))
    return (playing[playing.index(loser) - 1] if rules.left_wins else seat,)


def unpacked(data: bytes) -> State:
    """Return the state that packed bytes hold. Raises ValueError for any others."""
    fields = as_tuple(decode(data, MAX_PACKED))
    try:
        cells, to_move, playing, actions, winners, reason, history, options = fields
        rules = Rules(*options)
        _check(cells, to_move, playing, actions, winners, reason, history, rules)
    except TypeError as error:
        raise ValueError("not a state of Fidchess Qenqe") from error
    return State(cells, to_move, playing, actions, winners, reason, history, rules, board_of(cells))


def _check(
    cells: tuple[str, ...],
    to_move: int,
    playing: tuple[int, ...],
    actions: int,
    winners: tuple[int, ...],
    reason: str,
    history: tuple[bytes, ...],
    rules: Rules,
) -> None:
    """Raise ValueError (or TypeError) unless these are the fields of a state."""
    kinds = (tuple, int, tuple, int, tuple, str, tuple, *(int,) * len(rules))
    if tuple(map(type, (cells, to_move, playing, actions, winners, reason, history, *rules))) != kinds:
        raise ValueError("a field of the wrong type")
    seats, repetition, limit, *flags = rules
    if not 2 <= seats <= 5 or repetition not in (0, 3) or not 0 <= limit <= 100_000:
        raise ValueError("options out of range")
    if any(value not in (0, 1) for value in flags) or (rules.partners and seats != 4):
        raise ValueError("options out of range")
    for some in (playing, winners):
        if any(type(seat) is not int or not 1 <= seat <= seats for seat in some) or sorted(set(some)) != list(some):
            raise ValueError("seats out of range")
    _check_result(playing, winners, reason, rules)
    if not 0 <= to_move <= seats or not countable(actions, limit, bool(reason)):
        raise ValueError("a turn out of range")
    if to_move and not reason and to_move not in playing:
        raise ValueError("the turn of a seat that resigned")
    if not to_move and (cells != setup(seats) or actions or reason not in ("", RESIGNED, AGREED)):
        raise ValueError("moves before it is drawn who begins")
    longest = actions + 1 if repetition and to_move else 0
    if len(history) > longest or (len(history) < longest and (len(playing) == seats or not history)):
        raise ValueError("a history of the wrong length")
    if any(type(position) is not bytes or len(position) != 16 for position in history):
        raise ValueError("no history of positions")
    _check_board(cells, playing, winners, reason, rules)


def _check_result(playing: tuple[int, ...], winners: tuple[int, ...], reason: str, rules: Rules) -> None:
    if reason not in _REASONS or bool(winners) != (reason in _WINS) or set(winners) - set(playing):
        raise ValueError("no such result")
    if reason == RESIGNED:
        if len(playing) != (3 if rules.partners else 1):
            raise ValueError("nobody has won by this resignation")
    elif len(playing) < (4 if rules.partners else 2):
        raise ValueError("too few seats are playing")
    teams = ((1, 3), (2, 4)) if rules.partners else tuple((seat,) for seat in playing)
    if winners and winners not in teams:
        raise ValueError("no such winners")


def _check_board(
    cells: tuple[str, ...], playing: tuple[int, ...], winners: tuple[int, ...], reason: str, rules: Rules
) -> None:
    if len(cells) != len(SPACES):
        raise ValueError("a board of the wrong size")
    letters = LETTERS[: rules.seats]
    for stack in cells:
        if type(stack) is not str or len(stack) > rules.highest or (stack[:1].upper() + stack[1:]).strip(letters):
            raise ValueError("no such stack")
        if has_rigant(stack) and len(stack) > 1 and not rules.rigant_stacking:
            raise ValueError("a Rigant in a stack")
    pieces = "".join(cells)
    if any(pieces.count(disk) > SUPPLY or pieces.count(disk.lower()) > 1 for disk in letters):
        raise ValueError("too many pieces of a seat")
    armed = [owner(stack) for stack in cells if is_armed(stack)]
    out = [seat for seat in playing if seat not in armed or LETTERS[seat - 1].lower() not in pieces]
    if reason not in (RIGANT_TAKEN, DISKS_TAKEN):
        if out:
            raise ValueError("a seat is out and the game goes on")
    elif len(out) != 1 or out[0] in winners or winners != winners_over(out[0], winners[0], playing, rules):
        raise ValueError("nobody has won like this")
    elif (LETTERS[out[0] - 1].lower() in pieces) != (reason == DISKS_TAKEN):
        raise ValueError("nobody is out like this")
