"""A table on this machine alone, as a session."""

import secrets
from collections.abc import Callable, Sequence
from itertools import dropwhile, takewhile
from typing import Any

from engine import CHANCE, PUBLIC, Chance, Game, Result, Turn, listed, option_text
from p2p_stonehenge.storage.home import Journal
from p2p_stonehenge.table.base import TableSession
from p2p_stonehenge.table.faults import refused
from p2p_stonehenge.table.session import After, AskedFirst, Capability, Note, Ply, Question, RefusedError
from p2p_stonehenge.table.takebacks import too_late
from p2p_stonehenge.text.program import command_here
from protocol import (
    LocalFaultError,
    SignedEvent,
    Table,
    after_move,
    charter_record,
    draw_locally,
    event_record,
    latest,
    takeback,
    wishing,
    with_wish,
    without_wish,
)


def against_bots(game: Game[Any]) -> dict[str, str]:
    """Return the usual values of options in a game of one player against bots, which may move without end."""
    return {name: option_text(value) for name, value in game.finite_with}


class LocalTable(TableSession):
    """A table on this machine: one signer, chance drawn here. `people` sit at this terminal, bots play the rest."""

    advises = True

    def __init__(self, table: Table, journal: Journal, people: Sequence[int], *, resumed: bool = False) -> None:
        super().__init__(table, people)
        self.bot_agrees: Callable[[int], bool] = lambda _seat: False
        """Whether the bot of a seat accepts a draw now."""
        self.told_next: Callable[[Result], str] = lambda _result: ""
        """Who plays in the game that follows one which ended so, in a sentence, where that depends on it."""
        self.path = journal.path
        self._journal = journal
        self._wishes = (0,) * len(self.names)
        if resumed:
            self._tell_plies()
        else:
            journal.append(charter_record(table.charter), sync=True)

    @property
    def state(self) -> Any:
        viewer = self.viewer or self.uncovered
        return self.game.view(self.table.state, viewer)

    @property
    def covered(self) -> bool:
        seat, state = self.turn, self.table.state
        return seat in self.people and self.game.view(state, seat) != self.state

    def after(self) -> After:
        next_bots = self.told_next(self.result) if self.result else ""
        another_try = self._another_try()
        return super().after()._replace(may_again=bool(self.people), next_bots=next_bots, another_try=another_try)

    def can(self, capability: Capability) -> bool:
        # There is nobody to tell that the game goes on another day: `quit` keeps it as well.
        return capability != "adjourn" and super().can(capability)

    def _another_try(self) -> str:
        if len(self.people) != 1 or not self.result or not self.levels or not self.can("takeback"):
            return ""
        acted = (ply for ply in self.latest() if ply.action != "resign")
        turn = [*takewhile(self._is_own, dropwhile(lambda ply: not self._is_own(ply), acted))]
        if not turn:
            return ""
        level = next(iter(self.levels.values()))
        command = f"{command_here()} host --from {self.short_id} --at {turn[-1].number - 1} --level {level}"
        return f"`{command}` plays on from before your last move."

    def _is_own(self, ply: Ply) -> bool:
        return ply.actor in self.people

    def _usual_options(self) -> dict[str, str]:
        alone_against_bots = len(self.people) == 1 and bool(self.levels)
        return super()._usual_options() | (against_bots(self.game) if alone_against_bots else {})

    def begin(self) -> None:
        """Draw what chance draws before the first move."""
        self._settle([])

    def waiting(self) -> str:
        due = self.game.pending(self.table.state)
        return f"{self.label(due.seat)} to move" if isinstance(due, Turn) else ""

    def wishes(self) -> tuple[int, ...]:
        return wishing(self._wishes, self.game.live(self.table.state))

    def links(self) -> str:
        return ""

    def play(self, seat: int, action: str) -> None:
        try:
            event = self.table.act(seat, action)
        except LocalFaultError as fault:
            raise refused(fault) from fault
        self.uncovered = PUBLIC
        self._wishes = after_move(self._wishes, seat)
        self._settle([event])

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        if not wish:
            if seat in self.wishes():
                self._wishes = without_wish(self._wishes, seat)
                self.tell(Note(f"{self.label(seat)} takes the draw offer back."))
            return
        refusal = self.game.refuse(self.table.state, CHANCE, "draw")
        if refusal:
            raise RefusedError(refusal.text)
        live = self.game.live(self.table.state)
        agrees = bool({*self.wishes()} - {seat})
        self.tell(Note(f"{self.label(seat)} {'agrees to the draw' if agrees else 'offers a draw'}."))
        self._wishes = with_wish(self._wishes, seat)
        bots = [other for other in live if other not in self.people and other not in self.wishes()]
        if refusing := [bot for bot in bots if not self.bot_agrees(bot)]:
            self._wishes = without_wish(self._wishes, seat)  # a bot answers once
            names = " and ".join(self.label(bot) for bot in refusing)
            self.tell(Note(f"{names} declines the draw and plays on." if len(refusing) == 1 else f"{names} play on."))
            return
        for bot in bots:
            self._wishes = with_wish(self._wishes, bot)
            self.tell(Note(f"{self.label(bot)} agrees to the draw."))
        if self.wishes() == live:
            self._settle([self.table.act(CHANCE, "draw")])

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        if capability == "draw":
            return self._ask_for_draw(super().question(capability, seat))
        if capability != "takeback":
            return super().question(capability, seat)
        seat = self._last_to_act()
        asked = super().question(capability, seat)
        return asked if self.still_playing - {seat} else asked._replace(text="")  # nobody else is here to object

    def _consent(self, seat: int) -> str:
        others = [self.label(other) for other in self.still_playing - {seat}]
        return f"? A yes does it at once: first ask {others[0] if len(others) == 1 else 'the others here'}."

    def _ask_for_draw(self, asked: Question) -> Question:
        """Return the question before a draw is offered; where bots alone would answer, with the answer if it is yes."""
        bots = [seat for seat in self.game.live(self.table.state) if seat not in self.people]
        if self.wishes() or len(self.people) > 1 or not bots or not all(map(self.bot_agrees, bots)):
            return asked
        return asked._replace(text=f"{asked.text} {listed([self.label(bot) for bot in bots])} would agree.")

    def take_back(self, seat: int) -> None:
        seat = self._last_to_act()
        to = self.position.turn_start(seat)
        if to is None:
            raise RefusedError(too_late(self.table, self.position, self.log, seat, self.label))
        self.uncovered = PUBLIC
        self._settle([self.table.act(CHANCE, takeback(to))])

    def _last_to_act(self) -> int:
        """Return the seat of the person whose action is the last one that stands; the first person's before any."""
        acted = (self.log[place].actor for place in latest(self.log))
        return next((seat for seat in acted if seat in self.people), self.people[0])

    def may_wish(self, seat: int) -> bool:
        """Return whether `seat` plays and may offer a draw now."""
        return seat in self.game.live(self.table.state)

    def again(self) -> None:
        self.wants_again = True

    def say(self, text: str) -> None:
        raise RefusedError("Nobody else sits at this table who could hear you.")

    def _settle(self, events: list[SignedEvent]) -> None:
        while isinstance(due := self.game.pending(self.table.state), Chance):
            value = draw_locally(due.draw, secrets.token_bytes(32))
            events.append(self.table.act(CHANCE, value))
        events += self.table.duties()
        self._journal.append(b"".join(map(event_record, events)), sync=True)
        self._tell_plies()
