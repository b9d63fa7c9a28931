"""The exported page in a real browser: by keys, buttons and slider, on a phone, in the dark, without scripts."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from in_chromium import MARKS, Browser, driver, launched
from looking_back import played_alone, played_together, saved

from p2p_stonehenge.export import film, page
from p2p_stonehenge.saved import prove

audit = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
pytestmark = MARKS
EVIL = ('"><img src=x onerror=z>', "<script>z()", "</script>")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


class Opened:
    """A page in a window of its own, and whatever went wrong in it."""

    def __init__(self, browser: Browser, path: Path, anchor: str = "", **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.caption = self.page.locator("#caption")
        self.page.goto(path.as_uri() + anchor)

    @property
    def told(self) -> str:
        return str(self.caption.inner_text())


Show: TypeAlias = Callable[..., Opened]


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Show]:
    opened: list[Opened] = []

    def show(file: bytes, anchor: str = "", **context: Any) -> Opened:
        path = tmp_path / "game.html"
        one = saved(file)
        path.write_text(page(one, prove(one), file), "utf-8")
        opened.append(Opened(chromium, path, anchor, **context))
        return opened[-1]

    yield show
    for one in opened:
        one.context.close()
        assert one.wrong == []
        assert all(url.startswith(("file:", "data:")) for url in one.asked)


def test_keys_buttons_slider_and_links_lead_through_the_game(show: Show) -> None:
    file = played_together("kingamon", 2, (), 40)
    steps = saved(file).steps
    opened = show(file)
    page, keys = opened.page, opened.page.keyboard
    assert opened.told.startswith("The start")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert opened.told == f"2. {steps[1].told}"
    keys.press("ArrowLeft")
    assert opened.told == f"1. {steps[0].told}"
    keys.press("End")
    assert opened.told.endswith("anna won by resignation.")
    keys.press("ArrowRight")
    assert opened.told.endswith("anna won by resignation.")
    keys.press("Home")
    assert opened.told.startswith("The start")
    page.get_by_role("button", name="Next").click()
    assert opened.told == f"1. {steps[0].told}"
    page.get_by_role("slider", name="Ply").fill("7")
    assert opened.told == f"7. {steps[6].told}"
    page.locator("#moves a").nth(12).click()
    assert opened.told == f"12. {steps[11].told}"
    assert page.locator("#moves a[aria-current=step]").inner_text().startswith("12")
    assert page.url.endswith("#12")


def test_it_plays_by_itself_until_the_end_and_can_be_paused(show: Show) -> None:
    file = played_together("kingamon", 2, (), 120)
    opened = show(file)
    opened.page.select_option("#speed", label="fastest")
    opened.page.locator("body").press(" ")
    driver.expect(opened.caption).to_contain_text("3. ", timeout=60_000)
    opened.page.get_by_role("button", name="Pause").click()
    assert opened.page.get_by_role("button", name="Play").count() == 1
    opened.page.get_by_role("slider", name="Ply").fill(str(len(saved(file)) - 2))
    opened.page.get_by_role("button", name="Play").click()
    driver.expect(opened.caption).to_contain_text("by resignation.", timeout=60_000)
    opened.page.get_by_role("button", name="Play").wait_for()


def test_a_link_opens_the_page_at_its_ply(show: Show) -> None:
    opened = show(played_together("kingamon", 2, (), 40), "#5")
    assert opened.told.startswith("5. ")
    opened.page.evaluate("location.hash = '#8'")
    driver.expect(opened.caption).to_contain_text("8. ")


def test_what_is_drawn_is_the_position(show: Show) -> None:
    file = played_alone("fidchell", 3, (("turn_limit", "160"),))
    opened = show(file, "#100")
    men = sum(men.bit_count() for men in saved(file).position(100).men)
    assert opened.page.locator("#pieces text").count() == men
    assert opened.page.locator("#pieces text").first.evaluate("e => e.getBoundingClientRect().width") > 0


@pytest.mark.parametrize(("key", "seats"), [("celtic-whist", 3), ("qenqe", 3)])
def test_names_that_are_code_do_nothing(show: Show, key: str, seats: int) -> None:
    opened = show(played_alone(key, seats, (), 30, EVIL))
    for _ in range(12):
        opened.page.keyboard.press("ArrowRight")
    assert opened.page.locator("script").count() == 3
    assert opened.page.locator("img").count() == 0
    assert EVIL[0] in opened.page.inner_text("table >> nth=0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_the_ground_in_light_and_dark(show: Show, scheme: str) -> None:
    opened = show(played_together("kingamon", 2, (), 12), color_scheme=scheme)
    colours = "e => [getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor]"
    for words in ("body", ".dim", ".good", "#moves .number"):
        assert contrast(*opened.page.locator(words).first.evaluate(colours)) >= 4.5, words
    drawn = "e => [getComputedStyle(e).fill, getComputedStyle(document.body).backgroundColor]"
    assert contrast(*opened.page.locator("svg.board > text").first.evaluate(drawn)) >= 4.5


def contrast(one: str, other: str) -> float:
    """The ratio that the Web Content Accessibility Guidelines define."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("key", ["kingamon", "celtic-whist"])
def test_a_phone_shows_it_without_scrolling_sideways(show: Show, key: str) -> None:
    opened = show(played_together(key, 2, (), 12), viewport={"width": 360, "height": 740}, has_touch=True)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("To the start", "Back", "Play", "Next", "To the end"):
        box = opened.page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 36
    for summary in opened.page.locator("summary").all():
        summary.tap()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_screen_reader_is_told_the_position_and_what_changed(show: Show) -> None:
    file = played_together("kingamon", 2, (), 12)
    opened = show(file)
    assert opened.caption.get_attribute("aria-live") == "polite"
    opened.page.get_by_role("group", name="Go through the game").wait_for()
    board = opened.page.get_by_role("img", name="The board")
    assert board.get_attribute("aria-describedby") == "caption"
    opened.page.keyboard.press("End")
    opened.page.get_by_text("The position in words").click()
    assert "White: " in opened.page.inner_text("#words")
    levels = [int(name[1]) for name in opened.page.locator("h1,h2,h3").evaluate_all("es => es.map(e => e.tagName)")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("key", ["kingamon", "celtic-whist"])
def test_an_audit_of_accessibility_finds_nothing(show: Show, key: str, scheme: str) -> None:
    """The rules of axe-core, those of the Web Content Accessibility Guidelines among them, with all details open."""
    opened = show(played_together(key, 2, (), 12), color_scheme=scheme, bypass_csp=True)
    for summary in opened.page.locator("summary").all():
        summary.click()
    found = audit.Axe().run(opened.page)
    assert len(found.response["passes"]) > 15, "the rules were applied"
    assert found.violations_count == 0, found.generate_report()


def test_the_slider_of_the_tallest_board_is_in_sight_at_once(show: Show) -> None:
    opened = show(played_alone("fidchell", 3, (), 12), viewport={"width": 1280, "height": 900})
    box = opened.page.get_by_role("slider", name="Ply").bounding_box()
    assert box["y"] + box["height"] <= 900


def test_on_a_phone_the_buttons_stay_where_they_are_and_keys_are_not_spoken_of(show: Show) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    opened = show(played_together("kingamon", 2, (), 12), **phone)
    places = set()
    for ply in range(14):
        opened.page.get_by_role("slider", name="Ply").fill(str(ply))
        places.add(opened.page.get_by_role("button", name="Play").bounding_box()["y"])
    assert len(places) == 1
    assert not opened.page.get_by_text("Keys: left and right").is_visible()


def test_without_scripts_the_moves_and_the_proof_are_there(show: Show) -> None:
    opened = show(played_together("kingamon", 2, (), 12), java_script_enabled=False)
    assert opened.page.locator("#moves li").count() > 12
    assert opened.page.get_by_text("that nobody could steer").is_visible()
    assert not opened.page.locator("#play").is_visible()
    assert opened.page.locator("svg.board").is_visible()


@pytest.mark.parametrize(("key", "plies"), [("kingamon", 40), ("celtic-whist", 50)])
def test_the_browser_checks_the_record_by_itself(show: Show, key: str, plies: int) -> None:
    """The page's own reading of the format counts what the program counts."""
    file = played_together(key, 2, (), plies)
    found = prove(saved(file)).evidence
    opened = show(file)
    opened.page.get_by_role("button", name="Check it in this browser").click()
    told = opened.page.locator("#checked")
    driver.expect(told).to_contain_text("Checked in this browser", timeout=30_000)
    assert f"all {found.events} events are signed and chained" in told.inner_text()
    assert f"{len(found.rolls)} rolls follow from their parts" in told.inner_text()
    assert "The result is signed by anna and ben, with the digest" in told.inner_text()
    assert "Not checked here" in told.inner_text()


@pytest.mark.parametrize("what", ["move", "salt", "charter", "cut"])
def test_the_browser_notices_a_changed_record(show: Show, chromium: Browser, tmp_path: Path, what: str) -> None:
    file = played_together("kingamon", 2, (), 40)
    one = saved(file)
    proof = prove(one)
    salt = proof.evidence.rolls[3].parts[0].salt
    move = next(step.action for step in one.steps if "/" in step.action).encode()
    at = {"move": file.index(move), "salt": file.index(salt) + 3, "charter": 60, "cut": len(file)}[what]
    changed = file[:-9] if what == "cut" else file[:at] + bytes((file[at] ^ 1,)) + file[at + 1 :]
    path = tmp_path / "changed.html"
    path.write_text(page(one, proof, changed), "utf-8")
    opened = Opened(chromium, path)
    opened.page.get_by_role("button", name="Check it in this browser").click()
    driver.expect(opened.page.locator("#checked")).to_contain_text("NOT GENUINE: ")
    opened.context.close()


def test_a_browser_that_cannot_check_says_so(chromium: Browser, tmp_path: Path) -> None:
    file = played_together("kingamon", 2, (), 12)
    one = saved(file)
    path = tmp_path / "game.html"
    path.write_text(page(one, prove(one), file), "utf-8")
    context = chromium.new_context()
    opened = context.new_page()
    opened.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    opened.goto(path.as_uri())
    opened.get_by_role("button", name="Check it in this browser").click()
    driver.expect(opened.locator("#checked")).to_contain_text("This browser cannot check")
    context.close()


def test_the_record_can_be_saved_from_the_page(show: Show, tmp_path: Path) -> None:
    file = played_together("kingamon", 2, (), 12)
    opened = show(file, accept_downloads=True)
    with opened.page.expect_download() as waiting:
        opened.page.click("#record")
    kept = tmp_path / "kept"
    waiting.value.save_as(kept)
    assert kept.read_bytes() == file
    assert waiting.value.suggested_filename.endswith(".stonehenge")


def test_a_film_shows_one_position_at_a_time_and_stands_still_on_request(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "game.svg"
    path.write_text(film(saved(played_alone("fidchess", 2, (("turn_limit", "60"),))), 9), "utf-8")
    visible = "[...document.querySelectorAll('.frame')].map((one, at) => [at, getComputedStyle(one).visibility])"
    visible += ".filter(([at, shown]) => shown === 'visible').map(([at]) => at)"
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.evaluate("document.getAnimations().forEach((one) => one.pause())")
        for seconds, frame in ((0.1, 0), (1.3, 1), (10.9, 9), (15.0, 9), (16.9, 0)):
            page.evaluate(f"document.getAnimations().forEach((one) => {{ one.currentTime = {1000 * seconds}; }})")
            assert page.evaluate(visible) == [frame], seconds
    with chromium.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.evaluate(visible) == [9]
