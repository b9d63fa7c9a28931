"""The commands that ask a bot for advice: `hint`, `why`, `threats` and `analyse`."""

from p2p_stonehenge.screen import status
from p2p_stonehenge.screen.advising import Advising
from p2p_stonehenge.screen.at_the_end import over_told
from p2p_stonehenge.screen.commands import Obey
from p2p_stonehenge.screen.looking import Looking
from p2p_stonehenge.screen.telling import remark
from p2p_stonehenge.screen.typed import Reader
from p2p_stonehenge.screen.views import Line
from p2p_stonehenge.table.session import RefusedError, Session


class Consulting:
    """What one player asks bots."""

    def __init__(self, session: Session, reader: Reader, looking: Looking, advising: Advising, redraws: bool) -> None:
        """`redraws`: the screen always shows what a bot is doing."""
        self._session, self._reader, self._looking, self._redraws = session, reader, looking, redraws
        self._advising = advising
        self.commands: dict[str, Obey] = {
            "hint": lambda _: self._hint(),
            "why": self._why,
            "threats": self._threats,
            "analyse": lambda level: remark(advising.analyse(level)),
        }

    def _hint(self) -> list[Line]:
        if guide := self._session.guide:
            return remark(guide.wanted)
        if not self._reader.seat:
            raise RefusedError(self._reader.not_your_turn())
        self._reader.check_uncovered()
        self._advising.hint(self._reader.seat)
        return self._thinking()

    def _why(self, move: str) -> list[Line]:
        seat = self._own_turn()
        typed = self._reader.read(move)
        if move and typed.command != "play":
            raise RefusedError("Write why and a move, as you would play it; `why` alone tells of the best one.")
        self._advising.why(seat, (typed.argument, *typed.more) if move else ())
        return self._thinking()

    def _threats(self, switch: str) -> list[Line]:
        """Tell what is threatened now, unless `switch` is `off`; `on` and `off`: whether each turn begins with it."""
        advising = self._advising
        advising.check_threats()
        if switch == "off":
            advising.warns = False
            return remark("Your turns no longer begin with threats: `threats` tells them once.")
        if not switch:
            self._own_turn()
        if self._reader.seat:
            advising.threats(self._reader.seat)
            self._looking.to_present()
        if not switch and not advising.warns:
            return remark("This is told once: with `threats on` each of your turns begins with it.")
        advising.warns = True
        return remark("Your turns begin with what is threatened: `threats off` ends that.")

    def _own_turn(self) -> int:
        """Return the seat that is to act from here. Raises RefusedError if none is, or its hand is covered."""
        if not (seat := self._reader.seat):
            raise RefusedError(over_told(self._session) if self._session.result else self._reader.not_your_turn())
        self._reader.check_uncovered()
        return seat

    def _thinking(self) -> list[Line]:
        """Return that a bot thinks about a question, where no line at the bottom says so."""
        self._looking.to_present()
        return [] if self._redraws else remark(status.THINKING.capitalize())
