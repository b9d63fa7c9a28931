"""What the player at a table among peers is told: effects in, notices out."""

import math
from collections.abc import Callable, Mapping

from engine import Over, Turn, listed
from p2p_stonehenge.table.another_game import AnotherGame
from p2p_stonehenge.table.comings import Comings
from p2p_stonehenge.table.proposals import ANSWER_TIME
from p2p_stonehenge.table.session import Note, Notice, Progress, Said
from p2p_stonehenge.table.shown import ShownTable
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.sparing import Sparing
from p2p_stonehenge.text.times import spell, whole_seconds
from protocol import (
    Allowance,
    Allowances,
    Blame,
    Caught,
    Clock,
    Disputed,
    Effect,
    EpochBegun,
    Node,
    Overdue,
    OwnFoldWrong,
    PeerLeft,
    PlayerChat,
    Proposed,
    SecretsWrong,
    SpectatorChat,
    WantsAnother,
)

CHAT_LINES, LINE_EVERY = 11, 1.0
"""Lines of chat that are shown of one seat at once, and seconds for each one more. Its own client sends one fewer."""
SPECTATORS_LINES = 6
"""Those that are shown at once of all spectators together."""
ON_A_CLOCK = 30
"""Seconds of a clock that are left at the first warning; of a time for each turn that is half of it."""
LAST_CALL = 10
"""Seconds of the turn time that are left when the player is warned for the last time."""
SECRETS_WRONG = (
    "The secrets of this table are damaged: your client cannot show what it has committed to, and shows nothing wrong."
    " `quit`, put a copy of their file in `secrets/` back, then `resume`."
)
NOTED_AFTER = 1.0
"""Seconds that a wish for a draw waits before that is told: where all are here it counts at once."""
NOTED = {
    True: "That you want a draw is noted: it counts as soon as the game goes on.",
    False: "That you want no draw any more is noted: it counts as soon as the game goes on.",
}
"""What is told of a wish for a draw, or for none, that waits for a player who is missing."""
BLAMED_AT_MOST = 20
"""Faults of peers that are told, each once."""


class Notices:
    """Finds the words for one table. It reads the table and remembers what was told, and does nothing else."""

    def __init__(
        self,
        session: ShownTable,
        node: Node,
        comings: Comings,
        another_game: AnotherGame,
        clock: Callable[[], float],
    ) -> None:
        """`clock` returns the time in seconds, for what may be told only so often."""
        self.seconds_left: int | None = None
        """The seconds of the turn time that were left at the last look."""
        self._session, self._node, self._clock = session, node, clock
        self._presence, self._proposals, self._comings = comings.presence, comings.proposals, comings
        self._another_game = another_game
        self._seat_of = session.table.charter.body.clients
        self._wished: tuple[int, ...] = ()
        """The seats that wished a draw at the last look."""
        self._offered: tuple[int, ...] = ()
        """Those of them that offered it; the others agreed."""
        self._noted: Mapping[int, bool] = {}
        """The own wishes for draws that waited at the last look, by seat."""
        self._tell_noted_at = 0.0
        """When that is told; never again once it was."""
        self.muted = False
        """Whether the player here wants to read nothing of what spectators say."""
        self._blamed: set[tuple[bytes, str]] = set()
        self._chat = Allowances(CHAT_LINES, LINE_EVERY, len(session.names))
        self._spectators_chat = Allowance(SPECTATORS_LINES, LINE_EVERY)
        self._sparing = Sparing(clock)

    # What effects tell

    def of(self, effect: Effect) -> list[Notice]:
        """Return what the player is told of an effect."""
        session = self._session
        match effect:
            case PlayerChat(seat, text):
                return [Said(session.speaker(seat), text)] if self._chat.take(seat, self._clock()) else []
            case Blame(peer, reason):
                return self._blame(peer, reason)
            case Caught(seat, reason):
                return [Note(self._caught(seat, reason), urgent=True)]
            case SpectatorChat(_, name, text):
                heard = not self.muted and self._spectators_chat.take(self._clock())
                return [Said(f"{quoted(name)} (watching)", text)] if heard else []
            case Disputed(seat, ply):
                name = session.label(seat)
                text = f"{name} signed move {ply} for another position than ours, which was checked from the start."
                return [Note(f"{text} {name}'s program is wrong; {name} still has to move.", urgent=True)]
            case PeerLeft(seat, reason):
                self._another_game.leave(seat)
                return [*self._comings.leave(seat, reason)]
            case WantsAnother(seat) if not self._another_game.wants(seat):
                self._another_game.want(seat)
                if self._another_game.decided:
                    return [Note(f"{session.label(seat)} wants to play again, too.")]
                told = f"{session.label(seat)} wants to play again: type `again` to play on together."
                return [Note(told, urgent=True, stands=lambda: self._another_game.wants(seat))]
            case Proposed(seat, leaving):
                told = self._proposals.told(seat, leaving)
                return [Note(told, urgent=True, stands=self._stands(seat, leaving))] if told else []
            case EpochBegun(left):
                return [Note(told)] if (told := self._proposals.went(left)) else []
            case Overdue(seat):
                return [Note(self._overdue(seat), urgent=True, stands=lambda: self.seconds_left == 0)]
            case OwnFoldWrong():
                text = "This program disagrees with its own record. Stop playing and keep the saved game."
                return [Note(text, urgent=True)]
            case SecretsWrong():
                return [Note(SECRETS_WRONG, urgent=True)]
        return []

    def _blame(self, peer: bytes, reason: str) -> list[Notice]:
        seat = self._seat_of[peer]
        new = (peer, reason) not in self._blamed and len(self._blamed) < BLAMED_AT_MOST
        if not new or not self._sparing.take(f"blame {seat}"):
            return []
        self._blamed.add((peer, reason))
        return [Note(f"{self._session.label(seat)} sent {reason}; it was dropped.", urgent=True)]

    def _caught(self, seat: int, reason: str) -> str:
        return f"CHEAT: {self._session.label(seat)} {reason}; the proof is saved."

    def _overdue(self, seat: int) -> str:
        only_two, apart = self._presence.only_two, bool(self._presence.missed())
        counted = "on the clock" if isinstance(self._session.table.charter.body.turn_time, Clock) else "for this turn"
        soon = f" in {spell(math.ceil(grace))}, as you two were not connected" if (grace := self._node.grace) else ""
        if seat in self._session.table.own.signers:
            if not only_two:
                return f"Your time {counted} is up: move now, or {self._late()}."
            if apart:
                return "Your time is up. Nobody loses by that while you two are not connected: move now."
            if soon:
                return f"Your time is up. That loses the game{soon}: move now."
            return "Your time is up. All have signed that this loses the game: your client resigns for you."
        if not only_two:
            then = "Your client agrees to go on without."
        elif apart:
            then = "Wait on, or `adjourn`."
        else:
            then = f"That loses the game{soon or ', as all have signed'}."
        return f"{self._session.label(seat)} has used up the time {counted}. {then}"

    def _late(self) -> str:
        """Return what follows when the player's time is up."""
        if self._presence.only_two:
            return "your client resigns for you, as all have signed"
        return "the others go on without you"

    # What else is told

    def trouble(self, text: str, stands: Callable[[], bool]) -> list[Notice]:
        """Return what the player is told of a trouble with the network, unless there was much of late."""
        return [Note(text, urgent=True, stands=stands)] if self._sparing.take("network") else []

    def time_left(self) -> list[Notice]:
        """Return what is told of the turn time: that it changed, a warning at half of it and one near its end."""
        session = self._session
        before, self.seconds_left = self.seconds_left, whole_seconds(session.shown.seconds_left)
        if self.seconds_left == before:
            return []
        told: list[Notice] = []
        if before is not None and self.seconds_left and session.turn in session.people:
            limit = session.table.charter.body.turn_time
            half = ON_A_CLOCK if isinstance(limit, Clock) else limit // 2
            marks = (half, LAST_CALL) if half >= 2 * LAST_CALL else (min(half, LAST_CALL),)
            if any(before > mark >= self.seconds_left for mark in marks):
                which = "on your clock" if isinstance(limit, Clock) else "for this turn"
                warning = f"{spell(self.seconds_left)} left {which}. Then {self._late()}."
                told.append(Note(warning, urgent=True, stands=lambda: session.turn in session.people))
        return [*told, Progress()]

    def wishes(self) -> list[Notice]:
        """Return what is told of draws that were offered, or are no longer, since the last call."""
        session, wishes = self._session, self._session.wishes()
        before, self._wished = self._wished, wishes
        offered = self._offered
        self._offered = tuple(seat for seat in offered if seat in wishes) or wishes
        if wishes == before or session.result is not None:
            return []
        told: list[Notice] = []
        live = session.game.live(session.position.state)
        missing = listed([session.label(seat) for seat in live if seat not in wishes and seat not in session.people])
        wished = {*session.people} & {*live} <= {*wishes}
        for seat in wishes:
            if seat in before:
                continue
            others = any(one != seat for one in before)
            if seat in session.people:
                does = f"agree to the draw: waiting for {missing}" if others else "offer a draw"
                told.append(Note(f"You {does}; `draw off` takes it back."))
            elif wished:
                told.append(Note(f"{session.label(seat)} agrees to the draw: waiting for {missing}."))
            else:
                does = "agrees to the draw" if others else "offers a draw"
                lapse = f"or play on: it is off after two actions of {session.speaker(seat)}"
                offer = f"{session.label(seat)} {does}: `draw` accepts; {lapse}."
                told.append(self._offer(seat, offer))
        told += [Note(self._wished_no_longer(seat, offered)) for seat in before if seat not in wishes]
        if wishes and {*before} > {*wishes} <= {*session.people} and not {*wishes} & {*offered}:
            told.append(Note("You agreed to that: now it is an offer of your own; `draw off` takes it back."))
        return told

    def wishes_noted(self) -> list[Notice]:
        """Return what is told of a draw that the player here wants, or no longer wants, and that does not count yet."""
        session, now = self._session, self._presence.now()
        noted = {seat: wanted for seat, wanted in session.shown.draws_waiting.items() if seat in session.people}
        if noted != self._noted:
            after = 0.0 if any(map(self._presence.away, self._presence.awaited())) else NOTED_AFTER
            self._noted, self._tell_noted_at = noted, now + after
        if not noted or now < self._tell_noted_at:
            return []
        self._tell_noted_at = math.inf
        return [Note(NOTED[wanted]) for wanted in noted.values()]

    def _wished_no_longer(self, seat: int, offered: tuple[int, ...]) -> str:
        """Return what is told of a seat that wished a draw until now; `offered`: the seats that had offered it."""
        session = self._session
        own = seat in session.people
        if seat not in offered and (stands := [one for one in offered if one in self._wished]):
            if own:
                by = listed([session.label(one) for one in stands])
                return f"You no longer agree to the draw that {by} {'offers' if len(stands) == 1 else 'offer'}."
            yours = "; your offer stands" if {*stands} & {*session.people} else ""
            return f"{session.label(seat)} no longer agrees to the draw{yours}."
        return f"{'Your draw offer' if own else f'The draw offer of {session.label(seat)}'} no longer stands."

    def _stands(self, seat: int, leaving: tuple[int, ...]) -> Callable[[], bool]:
        """Return what says whether a player wants to go on without seats whose players are here, or away, as now."""
        gone = self._gone(leaving)
        return lambda: self._proposals.wants(seat, leaving) and self._gone(leaving) == gone

    def _gone(self, seats: tuple[int, ...]) -> list[int]:
        """Return those of these seats whose clients are away."""
        return [seat for seat in seats if self._presence.away(seat)]

    def _offer(self, seat: int, text: str) -> Note:
        """Return the note of a draw that a player offers, or agrees to, which stands as long as that does."""
        return Note(text, urgent=True, stands=lambda: seat in self._wished)

    # What the screen shows

    def waiting(self) -> str:
        """Return in a few words what the table waits for."""
        session, shown = self._session, self._session.shown
        names = listed([session.label(seat) for seat in self._presence.awaited()])
        if shown.unheard:
            return f"waiting for {names} to come back"
        if shown.has_agreed:
            return self._proposals.agreeing()
        due = shown.position.due
        if isinstance(due, Turn) and self._proposals.puts_off:
            return f"all go on in up to {ANSWER_TIME}, then {session.label(due.seat)} to move"
        if isinstance(due, Turn):
            return f"{session.label(due.seat)} to move"
        if dealing := shown.position.dealing:
            done, seats = dealing.shuffles, len(dealing.live)
            shuffled = f"cards shuffled by {done} of {seats}" if done < seats else "cards shuffled, dealing them"
            return shuffled + (f", waiting for {names}" if names else "")
        if not names:
            return ""
        if isinstance(due, Over):
            return f"{names} to confirm the result"
        return f"waiting for {names} to take part in the roll"

    def remarks(self) -> dict[int, str]:
        """Return which players others want to go on without, by seat."""
        session = self._session
        found: dict[int, list[str]] = {}
        for operator, leavers in sorted(self._proposals.open_proposals().items()):
            for seat in leavers:
                found.setdefault(seat, []).append(session.speaker(operator))
        return {seat: f"{listed(names)} would go on without" for seat, names in found.items()}

    def audited(self) -> list[str]:
        """Return what is known of a last round that was broken off, once the result is signed."""
        session, told = self._session, []
        for seat, whole, cheats in self._node.audits():
            name = session.label(seat)
            told += [self._caught(seat, f"signed {cheat.reason}") for cheat in cheats]
            if not whole:
                told.append(f"The last round is not audited: {name} did not show the cards left in hand.")
            elif seat in session.people:
                told.append("The last round is audited: the cards left in your hand were shown with the result.")
            elif not cheats:
                told.append(f"The last round is audited: the cards that {name} played fit those left in hand.")
        return told
