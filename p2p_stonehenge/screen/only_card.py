"""Enter alone plays a card where no other may be played: only once that is told, and not what was typed before."""

from time import monotonic

from p2p_stonehenge.screen.at_the_end import is_over
from p2p_stonehenge.screen.console import Console

PAUSE = 0.5
"""Seconds for which it is told before Enter plays it: Enter may still be meant for the turn before."""


class OnlyCard:
    """The only card that a player may play, as it is told at the prompt of one table."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.is_told = False
        """Whether what is to be drawn tells it."""
        self._drawn: tuple[int, str] | None = None
        self._since = 0.0
        """Which card was told when the screen was drawn last, after how many actions, and since when."""

    def told(self) -> str:
        """Return what Enter does; nothing where it plays no card."""
        card = self._card()
        self.is_told = card != ""
        return f"Enter plays {card}: no other card may be played." if card else ""

    def note_drawn(self) -> None:
        """Note what the screen shows now."""
        drawn = (len(self._console.session.plies), self._card()) if self.is_told else None
        if drawn != self._drawn:
            self._drawn, self._since = drawn, monotonic()

    def ready(self) -> str:
        """Return the card that Enter alone plays now, or nothing: it has been told for a while."""
        card = self._card()
        is_drawn = card and self._drawn == (len(self._console.session.plies), card)
        return card if is_drawn and monotonic() >= self._since + PAUSE else ""

    def _card(self) -> str:
        """Return the only card that may be played from here, where Enter alone means nothing else; never a bid."""
        console, session = self._console, self._console.session
        seat = console.seat
        means_more = console.questions.open or session.guide or is_over(session) or console.drawing.past is not None
        if not seat or not session.game.suits or session.covered or means_more:
            return ""
        cards = session.game.legal(session.state, seat)
        return cards[0] if len(cards) == 1 and console.view.places.named(cards[0]) else ""
