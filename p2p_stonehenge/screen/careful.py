"""What a move costs that loses at once, by a likely roll, or loses many pieces: what is asked before it is played."""

from typing import Any

from engine import Over, counted
from p2p_stonehenge.storage.settings import Settings
from p2p_stonehenge.table.losing import loses, losing_reply
from p2p_stonehenge.table.session import RefusedError, Session


class Careful:
    """Judges what the player at one screen is about to play. It changes nothing."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self._session, self._settings = session, settings

    def cost(self, *actions: str, asked: bool = False) -> str:
        """Return what to ask before actions of the present turn that lose the game at once, or by a likely roll.

        Where others can win at once whatever is played, that is told unless something was `asked` in this position
        before. Nothing is asked where no roll does less harm.
        """
        session, seat = self._session, self._session.turn
        game, state, (*before, action) = session.game, session.state, actions
        for one in before:
            state = game.apply(state, seat, one)
        if len(game.legal(state, seat)) < 2:
            return ""
        ask = f"{action.capitalize()}?" if action.isalpha() else f"Play {action}?"
        if ends := self._ends(state, seat, action):
            return f"{ask} {ends}"
        if not self._settings.careful:
            return ""
        if loss := losing_reply(game, state, seat, action):
            rival = session.label(loss.win.rival)
            told = f"{ask} {rival} {loss.win.told()}."
            if not loss.anyway:
                return told
            whoever = rival if len(game.live(state)) == 2 else "another player"
            lost = f"{told} Whatever else you play, {whoever} can win as well."
            return "" if asked else f"{lost}{self._way_out(seat)}"
        from p2p_stonehenge.bots.thinking import bot_of

        if luck := bot_of(game).risk(session.state, seat, actions):
            return f"Play {' '.join(actions)}? {session.label(luck.rival)} {luck.does}."
        return ""

    def _way_out(self, seat: int) -> str:
        """Return in a sentence with a space before it how the last move of `seat` is undone, if that is possible."""
        session = self._session
        last = next((ply.action for ply in reversed(session.plies) if ply.actor == seat), "")
        if not last or not session.can("takeback"):
            return ""
        try:
            asks = session.question("takeback", seat).text
        except RefusedError:
            return ""
        return f" `takeback` {'asks to undo' if asks else 'undoes'} your {last}."

    def _ends(self, state: Any, seat: int, action: str) -> str:
        """Return in a sentence that an action of `seat` ends the game and loses it; nothing if it does not."""
        game = self._session.game
        due = game.pending(game.apply(state, seat, action))
        if not isinstance(due, Over) or not loses(due, seat):
            return ""
        result = due.result
        if action.isalpha() and len(result.winners) == 1:
            points, winner = counted(max(result.points), "point"), self._session.label(result.winners[0])
            return f"That loses the game: {points} for {winner}."
        return "That ends the game, and you have lost it."
