"""The plies of a saved game in words, and the position after each, with the hands that later play has opened."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from engine import CHANCE, PUBLIC, Chance, Deal, Dice, Pending, Result
from p2p_stonehenge.table.agreed import plays_as_team, short_id
from p2p_stonehenge.table.endings import outcome_of
from p2p_stonehenge.table.exits import captures_unsaid
from p2p_stonehenge.table.scores import game_told, score_told
from p2p_stonehenge.table.takebacks import story_of
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.seats import in_names, speakers
from protocol import LOCAL, Applied, Exit, Table, score_after, takeback_target, winners_of_match

OPEN = -1
"""The viewer that sees every card whose play the file records, also before it was played."""


class StepKind(StrEnum):
    """What a ply was. The values are those of an exported file."""

    MOVE = "move"
    ROLL = "roll"
    """Of dice."""
    DRAW = "draw"
    """Of a value that chance picked."""
    DEAL = "deal"
    AGREED = "agreed"
    """A draw that all wanted."""
    TAKEBACK = "takeback"
    """An earlier state that all wanted back."""
    RESIGN = "resign"
    LATE = "late"
    """The time of the seat was up."""
    LEFT = "left"
    """The others went on without the seat."""
    BREACH = "breach"
    """The seat signed a breach of the rules."""

    @classmethod
    def of(cls, entry: Applied, due: Pending) -> "StepKind":
        """Return what an action was, from what was `due` before it."""
        if entry.exit:
            return _LEAVES[entry.exit]
        if entry.actor != CHANCE:
            return cls.MOVE
        if takeback_target(entry.actor, entry.action) is not None:
            return cls.TAKEBACK
        if entry.action == "draw":
            return cls.AGREED
        draw = due.draw if isinstance(due, Chance) else None
        return cls.DEAL if isinstance(draw, Deal) else cls.ROLL if isinstance(draw, Dice) else cls.DRAW


_LEAVES = {
    Exit.RESIGNED: StepKind.RESIGN,
    Exit.OUT_OF_TIME: StepKind.LATE,
    Exit.LEFT_BEHIND: StepKind.LEFT,
    Exit.BREACH: StepKind.BREACH,
}
"""What a ply was by which a seat left the game."""


class Step(NamedTuple):
    """One ply: `number` counts from 1, `name` is the player's, empty for chance.

    `exit`: of a step by which a seat left the game how.
    """

    number: int
    actor: int
    name: str
    action: str
    kind: StepKind
    told: str
    places: tuple[str, ...]
    exit: Exit | None
    captures: bool = False
    """Whether it captures and does not say so itself."""


class SavedGame:
    """A saved game: read only, computed when asked."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = table.game
        self.names = tuple(seat.name for seat in table.charter.body.seats)
        self.short_id = short_id(table.id)
        self.local = table.charter.body.kind == LOCAL

    def __len__(self) -> int:
        return len(self.table.fold.log)

    @property
    def result(self) -> Result | None:
        """Return how the game ended, None if it is not finished."""
        return self.table.fold.result

    @property
    def outcome(self) -> str:
        """Return how the game ended in a sentence, or that it is not finished."""
        return outcome_of(self.table, labels=self.called) or "The game is not finished."

    @property
    def game_of_match(self) -> str:
        """Return which game of a match this is, or of an evening, and the score before it; nothing of a first game."""
        return "" if self.team else game_told(self.table.charter.body.series, self.called)

    @property
    def score(self) -> str:
        """Return the score after this game, where it is one of several; nothing while it goes on."""
        if self.team or self.result is None:
            return ""
        return score_told(self.table.charter.body.series, self.game, self.result, self.called)

    def series(self, *, whole: bool = True) -> dict[str, Any] | None:
        """Return the games that follow each other of which this is one, for programs; None of a game that stands alone.

        `whole`: the points after this game as well, if it is over.
        """
        series = self.table.charter.body.series
        if not (series.match or series.games):
            return None
        after = score_after(series, self.game, self.result) if self.result and whole else None
        return {
            "match": series.match or None,
            "game": series.games + 1,
            "table_before": series.table.hex() or None,
            "points_before": list(series.points or (0,) * len(self.names)),
            "points_after": after and list(after),
            "winners": list(winners_of_match(series.match, after)) if after else [],
        }

    @property
    def team(self) -> bool:
        """Return whether all seats win or lose together."""
        return plays_as_team(self.table.charter)

    @property
    def called(self) -> list[str]:
        """Return the names of all players, seat 1 first, each in full where it could be taken for another one."""
        return [*map(safe, speakers(self.game, self.names))]

    def in_names(self, text: str) -> str:
        """Return a sentence about the game with players' names for the colours of seats; see `seats.in_names`."""
        return in_names(self.game, self.names, text)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the plies."""
        return tuple(self._step(number, entry) for number, entry in enumerate(self.table.fold.log, 1))

    def touched(self, ply: int) -> tuple[str, ...]:
        """Return the places that the last of `ply` plies touched, without what was taken back."""
        last = self._last[ply]
        return self.steps[last - 1].places if last else ()

    @cached_property
    def _last(self) -> list[int]:
        """Return for each number of plies which of them was the last that is not taken back, 0 for none."""
        last = [0]
        for number, step in enumerate(self.steps, 1):
            to = takeback_target(step.actor, step.action)
            last.append(number if to is None else last[to])
        return last

    @property
    def actions(self) -> tuple[str, ...]:
        """Return the actions in the notation of the rules; a deal has each card that was played, `?` for the others."""
        if len(self.names) == 1 and self.result is None:
            return tuple(step.action for step in self.steps)
        return self._folded[1]

    @cached_property
    def _folded(self) -> tuple[list[Any], tuple[str, ...]]:
        """Return the positions before each ply and after the last, with the deals opened, and all actions so."""
        fold = self.table.fold
        log, states, actions = fold.log, [fold.positions[0].state], []
        for at, (actor, text, *_) in enumerate(log):
            if (to := takeback_target(actor, text)) is not None:
                actions.append(text)
                states.append(states[to])
                continue
            due = self.game.pending(states[-1])
            is_deal = isinstance(due, Chance) and isinstance(due.draw, Deal) and text.startswith("deal")
            # Alone, the dummy leads from a known deal; elsewhere a card that nobody has played stays closed.
            opened = is_deal and len(self.names) > 1
            actions.append(_opened(due.draw, log, at + 1) if opened else text)  # type: ignore[union-attr, arg-type]
            states.append(self.game.apply(states[-1], actor, actions[-1]))
        return states, tuple(actions)

    def position(self, ply: int, viewer: int = OPEN) -> Any:
        """Return the state after `ply` plies as a seat, PUBLIC or OPEN sees it."""
        state = self._folded[0][ply]
        if viewer == OPEN:
            unfinished_alone = len(self.names) == 1 and self.result is None
            return self.game.view(state, 1) if unfinished_alone else state
        return self.game.view(state, viewer)

    @cached_property
    def decisive(self) -> int | None:
        """Return the number of the action from which on the winners were ahead up to the end, 0 for from the start.

        It goes by the rough worth of a position, as simple bots do. None while nobody has won.
        """
        if self.result is None or not self.result.winners:
            return None
        states, place = self._folded[0], len(self)
        while place and self._ahead(states[place - 1]):
            place -= 1
        return place

    def _ahead(self, state: Any) -> bool:
        return all(self.game.worth(state, seat) > 0 for seat in self.result.winners)  # type: ignore[union-attr]

    def _step(self, number: int, entry: Applied) -> Step:
        actor, action, before, _, exit = entry
        kind = StepKind.of(entry, self.game.pending(before))
        events = story_of(self.game, self.table.fold.log, number - 1, self.game.view(before, PUBLIC))
        places = dict.fromkeys(place for event in events for place in event.places)
        told = self.in_names(" ".join(event.text for event in events))
        name = self.names[actor - 1] if actor else ""
        shown = "deal" if kind is StepKind.DEAL else action
        captures = captures_unsaid(action, events)
        return Step(number, actor, name, shown, kind, told, tuple(places), exit, captures)


def _opened(deal: Deal, log: Sequence[Applied], first: int) -> str:
    """Return the deal with each card that its owner played in this round, `?` for each that stayed closed.

    `first`: the place in the log of the first action after the deal.
    """
    played: dict[int, list[str]] = {}
    for place in range(first, len(log)):
        actor, action = log[place][:2]
        if actor == CHANCE and action.startswith("deal"):
            break
        if actor != CHANCE and action in deal.deck:
            played.setdefault(actor, []).append(action)
    cards = [played[owner].pop() if played.get(owner) else "?" for owner in deal.owners]
    return " ".join(("deal", *cards))
