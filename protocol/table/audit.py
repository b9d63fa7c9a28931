"""The audit of a last round that the end of the game broke off.

Whether a seat followed suit shows when its whole hand is open, and a round broken off leaves the hands closed. A seat
that has won by such an end opens its own hand: with its RESULT it gives its shares of the cards that it still held. A
revoke that shows is evidence; the result stands, and a seat that shows nothing is not audited.
"""

from itertools import takewhile
from typing import NamedTuple

from protocol.cards import Hands, Refuted
from protocol.events import SignedEvent, bodies
from protocol.identity import Secrets
from protocol.table.fold import Fold
from protocol.table.position import Cheat, Position


class Audit(NamedTuple):
    """What is known of the play of a seat that won by the end of a round broken off.

    `whole` says whether all its cards are open; `cheats` are its breaches, or a false share.
    """

    seat: int
    whole: bool
    cheats: tuple[Cheat, ...]


class LastRound:
    """The round in which the game of a fold ended, if a resignation broke it off and cards of it had been played."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self._audited: tuple[Position, tuple[bytes, ...]] = fold.position, ()
        """What was audited last: the position, and the hashes of the RESULTs; empty for one not held."""
        self._audits: tuple[Audit, ...] = ()
        """What that showed."""

    def body(self, seat: int, secrets: Secrets | None) -> bodies.Result:
        """Return the RESULT of an own seat: with its shares, if it is to show what it still held and can."""
        hands = self._hands()
        if hands is None or secrets is None or seat not in self._winners(hands):
            return bodies.Result(b"")
        return bodies.Result(hands.show(seat, secrets, self._fold.rules.scheme))

    def audits(self) -> tuple[Audit, ...]:
        """Return what the RESULTs held show, for each seat that is to show its hand."""
        hands = self._hands()
        if hands is None:
            return ()
        winners = self._winners(hands)
        results = [self._fold.given(seat) for seat in winners]
        at = self._fold.position, tuple(result.hash if result else b"" for result in results)
        if self._audited != at:
            found = [self._audit(hands, seat, result) for seat, result in zip(winners, results, strict=True)]
            self._audited, self._audits = at, tuple(found)
        return self._audits

    def _hands(self) -> Hands | None:
        """Return the deal of the round, None if there is no such round.

        A round in which a seat resigned and others played on was abandoned then, and its hands stay closed.
        """
        hands, log = self._fold.position.hands, self._fold.log
        if self._fold.broken or hands is None or not hands.broken_off or log[-1].action != "resign":
            return None
        since = takewhile(lambda entry: entry.hands is None, reversed(log[:-1]))
        return None if any(entry.action == "resign" for entry in since) else hands

    def _winners(self, hands: Hands) -> tuple[int, ...]:
        result = self._fold.result
        return tuple(seat for seat in hands.dealing.live if result and seat in result.winners)

    def _audit(self, hands: Hands, seat: int, result: SignedEvent | None) -> Audit:
        shares = result.body.shares if result and isinstance(result.body, bodies.Result) else b""
        cards = hands.shown(seat, shares, self._fold.rules.scheme)
        if isinstance(cards, Refuted):
            return Audit(seat, False, (Cheat(seat, result.hash, cards.reason),) if result and shares else ())
        fold = self._fold
        found = fold.rules.game.audit(fold.log[-1].before, seat, cards)
        cheats = [Cheat(seat, event.hash, reason) for _, card, reason in found for event in hands.played(seat, card)]
        return Audit(seat, True, tuple(cheats))
