"""Celtic Whist on the screen: who bid and took what, the trick on the table, and the viewer's hand.

A card is its letter and number everywhere; in the hand `[ ]` marks what may be played now. Only one hand is shown
at a table: the viewer's own, or the only one that the state knows. A game that is looked back at may show all.
"""

from collections.abc import Sequence
from functools import partial

from engine import Ends, Turn, counted
from engine.games.celtic_whist import (
    BID,
    CARD,
    COOPERATIVE,
    DOUBLING,
    GAME,
    GOAL,
    HARD,
    LETTERS,
    NAMES,
    NULL_MAX,
    PLAY,
    SPOKEN,
    SUIT_OF,
    SUITS,
    UNKNOWN,
    State,
    deck,
    members,
    played_by,
    size,
    taken,
    winning,
)
from p2p_stonehenge.screen.views import Fragment, Line, Look, Places, View, beside, flow, row, text_of
from p2p_stonehenge.table.session import Ply
from p2p_stonehenge.text.widths import cells, cut, fit

_FULL = 78
"""Columns that the full layout needs."""
_SUITS = tuple(f"class:suit-{suit.lower()}" for suit in SUITS)
_DUMMY = "dummy"
_NAME, _BID, _SHORT_BID = 13, 12, 9
"""Columns of a name and of a bid in the table; of a bid where none is as long as `null double`."""
_TABLE = 76
"""Columns of the table and of the trick beside it where names have so many."""
_YOU = " (you)"
_CELL = 6


def render(state: State, look: Look) -> list[Line]:
    """Return the table; the full layout in three parts, set apart where there is room; the compact one in few lines."""
    if look.width >= _FULL and look.layout in ("", "full"):
        rule = row(("class:frame", " " + ("─" if look.charset == "unicode" else "-") * 77))
        middle = beside(_scores(state, look), _trick(state, look), look.width)
        hands = _hands(state, look) if look.opens and len(state.hands) > 1 else _hand(state, look)
        head, last = _head(state, look), _last(state, look)
        close = [line for line in (*head, *middle, last, *hands) if text_of(line).strip()]
        for lines in ([*head, rule, *middle, last, rule, *hands], close):
            if len(lines) <= look.height:
                return lines
    return _compact(state, look)


def describe(state: State) -> list[str]:
    """Return bids, tricks and scores, what lies on the table, and the hands that are known."""
    standing, sentences = state.standing, []
    if state.trump >= 0:
        sentences.append(f"Trump is {SPOKEN[state.trump]}, and T{LETTERS[state.trump]} is its highest card.")
    for seat in standing.seats:
        told = [f"{_points(state, seat)} points"]
        if state.phase == PLAY:
            told = [f"bid {_bid(state, seat)}", f"took {taken(state, seat)}", *told]
        elif state.phase == BID and state.bids[seat - 1]:
            told = [f"bid {_bid(state, seat)}", *told]
        sentences.append(f"{GAME.colours[seat - 1]}: {', '.join(told)}.")
    sentences.append(f"The timer stands at {standing.timer}. {_aim_told(state)}")
    on_table, before = _tricks(state)
    if on_table:
        sentences.append(f"On the table: {_spoken(state, on_table)}.")
    if before:
        taker = _who(state.leads[-1])
        sentences.append(f"The last trick, taken by {taker}: {_spoken(state, before)}.")
    for seat in standing.seats if any(state.hands) or _owner(state, 0) else ():
        cards = [NAMES[state.trump][card] for card in members(state.hands[seat - 1])]
        closed = state.unknown[seat - 1]
        cards += [f"{closed} closed"] * (cards != [] and closed > 0)
        if cards or not closed:
            sentences.append(f"{GAME.colours[seat - 1]}'s hand: {' '.join(cards) or 'no card'}.")
    if state.seat:
        sentences.append(f"{GAME.colours[state.seat - 1]} is to {'bid' if state.phase == BID else 'play a card'}.")
    return sentences


def look_at(state: State, place: str, viewer: int = 0) -> str:
    """Return where a card is, as far as the state knows; of one in the viewer's hand, whether it may be played."""
    name = place.strip().upper()
    if state.phase not in (BID, PLAY):
        return "No cards are dealt now."
    card = CARD[state.trump].get(name)
    if card is None or card not in deck(state.standing):
        return f"There is no card {place.strip()[:20]} in this round: cards are written G9 or T{LETTERS[state.trump]}."
    for number, (seat, shown) in enumerate(played_by(state)):
        if shown == card:
            trick = number // max(len(state.standing.seats), 2) + 1
            return f"{name} was played by {_who(seat)} in trick {trick}."
    seat = _owner(state, viewer)
    if not (seat and state.hands[seat - 1] >> card & 1):
        return f"{name} has not been seen in this round."
    return _of_own(state, seat, name) if seat == viewer else f"{name} is in {GAME.colours[seat - 1]}'s hand."


def played(state: State, viewer: int = 0) -> list[Line]:
    """Return by suit which cards of the round are played, and which others `viewer` does not hold: at most 8 lines.

    Without a viewer whose hand is known these are all others, so that no hand is told to those who share a screen.
    """
    if state.phase not in (BID, PLAY):
        return [row("No cards are dealt now.")]
    cards, names = deck(state.standing), NAMES[state.trump]
    seat = _owner(state, viewer) if viewer else 0
    own = {*members(state.hands[seat - 1])} if seat else set()
    left = {*cards} - {*state.plays} - own
    what, whose = ("not seen", "other hands") if seat else ("not played", "the hands")
    trick = f"Trick {len(state.leads)}, trump" if state.phase == PLAY else "Trump"
    lines = [row(f"{trick} is {SPOKEN[state.trump]}; cards played: {len(state.plays)} of {len(cards)}.")]
    for suit, name in enumerate(SUITS):
        of_suit = sorted((card for card in cards if SUIT_OF[state.trump][card] == suit), key=partial(_rank, state))
        told = [
            f"{word} {' '.join(names[card] for card in of_suit if card in some)}"
            for word, some in (("played", {*state.plays}), (what, left))
            if not some.isdisjoint(of_suit)
        ]
        lines.append(row((_SUITS[suit], name), f": {'; '.join(told) or 'all in your hand'}."))
    held = sum(hand.bit_count() + count for hand, count in zip(state.hands, state.unknown, strict=True))
    down = len(cards) - len(state.plays) - held - len(state.dummy)
    count = f"{what.capitalize()}: {counted(len(left), 'card')}"
    return [*lines, row(f"{count}, {len(left) - down} in {whose}, {down} face down.")]


def _of_own(state: State, seat: int, card: str) -> str:
    """Return whether a player may play a card of the own hand, and why not."""
    held = f"{card} is in your hand"
    due = GAME.pending(state)
    if not isinstance(due, Turn):
        return f"{held}."
    if due.seat != seat:
        return f"{held}. {GAME.colours[due.seat - 1]} is to {'bid' if state.phase == BID else 'play a card'} first."
    refusal = GAME.refuse(state, seat, card)
    return f"{held}, and may not be played yet. {refusal.text}" if refusal else f"{held}, and may be played."


def note(state: State, actions: Sequence[str]) -> str:
    """Return what a null bid is, if one is among the actions."""
    if not any(action.startswith("null") for action in actions):
        return ""
    told = "A null bid promises to take no trick at all"
    if state.standing.rules & COOPERATIVE:
        return f"{told}."
    return f"{told}: without a trick you win as many points as it is worth, with any you lose them."


def ask(state: State) -> str:
    """Return the word of the prompt."""
    return "bid" if state.phase == BID else "card"


def _who(seat: int) -> str:
    return GAME.colours[seat - 1] if seat else f"the {_DUMMY}"


def _owner(state: State, viewer: int) -> int:
    """Return the seat whose hand may be shown, or 0: the viewer's own, else the only one that is known."""
    if not state.hands:
        return 0
    known = [seat for seat in state.standing.seats if not state.unknown[seat - 1]]
    if viewer:
        return viewer if viewer in known else 0
    holding = [seat for seat in known if state.hands[seat - 1]]  # in the last trick others have no card any more
    return holding[0] if len(holding) == 1 else known[0] if len(known) == 1 else 0


def _points(state: State, seat: int) -> int:
    return state.standing.totals[seat - 1]


def _bid(state: State, seat: int) -> str:
    """Return a bid as it was made: 3, null 2, double."""
    bid, hand = state.bids[seat - 1], size(state.standing)
    if bid == NULL_MAX:
        return "null max"
    if bid < 0:
        return f"null {-bid}" if -bid <= hand else "null double"
    if bid > hand:
        return "double"
    return str(bid) if bid or state.phase == PLAY else "-"


def _need(state: State, seat: int) -> str:
    """Return how many tricks a seat still needs: a number, ok, `1 over` for one too many, lost for a null bid."""
    bid, tricks = state.bids[seat - 1], taken(state, seat)
    if bid < 0:
        return "lost" if tricks else "ok"
    missing = min(bid, size(state.standing)) - tricks
    return str(missing) if missing > 0 else f"{-missing} over" if missing else "ok"


def _tricks(state: State) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the trick on the table and the one before it, each as (seat, card) in the order played."""
    plays, held = played_by(state), max(len(state.standing.seats), 2)
    done = len(plays) - len(plays) % held
    return plays[done:], plays[max(done - held, 0) : done]


def _spoken(state: State, trick: list[tuple[int, int]]) -> str:
    return ", ".join(f"{_card(state, card)} by {_who(seat)}" for seat, card in trick)


def _card(state: State, card: int) -> str:
    return NAMES[state.trump][card] if card != UNKNOWN else "?"


def _styled(state: State, card: int) -> Fragment:
    if card == UNKNOWN:
        return ("class:dim", "?")
    return (_SUITS[SUIT_OF[state.trump][card]], NAMES[state.trump][card])


def _best(state: State, trick: list[tuple[int, int]]) -> int:
    """Return who would take a trick, or -1."""
    cards = [card for _, card in trick]
    if not cards or UNKNOWN in cards:
        return -1
    return trick[winning(state.trump, bytes(cards))][0]


def _name(look: Look, seat: int) -> str:
    if not seat:
        return _DUMMY
    return look.names[seat - 1] if look.names else GAME.colours[seat - 1]


def _head(state: State, look: Look) -> list[Line]:
    standing = state.standing
    items = [row(("class:title", " CELTIC WHIST"), ("class:dim", f" {cut(look.short_id, 8)}"))]
    if state.trump >= 0:
        items += [row(f"{size(standing)} cards"), row("trump ", (_SUITS[state.trump], SUITS[state.trump]))]
    if standing.dealer and len(standing.totals) > 1:
        items.append(row(f"dealer {cut(_name(look, standing.dealer), 12)}"))
    items.append(row(f"timer {standing.timer}, ends at {GOAL}"))
    if standing.timer == GOAL and state.phase <= PLAY:
        items.append(row(f"tie: round {standing.extra + 1}"))
    if len(flow("", items, look.width)) > 1:
        items = [row(f"timer {standing.timer} of {GOAL}") if text_of(item)[:5] == "timer" else item for item in items]
    return flow("", items, look.width)


def _columns(state: State, look: Look) -> tuple[int, int]:
    """Return how many columns of the table a name has, and a bid: a long name has what others do not need."""
    own = look.viewer
    longest = max(cells(_name(look, seat)) + len(_YOU) * (seat == own) for seat in range(1, len(look.names) + 1 or 2))
    if longest <= _NAME:
        return _NAME, _BID
    bid = _BID if state.standing.rules & DOUBLING else _SHORT_BID
    return min(longest, _NAME + max(look.width - _TABLE, 0) + _BID - bid), bid


def _scores(state: State, look: Look) -> list[Line]:
    """Return the table of bids, one line a seat."""
    score = "team" if state.standing.rules & COOPERATIVE else "score"
    named, bids = _columns(state, look)
    lines = [row(("class:dim", f"{' ' * (named + 5)}{'bid':<{bids}}{'won':<5}{'need':<6}{score:>5}"))]
    for seat in range(1, len(state.standing.totals) + 1):
        playing = seat in state.standing.seats or state.phase > PLAY
        mark = ">" if seat == state.seat else " "
        bid = won = need = ""
        if state.bids and playing:
            bid = _bid(state, seat)
            if state.phase == PLAY:
                won, need = str(taken(state, seat)), _need(state, seat)
        you = _YOU if seat == look.viewer else ""
        name = fit(cut(_name(look, seat), named - len(you)) + you, named)
        text = f"{bid:<{bids}}{won:<5}{need:<7}" if playing else f"{'out':<{bids + 12}}"
        lines.append(
            row(
                ("class:title", f" {mark} "),
                f"{name} ",
                ("" if playing else "class:dim", text),
                f"{_points(state, seat):>5}",
            )
        )
    if len(state.standing.totals) == 1:
        won = str(state.leads.count(0, 1)) if state.phase == PLAY else ""
        lines.append(row(f"    {fit(_DUMMY, named)} {'':<{bids}}{won}"))
    elif state.phase == PLAY:
        lines.append(row(("class:dim", f"{' ' * 4}{_sum(state)}")))
    return lines


def _sum(state: State) -> str:
    """Return how the bids stand to the tricks there are."""
    hand = size(state.standing)
    total = sum(min(bid, hand) for bid in state.bids if bid > 0)
    told = "as many as there are" if total == hand else f"{abs(total - hand)} {'over' if total > hand else 'under'}"
    return f"{total} of {hand} tricks are bid: {told}"


def _races(state: State) -> bool:
    """Return whether the timer follows the best score: neither in solitaire nor for a team."""
    return len(state.standing.totals) > 1 and not state.standing.rules & COOPERATIVE


def _aim(state: State) -> tuple[str, ...]:
    """Return what the timer counts, in lines that stand beside the bids; alone and as a team also what wins."""
    standing = state.standing
    if _races(state):
        return "timer: 1 up a round, or to", f"the best score; ends at {GOAL}"
    if standing.rules & COOPERATIVE:
        return (
            f"all bids exact: team {len(standing.seats)} up",
            "timer: 1 up a round",
            f"the team wins at {GOAL}, or loses",
            "when the timer is there",
        )
    late = f"win above {standing.start}" if standing.rules & HARD else "lose"
    return (
        "the dummy leads each trick",
        f"{GOAL} points win, 0 lose",
        "timer: 1 up a round,",
        f"at {GOAL} you {late}",
    )


def _aim_told(state: State) -> str:
    """Return what the timer counts in sentences; alone and as a team also what wins."""
    moved, standing = "Each round moves it up by 1", state.standing
    if _races(state):
        return f"{moved}, or to the best score if that is more; at {GOAL} the game ends."
    if standing.rules & COOPERATIVE:
        step = f"If all bids are exact the team moves {len(standing.seats)} up"
        return f"{moved}. {step}: it wins at {GOAL}, and loses if the timer is there first."
    late = f"then more than {standing.start} points win" if standing.rules & HARD else "then you lose"
    return f"{moved} to {GOAL}: {late}. Before that {GOAL} points win and 0 lose. The dummy leads each trick."


def _trick(state: State, look: Look) -> list[Line]:
    """Return the trick on the table, in the order of the seats."""
    if state.phase != PLAY:
        told = [row(("class:title", "BIDDING" if state.phase == BID else ""))]
        return [*told, *(row(("class:dim", f" {line}")) for line in _aim(state))] if state.phase == BID else told
    trick, _ = _tricks(state)
    best = _best(state, trick)
    lines = [row(("class:title", f"TRICK {len(state.leads)}"))]
    on_table = dict(trick)
    seats = [*state.standing.seats] if len(state.bids) > 1 else [0, 1]
    for seat in seats:
        card = _styled(state, on_table[seat]) if seat in on_table else ("class:dim", "?" if seat == state.seat else "-")
        remark = "led" if trick and trick[0][0] == seat else ""
        remark += " best" if seat == best and len(trick) > 1 else ""
        name = fit(cut(_name(look, seat), 12), 12)
        lines.append(row(f" {name} ", (card[0], f"{card[1]:<5}"), ("class:dim", remark.strip())))
    return lines


def _last(state: State, look: Look) -> Line:
    """Return the trick before the one on the table."""
    _, before = _tricks(state) if state.phase == PLAY else ([], [])
    if not before:
        return row()
    cards = [(style, f"{text} ") for style, text in (_styled(state, card) for _, card in before)]
    led, taker = (cut(_name(look, seat), 12) for seat in (before[0][0], state.leads[-1]))
    return row(("class:dim", f"    last trick, led by {led}: "), *cards, ("class:dim", f"-> {taker}"))


def _hand(state: State, look: Look) -> list[Line]:
    """Return the hand by suits, or why none is shown."""
    seat = _owner(state, look.viewer)
    if not seat:
        return [row(("class:dim", f" {_covered(state, look)}"))]
    playable = set(GAME.legal(state, seat)) if state.phase == PLAY else set()
    cards = members(state.hands[seat - 1])
    whose = "YOUR HAND" if seat == look.viewer else f"{_name(look, seat)}'s HAND"
    remark = f"  {len(cards)} left{'  [ ] may be played now' * bool(playable)}"
    lead = "  a Black lead: highest number wins"
    remark += lead * (cells(whose + remark + lead) < look.width)
    lines = [row(("class:title", f" {whose}"), ("class:dim", cut(remark, look.width - len(whose) - 1)))]
    for suit, name in enumerate(SUITS):
        line = row(" ", (_SUITS[suit], LETTERS[suit]), ("class:dim", f" {name:<7}"))
        own = sorted(
            (card for card in cards if SUIT_OF[state.trump][card] == suit), key=lambda card: _rank(state, card)
        )
        for card in own:
            style, text = _styled(state, card)
            line.append((style, f"[{text}]".ljust(_CELL) if text in playable else f" {text}".ljust(_CELL)))
        lines.append(line if own else [*line, ("class:dim", " -")])
    return lines


def _hands(state: State, look: Look) -> list[Line]:
    """Return all hands, as far as the state knows them, a line a seat where there is room.

    What may be played now is not known of a hand with closed cards.
    """
    closed = any(state.unknown[seat - 1] for seat in state.standing.seats)
    remark = "  closed: not played" * closed
    lines = [row(("class:title", " ALL HANDS"), ("class:dim", remark))]
    for seat in state.standing.seats:
        known = state.phase == PLAY and not state.unknown[seat - 1]
        playable = set(GAME.legal(state, seat)) if known else set[str]()
        cards = [_styled(state, card) for card in members(state.hands[seat - 1])]
        items = [[(style, f"[{text}]" if text in playable else text)] for style, text in cards]
        if count := state.unknown[seat - 1]:
            items.append([("class:dim", f"{count} closed")])
        room = min(_NAME, look.width // 4)
        lines += flow(
            fit(f" {cut(_name(look, seat), room)}:", room + 3), items or [[("class:dim", "no card")]], look.width, 1
        )
    return lines


def _rank(state: State, card: int) -> int:
    """Return where a card stands in its suit, the trilithon last."""
    text = NAMES[state.trump][card]
    return 99 if text[0] == "T" else int(text[1:].rstrip("'"))


def _covered(state: State, look: Look) -> str:
    if state.phase not in (BID, PLAY):
        return "The game is over." if state.phase > PLAY else "No cards are dealt."
    if look.viewer and look.viewer not in state.standing.seats:
        return "You are out of the game and see no hand."
    return look.covered


def last_turn(plies: Sequence[Ply]) -> int:
    """Return how many of the latest actions are the last trick and the cards that lie on the table since."""
    number = tricks = 0
    for ply in reversed(plies):
        if not (ply.actor and ply.story and ply.story[0].places):  # a bid, a deal
            break
        tricks += any(event.ends is Ends.TRICK for event in ply.story)
        if tricks > 1:
            break
        number += 1
    return number


def _compact(state: State, look: Look) -> list[Line]:
    """Return everything in short items, as many a line as fit; below them what their signs mean, if there is room.

    Where the window is high enough, and no layout is chosen, the hand stands by suits.
    """
    lines = _short(state, look)
    by_suits = _short(state, look, by_suits=True) if not look.layout else []
    if by_suits and len(by_suits) <= look.height and max(cells(text_of(line)) for line in by_suits) <= look.width:
        lines = by_suits
    signs = _signs(state, look)
    for shown in ([*signs, *_aim(state)] if state.phase == BID else signs, signs):
        below = flow(" ", [row(("class:dim", sign)) for sign in shown], look.width)
        if len(lines) + len(below) <= look.height:
            return [*lines, *below]
    return lines


def _signs(state: State, look: Look) -> list[str]:
    """Return what explains the signs of the compact layout that are shown now."""
    playing = state.phase == PLAY
    told = ["0/3 tricks: taken/bid"] * playing + ["(1) points"] + ["* you"] * (look.viewer > 0)
    told += ["! best card"] * bool(playing and any(_tricks(state)))
    return told + ["[ ] may be played"] * (playing and bool(GAME.legal(state, _owner(state, look.viewer))))


def _short(state: State, look: Look, *, by_suits: bool = False) -> list[Line]:
    """Return everything in short items, as many a line as fit; if `by_suits`, but for the hand."""
    standing, width = state.standing, look.width
    items = [("", f"timer {standing.timer}/{GOAL}")]
    if state.trump >= 0:
        items.insert(0, (_SUITS[state.trump], f"trump {SUITS[state.trump]}"))
    if state.phase == PLAY:
        items.append(("", f"trick {len(state.leads)}/{size(standing)}"))
    lines = flow(" ", [[item] for item in items], width)
    players = []
    for seat in range(1, len(standing.totals) + 1):
        mark = ">" if seat == state.seat else ""
        text = f"{mark}{cut(_name(look, seat), 10)}{'*' * (seat == look.viewer)}"
        if seat not in standing.seats and state.phase <= PLAY:
            text += " out"
        elif state.phase == PLAY:
            text += f" {taken(state, seat)}/{_bid(state, seat)}"
        elif state.phase == BID:
            text += f" {_bid(state, seat)}"
        players.append(("", f"{text} ({_points(state, seat)})"))
    lines += flow(" ", [[player] for player in players], width)
    trick, before = _tricks(state) if state.phase == PLAY else ([], [])
    best = _best(state, trick)
    tricks: list[list[Line]] = []
    for label, laid in (("table:", trick), ("last:", before)):
        shown = []
        for seat, card in laid:
            style, text = _styled(state, card)
            winner = best if laid is trick else state.leads[-1]
            shown.append((style, f"{cut(_name(look, seat), 10)} {text}{'!' * (seat == winner)}"))
        tricks.append(flow(f" {label}", [[card] for card in shown], width) if shown else [])
    if look.opens and len(state.hands) > 1:
        return [*lines, *tricks[0], *_hands(state, look), *tricks[1]]
    seat = _owner(state, look.viewer)
    if not seat:
        words = [row(("class:dim", word)) for word in _covered(state, look).split()]
        return [*lines, *tricks[0], *flow(" ", words, width, 1), *tricks[1]]
    if by_suits:
        return [*lines, *tricks[0], *tricks[1], *_hand(state, look)]
    playable = set(GAME.legal(state, seat)) if state.phase == PLAY else set()
    hand = [_styled(state, card) for card in members(state.hands[seat - 1])]
    cards = [(style, f"[{text}]" if text in playable else text) for style, text in hand]
    # What is needed to play comes first: a low window may not show the rest.
    return [*lines, *tricks[0], *flow(" hand:", [[card] for card in cards], width, 1), *tricks[1]]


VIEW = View(
    ("full", "compact"),
    Places(r"(T?[WBGYRK])([1-9][0-9]?'?)?"),
    render,
    describe,
    look_at,
    ask,
    played=played,
    note=note,
    last_turn=last_turn,
    lasts={2: 340, 3: 635, 4: 825, 5: 1039},
)
