"""The table of Celtic Whist: golden pictures, hands read back from the picture, and nobody sees the cards of others."""

import re
from pathlib import Path
from random import Random

import pytest
from fake_table import FakeTable
from hypothesis import given, settings
from hypothesis import strategies as st
from local_tables import whist_table
from whist_views import CARD, wander

from engine import CHANCE, PUBLIC, Chance, Ends, OptionValue, Turn
from engine.games.celtic_whist import BID, GAME, NAMES, PLAY, SUITS, State, members, played_by
from p2p_stonehenge.screen.commands import COMMANDS
from p2p_stonehenge.screen.console import Console
from p2p_stonehenge.screen.terminal import FURNITURE
from p2p_stonehenge.screen.views import Look, celtic_whist, text_of
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.palettes import rules
from p2p_stonehenge.text.widths import cells
from protocol import draw_locally

PICTURE = Path(__file__).parent / "boards" / "celtic-whist.txt"
PEOPLE = ("anna", "ben", "cleo", "dai", "eve")


TABLES = {
    "before the deal": (2, wander(2, 1, 0), 1),
    "bidding": (3, wander(3, 3, 4, 2), 2),
    "your card": (4, wander(4, 3, 8, 3, doubling=True), 3),
    "a trick on the table": (4, wander(4, 3, 21, 1), 1),
    "five with all cards": (5, wander(5, 3, 30, 2, all_cards=True), 2),
    "a spectator": (3, wander(3, 3, 14), 0),
    "solitaire": (1, wander(1, 3, 8, 1), 1),
}
LOOKS = {
    "full": Look(),
    "full, in ASCII": Look(charset="ascii"),
    "compact": Look(width=44, height=14, layout="compact"),
    "small": Look(width=44, height=14),
}


def drawn(state: State, seats: int, viewer: int, like: Look = LOOKS["full"]) -> list[str]:
    look = like._replace(names=PEOPLE[:seats], short_id="7f3a", viewer=viewer)
    return [text_of(line).rstrip() for line in celtic_whist.render(state, look)]


def pictures() -> str:
    """Every golden picture; as a script with `tests/client` on its path this file writes them."""
    parts = []
    for when, (seats, state, viewer) in TABLES.items():
        for name, like in LOOKS.items():
            parts.append(f"== {when}, {name}\n" + "\n".join(drawn(state, seats, viewer, like)) + "\n")
    return "\n".join(parts)


def test_the_table_looks_as_it_did() -> None:
    assert pictures() == PICTURE.read_text("utf-8")


def test_where_rows_lack_the_parts_stand_close_before_the_hand_becomes_one_line() -> None:
    """As below a hint: the hand by suits is what it is read with."""
    seats, state, viewer = TABLES["a trick on the table"]
    full = drawn(state, seats, viewer)
    assert drawn(state, seats, viewer, Look(height=len(full))) == full
    close = drawn(state, seats, viewer, Look(height=len(full) - 1))
    assert [line for line in full if line and "──" not in line] == close
    assert drawn(state, seats, viewer, Look(height=len(close))) == close
    low = drawn(state, seats, viewer, Look(height=len(close) - 1))
    assert "trick 4/7" in low[0]
    assert any("YOUR HAND" in line for line in low), "the hand stays by suits as long as it has the rows"
    lower = drawn(state, seats, viewer, Look(height=len(low) - 3))
    assert not any("YOUR HAND" in line for line in lower)
    assert any(line.startswith(" hand: ") for line in lower)
    chosen = drawn(state, seats, viewer, Look(layout="compact"))
    assert any(line.startswith(" hand: ") for line in chosen), "the compact layout keeps its one line"


def test_the_compact_layout_explains_its_signs_where_there_is_room() -> None:
    """What is needed to play comes first."""
    seats, state, viewer = TABLES["a trick on the table"]
    low, high = LOOKS["compact"]._replace(height=5), LOOKS["compact"]
    without = drawn(state, seats, viewer, low)
    shown = drawn(state, seats, viewer, high)
    assert without == shown[:-2]
    assert shown[-2:] == [" 0/3 tricks: taken/bid  (1) points  * you", "  ! best card  [ ] may be played"]
    seats, state, viewer = TABLES["before the deal"]
    assert drawn(state, seats, viewer, high)[-1] == " (1) points  * you"


def test_every_style_has_a_colour() -> None:
    used = {
        name
        for seats, state, viewer in TABLES.values()
        for like in LOOKS.values()
        for line in celtic_whist.render(state, like._replace(names=PEOPLE[:seats], viewer=viewer))
        for style, _ in line
        for name in style.replace("class:", "").split()
    }
    assert {"dim", "frame", "title", "suit-white", "suit-green", "suit-black"} <= used
    assert not any(name.startswith("side-") for name in used), "colours are suits, and seats have none"
    assert all(used <= set(rules(palette)) for palette in ("dark", "light"))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 5),
    st.integers(0, 2**32),
    st.integers(0, 150),
    st.booleans(),
    st.sampled_from(["unicode", "ascii"]),
    st.sampled_from([40, 60, 80]),
)
def test_hands_can_be_read_back_and_only_the_own(
    seats: int, seed: int, plies: int, many: bool, charset: str, width: int
) -> None:
    """Every card that a picture shows is in the viewer's hand or has been played; all those in the hand are there."""
    state = wander(seats, seed, plies, 0, None, **({"all_cards": True} if many and seats == 5 else {}))
    full = wander(seats, seed, plies, 1 if seats == 1 else seats, None, **({"all_cards": many} if seats == 5 else {}))
    viewer = max(seats, 1)
    for seen, eye in ((state, PUBLIC), (full, viewer)):
        look = Look(width=width, height=24 - FURNITURE, charset=charset, names=PEOPLE[:seats], viewer=eye)
        lines = [text_of(line) for line in celtic_whist.render(seen, look)]
        assert len(lines) <= look.height
        assert max(map(cells, lines)) <= width
        assert charset == "unicode" or all(map(str.isascii, lines))
        text = "\n".join(lines)
        names = NAMES[seen.trump] if seen.hands else ()
        played = {names[card] for seat, card in played_by(seen) if card < 61} if seen.phase in (BID, PLAY) else set()
        at = text.rfind("hand:") if "hand:" in text else text.rfind("HAND")
        held = {names[card] for card in members(seen.hands[eye - 1])} if eye and seen.hands else set()
        end = text.find("\n last:", at) if text.find("\n last:", at) > 0 else len(text)
        above, below = (text[:at] + text[end:], text[at:end]) if at >= 0 else (text, "")
        assert set(CARD.findall(above)) <= played
        assert set(re.findall(r"[WBGYRK]\d{1,2}'?|T[WBGYR]\b", below)) == held


def test_the_hand_of_the_seat_to_act_is_seen_to_its_last_card() -> None:
    """In the last trick those who have played hold no card any more, which is known of them too."""
    late = 2 + 3 + 3 * 9 + 2  # trump and deal, bids, nine tricks, two cards of the last one
    due = GAME.pending(wander(3, 3, late))
    assert isinstance(due, Turn)
    state = wander(3, 3, late, due.seat)
    (card,) = members(state.hands[due.seat - 1])
    table = "\n".join(drawn(state, 3, 0))
    assert f"[{NAMES[state.trump][card]}]" in table
    assert "The hands are covered" not in table


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 5), st.integers(0, 2**32), st.integers(3, 120))
def test_what_may_be_played_is_in_brackets(seats: int, seed: int, plies: int) -> None:
    viewer = 1
    state = wander(seats, seed, plies, viewer)
    for like in (LOOKS["full"], LOOKS["compact"]._replace(height=30)):
        text = "\n".join(drawn(state, seats, viewer, like))
        marked = set(re.findall(r"\[([A-Z]\w*'?)\]", text))
        expected = set(GAME.legal(state, viewer)) if state.phase == PLAY else set()
        assert marked == expected


def test_positions_in_words() -> None:
    told = celtic_whist.describe(wander(4, 3, 21, 1))
    assert told[0] == "Trump is blue, and TB is its highest card."
    assert "Blue: bid null 4, took 1, 0 points." in told
    assert "On the table: G21 by Blue, G27 by Green, G3 by Yellow." in told
    assert "The last trick, taken by Blue: R11 by White, R29 by Blue, K30 by Green, Y28 by Yellow." in told
    assert told[-2:] == ["White's hand: W7 W13 Y4 K12.", "White is to play a card."]
    assert not any("hand" in line for line in celtic_whist.describe(wander(4, 3, 21)))
    assert celtic_whist.describe(wander(2, 1, 0)) == [
        "White: 0 points.",
        "Blue: 0 points.",
        "The timer stands at 0. Each round moves it up by 1, or to the best score if that is more;"
        " at 30 the game ends.",
    ]
    for seats, options, aim in (
        (
            2,
            {"cooperative": True},
            "If all bids are exact the team moves 2 up: it wins at 30, and loses if the timer is there first.",
        ),
        (1, {}, "to 30: then you lose. Before that 30 points win and 0 lose. The dummy leads each trick."),
        (1, {"scoring": "hard"}, "to 30: then more than 15 points win. Before that 30 points win"),
    ):
        assert any(aim in line for line in celtic_whist.describe(GAME.start(options, seats)))


def test_the_board_says_at_the_bids_what_the_timer_counts_and_alone_or_as_a_team_what_wins() -> None:
    alone = "the dummy leads each trick 30 points win, 0 lose timer: 1 up a round,"
    cases: tuple[tuple[int, dict[str, OptionValue], str], ...] = (
        (3, {"first": 1}, "timer: 1 up a round, or to the best score; ends at 30"),
        (
            3,
            {"first": 1, "cooperative": True},
            "all bids exact: team 3 up timer: 1 up a round the team wins at 30, or loses when the timer is there",
        ),
        (1, {}, f"{alone} at 30 you lose"),
        (1, {"scoring": "hard", "start": 12}, f"{alone} at 30 you win above 12"),
    )
    for seats, options, told in cases:
        state = GAME.start(options, seats)
        for action in ("trump TB", "deal"):
            state = GAME.apply(state, CHANCE, action)
        look = Look(names=("a", "b", "c")[:seats])
        lines = [text_of(line) for line in celtic_whist.render(state, look)]
        assert told in " ".join(" ".join(line[48:] for line in lines[3:7]).split())
        small = celtic_whist.render(state, look._replace(width=50))
        assert told in " ".join(" ".join(map(text_of, small)).split())


def test_where_a_card_is() -> None:
    state = wander(4, 3, 21, 1)
    assert celtic_whist.look_at(state, "y28") == "Y28 was played by Yellow in trick 3."
    assert celtic_whist.look_at(state, " k12 ") == "K12 is in White's hand."
    assert celtic_whist.look_at(state, "k12", 2) == "K12 has not been seen in this round."
    assert celtic_whist.look_at(state, "w1") == "W1 has not been seen in this round."
    assert celtic_whist.look_at(state, "G9'").startswith("There is no card G9' in this round")
    assert celtic_whist.look_at(wander(2, 1, 0), "W1") == "No cards are dealt now."
    assert celtic_whist.look_at(wander(1, 3, 8, 1), "W13") == "W13 was played by the dummy in trick 6."


def test_of_a_card_in_the_own_hand_it_is_told_whether_it_may_be_played_and_why_not() -> None:
    held: dict[str, str] = {}
    for plies in range(3, 40):
        state = wander(4, 3, plies, 1)
        if state.phase in (BID, PLAY) and state.hands:
            for card in members(state.hands[0]):
                name = NAMES[state.trump][card]
                told = celtic_whist.look_at(state, name, 1)
                may = state.phase == PLAY and name in GAME.legal(state, 1)
                assert told.startswith(f"{name} is in your hand")
                assert told.endswith("and may be played.") == may
                held[told.partition(" ")[2].partition(". ")[2]] = name
    assert any(why.startswith("First everybody bids") for why in held)
    assert any(why.endswith("is to play a card first.") for why in held)
    assert any("was led: follow suit" in why for why in held)


def test_look_speaks_to_the_player_and_moves_tells_what_a_null_bid_is() -> None:
    table = FakeTable("celtic-whist", people=(2,))
    table.now, table.names = table.game.start({"first": 1}, 3), ("anna", "ben", "cara")
    while isinstance(due := table.game.pending(table.state), Chance):
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    assert table.turn == 2
    table.now = GAME.view(table.now, 2)
    console = Console(table, Settings(), "ascii", redraws=False)
    card = NAMES[table.state.trump][next(iter(members(table.state.hands[1])))]
    assert text_of(console.enter(f"look {card}")[0]).startswith(f"{card} is in your hand, and may not be played yet.")
    null = (
        "  A null bid promises to take no trick at all: without a trick you win as many points as it is worth, with any"
        " you lose them."
    )
    assert null in map(text_of, console.enter("moves"))
    assert null in map(text_of, console.enter("moves null"))
    assert null not in map(text_of, console.enter("moves bid"))
    team = wander(3, 1, 3, cooperative=True)
    assert celtic_whist.note(team, ("null 1",)) == "A null bid promises to take no trick at all."


def test_the_prompt_asks_for_a_bid_or_a_card() -> None:
    assert celtic_whist.ask(wander(3, 3, 4)) == "bid"
    assert celtic_whist.ask(wander(3, 3, 14)) == "card"


def test_a_shared_screen_shows_a_hand_only_when_asked_and_until_its_seat_has_acted(tmp_path: Path) -> None:
    table = whist_table(tmp_path, 3, (1, 2, 3), first="1")
    console = Console(table, Settings(), "ascii")

    def hands() -> list[int]:
        return [seat for seat in (1, 2, 3) if table.state.hands[seat - 1]]

    assert table.turn == 2
    assert hands() == []
    console.enter("hand")
    assert hands() == [2]
    assert "ben" not in "".join(map(text_of, console.board(80, 21)))
    assert "player 2's HAND" in "\n".join(map(text_of, console.board(80, 21)))
    console.enter("hand")
    assert hands() == []
    console.enter("hand")
    with pytest.raises(RefusedError):
        console.enter("bid 11")
    assert hands() == [2]
    console.enter("bid 2")
    assert table.turn == 3
    assert hands() == []
    assert "covered" in "\n".join(map(text_of, console.board(80, 21)))
    for _ in range(2):
        console.enter("bid 1")
    card = GAME.legal(table.table.state, table.turn)[0]
    console.enter(card)
    assert hands() == []
    seat = table.turn
    wrong = next(card for card in NAMES[table.state.trump] if GAME.refuse(table.table.state, seat, card))
    with pytest.raises(RefusedError):
        table.play(seat, wrong)


def test_nothing_is_advised_nor_listed_of_a_covered_hand(tmp_path: Path) -> None:
    table = whist_table(tmp_path, 2, (1, 2), first="1")
    console = Console(table, Settings(), "ascii")
    for bid in ("bid 3", "bid 5"):
        table.play(table.turn, bid)
    own = {*GAME.legal(table.table.state, table.turn)}
    strange = next(card for card in GAME.legal(table.state, table.turn) if card not in own)
    for line in ("hint", "why", f"why {strange}", "moves", f"moves {strange[0]}"):
        with pytest.raises(RefusedError, match=r"^The hand is covered: type `hand` first\.$"):
            console.enter(line)
    assert {choice.text for choice in console.choices("")} <= {*COMMANDS}
    console.enter("hand")
    assert {card for line in console.enter("moves") for card in CARD.findall(text_of(line))} == own
    assert not {choice.text for choice in console.choices("")} <= {*COMMANDS}


@pytest.mark.parametrize("doubling", [False, True])
def test_a_long_name_is_whole_in_the_table_where_there_is_room(doubling: bool) -> None:
    look = Look(names=("annabel-lee" if doubling else "annabelle-mary", "bot Brigid", "bot Cormac"), viewer=1)
    for plies in range(3, 12):
        lines = [text_of(line) for line in celtic_whist.render(wander(3, 3, plies, 1, doubling=doubling), look)]
        assert sum(f" {look.names[0]} (you) " in line for line in lines) == 1
        assert max(map(len, lines)) <= 80
        narrow = [text_of(line) for line in celtic_whist.render(wander(3, 3, plies, 1), look._replace(width=78))]
        assert max(map(len, narrow)) <= 78


def test_the_head_of_the_table_stays_on_one_line_of_80_columns() -> None:
    state = next(state for seed in range(20) if SUITS[(state := wander(3, seed, 4, 1)).trump] == "Yellow")
    state = state._replace(standing=state.standing._replace(timer=29, dealer=3))
    look = Look(names=("anna", "bot Brigid", "bot Cormac Mac"), viewer=1, short_id="7f3a")
    lines = [text_of(line) for line in celtic_whist.render(state, look)]
    assert lines[0] == " CELTIC WHIST 7f3a  10 cards  trump Yellow  dealer bot Cormac~  timer 29 of 30"
    assert set(lines[1].strip()) == {"─"}
    short = [text_of(line) for line in celtic_whist.render(state, look._replace(names=("a", "b", "c")))]
    assert short[0].endswith("dealer c  timer 29, ends at 30")


def test_one_player_sees_the_own_hand_and_never_the_dummys(tmp_path: Path) -> None:
    table = whist_table(tmp_path, 1, (1,))
    assert table.state.hands[0]
    assert set(table.state.dummy) == {255}
    console = Console(table, Settings(), "ascii", redraws=False)
    assert any("hand:" in text_of(line) for line in console.enter("hand"))
    console.enter("bid 4")
    choice = GAME.legal(table.state, 1)[0]
    story = GAME.story(table.state, 1, choice)
    assert not any("leads" in event.text for event in story)  # a look ahead does not tell what comes next


if __name__ == "__main__":
    PICTURE.write_text(pictures(), "utf-8")


def test_last_tells_the_whole_last_trick_and_what_lies_on_the_table() -> None:
    table = FakeTable("celtic-whist", first=1)
    rng = Random(3)
    tricks = 0
    while tricks < 3 or len(table.state.plays) % 2:
        due = GAME.pending(table.state)
        if isinstance(due, Chance):
            table.act(CHANCE, draw_locally(due.draw, rng.randbytes(32)))
        else:
            table.act(table.turn, GAME.legal(table.state, table.turn)[0])
        tricks += any(event.ends is Ends.TRICK for event in table.plies[-1].story)
    console = Console(table, Settings(), "ascii")
    told = [text_of(line) for line in console.enter("last")]
    assert [line.split()[1] for line in told[:2]] == [ply.action for ply in table.plies[-2:]]
    assert told[-1].endswith("takes the trick.")
    table.act(table.turn, GAME.legal(table.state, table.turn)[0])
    assert [text_of(line) for line in console.enter("last")][: len(told)] == told, "a card that lies there comes on top"
    assert len(console.enter("last")) == len(told) + 1


def test_last_while_bidding_is_the_deal_and_the_bids_since() -> None:
    table = FakeTable("celtic-whist", first=1)
    while not table.turn:
        due = GAME.pending(table.state)
        assert isinstance(due, Chance)
        table.act(CHANCE, draw_locally(due.draw, bytes(32)))
    table.act(table.turn, "bid 3")
    told = [text_of(line).split()[1:3] for line in Console(table, Settings(), "ascii").enter("last")]
    assert told == [["Trump", "is"], ["15", "cards"], ["bid", "3"]]


def test_a_trick_too_many_is_called_so() -> None:
    state = wander(3, 3, 4, 1)
    seat = state.seat
    state = state._replace(phase=PLAY, bids=(1,) * 3, leads=bytes((seat, seat, seat, seat)))
    shown = [text_of(line) for line in celtic_whist.render(state, Look(names=PEOPLE[:3]))]
    assert any("2 over" in line for line in shown)
