"""The board of a table as one client sees it: which position, from which side, in which layout, which part of it."""

from itertools import islice, takewhile
from typing import Any

from engine import CHANCE, counted
from p2p_stonehenge.screen.moves import MovesFrom, placed, reach
from p2p_stonehenge.screen.telling import options_told
from p2p_stonehenge.screen.typed import Reader
from p2p_stonehenge.screen.views import COVERED, Line, Look, row, text_of, view_of, wrap
from p2p_stonehenge.table.session import Ply, Session
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, cut
from protocol import latest

RECENT = 8


class Drawing:
    """Draws the board of one table. Only what is looked at changes here, never the table."""

    def __init__(self, session: Session, reader: Reader, charset: str, redraws: bool) -> None:
        """`redraws` says whether the screen always shows the board, so that nobody need print it."""
        self._session, self._reader, self._redraws = session, reader, redraws
        self._charset = charset
        self.view = view_of(session.game.key)
        self.typing = ""
        """What stands on the prompt."""
        self.past: int | None = None
        """How many actions were done in the position that is looked back at; None for the present."""
        self.width = 80
        """The columns that the screen has."""
        self.window = 0
        """The lines that the window has for a board where nothing is told beside it, if it is redrawn."""
        self.is_cut = False
        """Whether a text has left room only for a part of the board."""
        self.in_parts = False
        """Whether what was drawn last is only a part of the board: `turn_page` goes on to another one."""
        self._flipped = False
        self._layout = "" if redraws else "compact"
        self._page = 0
        """Which part of a board is shown that does not fit into the window."""

    # What is drawn

    def render(self, width: int, height: int) -> list[Line]:
        """Return the board, at most `height` lines of it: where it is higher, the part that `turn_page` has come to.

        One that keeps its form beside what is told shows its last lines or, after `turn_page`, its first. Where the
        window is too narrow even for the compact layout, the position is told in words.
        """
        head, lines = self._parted(width, height)
        room = max(height - len(head), 1)
        self.in_parts = len(lines) > room
        if not self.in_parts:
            return [*head, *lines]
        if self._keeps_form(lines):
            return [*head, *(lines[:room] if self._page % 2 else lines[-room:])]
        step = max(room - 1, 1)
        self._page %= -(-len(lines) // step)
        first = self._page * step
        shown = lines[first : first + step]
        told = f"({first + 1}-{first + len(shown)} of {len(lines)} lines: `more` or Page Down)"
        return [*head, *shown, row(("class:dim", cut(told, width)))]

    def lower(self, width: int, height: int) -> list[Line]:
        """Return the board where a text leaves so many lines: in a lower form, or at least half of one that it keeps.

        Else nothing. Of a board that keeps its form `turn_page` shows the first lines, and again the last ones.
        """
        head, lines = self._parted(width, height)
        room = height - len(head)
        self.is_cut = self.in_parts = len(lines) > room
        if not self.is_cut:
            return [*head, *lines]
        if not self._keeps_form(lines) or 2 * room < len(lines):
            return []
        return [*head, *(lines[:room] if self._page % 2 else lines[-room:])]

    def _parted(self, width: int, height: int) -> tuple[list[Line], list[Line]]:
        """Return what says that an earlier position is shown, and the board."""
        lines = self.whole(width, height)
        return (lines[:1], lines[1:]) if self.past is not None else ([], lines)

    def _keeps_form(self, lines: list[Line]) -> bool:
        """Return whether a board has the same form whatever is told beside it, and the window has room for it."""
        return self.view.keeps_form and len(lines) <= self.window

    def whole(self, width: int, height: int) -> list[Line]:
        """Return the board in the layout for so much room, also where that is too little for it."""
        head = self.earlier(width)
        height -= len(head)
        lines = self.view.render(self.shown, self.look(width, height))
        if self.past is None:  # the options stand there where the board leaves room, and in `who`
            head = self._options(width)[: max(0, height - len(lines))]
        if any(cells(text_of(line)) > width for line in lines):
            told = map(self._session.in_names, self.view.describe(self.shown))
            words = ["The window is too narrow for the board.", *told]
            lines = [part for text in words for part in wrap(row(text), width)]
        return head + lines

    def in_window(self, width: int) -> list[Line]:
        """Return the board as the whole window has room for it; nothing where no window redraws it."""
        return self.whole(width, self.window) if self.window else []

    @property
    def shown(self) -> Any:
        """Return the position that is shown, the present one or an earlier one."""
        return self._session.state if self.past is None else self._session.past(self.past)

    def earlier(self, width: int) -> list[Line]:
        """Return the line that says which earlier position is shown; nothing where it is the present one."""
        if self.past is None:
            return []
        told = f" LOOKING BACK: after {self.past} of {counted(len(self._session.plies), 'action')}"
        return [row(("class:urgent", cut(f"{told}; `back`, `forth 1`, `forth` to the present", width)))]

    def _options(self, width: int) -> list[Line]:
        """Return the line that says which options are in force, if any are."""
        options = options_told(self._session.options)
        return [row(("class:dim", cut(f" options: {options}", width)))] if options and self._redraws else []

    def look(self, width: int, height: int) -> Look:
        """Return how to show the board in so much room."""
        session = self._session
        done = session.plies[: self.past]
        # What was taken back is not marked. Of a long game only the latest actions are gone through.
        acted = (done[place] for place in latest(done) if done[place].actor)
        moved = self._news() if self.past is None else [done[place] for place in islice(latest(done), 1)]
        reached = self.reach()
        origin = reached.origin if reached else self._placed()
        return Look(
            width=width,
            height=height,
            window=self.window,
            charset=self._charset,
            last=tuple(place for ply in moved for event in ply.story for place in event.places),
            viewer=session.viewer,
            names=tuple(quoted(safe(name)) for name in session.names),
            flip=self._flipped,
            layout=self._layout,
            short_id=safe(session.short_id),
            origin=origin,
            targets=reached.targets if reached else (),
            takes=reached.takes if reached else (),
            recent=tuple([(ply.actor, ply.shown) for ply in islice(acted, RECENT)])[::-1],
            covered=COVERED + " `hand` shows that of the seat to act." * (len(session.people) > 1),
        )

    def reach(self) -> MovesFrom | None:
        """Return where the piece of the place that is being typed can go, if a place is; of the present board alone."""
        return reach(self._session.game, self._session.state, self._reader.seat, self.typing) if self._types else None

    def _placed(self) -> str:
        """Return the place that is being typed on which a piece can be placed; of the present board alone."""
        return placed(self._session.game, self._session.state, self._reader.seat, self.typing) if self._types else ""

    @property
    def _types(self) -> bool:
        """Return whether a player whose turn it is is typing, and sees the present board."""
        return self.past is None and self._reader.seat != 0 and self.typing.strip() != ""

    def ways(self) -> str:
        """Return in a line where the piece of the place that is being typed can go, captures first."""
        reached = self.reach()
        if reached is None:
            return ""
        others = [target for target in reached.targets if target not in reached.takes]
        parts = [f"captures on {', '.join(reached.takes)}"] if reached.takes else []
        parts += [f"goes to {', '.join(others)}"] if others else []
        return f"{reached.origin} {'; '.join(parts)}"

    # What the player changes

    def look_back(self, by: int) -> None:
        """Go to an earlier position, or on from it; at the last one the present is shown again. Raises RefusedError."""
        there = len(self._session.plies)
        at = max(0, (there if self.past is None else self.past) + by)
        if by < 0:
            self._session.past(at)
        self.past = at if at < there else None

    def turn_page(self, pages: int) -> None:
        """Go on to another part of a board that does not fit the window."""
        self._page += pages

    def flip(self) -> None:
        """Turn the board round."""
        self._flipped = not self._flipped

    def next_layout(self) -> str:
        """Take the next layout and return its name; empty for the largest that fits."""
        # The first layout is what a large enough screen shows anyway.
        layouts = ("", *self.view.layouts[1:])
        self._layout = layouts[(layouts.index(self._layout) + 1) % len(layouts)]
        return self._layout

    # The latest turns

    def last(self) -> list[Ply]:
        """Return all since the own last action, or the last turn as the game counts it, as a whole trick.

        Rolls and deals are among it. The longer of the two: either may be a part of the other.
        """
        number = self.view.last_turn(self._session.plies)
        turn = self._session.plies[-number:] if number else []
        return max(turn, self.since(), key=len) or self.last_turn()

    def last_turn(self, moved: bool = False) -> list[Ply]:
        """Return the latest actions of the seat that acted last, with its rolls; if `moved`, what touched the board."""
        turn: list[Ply] = []
        for ply in self._session.latest():
            if (ply.actor == CHANCE and not (turn and self._rolls)) or (moved and not _moved(ply)):
                continue
            if turn and ply.actor not in (CHANCE, turn[-1].actor):
                break
            turn.insert(0, ply)
        return turn

    def since(self) -> list[Ply]:
        """Return all that happened since the own last move, rolls and deals too; nothing if no other player has acted.

        Nothing either for a player who is out while others play on: ever more would have happened.
        """
        session = self._session
        own = ({self._reader.seat} if len(session.people) > 1 else {*session.people}) - {CHANCE}
        last = next((ply.action for ply in session.latest() if ply.actor in own), "")
        if not own or self._reader.looks_on or last == "resign":
            return []
        news = [*takewhile(lambda ply: ply.actor not in own, session.latest())][::-1]
        return news if any(ply.actor for ply in news) else []

    @property
    def _rolls(self) -> bool:
        """Return whether chance rolls for the turn of one player, and does not deal to all."""
        return not self._session.game.suits

    def _news(self) -> list[Ply]:
        """Return what is to be lit: what touched the board since the own last move, or else the own last turn."""
        return list(filter(_moved, self.since())) or self.last_turn(moved=True)


def _moved(ply: Ply) -> bool:
    """Return whether a player's action touched the board."""
    return ply.actor != CHANCE and any(event.places for event in ply.story)
