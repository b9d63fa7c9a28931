"""What the seats of this client see of the game: with the cards that were dealt to them."""

from collections.abc import Collection, Sequence
from typing import Any

from engine import Action
from protocol.cards import Hands
from protocol.identity import Secrets
from protocol.table.fold import Fold
from protocol.table.log import takeback_target
from protocol.table.position import Applied


class Views:
    """The views of the seats in `own`, each brought up to date when it is asked for."""

    def __init__(self, fold: Fold, own: Collection[int]) -> None:
        self._fold = fold
        self._own = own
        self._cards: dict[bytes, dict[int, Action]] = {}
        self._known: dict[int, tuple[int, Applied, Any]] = {}

    def of(self, seat: int, secrets: Secrets | None) -> Any:
        """Return the state as `seat` sees it; for a seat played elsewhere, as everybody does."""
        fold = self._fold
        game, state, log = fold.rules.game, fold.position.state, fold.log
        if fold.rules.local:
            return game.view(state, seat)
        if seat not in self._own or not fold.position.deals or not log:
            return state
        known, last, view = self._known.get(seat, (0, log[0], log[0].before))
        if known > len(log) or (known and log[known - 1] is not last):
            known, view = 0, log[0].before
        for applied in log[known:]:
            to = takeback_target(applied.actor, applied.action)
            if to is not None:
                view = log[to].before  # no cards were dealt until then: all saw the same
                continue
            hands = applied.hands
            action = hands.seen(self.cards(seat, hands, secrets)) if hands else applied.action
            view = game.apply(view, applied.actor, action)
        self._known[seat] = (len(log), log[-1], view)
        return view

    def earlier(self, seat: int, log: Sequence[Applied], plies: int) -> Any:
        """Return the state after the first `plies` actions of `log`, but not after all of them, as `seat` saw it.

        Of the cards that were dealt to the seat those are known which `of` has opened: nothing is opened here.
        """
        last = next((place for place in reversed(range(plies)) if log[place].hands), None)
        if last is None or seat not in self._own:
            return log[plies].before
        view = log[last].before
        for actor, action, _, hands, *_ in log[last:plies]:
            own = self._cards.get(hands.dealing.context(seat), {}) if hands else {}
            view = self._fold.rules.game.apply(view, actor, hands.seen(own) if hands else action)
        return view

    def cards(self, seat: int, hands: Hands, secrets: Secrets | None) -> dict[int, Action]:
        """Return the cards dealt to an own seat, by position in the deck; none if its secrets are gone."""
        key = hands.dealing.context(seat)
        if key not in self._cards and secrets:
            self._cards[key] = hands.own(seat, secrets, self._fold.rules.scheme)
        return self._cards.get(key, {})
