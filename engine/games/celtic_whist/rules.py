"""The rules of Celtic Whist: how a game starts, goes from phase to phase, and ends."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.codec import encode
from engine.game import CHANCE, Action, Chance, Event, NotationError, Over, Pending, Pick, Refusal, Result, Revoke
from engine.games.celtic_whist.bids import bid, possible_bids, worth_of
from engine.games.celtic_whist.cards import (
    BYTES,
    CARD,
    COLOURS,
    LETTERS,
    NAMES,
    PLAYED,
    SUITED,
    SUITS,
    TRUMPS,
    texts,
)
from engine.games.celtic_whist.deals import complete, deal, layout, unseen, view
from engine.games.celtic_whist.notation import NOTATION, read
from engine.games.celtic_whist.refusals import explain, how, not_dealt
from engine.games.celtic_whist.revokes import revokes, revokes_of
from engine.games.celtic_whist.scoring import leave, score_round
from engine.games.celtic_whist.state import (
    ALL_CARDS,
    BID,
    BLACK_FOLLOWS,
    COOPERATIVE,
    DEAL,
    DOUBLING,
    FIRST,
    GOAL,
    HARD,
    LONG,
    ORDER,
    PLAY,
    REASONS,
    RESIGNED,
    RESTRICTIVE,
    TRUMP,
    Standing,
    State,
    between,
    follows,
    size,
)
from engine.games.celtic_whist.story import told, told_end, told_resignation
from engine.games.celtic_whist.tricks import answered, winning
from engine.games.celtic_whist.worth import worth
from engine.house import NOTHING, TURNS, HouseGame, build, first_draw
from engine.options import SEATS, Option, OptionError, OptionValue, flag, is_on

if TYPE_CHECKING:
    from random import Random

TEAM = flag("cooperative", "one team, moved when all bids are exact")
TRUMP_DRAW = Chance(Pick(tuple(f"trump T{LETTERS[trump]}" for trump in TRUMPS)))
FLAGS = {
    "all_cards": ALL_CARDS,
    "black_must_follow": BLACK_FOLLOWS,
    "doubling": DOUBLING,
    "restrictive_null": RESTRICTIVE,
    "cooperative": COOPERATIVE,
}


class CelticWhist(HouseGame[State]):
    """The game of Celtic Whist for one to five seats."""

    key = "celtic-whist"
    title = "Celtic Whist"
    version = 1
    seats = range(1, 6)
    colours = COLOURS
    suits = SUITS
    draws = False
    goal = GOAL
    why_no_draw = "Nobody draws in Celtic Whist: play goes on until a player or the timer is at 30."
    notation = NOTATION
    options = (
        Option("first", "random", ("random",), "the seat that deals first", low=1, high=SEATS),
        flag("all_cards", "five players: 60 number cards, 12 a hand"),
        flag("black_must_follow", "when Black is led, Black must be played"),
        flag("doubling", "bid all or no tricks for twice the hand"),
        flag("restrictive_null", "null 1, null max: the only null bids"),
        Option("scoring", "standard", ("standard", "hard"), "hard: more tricks than bid score 0"),
        Option("hand", 13, (13, 15), "solitaire: cards a hand", players=(1,)),
        Option("start", 15, (), "solitaire: where the player starts", low=1, high=29, players=(1,)),
        Option("timer", 15, (), "solitaire: where the timer starts", low=1, high=27, players=(1,)),
        TEAM,
    )

    def teams(self, options: Mapping[str, OptionValue], seats: int) -> tuple[tuple[int, ...], ...]:
        return (tuple(range(1, seats + 1)),) if is_on(TEAM, options) else ()

    def resolve(self, options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
        chosen = super().resolve(options, seats)
        if chosen["all_cards"] and seats != 5:
            raise OptionError("all_cards", "all_cards=true is only for 5 players: else all_cards is false")
        if seats == 1:
            for name in ("restrictive_null", "cooperative"):
                if chosen[name]:
                    raise OptionError(name, f"{name}=true is only for 2-5 players: in solitaire {name} is false")
        for name in ("doubling", "restrictive_null"):
            if chosen["cooperative"] and chosen[name]:
                raise OptionError(name, f"{name}=true does not go with cooperative=true: there {name} is false")
        return chosen

    def start(self, options: Mapping[str, OptionValue], seats: int) -> State:
        chosen = self.resolve(options, seats)
        rules = sum(bit for name, bit in FLAGS.items() if chosen[name])
        rules |= HARD * (chosen["scoring"] == "hard") | LONG * (chosen.get("hand") == 15)
        none = (0,) * seats
        if seats == 1:
            begin, timer = int(chosen["start"]), int(chosen["timer"])
            return between(Standing(rules, begin, b"\1", 1, timer, 0, (begin,), none))
        dealer = 0 if chosen["first"] == "random" else int(chosen["first"])
        state = between(Standing(rules, 0, bytes(range(1, seats + 1)), dealer, 0, 0, none, none))
        return state if dealer else state._replace(phase=FIRST)

    def live(self, state: State) -> tuple[int, ...]:
        return tuple(state.standing.seats) if state.phase <= PLAY else ()

    def pending(self, state: State) -> Pending:
        if seat := state.seat:
            return TURNS[seat]
        phase = state.phase
        if phase == TRUMP:
            return TRUMP_DRAW
        standing = state.standing
        if phase == DEAL:
            rules, _, seats, dealer, *_ = standing
            return layout(rules, len(standing.totals), seats, dealer, state.trump)
        if phase == FIRST:
            return first_draw(standing.seats)
        return Over(Result(tuple(standing.seats), standing.totals, REASONS[phase]))

    def legal(self, state: State, actor: int) -> Sequence[Action]:
        standing, phase, seat, trump, _, hands, unknown, _, _, _, follow = state + NOTHING
        if phase == PLAY and actor == seat:
            hand = hands[seat - 1]
            if unknown[seat - 1]:
                return texts(trump, hand | unseen(state))
            suited = hand & follow
            return SUITED[trump][suited] if suited else texts(trump, hand)
        if phase == BID and actor == seat:
            return possible_bids(standing.rules, size(standing))
        return super().legal(state, actor)

    def _moves(self, state: State) -> Sequence[Action]:
        return self.legal(state, state.seat)

    def refuse(self, state: State, actor: int, action: Action) -> Refusal | None:
        if state.phase == DEAL and actor == CHANCE and action != "draw":
            return not_dealt(state, action)
        return super().refuse(state, actor, action)

    def apply(self, state: State, actor: int, action: Action) -> State:
        if action == "resign":
            return leave(state, {actor}, RESIGNED)
        standing, phase, seat, trump, bids, hands, unknown, plays, leads, dummy, follow = state + NOTHING
        if phase == PLAY:
            bit, card = PLAYED[action]
            left = hands[seat - 1] ^ bit
            if left & bit:  # one of the unknown cards
                left ^= bit
                unknown = bytes((*unknown[: seat - 1], unknown[seat - 1] - 1, *unknown[seat:]))
            else:
                changed = [*hands]
                changed[seat - 1] = left
                hands = tuple(changed)
            plays += card
            if len(bids) == 1:
                return answered(state._replace(hands=hands, unknown=unknown, plays=plays))
            seats, leader = standing.seats, leads[-1]
            order = ORDER[seats]
            following = order[seat][1]
            if following == leader:
                winner = order[leader][winning(trump, plays[-len(seats) :])]
                leads += BYTES[winner]
                state = build(State, (standing, PLAY, winner, trump, bids, hands, unknown, plays, leads, dummy, 0))
                return state if left or unknown[seat - 1] else score_round(state)
            if seat == leader:
                follow = follows(standing.rules, trump, plays[-1])
            return build(State, (standing, PLAY, following, trump, bids, hands, unknown, plays, leads, dummy, follow))
        if phase == BID:
            return bid(state, worth_of(action, size(standing)))
        if phase == DEAL:
            return deal(state, action.split()[1:])
        if phase == TRUMP:
            return build(State, (state.standing, DEAL, 0, LETTERS.index(action[-1]), (), (), b"", b"", b"", b"", 0))
        return super().apply(state, actor, action)

    def _begin(self, state: State, seat: int) -> State:
        return between(state.standing._replace(dealer=seat))

    def view(self, state: State, viewer: int) -> State:
        return view(state, viewer)

    def complete(self, view: State, rng: "Random") -> State:
        return complete(view, rng)

    def revokes(self, state: State, actor: int, action: Action) -> tuple[Revoke, ...]:
        seats = state.standing.seats
        if state.phase != PLAY or len(seats) < 2 or len(state.plays) + 1 < size(state.standing) * len(seats):
            return ()
        played = state._replace(plays=state.plays + BYTES[CARD[state.trump][action]], leads=state.leads + b"\0")
        return _in_words(state, revokes(played))

    def audit(self, state: State, seat: int, hand: Sequence[Action]) -> tuple[Revoke, ...]:
        if state.phase != PLAY or len(state.standing.seats) < 2:
            return ()
        return _in_words(state, revokes_of(state, seat, [CARD[state.trump][card] for card in hand]))

    def worth(self, state: State, seat: int) -> int:
        return worth(state, seat)

    def pack(self, state: State) -> bytes:
        return encode(state[:-1])

    def _read(self, state: State, text: str) -> Action | None:
        try:
            return read(state, text, self._moves(state))
        except NotationError as error:
            if state.phase != BID:
                raise
            raise NotationError(f"{error}; {self._how(state, text)}") from None  # `b4` is meant for a bid there

    def _how(self, state: State, text: str) -> str:
        return how(state, self._moves(state))

    def _explain(self, state: State, seat: int, action: Action) -> Refusal:
        return explain(state, seat, action, self._moves(state))

    def _tell(self, before: State, after: State, actor: int, action: Action) -> Iterable[Event]:
        return told(before, after, action)

    def _tell_begin(self, seat: int) -> Iterable[Event]:
        return (Event(f"{COLOURS[seat - 1]} deals first."),)

    def _tell_resignation(self, before: State, after: State, seat: int, does: str) -> Iterable[Event]:
        return told_resignation(before, after, does)

    def _tell_end(self, before: State, after: State, action: Action) -> Iterable[Event]:
        return (told_end(after),)

    def _tell_end_by_resignation(self, before: State, after: State, did: str) -> Iterable[Event]:
        return (told_end(after, did),)


def _in_words(state: State, found: Sequence[tuple[int, int, int]]) -> tuple[Revoke, ...]:
    """Return revokes as (seat, card, words)."""
    names = NAMES[state.trump]
    return tuple((seat, names[card], f"a revoke: {names[card]} in trick {trick}") for seat, trick, card in found)


GAME = CelticWhist()
