"""Which table a guest means, and what it reads where there is none."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from transports import ANNA, BOB, CARA, free_port, in_loop, running

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import finding, joining, watching
from p2p_stonehenge.lobby.finding import Found, find_table, find_watched, name_of
from p2p_stonehenge.lobby.joining import GuestLobby
from p2p_stonehenge.lobby.watching import WatchLobby
from p2p_stonehenge.net.discovery import Sighting
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.sparing import AT_ONCE
from protocol import Identity, id_text


class Seen:
    """A network on which these hosts are seen."""

    def __init__(self, *hosts: tuple[Any, str, str]) -> None:
        self.identity = CARA
        self.sightings = {
            one.id: Sighting(one.id, nick, ("127.0.0.1:41730",), bytes(8), table) for one, nick, table in hosts
        }
        self.seen = asyncio.Event()
        self.discovery = self

    async def kick(self) -> None:
        """Look again, which finds nobody else here."""


def look(network: Any, wanted: str | None, choice: int | None) -> tuple[bytes, list[list[str]]]:
    """Return which host was found, and which were to be chosen from."""
    offered: list[list[str]] = []

    async def choose(found: list[Sighting], sure: bool) -> Sighting | None:
        offered.append([one.nick for one in found] if sure else [f"{one.nick}?" for one in found])
        assert choice is not None
        return found[choice] if choice >= 0 else None

    async def main() -> bytes:
        return (await find_table(network, wanted, lambda _text: None, choose)).host

    return asyncio.run(main()), offered


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LOOK_AROUND", 0.01)
    monkeypatch.setattr(finding, "TELL_AFTER", 0.01)


def test_of_two_hosts_with_one_name_the_player_chooses() -> None:
    for typed, nick in (("anna", "anna"), ("Anna", "ANNA")):
        network = Seen((ANNA, "anna", "qenqe 1/2"), (BOB, nick, "qenqe 1/2"), (CARA, "cara", "qenqe 1/2"))
        _, offered = look(network, typed, 1)
        assert sorted(offered[0]) == sorted(["anna", nick])


@pytest.mark.parametrize("stranger", ["ANNA", "\u00e4nna", "\u0430nna"])
def test_a_host_with_exactly_the_name_is_meant_and_none_that_looks_like_it(stranger: str) -> None:
    network = Seen((BOB, stranger, "qenqe 1/2"), (ANNA, "anna", "qenqe 1/2"))
    assert look(network, "anna", None) == (ANNA.id, [])
    assert look(network, stranger, None) == (BOB.id, [])


@pytest.mark.parametrize(("typed", "nick"), [("\u00c4nna", "anna"), ("anna", "\u00c4nna"), ("anna", "\u0430nna")])
def test_the_player_is_asked_before_a_host_is_joined_whose_name_only_looks_like_it(typed: str, nick: str) -> None:
    network = Seen((ANNA, nick, "qenqe 1/2"))
    assert look(network, typed, 0) == (ANNA.id, [[f"{nick}?"]])


def test_a_host_that_was_declined_is_not_offered_again_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "WAIT_FOR_TABLE", 0.1)
    network: Any = Seen((ANNA, "anna", "qenqe 1/2"))
    offered: list[str] = []

    async def choose(found: list[Sighting], sure: bool) -> None:
        offered.extend(one.nick for one in found)
        assert not sure

    with pytest.raises(Failure, match="No open table of '\u00c4nna' was found") as refusal:
        asyncio.run(find_table(network, "\u00c4nna", lambda _text: None, choose))
    assert "there is one of anna, whose name only looks like it" in str(refusal.value)
    assert offered == ["anna"]


class Asked:
    """A player who is looking for a table, and does not answer the questions."""

    def __init__(self, network: Any) -> None:
        self.network = network
        self.told: list[str] = []
        self.offers: list[list[str]] = []
        self.news = asyncio.Event()

    async def choose(self, found: list[Sighting], sure: bool) -> Sighting | None:
        assert not sure
        self.offers.append([one.nick for one in found])
        self.news.set()
        await asyncio.Event().wait()
        return None

    async def offered(self) -> list[str]:
        """Wait for the next question and return which tables it offers."""
        await asyncio.wait_for(self.news.wait(), 60)
        self.news.clear()
        return self.offers[-1]

    def open(self, one: Any, nick: str, table: str) -> None:
        seen = Seen((one, nick, table)).sightings
        self.network.sightings.update(seen)
        self.network.seen.set()


def test_a_slip_of_the_pen_is_answered_soon_with_what_is_open_and_the_search_goes_on() -> None:
    async def main() -> tuple[bytes, Asked]:
        player = Asked(Seen((ANNA, "anna", "qenqe 1/2")))
        looking = asyncio.ensure_future(find_table(player.network, "bob", player.told.append, player.choose))
        assert await player.offered() == ["anna"]
        player.open(CARA, "bbo", "kingamon 1/2")
        assert await player.offered() == ["bbo", "anna"]
        player.open(BOB, "bob", "fidchell 1/3")
        return (await asyncio.wait_for(looking, 60)).host, player

    host, player = asyncio.run(main())
    assert host == BOB.id
    assert player.told == [
        "Looking for 'bob'...",
        "No open table of 'bob' yet.",
        "",
        "No open table of 'bob' yet. Did you mean bbo?",
        "",
    ], "an empty line stands behind each question that was withdrawn"


def test_a_friend_whose_name_begins_with_that_of_a_stranger_may_be_meant_as_well() -> None:
    network: Any = Seen((ANNA, "Anna O'Hara", "qenqe 1/2"), (BOB, "anna", "qenqe 1/2"))
    for met, asked in (((), []), ((ANNA.id,), [["Anna O'Hara", "anna"]]), ((ANNA.id, BOB.id), [])):
        offered: list[list[str]] = []

        async def choose(found: list[Sighting], sure: bool, offered: list[list[str]] = offered) -> Sighting:
            assert sure
            offered.append([one.nick for one in found])
            return found[0]

        found = asyncio.run(find_table(network, "Anna", lambda _: None, choose, knows=met.__contains__))
        assert (found.host, offered) == (ANNA.id if asked else BOB.id, asked)


def test_a_row_of_the_start_page_means_its_player_whatever_others_call_themselves() -> None:
    network = Seen((ANNA, "anna", "qenqe 1/2"), (BOB, "anna", "qenqe 1/2"), (CARA, "-x y", "qenqe 1/2"))
    for one in network.sightings.values():
        assert look(network, name_of(one), None) == (one.id, [])
    assert name_of(network.sightings[ANNA.id]).startswith("anna/")
    assert id_text(CARA.id).startswith(name_of(network.sightings[CARA.id])), "no option"
    other: Any = Seen((ANNA, "Anna O'Hara", "qenqe 1/2"))
    told: list[str] = []
    assert asyncio.run(find_table(other, name_of(other.sightings[ANNA.id]), told.append, None)).host == ANNA.id
    assert told == ['Looking for "Anna O\'Hara"...']


def test_the_name_of_a_game_means_its_open_tables_unless_a_host_is_called_so() -> None:
    hosts = [(ANNA, "anna", "kingamon 1/2"), (BOB, "bob", "qenqe 1/2"), (CARA, "cara", "kingamon playing 3f9a")]
    assert look(Seen(*hosts), "Kingamon", None) == (ANNA.id, [])
    assert look(Seen(*hosts, (BOB, "kingamon", "qenqe 1/2")), "kingamon", None) == (BOB.id, [])
    _, (offered,) = look(Seen(hosts[0], (BOB, "bob", "kingamon 1/2")), "kingamon", 1)
    assert sorted(offered) == ["anna", "bob"]


def looked_on(wanted: str | None, *hosts: tuple[Any, str, str]) -> tuple[bytes, list[str]]:
    """Return at whose table a spectator looks on, and who was to be chosen from."""
    offered: list[str] = []

    async def choose(found: list[Sighting], _: bool) -> Sighting:
        offered.extend(sorted(one.nick for one in found))
        return found[0]

    network: Any = Seen(*hosts)
    return asyncio.run(find_watched(network, wanted, lambda _text: None, choose)).host, offered


def test_only_tables_that_play_are_offered_to_look_on_as_long_as_one_plays() -> None:
    awaits, plays = (ANNA, "anna", "kingamon 1/2"), (BOB, "Bob O'Hara", "kingamon playing 3f9a")
    assert looked_on(None, awaits, plays) == (BOB.id, [])
    assert looked_on("kingamon", awaits, plays) == (BOB.id, [])
    assert looked_on("o'hara", awaits, plays) == (BOB.id, [])
    assert looked_on("nobody", awaits, plays) == (BOB.id, ["Bob O'Hara"])
    other = (CARA, "Cara O'Hara", "qenqe playing 7777")
    assert looked_on("o'hara", plays, other)[1] == ["Bob O'Hara", "Cara O'Hara"], "both fit"


def test_tables_that_flap_are_offered_a_few_times_only() -> None:
    async def main() -> int:
        player = Asked(Seen((ANNA, "anna", "qenqe 1/2")))
        looking = asyncio.ensure_future(find_table(player.network, "bob", player.told.append, player.choose))
        await player.offered()
        for number in range(99):
            other = Identity(bytes([number + 1]) * 32)
            player.open(other, f"x{number}", "qenqe 1/2")
            for _ in range(5):
                await asyncio.sleep(0)
        looking.cancel()
        return len(player.offers)

    assert asyncio.run(main()) <= AT_ONCE


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("kingamon playing 3f9a", "bob plays already: `p2p-stonehenge watch` looks on."),
        ("kingamon watching 3f9a", "bob is here, but watches table 3f9a."),
        ("", "bob is here, but shows no table."),
    ],
)
def test_a_friend_who_is_here_without_an_open_table_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch, table: str, told: str
) -> None:
    monkeypatch.setattr(finding, "WAIT_FOR_TABLE", 0.1)
    lines: list[str] = []
    network: Any = Seen((BOB, "bob", table), (ANNA, "anna", "qenqe 1/2"))
    with pytest.raises(Failure):
        asyncio.run(find_table(network, "bob", lines.append, None))
    assert lines[1:3] == [
        f"No open table of 'bob' yet. {told}",
        "Open here: anna (Fidchess Qenqe, 1 of 2 seats).",
    ]


@pytest.mark.parametrize(
    ("find", "hosts", "told"),
    [
        (find_table, [], "No open table yet. No other is seen either."),
        (find_table, [(ANNA, "anna", "")], "No open table yet. anna is here, without an open table."),
        (
            find_table,
            [(BOB, "bob", ""), (ANNA, "Anna", "")],
            "No open table yet. Anna and bob are here, none with an open",
        ),
        (find_watched, [(BOB, "bob", "")], "No table that may be watched yet. bob is here, at no table that may be"),
    ],
)
def test_where_no_table_is_seen_it_is_told_who_is_here(find: Any, hosts: list[Any], told: str) -> None:
    texts: asyncio.Queue[str] = asyncio.Queue()

    async def main() -> str:
        search = asyncio.ensure_future(find(Seen(*hosts), None, texts.put_nowait, None))
        await texts.get()
        text = await texts.get()
        search.cancel()
        return text

    assert asyncio.run(main()).startswith(told)


def test_a_table_that_plays_is_offered_by_the_player_whose_name_is_like_the_one_typed() -> None:
    async def main() -> list[str]:
        player = Asked(Seen((ANNA, "anna", "qenqe playing 3f9a"), (BOB, "bob", "qenqe playing 3f9a")))
        looking = asyncio.ensure_future(find_watched(player.network, "bbo", player.told.append, player.choose))
        found = await player.offered()
        looking.cancel()
        return [*found, player.told[-1]]

    assert asyncio.run(main()) == ["bob", "No table of 'bbo' that may be watched yet. Did you mean bob?"]


def test_where_nobody_can_be_asked_no_host_is_joined_whose_name_only_looks_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finding, "WAIT_FOR_TABLE", 0.1)
    network: Any = Seen((ANNA, "anna", "qenqe 1/2"))
    with pytest.raises(Failure, match="there is one of anna"):
        asyncio.run(find_table(network, "\u00c4nna", lambda _text: None, None))


def test_a_full_table_is_found_by_name_only() -> None:
    """A seat may become free; nobody who asks for any table waits for that."""
    network = Seen((ANNA, "anna", "qenqe 2/2"), (BOB, "bob", "qenqe 1/2 passphrase"))
    assert look(network, "anna", None)[0] == ANNA.id
    assert look(network, None, None)[0] == BOB.id


@pytest.mark.network
@in_loop
async def test_the_own_address_is_said_to_be_that() -> None:
    async with running(ANNA, "anna") as (anna, _):
        network: Any = Seen()
        network.identity = ANNA
        with pytest.raises(Failure, match="is this program itself") as refusal:
            await find_table(network, f"127.0.0.1:{anna.port}", lambda _text: None, None)
        assert refusal.value.code == 5


@pytest.mark.network
@in_loop
async def test_an_address_without_a_port_has_the_usual_one() -> None:
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "DEFAULT_PORT", free_port())
        with pytest.raises(Failure, match=r"Nobody listens at 127\.0\.0\.1:\d+"):
            await find_table(Seen(), "127.0.0.1", asked.append, None)  # type: ignore[arg-type]
    assert asked[0].startswith("Asking 127.0.0.1:")


@pytest.mark.parametrize("watches", [False, True])
def test_a_host_who_is_seen_and_does_not_answer_is_said_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watches: bool
) -> None:
    for module in (joining, watching):
        monkeypatch.setattr(module, "ANSWERS_WITHIN", 0.01)
        monkeypatch.setattr(module, "WAIT_FOR_TABLE", 3.0)
    told: list[str] = []
    network: Any = Seen((ANNA, "anna", "qenqe 1/2"))
    network.transport, network.handler, network.warning, network.interface = network, None, "", None
    network.linked = list
    network.dial = network.hang_up = lambda *_, **_more: None
    home = Home.open(str(tmp_path))

    async def main() -> None:
        if watches:
            await WatchLobby(network, home, told.append, Found(ANNA.id, "anna", ()), None, None).gather()
        else:
            await GuestLobby(network, home, told.append, ANNA.id).gather(())

    with pytest.raises(Failure, match="does not answer"):
        asyncio.run(main())
    assert told == ["anna is seen, but does not answer yet: trying for up to a minute. Ctrl-C leaves."]


def test_who_picked_a_table_that_was_full_meanwhile_is_told_so_and_searches_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A row of the start page names the host with its key; a nick alone may mean the host's next table."""
    monkeypatch.setattr(finding, "WAIT_FOR_TABLE", 0.1)
    monkeypatch.setattr(finding, "TELL_AFTER", 0.01)
    network: Any = Seen((BOB, "bob", "qenqe playing 3f9a"))
    row = f"bob/{id_text(BOB.id)[:16]}"
    for wanted, told in (
        (row, "The last seat at bob's table was taken before you sat down."),
        ("bob", "No open table"),
    ):
        with pytest.raises(Failure, match=told) as caught:
            asyncio.run(find_table(network, wanted, lambda _: None, None))
        assert ("`p2p-stonehenge watch bob` looks on." in str(caught.value)) == (wanted == row)


@pytest.mark.parametrize("hosts", [(), ((ANNA, "anna", ""),)])
def test_a_search_in_vain_blames_the_network_only_where_nobody_is_seen(
    monkeypatch: pytest.MonkeyPatch, hosts: tuple[tuple[Identity, str, str], ...]
) -> None:
    monkeypatch.setattr(finding, "WAIT_FOR_TABLE", 0.05)
    network: Any = Seen(*hosts)
    with pytest.raises(Failure) as caught:
        asyncio.run(find_table(network, "zoe", lambda _: None, None))
    assert ("guest networks" in str(caught.value)) == (not hosts)
    assert ("anna is here, without an open table. Ask the host" in str(caught.value)) == bool(hosts)


def test_what_is_found_stands_below_a_question_that_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in it, as if it could still be answered."""
    monkeypatch.setattr(finding, "TELL_AFTER", 0.01)
    monkeypatch.setattr(finding, "LOOK_AROUND", 0.01)
    network: Any = Seen((ANNA, "anna", "qenqe 1/2"))
    heard: list[str] = []

    async def choose(found: list[Sighting], sure: bool) -> Sighting | None:
        heard.append("asked")
        network.sightings[BOB.id] = Sighting(BOB.id, "bob", (), bytes(8), "qenqe 1/2")
        network.seen.set()
        try:
            await asyncio.Event().wait()
        finally:
            heard.append("withdrawn")
        return None

    asyncio.run(find_table(network, "bob", heard.append, choose))
    assert heard[heard.index("asked") :] == ["asked", "withdrawn", ""]
