"""Another game with the players of a table among peers: who wants it, and without whom it would be played."""

from collections.abc import Collection

from engine import listed
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.session import Question
from p2p_stonehenge.text.program import command_here

GONE_AFTER = 10.0
"""Seconds out of reach after which a player is awaited no more at this table: links break and come back."""

STAYS_AFTER = 3.0
"""Seconds after which a player who has come back to the table stays there: a program that has begun anew speaks of the
table as well, to hear how the game ended, and takes a wish for another game as one for a seat at its own table."""


class AnotherGame:
    """Knows what follows the game of one table once it is over. A client is named by its operator, as in `Presence`."""

    def __init__(self, session: TableSession, presence: Presence) -> None:
        self._session, self._presence = session, presence
        self._wanting: set[int] = set()
        self.without: frozenset[bytes] = frozenset()
        """The ids of the players who were gone when the player here wanted to play again, and have not come back."""
        self.decided = False
        """Whether the player here wants another game."""
        self._told: dict[int, float] = {}
        """By operator: the `Person.since` at which its client was last told of that; a later one means that it came."""

    def wants(self, operator: int) -> bool:
        """Return whether the player of another client wants another game, also one who is out of reach now."""
        return operator in self._wanting

    def want(self, operator: int) -> None:
        """Note that the player of another client wants another game."""
        self._wanting.add(operator)

    def leave(self, operator: int) -> None:
        """Note that the player of another client has left the table."""
        self._wanting.discard(operator)

    @property
    def wanting(self) -> Collection[int]:
        """Return the operators whose players want another game, and are here."""
        return self._wanting - {*self._presence.absent()}

    @property
    def may_begin(self) -> bool:
        """Return whether another game can begin: somebody to play with is here or, having wanted it, will be."""
        coming = len(self._left_out()) < len(self._presence.absent())
        return bool(self._session.people) and (coming or self._presence.company)

    @property
    def sides_change(self) -> bool:
        """Return whether the people here play another side then: whoever plays with bots alone has the first seat."""
        return len(self._session.table.charter.body.clients) > 1 or self._session.people != (1,)

    def question(self) -> Question:
        """Return what to ask before another game without the players who are not here and have not wanted it."""
        gone = self._left_out()
        names = listed([self._session.speaker(seat) for seat in gone])
        told = self._session.roster.status(gone, None)
        now = f"{told or 'All are here'} now: type `again`."
        return Question(f"{told}. Play again without {names}?" if gone else "", tuple(gone), now)

    def refusal(self) -> str:
        """Return that there is nobody to play with, and what the player here can do instead."""
        session, game = self._session, self._session.game.key
        goes_on = f"host --from {session.short_id}` goes on with this game"
        host = goes_on if session.end.void else f"host {game}` opens another table"
        ways = session.after().way_on or (
            f"`{command_here()} {host}, and `{command_here()} solo {game}` plays against bots."
        )
        return f"There is nobody to play again with: {self._presence.status()}. After `quit`, {ways}"

    def decide(self) -> None:
        """Note that the player here wants another game: without those who are gone now and have not wanted it."""
        seats = self._session.table.charter.body.seats
        self.decided, self.without = True, frozenset(seats[seat - 1].id for seat in self._left_out())
        self._told = {seat: self._session.roster[seat].since for seat in self._presence.seat_of.values()}

    def untold(self) -> list[bytes]:
        """Return, once the player here wants another game, who has come back since, to be told now; each only once."""
        found = list[bytes]()
        for id in self._presence.here if self.decided else ():
            operator = self._presence.seat_of[id]
            since = self._session.roster[operator].since
            if self._told[operator] != since and self._presence.now() >= since + STAYS_AFTER:
                self._told[operator] = since
                found.append(id)
        return found

    @property
    def awaited(self) -> tuple[int, ...]:
        """Return, once the player here wants another game, the operators that are here and do not want it yet."""
        if not self.decided:
            return ()
        clients = self._session.table.charter.body.clients
        others = [seat for id, seat in clients.items() if seat not in self._wanting and not self._is_gone(id, seat)]
        return tuple(sorted({*others} - {self._session.table.own.operator}))

    def _is_gone(self, id: bytes, operator: int) -> bool:
        """Return whether a player is not awaited any more: it has left, or is out of reach and was or has been long."""
        person = self._session.roster[operator]
        long = id in self.without or self._presence.now() >= person.since + GONE_AFTER
        return not person.here and (person.has_left or long)

    @property
    def begins(self) -> bool:
        """Return whether all who are here want another game: it is formed now, elsewhere than at this table."""
        return self.decided and self.may_begin and not self.awaited

    def begin(self) -> None:
        """Note that the game is formed now: with all who have come back, or want it, since the player here did."""
        clients, gone = self._session.table.charter.body.clients, {*self._left_out()}
        self.without = frozenset(id for id in self.without if clients[id] in gone)

    def forgo(self) -> None:
        """Note that the player here wants no other game, and has not heard yet who does."""
        self.decided = False
        self._wanting.clear()

    @property
    def silent(self) -> list[str]:
        """Return, once another game is formed, how the others in it are called who have not said that they want it."""
        session = self._session
        said = {session.table.own.operator, *self._wanting}
        clients = session.table.charter.body.clients.items()
        silent = [seat for id, seat in clients if seat not in said and id not in self.without]
        return [session.label(seat) for seat in silent if not session.roster[seat].has_left]

    def _left_out(self) -> list[int]:
        """Return the operators that are not here, but for those who want another game: they wait where it begins.

        Should one of these be out of reach there, the player is asked there.
        """
        return [operator for operator in self._presence.absent() if operator not in self._wanting]
