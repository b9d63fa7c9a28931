"""What one client does to go on in a new epoch: when it signs an agreement, and which one.

Whether an agreement is in force is settled in `epochs`, alike for all clients. This module decides only what an honest
client does so that an agreement comes into force. Each number of an agreement is a ballot.

* A client signs the highest ballot that it accepts, and proposes a higher one where that ballot fails.
* First all operators that are present agree that nobody leaves: an operator that has signed an agreement which failed
  can contribute nothing before another one is in force. Then the wishes of the players count.
* Where a player who is present is to be left behind, the other players have `ANSWER_WITHIN` seconds to agree.
  After that the proposal is void.
"""

from collections.abc import Set
from typing import NamedTuple

from protocol.events import Leaving, SignedEvent, Slot
from protocol.table.epochs import Agreement
from protocol.table.fold import Fold
from protocol.table.held import AGREEMENTS_AT_ONE_SLOT
from protocol.table.own import Own
from protocol.table.step import given

GRACE = 8.0
"""Seconds in which an operator has to sign what this client has signed, before it counts as refusing."""
STAGGER = 2.0
"""Seconds that each further operator waits before it proposes, so that one proposal is heard by all before the next."""
COOL = 25.0
"""Seconds after an agreement that nobody leaves has failed before this client signs another one at that slot."""
ANSWER_WITHIN = 30.0
"""Seconds in which the players may agree to go on without a player who is present, and owes something all that time."""
SIGNED_AT_ONCE, PATIENT = 16, 4
"""Agreements that a client signs at one slot before it pauses for GRACE each time; after `PATIENT` times as many the
pause doubles with each `SIGNED_AT_ONCE` more."""
STUBBORN = 8
"""Agreements of a seat at one slot after which signing others than it is asked to gives it no more time."""
RENEWALS = 3
"""How often, at one slot, an epoch in which nobody leaves may begin; all clients count alike."""


class _Situation(NamedTuple):
    """What decides whether an agreement is due; all sets are of operators.

    * `proposed`: the last agreement of each. `present`: those that this client has a link to.
    * `resigned`: those that have resigned and are not present: they leave with any agreement.
    * `want`: those that this client would go on without, by its player's word or because their turn time ran out.
    * `refusing`: those that have not signed in time what an agreement asks of them.
    * `contested`: those present that the players are still asked to leave behind.
    * `met`: every other operator that has not resigned is present, or a present operator is stuck (`_stuck`).
    * `free`: this client may agree that nobody leaves.
    * `decided`: the game is over, and its result is decided.
    """

    proposed: dict[int, Agreement]
    present: Set[int]
    resigned: set[int]
    want: set[int]
    refusing: set[int]
    contested: set[int]
    met: bool
    free: bool
    decided: bool


class GoingOn:
    """One client's part in agreements, for the slot that is open; all is forgotten when another slot opens."""

    def __init__(self, fold: Fold, own: Own) -> None:
        self._held, self._fold, self._own = fold.held, fold, own
        self._contests: dict[tuple[int, ...], float] = {}
        """For each set of leavers whose operators have been present since it was proposed: until when it stands."""
        self._looked = float("-inf")
        """When this client last looked whether an agreement is due."""
        self._slot: Slot | None = None
        self._look()

    def _look(self) -> None:
        """Forget what belongs to a slot that is no longer open."""
        if self._slot == self._fold.position.slot:
            return
        self._slot = self._fold.position.slot
        self.wanted: set[int] = set()
        """The operators that this client's player wants to go on without."""
        self._unsigned: dict[tuple[int, int], float] = {}
        """For each operator that owes a signature, and the highest epoch that it has agreed to: since when."""
        self._signed = float("-inf")
        """When this client has last signed an agreement here."""
        self._failed, self._again = 0, float("-inf")
        """The number of the last failed agreement by which only resigned operators leave; when the next may follow."""
        self._aim: Agreement | None = None
        """What this client wants to propose."""
        self._aimed = 0.0
        """Since when."""

    @property
    def proposed(self) -> dict[int, Agreement]:
        """Return the last agreement of each operator that still plays, where it leads above the present epoch."""
        found: dict[int, Agreement] = {}
        for agreement, operators in sorted(self._signed_by().items()):
            found |= dict.fromkeys(operators, agreement)
        return found

    def _signed_by(self) -> dict[Agreement, set[int]]:
        """Return the agreements for a higher epoch, each with the operators that have signed it by a live seat."""
        fold, live = self._fold, {*self._fold.position.live}
        return {one: fold.rules.operators_of(live & signed.keys()) for one, signed in fold.agreements.items()}

    @property
    def unwanted(self) -> set[int]:
        """Return the operators that others have last proposed to go on without."""
        others = [one for operator, one in self.proposed.items() if operator != self._own.operator]
        return set[int]().union(*map(self._operators, others))

    def missing(self) -> tuple[int, ...]:
        """Return the seats whose signatures the agreement that this client has signed still lacks."""
        agreement = self.proposed.get(self._own.operator) if self._own.has_agreed else None
        return tuple(sorted(self._fold.lacking(agreement))) if agreement else ()

    @property
    def held_up(self) -> bool:
        """Return whether an operator can give nothing that it owes, because of the agreement that it has signed.

        By that agreement all stay; or only operators leave that leave by the last agreement of this client as well.
        Otherwise a player could let the turn time of another one run out by not signing.
        """
        fold, proposed, own = self._fold, self.proposed, self._own.operator
        owing = fold.rules.operators_of(fold.owing()) & proposed.keys()
        if fold.position.renewed < RENEWALS and not all(proposed[one].leaving for one in owing):
            return True
        leave = {one: self._operators(agreement) for one, agreement in proposed.items()}
        alike = [(one, other) for one in owing for other in leave if one != other and own in (one, other)]
        return any(set[int]() < leave[one] <= leave[other] for one, other in alike)

    def debtors(self, now: float) -> set[int]:
        """Return the other operators that this client may sign to go on without.

        * The operator owes a contribution to the open slot, while the game goes on.
        * It has not signed in time what an agreement asks of it.
        * It has resigned, and the resignation has no place yet.
        """
        return self._debtors(self._refusing(now))

    def could_be_left(self) -> set[int]:
        """Return the other operators that the player here may want to go on without.

        They are the debtors, and those that still have time to sign what an agreement asks of them.
        """
        return self._debtors({operator for operator, _ in self._unsigned})

    def _debtors(self, unsigned: Set[int]) -> set[int]:
        fold = self._fold
        seats = [*(fold.owing() if fold.result is None else ()), *filter(fold.has_resigned, fold.position.live)]
        return (fold.rules.operators_of(seats) | unsigned & fold.playing) - {self._own.operator}

    def want(self, operators: Set[int]) -> None:
        """Note that the player wants to go on without these operators."""
        self._look()
        self.wanted |= operators

    def due(self, present: Set[int], late: Set[int], now: float) -> list[SignedEvent]:
        """Sign the agreement that is due, if one is.

        `present`: the operators that this client has a link to. `late`: the operators whose turn time has run out.
        `now`: seconds, on a clock that never goes back.
        """
        fold, own = self._fold, self._own
        self._look()
        if own.operator not in fold.playing or fold.broken or not (self.wanted or late or fold.agreements):
            return []
        if (decided := fold.decided) and not fold.owing():
            return []
        situation = self._situation(present, late, now, decided=decided)
        if agreement := self._to_sign(situation):
            return self._sign(agreement, now)
        operators = self._to_propose(situation)
        return [] if operators is None else self._propose(operators, present, now)

    def _situation(self, present: Set[int], late: Set[int], now: float, *, decided: bool) -> _Situation:
        """Return what decides whether an agreement is due, and which one."""
        fold, here = self._fold, present | {self._own.operator}
        others = fold.playing & fold.rules.operators_of(fold.ahead.live) - {self._own.operator}
        resigned = {one for one in others - present if all(map(fold.has_resigned, self._seats({one})))}
        self._note_unsigned(now, present, resigned)
        contested = self._contested(here, now)
        debtors = self.debtors(now)
        met = others - resigned <= present or self._stuck(here, debtors | resigned)
        return _Situation(
            proposed=self.proposed,
            present=present,
            resigned=resigned,
            want=(self.wanted | late) & debtors,
            refusing=self._refusing(now),
            contested=contested,
            met=met,
            free=now >= self._again and fold.position.renewed < RENEWALS,
            decided=decided,
        )

    def _to_sign(self, situation: _Situation) -> Agreement | None:
        """Return the highest agreement of those proposed that this client accepts, None if it accepts none."""
        fold, own, proposed = self._fold, self._own.operator, situation.proposed
        # An operator that has signed that all stay can give nothing that it owes before the others have signed as well.
        owing = fold.rules.operators_of(fold.owing()) & situation.present
        asked, mine = {proposed[one] for one in owing & proposed.keys()}, self._promised({own})
        # A leaver has no say in whether the others have been asked for long enough.
        uncontested = situation.contested <= {own}
        for agreement in sorted({*proposed.values()}, reverse=True):
            if situation.decided and agreement.leaving:
                continue
            operators = self._operators(agreement)
            if operators & situation.want:
                accepted = operators <= situation.want | situation.resigned
            else:
                accepted = operators <= situation.resigned and uncontested
                accepted = accepted and situation.free and (situation.met or agreement in asked)
            # Nobody is left behind at the end; operators that agreed before they saw it wait for this signature.
            accepted = accepted or (fold.result is not None and own not in operators)
            if agreement.number > mine and accepted and self._can_sign(agreement, operators):
                return agreement
        return None

    def _to_propose(self, situation: _Situation) -> set[int] | None:
        """Return the operators that this client proposes to go on without, None if it proposes nothing."""
        proposed, resigned = situation.proposed, situation.resigned
        if situation.decided:  # this client cannot sign the result before an epoch begins in which nobody leaves
            return set() if self._own.has_agreed else None
        if proposed and situation.free and situation.met and not situation.contested:
            return resigned
        if not situation.want:
            return None
        wanted, agreeing = situation.want - resigned, (proposed.keys() & situation.present) - situation.refusing
        return (wanted - agreeing or wanted) | resigned

    def _stuck(self, present: Set[int], debtors: Set[int]) -> bool:
        """Return whether an operator in `present` is stuck.

        It owes the open slot, but its last agreement leaves out operators that owe nothing. No other client signs that
        agreement, and until a newer one is in force the stuck operator can sign nothing in this epoch.
        """
        fold = self._fold
        owing = fold.rules.operators_of(fold.owing()) & present
        return any(one in self.proposed and not self._operators(self.proposed[one]) <= debtors for one in owing)

    def _contested(self, present: Set[int], now: float) -> set[int]:
        """Return the operators that are present, and that the players are still asked to leave behind.

        A proposal stands while its leavers are present and owe what they owed when it was made. Otherwise there is
        nothing to ask: an operator has come back, or has contributed what was missing.
        """
        fold = self._fold
        owing = present & fold.rules.operators_of(fold.owing())
        found: dict[tuple[int, ...], float] = {}
        for agreement, signed in fold.agreements.items():
            if agreement.leavers:
                same = all(event.slot == fold.position.slot for event in signed.values())
                until = self._contests.get(agreement.leavers, now + ANSWER_WITHIN)
                found[agreement.leavers] = until if same and self._operators(agreement) <= owing else float("-inf")
        for leavers, until in found.items():
            if leavers in self._contests and self._looked < until <= now:
                self.wanted -= fold.rules.operators_of(leavers) & owing
        self._contests, self._looked = found, now
        return set[int]().union(*(fold.rules.operators_of(leavers) for leavers, until in found.items() if now < until))

    def _note_unsigned(self, now: float, present: Set[int], resigned: Set[int]) -> None:
        """Note the operators that owe a signature, and whether an own agreement that all others stay has failed."""
        self._unsigned = {one: self._unsigned.get(one, now) for one in self._owing_signatures(present)}
        agreement = self.proposed.get(self._own.operator)
        failed = float("-inf") < self._signed <= now - GRACE  # one that was signed at another slot tells nothing here
        stays = agreement is not None and self._operators(agreement) <= resigned
        if failed and agreement and stays and agreement.number > self._failed:
            self._failed, self._again = agreement.number, now + COOL

    def _owing_signatures(self, present: Set[int]) -> set[tuple[int, int]]:
        """Return the operators that have not signed the last agreement which asks them to stay, each with its highest.

        A higher agreement that such an operator has signed excuses that operator while it is present, but not for ever:
        else one operator could keep the others waiting.
        """
        fold, found = self._fold, set[tuple[int, int]]()
        asks = {one: by for one, by in self._signed_by().items() if one.base == fold.position.slot.epoch}
        for seat in fold.position.live:
            operator, agreed = fold.operators[seat - 1], self._held.agreed(seat)
            excused = operator in present and self._tries(seat) < STUBBORN
            ask = max((one for one, by in asks.items() if seat not in one.leavers and by - {operator}), default=None)
            if ask and seat in fold.lacking(ask) and not (excused and agreed >= ask.number):
                found.add((operator, agreed if excused else 0))
        return found

    def _tries(self, seat: int) -> int:
        """Return how many agreements a seat has signed for the open slot."""
        return AGREEMENTS_AT_ONE_SLOT - self._held.room(seat, self._fold.position.slot, agreements=True)

    def _refusing(self, now: float) -> set[int]:
        """Return the operators that have owed a signature for GRACE seconds."""
        return {operator for (operator, _), since in self._unsigned.items() if now >= since + GRACE}

    def _propose(self, operators: Set[int], present: Set[int], now: float) -> list[SignedEvent]:
        """Sign a new agreement that these operators leave, if the last one has failed and it is this client's turn."""
        fold, own = self._fold, self._own
        staying = fold.playing - operators
        agreement = self._agreement(max(self._promised(staying), fold.position.slot.epoch) + 1, operators)
        if not fold.enough({*agreement.leavers}):
            return []
        current = self.proposed.get(own.operator)
        again = current is not None and current[1:] == agreement[1:] and now < self._signed + GRACE
        if current and again and fold.lacking(current) and fold.may_begin(current):
            return []
        if self._aim != agreement:
            self._aim, self._aimed = agreement, now
        rank = sorted(staying & (present | {own.operator})).index(own.operator)
        return self._sign(agreement, now) if now >= self._aimed + STAGGER * rank else []

    def _sign(self, agreement: Agreement, now: float) -> list[SignedEvent]:
        """Sign an agreement, unless this client has to pause.

        The pauses keep clients with different aims, or a client that proposes without end, from using up what may be
        signed.
        """
        most = max(map(self._tries, self._own.signers))
        tries = most // SIGNED_AT_ONCE
        if most >= AGREEMENTS_AT_ONE_SLOT or (tries and now < self._signed + GRACE * 2 ** max(0, tries - PATIENT)):
            return []
        self._signed = now
        return self._own.agree(agreement.number, agreement.leaving)

    def _agreement(self, number: int, operators: Set[int]) -> Agreement:
        """Return the agreement that these operators leave, as this client would sign it."""
        leaving = tuple([Leaving(seat, *self._held.heads[seat - 1]) for seat in self._seats(operators)])
        return Agreement(number, self._fold.position.slot.epoch, leaving)

    def _can_sign(self, agreement: Agreement, operators: Set[int]) -> bool:
        """Return whether this client can sign that these operators leave with what an agreement states of them.

        It may hold more of them, if nothing has followed from that: else a seat that shows one client more than the
        others, again and again, could not be left behind. But a part of a roll or deal may not be left out: a
        player who knows what it leads to could have another roll or deal.
        """
        fold, held, leaving = self._fold, self._held, agreement.leaving
        if agreement.base != fold.position.slot.epoch or [*agreement.leavers] != self._seats(operators):
            return False
        ahead = fold.ahead
        for one in leaving:
            part = given(ahead, held.chains, one.seat) if ahead.machine else None
            least = part.number if part else ahead.behind[one.seat - 1]
            if not least <= one.length <= len(held.chains[one.seat - 1]):
                return False
        heads = held.nameable(fold.position, self._own.signers, leaving=leaving)
        return all(heads[one.seat - 1] == one[1:] for one in leaving)

    def _operators(self, agreement: Agreement) -> set[int]:
        """Return the operators that leave with an agreement."""
        return self._fold.rules.operators_of(agreement.leavers)

    def _seats(self, operators: Set[int]) -> list[int]:
        """Return the live seats of these operators."""
        return [seat for seat in self._fold.position.live if self._fold.operators[seat - 1] in operators]

    def _promised(self, operators: Set[int]) -> int:
        """Return the highest epoch that the live seats of these operators have agreed to."""
        return max(map(self._held.agreed, self._seats(operators)), default=0)
