"""The check within an exported page, in a real browser: it refuses what `verify` refuses, and says what it left out."""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

import msgpack
import pytest
from in_chromium import MARKS, Browser, launched
from looking_back import VARIANTS, played_alone, played_together, saved
from nacl.signing import SigningKey

from p2p_stonehenge.export import page
from p2p_stonehenge.saved import SavedGame, prove
from protocol import TranscriptError

pytestmark = MARKS
VECTORS = Path(__file__).resolve().parents[2] / "data" / "vectors"
VERDICTS = json.loads((VECTORS / "files.json").read_text("utf-8"))
BY_THE_RULES = {
    "too-far-ahead",
    "local-takeback-of-cards",
    "local-takeback-too-far",
    "local-takeback-with-zeros",
    "local-to-another-digest",
    "local-without-effect",
    "proof-again",
}
"""Files that only the rules of the game refute: the page leaves these to `verify`, and says so."""
MAGIC = b"p2p-stonehenge transcript 2\n"
Check: TypeAlias = Callable[..., Any]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def check(chromium: Browser, tmp_path: Path) -> Iterator[Check]:
    """Return a function that presses the button on the page of a game, and returns the page when it has answered."""
    contexts = []

    def check(one: SavedGame, record: bytes, *swaps: tuple[str, str]) -> Any:
        text = page(one, prove(one), record)
        for old, new in swaps:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "game.html"
        path.write_text(text, "utf-8")
        contexts.append(chromium.new_context())
        opened = contexts[-1].new_page()
        opened.goto(path.as_uri())
        opened.get_by_role("button", name="Check it in this browser").click()
        opened.locator("#check:not([aria-disabled])").wait_for(timeout=60_000)
        return opened

    yield check
    for context in contexts:
        context.close()


def answer(opened: Any) -> str:
    return str(opened.locator("#checked").inner_text())


def vector(name: str) -> bytes:
    return (VECTORS / "files" / f"{name}.stonehenge").read_bytes()


@pytest.mark.parametrize("name", [name for name in VERDICTS if name not in BY_THE_RULES])
def test_the_page_refuses_what_verify_refuses_and_nothing_else(check: Check, name: str) -> None:
    file = vector(name)
    try:
        one = saved(file)
    except TranscriptError:
        one = saved(vector("dice"))
    told = answer(check(one, file))
    if VERDICTS[name]["ok"]:
        assert told.startswith("Checked in this browser")
    else:
        assert told.startswith("NOT GENUINE: ")
        assert "the page is not true" not in told, "the record itself is refused"


def test_what_only_the_rules_refute_is_left_to_verify(check: Check) -> None:
    told = answer(check(saved(vector("dice")), vector("dice")))
    assert "Not checked here, only by p2p-stonehenge verify:" in told
    assert "that the moves are lawful, that no event comes far too early, and who won by the rules" in told


@pytest.mark.parametrize(("key", "seats", "options"), VARIANTS)
def test_every_game_at_one_computer_passes_its_own_check(check: Check, key: str, seats: int, options: Any) -> None:
    file = played_alone(key, seats, tuple(options.items()))
    told = answer(check(saved(file), file))
    assert told.startswith("Checked in this browser")
    assert "by the one computer" in told


@pytest.mark.parametrize(
    ("key", "seats"),
    [("kingamon", 2), ("celtic-whist", 2), ("celtic-whist", 3), ("fidchess", 2), ("fidchell", 2), ("qenqe", 3)],
)
def test_every_game_among_peers_passes_its_own_check(check: Check, key: str, seats: int) -> None:
    file = played_together(key, seats, (), 50)
    assert answer(check(saved(file), file)).startswith("Checked in this browser")


@pytest.mark.parametrize("name", ["Zoe!", "#1", "_a", "you", "nobody", "x (Red)", 'a"b'])
def test_a_winner_of_any_name_passes_the_check(check: Check, name: str) -> None:
    file = played_together("fidchess", 2, (), 4, (name, "ben"))
    assert answer(check(saved(file), file)).startswith("Checked in this browser")


def test_of_two_players_of_one_name_the_page_must_say_which_has_won(check: Check) -> None:
    file = played_together("fidchess", 2, (), 4, ("anna", "anna"))
    one = saved(file)
    assert one.outcome == "Yellow (anna) won by resignation."
    assert answer(check(one, file)).startswith("Checked in this browser")
    for told in ("Green (anna) won", "anna won"):
        other = check(one, file, ("Yellow (anna) won", told))
        assert answer(other).startswith("NOT GENUINE"), told


def test_a_team_of_which_all_but_one_resign_passes_the_check(check: Check) -> None:
    file = played_together("celtic-whist", 3, (("cooperative", "true"),), 8)
    assert "The team lost" in saved(file).outcome
    assert answer(check(saved(file), file)).startswith("Checked in this browser")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("anna won by resignation", "ben won by resignation"),
        ("White rolls 4 and 1", "White rolls 6 and 6"),
        ('<span class="name">ben</span>', '<span class="name">bob</span>'),
        ("<code>24/22</code>", "<code>24/18</code>"),
        ('[2,"move","24/22",""]', '[2,"move","24/18",""]'),
        ('[2,"move","24/22",""]', '[2,"deal","24/22",""]'),
        ('[2,"move","24/22",""]', '[2,"takeback","24/22",""]'),
    ],
)
def test_a_page_that_shows_another_game_than_its_record_is_refused(check: Check, old: str, new: str) -> None:
    file = vector("dice")
    told = answer(check(saved(file), file, (old, new)))
    assert told.startswith("NOT GENUINE: the page is not true to its record: ")


def test_a_failed_check_takes_back_what_the_page_said(check: Check) -> None:
    opened = check(saved(vector("dice")), vector("dice")[:-9])
    assert "Genuine." not in opened.locator("main").inner_text()
    for place in ("#verdict", "#seal", "#checked"):
        assert opened.locator(place).inner_text().startswith("NOT GENUINE"), place
        assert opened.locator(place).get_attribute("class") == "bad"
    struck = opened.locator("#shown").evaluate("e => getComputedStyle(e).textDecorationLine")
    assert struck == "line-through"


# Records made by somebody who has the keys


def records(file: bytes) -> list[Any]:
    found, at = [], len(MAGIC)
    while at < len(file):
        size = int.from_bytes(file[at : at + 4], "big")
        found.append(msgpack.unpackb(file[at + 4 : at + 4 + size]))
        at += 4 + size
    return found


def written(found: Sequence[Any]) -> bytes:
    packed = [msgpack.packb(one) for one in found]
    return MAGIC + b"".join(len(one).to_bytes(4, "big") + one for one in packed)


def signed_anew(found: Sequence[Any], change: Callable[[int, Any], None]) -> list[Any]:
    """Return the records with each event changed, chained and signed as its author could."""
    hashes: list[list[bytes]] = [[b""], [b""]]
    made = [found[0]]
    for at, (_, raw, _) in enumerate(found[1:], 1):
        event = msgpack.unpackb(raw)
        change(at, event)
        event[3] = [[length, hashes[seat][length]] for seat, (length, _) in enumerate(event[3])]
        new = msgpack.packb(event)
        hashes[event[2] - 1].append(blake2b(new, digest_size=32, person=b"sh/event/2").digest())
        made.append([2, new, SigningKey(bytes([event[2]]) * 32).sign(b"stonehenge/event/2" + new).signature])
    return made


DICE = records(vector("dice"))


def with_signatures(count: int) -> bytes:
    packed, nonces, signatures = msgpack.unpackb(DICE[0][1])
    return written([[1, msgpack.packb([packed, nonces, signatures[:count]])], *DICE[1:]])


@pytest.mark.parametrize("count", [0, 1])
def test_a_charter_that_not_all_signed_is_refused(check: Check, count: int) -> None:
    told = answer(check(saved(vector("dice")), with_signatures(count)))
    assert told == "NOT GENUINE: its charter lacks the signature of a player."


def test_a_record_of_an_unknown_kind_is_refused(check: Check) -> None:
    told = answer(check(saved(vector("dice")), written([*DICE[:5], [9, b"x", b"y"], *DICE[5:]])))
    assert told == "NOT GENUINE: record 6 is none that a saved game has."


def test_a_player_who_committed_after_seeing_the_other_part_is_refused(check: Check) -> None:
    def steered(at: int, event: Any) -> None:
        lengths = {2: [1, 0], 3: [2, 0]}.get(at)
        if lengths:
            event[3] = [[length, b""] for length in lengths]

    late = signed_anew([DICE[0], DICE[1], DICE[3], DICE[2], *DICE[4:]], steered)
    assert [msgpack.unpackb(one[1])[6] for one in late[1:4]] == [6, 7, 6]
    told = answer(check(saved(vector("dice")), written(late)))
    assert told.startswith("NOT GENUINE: event 2 of ben contradicts what its author knew before")


def test_a_cut_end_is_refused_and_a_missing_result_told(check: Check) -> None:
    cut = written(DICE[:-2])
    told = answer(check(saved(vector("dice")), cut))
    assert "the record has 24 signed events, this page was made from 26" in told
    assert "Nobody has signed a result in this record." in answer(check(saved(cut), cut))


def test_only_who_signed_this_result_is_said_to_have_signed_it(check: Check) -> None:
    def other(at: int, event: Any) -> None:
        if at == 26:
            event[5] = b"\x11" * 32

    file = written(signed_anew(DICE, other))
    told = answer(check(saved(file), file))
    assert "The result is signed by anna, with the digest" in told
    assert "ben signed a result of another position." in told


def test_a_die_that_its_parts_do_not_make_is_refused(check: Check) -> None:
    file = vector("dice")
    swaps = [('"roll","4-1"', '"roll","6-6"'), ("<code>4-1</code>", "<code>6-6</code>")]
    told = answer(check(saved(file), file, *swaps, ("rolls 4 and 1", "rolls 6 and 6")))
    assert "do not make 6-6" in told


def test_breaches_of_the_rules_stand_first_and_in_the_colour_of_a_warning(check: Check) -> None:
    for name, told in (("bad-shuffle", "a shuffle that its proof does not prove"), ("equivocation-of-three", "anna")):
        opened = check(saved(vector(name)), vector(name))
        assert opened.locator("#verdict").get_attribute("class") == "warn"
        assert told in opened.locator("#shown li").first.inner_text()
        assert ("two versions of event 2: that is proven" in answer(opened)) == (name != "bad-shuffle")


def test_a_hidden_second_version_is_refused(check: Check) -> None:
    file = vector("equivocation-of-two")
    told = answer(check(saved(file), file, ('"twice":[[2,2]]', '"twice":[]')))
    assert "it does not tell of two versions of one event" in told


def test_a_breach_that_the_page_does_not_name_is_refused(check: Check) -> None:
    file = vector("wrong-card")
    told = answer(check(saved(file), file, ('"breaches":[2]', '"breaches":[]')))
    assert "it names no breach of ben" in told


def test_the_headline_leads_to_the_proof_and_the_limits_stand_beside_the_button(check: Check) -> None:
    file = played_together("kingamon", 2, (), 12)
    opened = check(saved(file), file)
    assert opened.get_by_role("link", name="Genuine. How to check that").get_attribute("href") == "#proof"
    shown = opened.locator("main").inner_text()
    assert shown.index("It does not prove") < shown.index("Save the signed record") < shown.index("can fake it")
