"""Those who watch a table among peers through this client: what they send, and what is sent to them."""

from collections.abc import Sequence

from p2p_stonehenge.table.agreed import watchers_told
from p2p_stonehenge.table.another_game import AnotherGame
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.jobs import Jobs
from p2p_stonehenge.table.presence import Presence
from protocol import Attendance, Attending, Node


class Spectators:
    """Serves the spectators of one table at this client. Nothing of that changes the table, or waits for a job."""

    def __init__(
        self, session: TableSession, node: Node, jobs: Jobs, presence: Presence, another_game: AnotherGame
    ) -> None:
        self._session, self._node, self._jobs = session, node, jobs
        self._presence, self._another_game = presence, another_game

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down, of a client without a seat."""
        self._jobs.attend(self._node.link(peer, up))

    def receive(self, peer: bytes, data: bytes) -> None:
        """Take in a message from a client without a seat."""
        self._jobs.attend(self._node.receive(peer, data, self._presence.now()))

    def serve(self, now: float, hints: Sequence[tuple[bytes, str]], own: Attending) -> None:
        """Send what is due, unless a thread works on the table.

        `hints`: where the other players are. `own`: how the player here is at the table.
        """
        if not self._jobs.working:
            self._jobs.attend(self._node.gallery.serve(now, tuple(hints), self._attendance(own)))

    def dismiss(self) -> None:
        """Tell them that this client leaves."""
        self._jobs.attend(self._node.gallery.close())

    def told(self) -> str:
        """Return who may watch this table, and how many do through this client."""
        here = len(self._node.gallery)
        return watchers_told(self._session.table.charter.body.watching) + f"; {here} now through you" * bool(here)

    def _attendance(self, own: Attending) -> Attendance:
        """Return who is here and how much time is left, for those who watch as far behind as the players are."""
        table, again = self._session.table, self._another_game.wanting
        found = [(table.own.operator, own, 0), *self._presence.attendance()]
        players = tuple(sorted((seat, Attending.AGAIN if seat in again else how, for_) for seat, how, for_ in found))
        if table.charter.body.watching.delay:
            return Attendance(table.id, 0, None, players)
        seconds = self._node.seconds_left
        return Attendance(table.id, self._session.position.plies, None if seconds is None else int(seconds), players)
