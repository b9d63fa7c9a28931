"""The way to a table that somebody wants to watch: asking one of its players, until that player lets this client in.

What is seen there is written to a saved game as it comes: it outlives the end of the program, in whatever way.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable

from engine import counted
from p2p_stonehenge.failure import NETWORK, Failure
from p2p_stonehenge.lobby.finding import Found
from p2p_stonehenge.lobby.lobby import ANSWERS_WITHIN, MAX_HINTS, NO_ANSWER_YET, WAIT_FOR_TABLE
from p2p_stonehenge.lobby.telling import Lines, Prompts, Report
from p2p_stonehenge.net.client import Network
from p2p_stonehenge.net.network import is_near
from p2p_stonehenge.screen.asking import Ask, LeavingError, ask_passphrase
from p2p_stonehenge.storage.home import DAMAGED, Home, Journal, explained, read_saved
from p2p_stonehenge.table.agreed import short_id
from p2p_stonehenge.table.looking_on import LookingOn
from p2p_stonehenge.text.program import command_here
from protocol import (
    AskNext,
    Attendance,
    Blame,
    Charter,
    DeclineReason,
    Gathering,
    PassphraseNeeded,
    Refused,
    Sight,
    Spectator,
    Table,
    ToldSpectator,
    TranscriptError,
    load,
    whole,
)

TICK_EVERY = 0.5
"""Seconds between two looks at what time demands."""
TOLD_EVERY = 3.0
"""Seconds between two lines about how much of a long game has come."""


class Ways:
    """Where the players of one table are reached, as far as this client knows."""

    def __init__(self, network: Network, found: Found) -> None:
        self._network = network
        self._addresses = {found.host: found.addresses}

    def turn(self, turned: AskNext) -> None:
        """Hang up the client of the player asked before; dial, after the pause, that of the player asked next."""
        network = self._network
        near = [address for address in turned.addresses if is_near(address, network.interface)]
        known = self._addresses.get(turned.player, ())
        self._addresses[turned.player] = tuple(dict.fromkeys([*known, *near[:MAX_HINTS]]))
        network.hang_up(turned.before)
        asyncio.get_running_loop().call_later(turned.pause, self.dial, turned.player)

    def dial(self, player: bytes) -> None:
        """Keep a link to a player, wherever it was or is seen."""
        network = self._network
        if network.handler is None:  # the program ends
            return
        seen = network.sightings[player].addresses if player in network.sightings else ()
        network.dial(player, tuple(dict.fromkeys([*seen, *self._addresses.get(player, ())])), watched=True)


class WatchLobby:
    """Asks one player to be let in, hears of the game so far, and keeps it in the saved game of that table.

    `ask` asks the person at this client for the passphrase; None if no person sits here. `leaves` returns once that
    person wants to leave while the game so far comes. With `before`, the charter
    of a table that is over, whose players are reached by `ways`, the next table of these players is waited for.
    """

    def __init__(
        self,
        network: Network,
        home: Home,
        report: Report,
        found: Found,
        passphrase: str | None,
        ask: Ask | None,
        *,
        before: Charter | None = None,
        ways: Ways | None = None,
        leaves: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.network = network
        self.ways = ways or Ways(network, found)
        own = network.identity.id
        self.spectator = Spectator(own, found.host, secrets.token_bytes, passphrase, before=before, seen=self._seen)
        self.looking_on = LookingOn(self.spectator, network.transport, self.ways.turn, self)
        self._home = home
        self._before = before
        self._found = found
        self._report = report
        self._ask = ask
        self._lines = Lines(report, time.monotonic)
        self._questions = Prompts(self._end)
        self._leaves = leaves
        self._played = 0
        """After how many actions the game is, as a player says; 0 while none has said so."""
        self._come = 0
        """After how many actions the player was told last how much of the game has come."""
        self._answered = False
        """Whether the player has said anything of a table."""
        self._done: asyncio.Future[Spectator] = asyncio.get_running_loop().create_future()

    @property
    def journal(self) -> Journal:
        """Return the file of the table, once a player has let this client in."""
        assert self.looking_on.journal
        return self.looking_on.journal

    async def gather(self) -> Spectator:
        """Dial the player and wait until all of the game so far has come. Raises Failure."""
        self.network.handler = self.looking_on
        self.ways.dial(self.spectator.player)
        if self.spectator.player in self.network.transport.linked():
            self.looking_on.link(self.spectator.player, True)
        answers_by = time.monotonic() + ANSWERS_WITHIN
        until = time.monotonic() + WAIT_FOR_TABLE
        tell_at, leaving = 0.0, None
        try:
            while not self._done.done():
                await asyncio.wait([self._done], timeout=TICK_EVERY)
                self.looking_on.tick(time.monotonic())
                if table := self.spectator.table:
                    leaving = leaving or (asyncio.ensure_future(self._left()) if self._leaves else None)
                    if time.monotonic() >= tell_at:
                        tell_at = time.monotonic() + TOLD_EVERY
                        self._tell_progress(table)
                else:
                    tell_at = time.monotonic() + TOLD_EVERY
                linked = bool(self.network.transport.linked())
                if linked and (self._answered or self.spectator.table):
                    until = time.monotonic() + WAIT_FOR_TABLE
                elif not linked and not self._before and answers_by < time.monotonic() < until:
                    self._tell(NO_ANSWER_YET.format(self._name))
                elif time.monotonic() > until and self._before:
                    raise Failure("None of the players is reached any more: `watch` lists the tables seen.", NETWORK)
                elif time.monotonic() > until:
                    at_none = f"{self._name} is reached, but is at no table yet."
                    lost = f"{self._name} does not answer. Is the program there still at a table, and are both"
                    lost += " computers on one network?"
                    then = f"`{command_here()} watch` lists the tables that are seen."
                    raise Failure(f"{at_none if linked else lost} {then}", NETWORK)
            return self._done.result()
        except BaseException:
            if journal := self.looking_on.journal:
                journal.close()  # the player may look on again from the same program
            raise
        finally:
            self._questions.stop()
            if leaving:
                leaving.cancel()

    async def _left(self) -> None:
        """End with a failure once the player wants to leave."""
        assert self._leaves
        await self._leaves()
        self._end(LeavingError("all of the game so far had come"))

    def _tell_progress(self, table: Table) -> None:
        """Tell how much of the game so far has come, if more has come and not all of it."""
        come = table.fold.position.plies
        if come == self._come or self._done.done():
            return
        self._come = come
        many = f"{come} of {self._played} actions" if come < self._played else counted(come, "action")
        self._report(f"Of the game so far {many} have come." + " `quit` leaves." * bool(self._leaves))

    def trouble(self, peer: bytes | None, text: str) -> None:
        """Tell of a trouble with the network."""
        del peer
        self._tell(text)

    def _seen(self, charter: Charter) -> Table | None:
        """Open the file of a table; return what it holds if the table was watched, or played, here before.

        Who can still play there may look on, and is told how to play on.
        """
        path = self._home.saved(charter.table)
        plays = self.network.identity.id in [seat.id for seat in charter.body.seats]
        if plays and self._home.kept_secret(charter.table) is not None:
            way = f"`{command_here()} resume {short_id(charter.table)}` goes on with it"
            self._report(f"That is a game of yours that has not ended: {way}.")
        if not path.exists():
            self.looking_on.journal = self._home.journal(charter.table)
            return None
        with explained(path):
            data = read_saved(path)
        good = whole(data)
        try:
            table = load(data[:good])
        except TranscriptError:
            damaged = path.with_suffix(DAMAGED)
            with explained(path):
                path.replace(damaged)
            self._report(f"Your saved game of this table is damaged: it is {damaged} now, and another one is begun.")
            return self._seen(charter)
        self.looking_on.journal = self._home.journal(charter.table, resume=True)
        if good < len(data):
            self.looking_on.journal.cut(good)
        return table

    @property
    def _name(self) -> str:
        return self._found.nick

    def _tell(self, text: str) -> None:
        self._lines.news("watch", text)

    def _fail(self, text: str) -> None:
        self._end(Failure(text, NETWORK))

    def _end(self, failure: Failure) -> None:
        if not self._done.done():
            self._done.set_exception(failure)

    def see(self, sight: Sight) -> None:
        """Take an effect that is neither for the disk nor for a peer."""
        self._answered = self._answered or not isinstance(sight, AskNext)
        match sight:
            case Gathering(advert):
                count = f"{len(advert.names)} of {advert.seats} seats are taken"
                whose = "The next" if self._before else f"{self._name}'s"
                self._tell(f"{whose} table has not begun: {count}. You watch when it does; Ctrl-C leaves.")
            case ToldSpectator(_, Attendance(_, plies)):
                self._played = plies
            case PassphraseNeeded(_, wrong):
                self._locked(wrong)
            case Refused(_, reason):
                self._refused(reason)
            case Blame(_, reason):
                self._tell(f"{self._name} sent what no honest client sends ({reason}): trying again.")

    def settle(self) -> None:
        """Note that all is done that came of one message: the way ends once nothing more of the game is to come."""
        if self.spectator.caught_up and not self._done.done():
            self._done.set_result(self.spectator)

    def _refused(self, reason: int) -> None:
        if self._before and self.spectator.table is None:  # a player who is not at the next table yet
            return
        if reason == DeclineReason.CLOSED:
            self._fail(f"{self._name} has closed the table before the game began.")
        elif reason == DeclineReason.FULL:
            self._tell(f"{self._name} has no place for another spectator: asking the next player.")
        elif self.spectator.table is None:
            self._fail(
                f"{self._name}'s table admits no spectators: its host opened it so, or asks them for a passphrase that"
                f" {self._name}'s program does not have. Ask another player of it; `{command_here()} watch` lists"
                " tables that may be watched."
            )

    def _locked(self, wrong: bool) -> None:
        """Ask for the passphrase."""
        told = f"That is not the passphrase of {self._name}'s table: ask {self._name} for it."
        if self._ask is None:
            self._fail(told if wrong else f"{self._name}'s table is watched with its passphrase: add --passphrase.")
            return
        if wrong:
            self._tell(told)
        self._questions.put(self._ask_passphrase(self._ask))

    async def _ask_passphrase(self, ask: Ask) -> None:
        self.spectator.passphrase = await ask_passphrase(ask, f"The passphrase of {self._name}'s table")
        self.looking_on.carry_out(self.spectator.ask())
