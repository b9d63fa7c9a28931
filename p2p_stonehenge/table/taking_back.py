"""Take-backs at a table among peers: who asks for one, what is told of it, when a client agrees by itself."""

from p2p_stonehenge.table.session import Note, Notice
from p2p_stonehenge.table.shown import ShownTable
from p2p_stonehenge.table.takebacks import how_refused, undone_actions
from protocol import Node, takeback_target


class TakingBack:
    """Remembers of the take-backs of one table what was told and agreed to."""

    def __init__(self, session: ShownTable, node: Node) -> None:
        self._session, self._node = session, node
        self._asking: tuple[int, ...] = ()
        """The seats that asked or agreed at the last look."""
        self._began: tuple[int, ...] = ()
        """The seats that asked first for the take-back to which others have to agree."""
        self._granted = 0
        """After how many actions this client has agreed to a take-back by itself."""

    def asked_by(self, seat: int) -> str:
        """Return the line shown to the player here after `takeback` for `seat`."""
        session = self._session
        if session.asking():
            return "You agree to the take-back."
        if session.in_turn(seat):
            return "You take back what you did in this turn."
        if not self._node.peers:
            return "You take your turn back: nobody else is here who could object."
        agree = f"{other} has to agree" if (other := session.only_other(seat)) else "all others have to agree"
        return f"You ask to take your turn back: {agree}. {self.off_again}"

    @property
    def off_again(self) -> str:
        """Return how a take-back that was asked for comes to nothing: no event says that it is wished no longer."""
        session = self._session
        plays = "you play" if session.turn in session.people else f"{session.label(session.turn)} plays"
        return f"It cannot be withdrawn, and is off once {plays} on."

    def grants(self) -> int | None:
        """Return the own seat for which this client agrees by itself now, once to each take-back; else None.

        It agrees to that of a player within the player's own turn: nobody has acted on what is taken back.
        """
        position, own = self._session.position, {*self._session.table.own.signers}
        if position.plies == self._granted or not self._session.within_turn() or {*position.asking} & own:
            return None
        self._granted = position.plies
        return min(own & {*position.live}, default=0)

    def news(self) -> list[Notice]:
        """Return what is told of seats that ask or agree since the last call, and of what came of a take-back."""
        session, table, told = self._session, self._session.table, list[Notice]()
        position, log = session.position, session.log
        before, self._asking = self._asking, position.asking
        if not before and not self._asking:
            return []
        within = session.within_turn()
        if not before:
            self._began = () if within else position.asking
        for seat in position.asking:
            if seat in before or seat in session.people or within:
                continue
            if position.earlier and table.operator(position.earlier.seat) != table.operator(seat):
                told.append(Note(f"{session.label(seat)} agrees to a take-back."))
                continue
            undone = undone_actions(session.game, log, position.takebacks[seat - 1])
            asked = f"{session.label(seat)} wants to take back {undone}"
            asked += f": `takeback` agrees; {how_refused(session)}."
            told.append(self._wish(seat, asked))
        if before and not position.asking and session.result is None:
            if takeback_target(log[-1].actor, log[-1].action) is None:
                told.append(Note("The take-back is off: the game has gone on."))
            elif asker := {*self._began} & {*session.people}:
                who = f"{other} has" if (other := session.only_other(min(asker))) else "All have"
                told.append(Note(f"{who} agreed: your turn is taken back."))
        return told

    def _wish(self, seat: int, text: str) -> Note:
        """Return the note of what a seat asks for, which stands as long as it does."""
        return Note(text, urgent=True, stands=lambda: seat in self._asking)
