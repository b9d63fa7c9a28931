"""Five real clients of which some cheat and some are killed, for `test_five.py` and `scripts/faults.py five`."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from kinds import expect
from playing import Player, leave, patched, people, run, same
from three_players import TWO_VERSIONS

SOON = 400.0
"""Seconds: five clients deal cards on a machine that is busy."""
PATCHES = """
import os, signal
from p2p_stonehenge.table.among_peers import NetTable
from protocol import message_bytes
from protocol.events import Head, bodies, make_event
from protocol.messages import Events
from protocol.table.held import Held
play = NetTable.play
"""
NAMES_NOBODY = """
def own_alone(held, position, own, **_):
    return tuple(head if seat in own else Head(0, b"") for seat, head in enumerate(held.heads, 1))
Held.nameable = own_alone
"""
"""A client whose events name only its own chain, so that nothing of its partner's would ever be settled."""
FIRST_ANEW = """
def sign_anew(table, seat, action):
    resigns(table, seat, action)
    inner, first = table.table, table.table.held.chains[seat - 1][0]
    if any(entry.left_behind and entry.actor == 5 for entry in inner.fold.log):
        place = inner.id, seat, first.heads, first.slot, first.digest
        second = make_event(inner.own.signers[seat], *place, bodies.Wish(1))
        for peer in table._node.peers:
            table._jobs.sender.send(peer, message_bytes(Events(inner.id, ((second.raw, second.signature),))))
NetTable.play = sign_anew
"""
"""A client that signs its first event anew with each move, once seat 5 was left behind."""
RESIGNS_LATE = """
def resigns(table, seat, action):
    play(table, seat, "resign" if len(table.plies) > 40 else action)
NetTable.play = resigns
"""
"""A client that resigns after some moves, so that the game comes to its end."""
DIES = """
def dies(table, seat, action):
    if len(table.plies) > 6:
        os.kill(os.getpid(), signal.SIGKILL)
    play(table, seat, action)
NetTable.play = dies
"""
"""A client that is killed when it is to move."""


def sit_down(players: Sequence[Player], *words: str) -> None:
    """Let the first one host, and the others join in their order."""
    host = players[0]
    host.start("host", *words, "--name", host.nick)
    for before, guest in pairwise(players):
        host.hears("waiting for" if before is host else f"{before.nick} sits down")
        guest.start("join", host.nick, "--name", guest.nick)


def hear(player: Player, *parts: str) -> str:
    return player.line(lambda line: all(part in line for part in parts), SOON)


def alike(players: Sequence[Player], but: Sequence[str] = ()) -> dict[str, object]:
    """Return what the newest files tell alike, but for the signatures under the result: a file may lack the last ones.

    `but`: what else they may tell otherwise.
    """
    reports = []
    for player in players:
        done = run(player.home, "verify", "--json", str(newest(player)))
        assert done.returncode == 0, done.stdout
        reports.append(dict(json.loads(done.stdout)))
    same(reports, reports[0].keys() - {"signed_by", "signed_events", *but})
    return reports[0]


def newest(player: Player) -> Path:
    return max((player.home / "games").glob("*.stonehenge"), key=lambda path: path.stat().st_mtime_ns)


def collusion(folder: Path, game: str, seconds: int) -> dict[str, object]:
    """Two collude and get nowhere; one is killed for good and left behind, and one comes back in the middle of that.

    Return the result. `seconds`: for a turn.
    """
    five = people(folder, 5)
    try:
        _collusion(five, game, seconds)
        return expect(dict, alike(five[:3])["result"])
    finally:
        leave(five)


def _collusion(five: list[Player], game: str, seconds: int) -> None:
    anna, ben, cara, dora, emma = five
    anna.program, emma.program = patched(PATCHES, RESIGNS_LATE), patched(PATCHES, DIES)
    cara.program, dora.program = patched(PATCHES, RESIGNS_LATE, FIRST_ANEW), patched(PATCHES, NAMES_NOBODY)
    sit_down(five, game, "--players", "5", "--turn-time", str(seconds))
    for player in (anna, ben, cara, emma):
        hear(player, dora.nick, "which counts as resigning")
    hear(anna, emma.nick, "does not answer any more")
    ben.kill()
    hear(anna, emma.nick, "Your client agrees to go on without")
    ben.start("resume")
    for player in (anna, cara):
        hear(player, emma.nick, "which counts as resigning")
    hear(anna, "CHEAT", cara.nick, "signed two versions of its event 1")
    stayed = (anna, ben, cara)
    for player in stayed:
        assert "Nobody has won" not in player.end(SOON)
    report = alike(stayed)
    assert report["finished"]
    assert report["cheats"] == [[3, 1, "equivocation", "two versions of it"]]
    for player in stayed:
        told = " ".join(run(player.home, "verify", str(newest(player))).stdout.split())
        for gone in (dora, emma):
            assert f"The others went on without {gone.nick}: everybody who stayed signed that." in told


def two_versions(folder: Path) -> dict[str, object]:
    """A game that two versions of one event end says who signed them; the same five play on from its last position.

    Return the result of that table.
    """
    five = people(folder, 5)
    try:
        _two_versions(five)
        return expect(dict, alike(five)["result"])
    finally:
        leave(five)


def _two_versions(five: list[Player]) -> None:
    anna, ben, cara, dora, emma = five
    cara.program = patched(TWO_VERSIONS)
    sit_down(five, "qenqe", "-o", "first=1", "-o", "turn_limit=60", "--players", "5")
    others = (anna, ben, dora, emma)
    for player in others:
        assert f"Nobody has won: {cara.nick} signed two versions of an event." in player.end(SOON)
    report = alike(others, ("events", "digest"))  # each file has the version that its player saw first
    assert report["finished"]
    assert [cheat[0] for cheat in expect(list, report["cheats"])] == [3]
    cara.kill()
    cara.program = ("-m", "p2p_stonehenge")
    sit_down(five, "qenqe", "--from", str(newest(anna)))
    for player in five:
        player.end(SOON)
    again = alike(five)
    assert again["table"] != report["table"]
    assert (again["finished"], again["cheats"]) == (True, [])
    assert (
        f"goes on from table {str(report['table'])[:16]}"
        in run(anna.home, "verify", str(newest(anna)), "--details").stdout
    )
