"""Three people at one table, of whom one may go."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playing import Player, leave, people

UNASKED = ("Nothing is asked of you now", "What others want is answered by a command")
TWO_VERSIONS = (
    "from p2p_stonehenge.table.among_peers import NetTable\n"
    "from protocol import message_bytes\n"
    "from protocol.events import bodies, make_event\n"
    "from protocol.messages import Events\n"
    "play = NetTable.play\n"
    "def play_twice(table, seat, action):\n"
    "    inner, other = table.table, [one for one in table.game.legal(table.state, seat) if one != action][0]\n"
    "    place = inner.held.heads, inner.fold.position.slot, inner.fold.position.digest\n"
    "    second = make_event(inner.own.signers[seat], inner.id, seat, *place, bodies.Move(other))\n"
    "    for peer in table._node.peers[::2]:\n"
    "        table._jobs.sender.send(peer, message_bytes(Events(inner.id, ((second.raw, second.signature),))))\n"
    "    play(table, seat, action)\n"
    "NetTable.play = play_twice\n"
)
"""A client that signs two moves for one turn, and shows every other player another one first."""


@pytest.fixture
def trio(tmp_path: Path) -> Iterator[list[Player]]:
    players = people(tmp_path, 3)
    for player in players:
        player.hands = ("--plain",)
    yield players
    leave(players)


def sit_down(players: list[Player], game: str, *options: str) -> None:
    """Let people take their seats."""
    open_table(players, game, *options)
    for player in players:
        player.hears("Type help for help")


def leave_behind(gone: Player, first: Player, second: Player) -> None:
    """Let the first player say so, and the second one agree; a client at work on a deal asks to wait."""
    for player, line, done in ((first, f"without {gone.nick}", "You want to go on"), (second, "agree", "You agree")):
        player.hears("wants to go on without" if player is second else "does not answer any more")
        told = "Not possible"
        while "Not possible" in told:
            player.type(line, "yes")
            told = player.line(lambda text: any(part in text for part in (done, "Not possible")))  # noqa: B023
            if "Not possible" in told and not any(part in told for part in UNASKED):
                player.line(lambda text: any(part in text for part in UNASKED))  # what the yes is told, typed along
    for player in (first, second):
        player.hears("which counts as resigning")


def open_table(players: list[Player], game: str, *options: str) -> None:
    """Let the first one host, and the others join in their order."""
    host = players[0]
    host.start("host", game, "--name", host.nick, "--players", str(len(players)), *options)
    for before, guest in pairwise(players):
        host.hears("waiting for" if before is host else f"{before.nick} sits down")
        guest.start("join", host.nick, "--name", guest.nick)
