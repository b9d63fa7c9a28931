"""What a bot makes of a game as it was played: for `analyse` in a shell, and for `analyse` at a table."""

from bisect import bisect
from collections.abc import Callable, Sequence

from p2p_stonehenge.bots.analysis import Played, PlyBefore, judged, luck_of, told
from p2p_stonehenge.bots.game_bot import ADVISER
from p2p_stonehenge.bots.players import LEVELS
from p2p_stonehenge.bots.thinking import bot_of
from p2p_stonehenge.bots.thought import Running
from p2p_stonehenge.saved import OPEN, SavedGame
from p2p_stonehenge.table.exits import told as told_exit
from p2p_stonehenge.table.exits import was_typed
from protocol import in_effect

WORKING = "analysing"
"""What is said, with the part that is done, while a bot looks through a game: short, to fit 40 columns."""
QUICKER = LEVELS[ADVISER - 1]
"""The level that is offered to those who do not want to wait."""


class Analysis:
    """One look of a bot through a game, which changes no more once this is made."""

    def __init__(self, saved: SavedGame, names: Sequence[str], level: int | None = None) -> None:
        """`names`: of the players, safe to print. `level`: of the bot, 1-5; the usual one is that of advice."""
        self.game = saved.game
        self.level = bot_of(saved.game).adviser if level is None else level
        self._names, self._start = names, saved.position(0)
        log, actions = saved.table.fold.log, saved.actions
        self._length = len(log)
        # What was taken back led nowhere: nobody is judged by it.
        self._entries = [
            PlyBefore(place + 1, log[place].actor, actions[place], saved.position(place, log[place].actor or OPEN))
            for place in in_effect(log)
            if was_typed(log[place].exit)  # else it was no choice of that player
        ]
        self._out = [(place + 1, log[place].actor, exit) for place in in_effect(log) if (exit := log[place].exit)]

    def takes_long(self, quicker: str) -> str:
        """Return in a sentence that the look takes long, and that the command `quicker` does not; else nothing."""
        if self.level < bot_of(self.game).adviser:
            return ""
        return f"This can take minutes: `{quicker}` is several times as quick, and sees less."

    def lines(self, running: Running, progress: Callable[[float], None]) -> list[str]:
        """Return what the bot found, as lines for the players; nothing once `running` says no.

        `progress` is called with the part, from 0 to 1, that has been looked through.
        """
        found, luck, numbers = list[Played](), dict[int, float](), [entry.number for entry in self._entries]
        done = 0
        progress(0.0)
        for played in judged(self.game, self._entries, self.level, running):
            if not running():
                return []
            found.append(played)
            done = self._add_luck(luck, done, bisect(numbers, played.number), running)
            progress(played.number / self._length)
        self._add_luck(luck, done, len(numbers), running)
        if not running():
            return []
        lines = [*told(self.game, self._names, found, luck, self._start), *self._resigned(found)]
        if not found:
            return [self._why_nothing(), *lines]
        return [*lines, "A `hint` may name other moves: at the table a bot has less time."]

    def _why_nothing(self) -> str:
        """Return why no choice could be judged."""
        if self.game.suits and any(entry.actor and entry.action != "resign" for entry in self._entries):
            return "No round was played to its end: what a choice cost in one broken off a bot cannot tell."
        return "Nobody had a choice in this game yet."

    def _resigned(self, found: Sequence[Played]) -> list[str]:
        """Return who has resigned, where no bot can say what that cost: hands of a round broken off are not known.

        After that how others were out against their wish.
        """
        known = {played.number for played in found}
        gone = [entry for entry in self._entries if entry.action == "resign" and entry.number not in known]
        cost = "what that cost a bot cannot tell"
        resigned = [f"{entry.number:4}. {self._names[entry.actor - 1]} resigned: {cost}." for entry in gone]
        return resigned + [
            f"{number:4}. {told_exit(exit).story.did.format(self._names[actor - 1])}."
            for number, actor, exit in self._out
            if not was_typed(exit)
        ]

    def _add_luck(self, luck: dict[int, float], first: int, last: int, running: Running) -> int:
        """Add what chance brought each seat from one entry up to another to `luck`; return the latter."""
        for seat, much in luck_of(self.game, self._entries[first:last], running).items():
            luck[seat] = luck.get(seat, 0.0) + much
        return last
