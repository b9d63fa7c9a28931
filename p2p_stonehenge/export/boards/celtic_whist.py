"""Celtic Whist drawn as a table: every hand as cards, the trick, the trump, and the track of thirty spaces."""

from functools import cache

from engine.games.celtic_whist import (
    BID,
    COOPERATIVE,
    GAME,
    GOAL,
    NAMES,
    NULL_MAX,
    PLAY,
    SUIT_OF,
    SUITS,
    UNKNOWN,
    State,
    members,
    played_by,
    size,
    taken,
    winning,
)
from p2p_stonehenge.export.svg import Picture, box, circle, disc, group, label, line, path

_COLOURS = tuple(colour.lower() for colour in GAME.colours)
_WIDTH = 760.0
_CARD = (46.0, 66.0)
_ROW = 92.0
_TRICK, _HANDS = 122.0, 256.0
_KEY = 90.0
"""Height of the line that explains the track."""
_LEFT = 18.0
_STEP = (_WIDTH - 2 * _LEFT) / (GOAL + 1)


def draw(state: State, names: tuple[str, ...], last: tuple[str, ...]) -> Picture:
    """Return the table; a card that is not known is drawn from behind."""
    del last
    standing = state.standing
    seats = len(standing.totals)
    names = names or tuple(GAME.colours[:seats])
    pieces = [*_track(state), *_trump(state), *_trick(state, names)]
    if sum(map(bool, state.hands)) > 1 and not any(state.unknown):
        told = "All hands lie open; at the table each player sees one."
        pieces.append(label(_WIDTH - _LEFT, _TRICK + 12, told, 14, "f-dim right"))
    for seat in range(1, seats + 1):
        pieces += _seat(state, names, seat)
    if seats == 1 and state.phase == PLAY:
        pieces += _fan([("back", "")] * len(state.dummy), _LEFT + 210, _HANDS + _ROW)
        pieces.append(label(_LEFT, _HANDS + _ROW + 30, "dummy", 16, "f-ink"))
    return Picture(_WIDTH, _HANDS + _ROW * max(seats, 2) + 8, _board(max(seats, 2)), tuple(pieces))


def _card(x: float, y: float, suit: str, text: str, *, mark: bool = False) -> str:
    """Return a card with its corner at a point: its suit's colour as a band, its name; `back` for one not known."""
    width, height = _CARD
    if suit == "back":
        cross = path([(x + 23, y + 15), (x + 33, y + 33), (x + 23, y + 51), (x + 13, y + 33)], "outline s-card rim")
        return group(box(x, y, width, height, "f-back s-edge thin", 6), cross)
    frame = "s-mark best" if mark else "s-edge thin"
    stone = text[0] == "T"
    parts = [
        box(x, y, width, height, f"f-card {frame}", 6),
        box(x + 4, y + 4, width - 8, 22, f"f-{suit} s-edge thin", 4),
        label(x + width / 2, y + 15, text if stone else text[0], 14, f"on-{suit} middle bold"),
        _stones(x + width / 2, y + 46) if stone else label(x + width / 2, y + 45, text[1:], 20, "on-white middle bold"),
    ]
    return group(*parts)


def _stones(x: float, y: float) -> str:
    """Return a trilithon: two stones and one across."""
    shape = ((-15, -12), (15, -12), (15, -5), (11, -5), (11, 13), (4, 13), (4, -5), (-4, -5), (-4, 13), (-11, 13))
    return path([(x + across, y + down) for across, down in (*shape, (-11, -5), (-15, -5))], "on-white")


def _fan(cards: list[tuple[str, str]], x: float, y: float) -> list[str]:
    room = _WIDTH - x - _LEFT - _CARD[0]
    step = min(_CARD[0] + 4, room / max(len(cards) - 1, 1))
    return [_card(x + at * step, y, suit, text) for at, (suit, text) in enumerate(cards)]


def _seat(state: State, names: tuple[str, ...], seat: int) -> list[str]:
    """Return a player's row: name, bid and tricks, and the hand."""
    y = _HANDS + _ROW * (seat - 1)
    standing = state.standing
    playing = seat in standing.seats or state.phase > PLAY
    parts = [disc(_LEFT + 12, y + 20, 12, _COLOURS[seat - 1], GAME.colours[seat - 1][0])]
    parts.append(label(_LEFT + 32, y + 20, _short(names[seat - 1]), 16, "f-ink bold"))
    turn = {BID: "to bid", PLAY: "to play"}.get(state.phase, "") if seat == state.seat else ""
    parts += [label(_LEFT + 188, y + 62, turn, 14, "f-mark bold right")] if turn else []
    parts.append(label(_LEFT + 2, y + 44, _told(state, seat) if playing else "out", 14, "f-dim"))
    points = "team" if standing.rules & COOPERATIVE else "points"
    parts.append(label(_LEFT + 2, y + 62, f"{standing.totals[seat - 1]} {points}", 14, "f-dim"))
    if state.hands and playing:
        known = members(state.hands[seat - 1])
        cards = [(SUITS[SUIT_OF[state.trump][card]].lower(), NAMES[state.trump][card]) for card in known]
        parts += _fan(cards + [("back", "")] * state.unknown[seat - 1], _LEFT + 210, y + 6)
    return parts


def _short(name: str, room: int = 15) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}~"


def _told(state: State, seat: int) -> str:
    if state.phase not in (BID, PLAY):
        return ""
    bid, hand = state.bids[seat - 1], size(state.standing)
    if bid == NULL_MAX:
        told = "null max"
    elif bid < 0:
        told = f"null {-bid}" if -bid <= hand else "null double"
    else:
        told = "double" if bid > hand else str(bid)
    if state.phase == BID:
        return f"bid {told}" if bid else "no bid yet"
    return f"bid {told}, took {taken(state, seat)}"


def _hourglass(x: float, y: float) -> str:
    """Return the timer."""
    shape = ((-8, -10), (8, -10), (1.5, 0), (8, 10), (-8, 10), (-1.5, 0))
    return path([(x + across, y + down) for across, down in shape], "f-mark s-edge thin")


def _track(state: State) -> list[str]:
    """Return what stands on the track: the timer, and each player's points."""
    standing = state.standing
    x = _LEFT + _STEP * (standing.timer + 0.5)
    drawn = [_hourglass(x, 22)]
    above: dict[int, int] = {}
    for seat, total in enumerate(standing.totals, 1):
        space = min(total, GOAL)
        level = above.get(space, 0)
        above[space] = level + 1
        row, place = divmod(level, 2)
        at = _LEFT + _STEP * (space + 0.5) + (11 * place - 5.5)
        drawn.append(circle(at, 42 + 11 * row, 5, f"f-{_COLOURS[seat - 1]} s-edge rim"))
    return drawn


def _trump(state: State) -> list[str]:
    if state.trump < 0:
        return []
    suit = SUITS[state.trump]
    return [
        _card(_LEFT, _TRICK + 26, suit.lower(), f"T{suit[0]}"),
        label(_LEFT, _TRICK + 12, f"trump {suit}", 14, "f-ink"),
        label(_LEFT + 56, _TRICK + 48, f"T{suit[0]}, the trilithon:", 14, "f-dim"),
        label(_LEFT + 56, _TRICK + 68, "the highest card", 14, "f-dim"),
    ]


def _trick(state: State, names: tuple[str, ...]) -> list[str]:
    """Return the trick on the table; where it has just been taken, the whole of it."""
    if state.phase != PLAY:
        return []
    plays, held = played_by(state), max(len(state.standing.seats), 2)
    lying = plays[len(plays) - (len(plays) % held or min(held, len(plays))) :]
    whole = len(lying) == held and len(plays) % held == 0
    number = len(plays) // held + (0 if whole and plays else 1)
    drawn = [label(_LEFT + 210, _TRICK + 12, f"trick {number}{', taken' if whole else ''}", 14, "f-ink")]
    cards = [card for _, card in lying]
    best = lying[winning(state.trump, bytes(cards))][0] if cards and UNKNOWN not in cards else -1
    for at, (seat, card) in enumerate(lying):
        x = _LEFT + 210 + at * 100
        suit = SUITS[SUIT_OF[state.trump][card]].lower() if card != UNKNOWN else "back"
        text = NAMES[state.trump][card] if card != UNKNOWN else ""
        drawn.append(_card(x, _TRICK + 26, suit, text, mark=seat == best))
        drawn.append(label(x, _TRICK + 104, _short(names[seat - 1], 12) if seat else "dummy", 14, "f-dim"))
    if 0 < len(lying) < held and not whole and state.seat:
        x = _LEFT + 210 + len(lying) * 100
        drawn.append(box(x, _TRICK + 26, *_CARD, "outline s-dim rim dashed", 6))
        drawn.append(label(x + _CARD[0] / 2, _TRICK + 59, "?", 20, "f-dim middle bold"))
        drawn.append(label(x, _TRICK + 104, _short(names[state.seat - 1], 12), 14, "f-dim"))
    return drawn


@cache
def _board(rows: int) -> str:
    height = _HANDS + _ROW * rows + 8
    parts = [box(0, 0, _WIDTH, height, "f-paper"), box(_LEFT, 10, _WIDTH - 2 * _LEFT, 24, "f-stone s-line thin", 3)]
    for space in range(GOAL + 1):
        x = _LEFT + _STEP * space
        parts += [line(x, 10, x, 34, "s-line thin")] if space else []
        parts.append(label(x + _STEP / 2, 22, str(space), 13, "f-dim middle"))
    parts.append(_hourglass(_LEFT + 9, _KEY))
    told = f"the timer, at {GOAL} the game ends; disks: each player's points"
    parts.append(label(_LEFT + 24, _KEY, told, 14, "f-dim"))
    parts += [
        line(_LEFT, _HANDS - 8 + _ROW * row, _WIDTH - _LEFT, _HANDS - 8 + _ROW * row, "s-line thin")
        for row in range(rows)
    ]
    return "".join(parts)
