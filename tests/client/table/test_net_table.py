"""A table among peers: in which order its client does what has to be done."""

import asyncio
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path

import pytest
from net_tables import IDENTITIES, NAMES, Room, play_and_sign_another, refused

from p2p_stonehenge.table.among_peers import NetTable
from p2p_stonehenge.table.session import Notice, Ply, RefusedError
from protocol import Clock, Effect, Node, message_bytes, verify
from protocol.events import EventKind, bodies, make_event
from protocol.messages import Events
from protocol.table.fold import Fold
from protocol.table.going_on import GoingOn
from protocol.table.own import Own


def test_a_move_is_seen_before_it_is_acknowledged(tmp_path: Path) -> None:
    """Players do not wait for what the others' clients only want to know."""
    room = Room(tmp_path, names=NAMES[:2])
    waiting: list[int] = []

    def heard(notice: Notice) -> None:
        if isinstance(notice, Ply):
            waiting.append(len(room.mail))

    room.tables[3 - room.tables[1].turn].listen(heard)
    room.play()
    assert waiting == [0]


def test_a_seat_that_comes_and_goes_does_not_fill_the_screen_of_the_others(tmp_path: Path) -> None:
    """A hundred times within a minute; it can be there again at once, and who is missing is known all the same."""
    room = Room(tmp_path)
    ben, table = IDENTITIES[1].id, room.tables[1]
    room.notes(1)
    for _ in range(100):
        table.link(ben, up=False)
        table.trouble(ben, "ben sends more than is sensible; some of it is dropped.")
        assert "ben away for" in table.links()
        table.link(ben, up=True)
        room.carry()
    told = room.notes(1)
    for cause in ("does not answer", "is back", "more than is sensible"):
        assert len([text for text in told if cause in text]) <= 10
    assert any("ben" in text and "does not answer" in text for text in told), told
    assert table.links() == "all here"


LOOKS = ("who", "help", "position", "back", "look n", "played", "board", "forth", "log", "last", "hand", "result")
ASKS = ("without anna", "agree", "resign", "draw", "takeback", "say hello", "newest", "adjourn", "no")


def test_nothing_looks_at_the_table_while_a_thread_works_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the screen, nor what arrives, nor a link that breaks, nor the clock, nor what a player types."""
    looks: list[str] = []
    at_work: list[NetTable] = []

    def watch(owner: type, name: str) -> None:
        real = getattr(owner, name)

        def looked_at(thing: object, *args: object) -> object:
            note(owner, name)
            if not isinstance(real, property):
                return real(thing, *args)
            assert real.fget
            return real.fget(thing)

        monkeypatch.setattr(owner, name, property(looked_at) if isinstance(real, property) else looked_at)

    def note(owner: type, name: str) -> None:
        if at_work and threading.current_thread() is threading.main_thread():
            looks.append(f"{owner.__name__}.{name} by {traceback.extract_stack()[-3].name}")

    def log_of(fold: Fold) -> object:
        note(Fold, "log")
        return vars(fold)["log"]

    monkeypatch.setattr(Fold, "log", property(log_of, lambda fold, log: vars(fold).update(log=log)), raising=False)
    for owner, name in (
        (Fold, "position"),
        (Fold, "result"),
        (Fold, "owing"),
        (Fold, "has_resigned"),
        (GoingOn, "proposed"),
        (GoingOn, "unwanted"),
        (GoingOn, "missing"),
        (Own, "view"),
        (Own, "has_agreed"),
        (Node, "clock"),
        (Node, "own_waits"),
        (Node, "seconds_left"),
        (Node, "unheard"),
    ):
        watch(owner, name)

    async def evening() -> None:
        room = Room(tmp_path, "celtic-whist", NAMES[:3], turn_time=Clock(600, 5))
        table, console, peer = room.tables[2], room.console(2), IDENTITIES[0].id
        while table._jobs.working is None:
            room.carry()
            await asyncio.sleep(0)
        working = table._jobs.working
        at_work.append(table)
        for line in LOOKS + ASKS:
            with suppress(RefusedError):
                console.enter(line)
        table.past(0)
        assert [table.clock(seat) for seat in (1, 2, 3)] == [600, 600, 600]
        console.board(80, 24)
        console.status()
        console.prompt()
        console.choices("")
        table.links()
        table.checked()
        assert table.outcome == ""
        table.link(peer, up=False)
        table.link(peer, up=True)
        table.loss(peer)
        table.trouble(peer, "some trouble")
        table.receive(peer, b"")
        table.tick(time.monotonic() + 100)
        with suppress(RefusedError):
            table.play(2, "pass")
        table.leave()
        assert table._jobs.working is working, "the thread was at work all the time"
        assert not working.done()
        at_work.clear()
        await room.rest()

    asyncio.run(asyncio.wait_for(evening(), 60))
    assert looks == []


def test_a_job_that_fails_in_a_thread_is_told_and_stops_no_other(tmp_path: Path) -> None:
    """Else the client would say for ever that the cards are being shuffled."""

    def fails() -> list[Effect]:
        raise LookupError("a fault of this program")

    async def evening() -> list[object]:
        told: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context.get("exception")))
        room = Room(tmp_path, "celtic-whist", NAMES[:2])
        assert room.tables[1].table.fold.position.dealing
        room.tables[1]._jobs.add(fails)
        await room.rest()
        assert all(table.turn for table in room.tables.values()), "the cards are dealt all the same"
        return told

    (told,) = asyncio.run(asyncio.wait_for(evening(), 60))
    assert isinstance(told, LookupError)


@pytest.mark.parametrize("leaves", [False, True])
def test_who_may_not_know_all_that_was_played_keeps_the_game_though_two_versions_have_ended_it(
    tmp_path: Path, leaves: bool
) -> None:
    """Anna moves twice, and cara, who is on her side, lets nobody see at first that she has played on after that."""
    room = Room(tmp_path)
    while room.tables[1].turn != 1:
        room.play()
    show = play_and_sign_another(room)
    assert not room.tables[2].may_go_on, "nothing has ended"
    room.play()
    room.withheld = {3: (EventKind.MOVE,)}
    room.play()
    show()
    ben = room.tables[2]
    assert ben.outcome == "Nobody has won: anna signed two versions of an event."
    assert ben.may_go_on
    room.notes(2)

    async def evening() -> bool:
        going_on = asyncio.create_task(ben.goes_on())
        await asyncio.sleep(0)
        room.withheld = {}
        room.reconnect(3, 2)
        return await going_on

    if leaves:
        room.leave(2)
        room.withheld = {}
        room.come_back(2)
        room.pass_time(1)
        ben = room.tables[2]
    else:
        assert asyncio.run(asyncio.wait_for(evening(), 60))
        assert "! The game goes on: all others had played on after what was signed twice." in room.notes(2)
    assert ben.result is None
    assert ben.turn == 1


def test_a_result_that_the_others_have_signed_takes_the_place_of_one_by_two_versions(tmp_path: Path) -> None:
    """Five agree a draw. Before anna hears the last word of it, one of them shows her two versions of another event."""
    room = Room(tmp_path, "qenqe", NAMES[:5])
    anna, last = room.tables[1], room.tables[1].turn
    if last == 1:
        room.play()
        last = anna.turn
    cheat = next(seat for seat in (2, 3) if seat != last)
    for seat in {1, 2, 3, 4, 5} - {last}:
        room.tables[seat].wish_draw(seat)
        room.carry()
    inner = room.tables[cheat].table
    place = inner.id, cheat, inner.held.heads, inner.fold.position.slot, inner.fold.position.digest
    room.tables[last].wish_draw(last)
    for wish in (0, 1):
        version = make_event(inner.own.signers[cheat], *place, bodies.Wish(wish))
        anna.receive(IDENTITIES[cheat - 1].id, message_bytes(Events(inner.id, ((version.raw, version.signature),))))
    assert anna.outcome == f"Nobody has won: {NAMES[cheat - 1]} signed two versions of an event."
    assert anna.may_go_on, "the others may sign an end that does not rest on that event"
    room.carry()
    assert anna.outcome == "Drawn by agreement."
    assert not anna.may_go_on
    (told,) = [note for note in room.notes(1) if "signed twice" in note]
    assert told.endswith("which stands whatever was signed twice. Drawn by agreement.")


def test_who_has_not_played_on_knows_that_two_versions_have_ended_the_game(tmp_path: Path) -> None:
    room = Room(tmp_path)
    show = play_and_sign_another(room)
    show()
    for table in room.tables.values():
        if table.result is not None:
            assert not table.may_go_on
            assert not asyncio.run(asyncio.wait_for(table.goes_on(), 60))
    assert sum(table.result is not None for table in room.tables.values()) >= 2


def test_a_move_that_is_back_at_once_is_not_told_again(tmp_path: Path) -> None:
    """One message may bring two agreements: by the first one the last move was not played, by the next one it was."""
    room = Room(tmp_path)
    for _ in range(3):
        room.play()
    anna = room.tables[1]
    room.notes(1)
    fold, plies = anna.table.fold, [*anna.plies]
    fold._cuts.append(len(fold.log) - 1)
    anna._tell_plies()
    assert room.notes(1) == []
    assert anna.plies == plies
    fold._cuts.append(len(fold.log) - 1)
    fold.log = fold.log[:-1]
    anna._tell_plies()
    assert room.notes(1) == ["! The others have agreed to go on from before the last moves."]
    assert anna.plies == plies[:-1]


def test_two_versions_of_a_move_end_the_game_for_all(tmp_path: Path) -> None:
    """The screen says whose doing it was, asks nobody for a move, and the files prove it."""
    room = Room(tmp_path, turn_time=60)
    while room.tables[1].turn != 3:
        room.play()
    play_and_sign_another(room)()
    for operator in (1, 2):
        table, told = room.tables[operator], room.notes(operator)
        assert any(note.startswith("! CHEAT: Blue (cara) signed two versions of its event") for note in told)
        assert max(map(len, told)) < 80
        assert table.outcome == "Nobody has won: cara signed two versions of an event."
        assert table.turn == 0
        assert room.console(operator).prompt() == "wait> "
        assert room.console(operator).status()[0] == "the game is over"
        for line in ("1A7", "resign", "without cara"):
            assert refused(room, operator, line) == "The game is over."
        report = verify(table.path.read_bytes())
        assert [(cheat.seat, cheat.kind) for cheat in report.cheats] == [(3, "equivocation")]
    room.pass_time(70)
    assert not [note for operator in (1, 2) for note in room.notes(operator)], "no turn time runs any more"
