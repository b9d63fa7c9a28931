"""How each player is at a watched table, as the players say of each other: nobody who watches has links to them all."""

import time

from p2p_stonehenge.table.base import TableSession
from protocol import Attendance, Attending


class Players:
    """Knows who is at one watched table and who goes on to another game. A player is named by the seat of its client.

    The roster of the session has how each player is there. A player of whom nothing was said is taken to be there.
    """

    def __init__(self, session: TableSession) -> None:
        self._session, self._people = session, session.roster
        self._seats = tuple(session.table.charter.body.clients.values())
        self._wanting: set[int] = set()
        """The players who want to play again, or have gone on to another game."""
        self._lead_on = False
        """Whether a player has opened the table of another game."""
        for seat in self._seats:
            self.note_here(seat)

    @property
    def all_left(self) -> bool:
        """Return whether each player is known to have left by wish."""
        return all(map(self.has_left, self._seats))

    @property
    def may_be_followed(self) -> bool:
        """Return whether the players go on to another game, and some of them are still to be followed there."""
        return (self._lead_on or bool(self._wanting)) and not self.all_left

    def has_left(self, seat: int) -> bool:
        """Return whether a player is known to have left by wish."""
        return self._people[seat].has_left

    def note_here(self, seat: int) -> None:
        """Note that a player is at the table, also one that had left."""
        self._people.seat(seat, time.monotonic())

    def note_next(self, seat: int) -> None:
        """Note that a player, 0 for one without a seat, opens another table."""
        self._lead_on = True
        if seat:
            self.note_here(seat)

    def hear(self, attendance: Attendance, through: int) -> list[tuple[int, str]]:
        """Note what the player `through`, 0 for nobody, says of all. Returns of whom something is told, and what."""
        said = [one for one in attendance.players if one[0] in self._seats]
        before = {seat: self._people[seat].became for seat, *_ in said}
        for seat, how, seconds in said:
            self._people.told_of(seat, _became(how), time.monotonic() - seconds)
        told = [
            (seat, self._told(seat, before[seat], how, through)) for seat, how, _ in said if self._matters(seat, how)
        ]
        if self._session.result is not None:
            self._wanting |= {seat for seat, how, _ in said if how == Attending.AGAIN}
            self._wanting -= {seat for seat, how, _ in said if how == Attending.AWAY or self.has_left(seat)}
        return [(seat, text) for seat, text in told if text]

    def _matters(self, seat: int, how: Attending) -> bool:
        """Return whether it is told that a player is there in this way.

        During the game all but who wants another one; after its end that too and, while some stay, who is not there.
        """
        if self._session.result is None:
            return how != Attending.AGAIN
        return how != Attending.UNREACHED and not self.all_left

    def _told(self, seat: int, before: Attending, how: Attending, through: int) -> str:
        """Return what is told of a player who was there as `before`, and now is as the player `through` says."""
        name, left, own = self._session.label(seat), self.has_left(seat), seat == through
        witness = self._session.label(through) if through else "Somebody"
        if seat in self._wanting and how in (Attending.AGAIN, Attending.PRESENT):
            return ""
        if how == Attending.AGAIN:
            return f"{name} wants to play again: `again` follows the players into their next game."
        if _became(how) is before or (own and how == Attending.PRESENT):
            return ""
        if how == Attending.PRESENT:
            return f"{name} is there again, as {witness} sees it."
        if left:
            seen = "" if own else f", as {witness} sees it"
            return f"{name} has left the table{' until another day' * (how == Attending.GONE_FOR_TODAY)}{seen}."
        return f"{name} does not answer {witness}."


def _became(how: Attending) -> Attending:
    """Return what became of a player who is there in this way."""
    return Attending.PRESENT if how == Attending.AGAIN else how
