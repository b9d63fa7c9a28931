"""Going on without a player: who wants that, what is told of it, what is asked before it, and who may agree."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from engine import listed
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.session import Question, RefusedError
from p2p_stonehenge.table.shown import ShownTable
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.times import spell
from protocol import ANSWER_WITHIN, Node

ASKED_ENOUGH = 60.0
"""Seconds for which a player who is connected may think, or be at a question, before another one can go on without."""
LATELY = 5.0
"""Seconds after a link came up in which what arrives is taken for what was done before."""
GOES_ON = "the game goes on with all"
"""What comes of a proposal to which not all others agree."""
ANSWER_TIME = spell(round(ANSWER_WITHIN))
"""How long the others have to agree to go on without a player who is here."""


class ToldProposal(NamedTuple):
    """A proposal to go on without some players, as the player here was told of it or made it."""

    by: int
    """The operator that made it."""
    without: tuple[int, ...]
    """The operators that would leave."""
    place: object
    """The place of the game at which that was."""
    contested: bool
    """Whether those that would leave were here then, the player here not among them."""


class Proposals:
    """Knows which players of one table want to go on without which others."""

    def __init__(self, session: ShownTable, node: Node, presence: Presence) -> None:
        self._session, self._node, self._presence = session, node, presence
        self._told: list[ToldProposal] = []
        self._wanted_at = 0.0
        """When the player here last said that the game is to go on without others."""
        self._refusing: dict[int, float] = {}
        """The operators that were refusing and have lacked since, each with since when."""

    # What others want

    def open_proposals(self) -> dict[int, tuple[int, ...]]:
        """Return the seats that other operators want to go on without, by operator, where that can still be agreed to.

        Proposals on an earlier epoch are left out: the proposer has not heard yet that all agreed to go on with
        everybody.
        """
        epoch = self._session.position.slot.epoch
        found = self._session.shown.proposed.items()
        return {operator: one.leavers for operator, one in found if one.leaving and one.base == epoch}

    def contested(self) -> set[int]:
        """Return the operators that others want to go on without although they are here, as long as they owe something.

        Either all others agree to that, or soon all of them have agreed that nobody leaves.
        """
        session, presence, found = self._session, self._presence, set[int]()
        shown = session.shown
        if session.seconds_left == 0 or not shown.agreements:  # once the turn time is over, clients agree by themselves
            return found
        here = {presence.operator(seat) for seat in shown.owing} - {*presence.absent()}
        for agreement in shown.agreements:
            operators = {presence.operator(seat) for seat in agreement.leavers}
            if agreement.base == shown.position.slot.epoch and operators <= here:
                found |= operators
        return found

    def wants(self, seat: int, leaving: tuple[int, ...]) -> bool:
        """Return whether a player still wants to go on without these seats."""
        if self.open_proposals().get(seat) == leaving:
            return True
        return {self._presence.operator(one) for one in leaving} <= self.contested()

    def unwanted(self) -> set[int]:
        """Return the operators that others want to go on without, where the player here can, and has yet to, agree."""
        session, own = self._session, self._session.table.own.operator
        if session.shown.unheard or not {*session.people} & {*session.position.live}:
            return set()
        found = {
            self._presence.operator(seat) for by, seats in self.open_proposals().items() if by != own for seat in seats
        }
        return found - session.shown.wanted - {own}

    def refusing(self) -> list[int]:
        """Return the seats that lack in what this client has signed, and may do so for ever.

        Their players are away, have signed nothing, or last that players leave who have signed the same as this client.
        """
        presence, proposed = self._presence, self._session.shown.proposed
        own = proposed.get(self._session.table.own.operator)
        if own is None or not self._session.shown.has_agreed:
            return []
        same = {operator for operator, one in proposed.items() if one[1:] == own[1:]}
        leave = {operator: {*map(presence.operator, one.leavers)} for operator, one in proposed.items()}
        awaited = [(seat, presence.operator(seat)) for seat in presence.awaited()]
        return [
            seat
            for seat, operator in awaited
            if presence.away(operator) or operator not in proposed or leave[operator] & same
        ]

    def refusing_for_long(self) -> set[int]:
        """Return the operators that were refusing and have lacked for a while. To be called at each look at the clocks.

        A client signs by itself that all stay, but its player may choose whether a player is to leave: an operator that
        is here and has signed nothing refuses only the former. Once others want a refusing operator out, what they have
        signed is not the same any more.
        """
        now, presence, shown = self._presence.now(), self._presence, self._session.shown
        lacking = {*map(presence.operator, presence.awaited())} if shown.has_agreed else set[int]()
        own = shown.proposed.get(self._session.table.own.operator)
        refusing = {
            operator
            for operator in map(presence.operator, self.refusing())
            if presence.away(operator) or operator in shown.proposed or (own and not own.leavers)
        }
        refusing |= self._refusing.keys() & lacking
        self._refusing = {one: self._refusing.get(one, now) for one in refusing}
        return {one for one, since in self._refusing.items() if now >= since + ASKED_ENOUGH}

    def may_agree(self) -> bool:
        """Return whether the player here can agree to go on without others now: they have been waited for enough."""
        return bool(unwanted := self.unwanted()) and all(map(self.was_asked_enough, unwanted))

    def was_asked_enough(self, operator: int) -> bool:
        """Return whether a player may be left behind who is waited for: not one that may still be thinking."""
        away, waited = self._presence.away(operator), self._presence.waited
        return bool(away) or waited >= ASKED_ENOUGH or self._session.seconds_left == 0

    # What the player here wants

    def want(self, operators: set[int]) -> None:
        """Note that the player here wants to go on without these operators."""
        self._wanted_at = self._presence.now()
        own, place = self._session.table.own.operator, self._presence.place
        self._told.append(ToldProposal(own, tuple(sorted(operators)), place, contested=False))

    def back_since_wanted(self) -> list[int]:
        """Return the operators that have come back since the player here wanted to go on without them."""
        unwanted = sorted(self.contested() & self._session.shown.wanted)
        return [operator for operator in unwanted if self._session.roster[operator].since > self._wanted_at]

    def ask_without(self, seat: int) -> Question:
        """Return what to ask before the player goes on without this seat. Raises RefusedError, LocalFaultError."""
        session, presence, own = self._session, self._presence, self._session.table.own.operator
        operator, waits_for = presence.operator(seat), session.shown.could_be_left
        live, bots = session.game.live(session.state), presence.bots_of(operator)
        if seat not in live and not bots:
            raise RefusedError(f"{session.label(seat)} plays no more: the game goes on without that player.")
        if presence.only_two and bots and operator not in live:
            raise RefusedError(f"The game goes on with {presence.named(operator)}: wait, `adjourn` or {self.own_bots}.")
        if session.turn in session.people and not presence.only_two and operator not in {own, *waits_for}:
            then = f"move first, and ask again when it waits for {session.label(seat)}."
            raise RefusedError(f"The game waits for you now: {then}")
        self._node.check_go_on_without(seat)
        return self._question({operator})

    def ask_agree(self) -> Question:
        """Return what to ask before the player agrees to what others want. Raises RefusedError, LocalFaultError."""
        operators = self._node.check_agree()
        if not self.unwanted():
            raise RefusedError(f"You have agreed already: {self._session.waiting()}.")
        return self._question(operators)

    def _question(self, operators: set[int]) -> Question:
        """Return what to ask before the player goes on without these operators. Raises RefusedError as `_check_asked`.

        It lapses when one of them comes or goes, or when the game goes on.
        """
        self._check_asked(operators)
        session, presence = self._session, self._presence
        leavers = presence.seats_playing(operators)
        missed = listed([self._with_state(seat, "{}, {}") for seat in sorted(operators)])
        told = self._what_follows(operators, leavers)
        now = [
            f"{presence.named(seat)} is {'away' if presence.away(seat) else 'back'} now" for seat in sorted(operators)
        ]
        return Question(
            f"Go on without {missed}? {told}.{session.breaks_off(leavers[0])}",
            (presence.waits_for, now),
            f"{listed(now)}: type it again.",
        )

    def _check_asked(self, operators: set[int]) -> None:
        """Raise RefusedError for one of these operators that is connected and has not been asked for long.

        Its player may be thinking.
        """
        session, presence = self._session, self._presence
        for seat in sorted(operators):
            if not self.was_asked_enough(seat):
                state = "back" if session.roster[seat].since > presence.waits_since else "here"
                waited = f", and the game has waited {self._waited} only" if self._waited else ""
                least = spell(round(ASKED_ENOUGH))
                raise RefusedError(f"{session.label(seat)} is {state}{waited}: give a player at least {least}.")

    def _what_follows(self, operators: set[int], leavers: Sequence[int]) -> str:
        """Return in a sentence without its full stop what follows once the player here wants to go on without some.

        `leavers`: the seats of these `operators` that still play.
        """
        session, presence = self._session, self._presence
        shown, own = session.shown, session.table.own.operator
        if shown.too_few(operators | shown.wanted):
            return "You are too few then: this waits until another player is back, and agrees"
        agreed = {
            operator
            for operator, agreement in shown.proposed.items()
            if operators <= {presence.operator(seat) for seat in agreement.leavers}
        }
        names = [session.speaker(seat) for seat in leavers]
        lost = f"{listed(names)} {'has' if len(names) == 1 else 'have'} lost, as by resigning"
        waits_for = sorted(presence.staying - operators - agreed - shown.wanted - {own})
        if not waits_for:
            return f"All others want that: with your yes {lost}"
        away = ((seat, presence.away(seat)) for seat in waits_for)
        others = [session.speaker(seat) + (f" ({why})" if why else "") for seat, why in away]
        return f"As soon as {listed(others)} {'agrees' if len(others) == 1 else 'agree'}, {lost}"

    @property
    def own_bots(self) -> str:
        """Return how a player of two goes on at once where only bots of the other one still play."""
        return f"`quit`; then `{command_here()} host --from {self._session.short_id}` goes on with bots of your own"

    # What is told

    def told(self, seat: int, leaving: tuple[int, ...]) -> str:
        """Return what a player is told of the wish of another one to go on without these seats; empty if told."""
        session, presence, shown = self._session, self._presence, self._session.shown
        operators = tuple(sorted({presence.operator(one) for one in leaving}))
        here, own = {*operators} <= self.contested(), {*leaving} & {*session.people}
        # Told again of a player who is back, not to that one.
        wish = ToldProposal(seat, operators, presence.place, contested=here and not own)
        # The player here reads what others want when it can be answered; of what cannot be met any more nothing.
        unread = not own and shown.unheard and session.people
        outdated = seat in shown.proposed and not self.wants(seat, leaving)
        if not operators or wish in self._told or unread or outdated:
            return ""
        same = [one for one in self._told if (one.place, one.contested) == (wish.place, wish.contested)]
        self._told = [*same, wish]
        return self._told_without_own(seat) if own else self._told_without(seat, operators, here=here)

    def _told_without_own(self, seat: int) -> str:
        """Return what a player is told without whom the player of `seat` wants to go on."""
        label = self._session.label(seat)
        if self._presence.now() < self._session.roster[seat].since + LATELY:
            text = f"{label} proposed to go on without you while you were away: unless the others agree"
            return f"{text}, {GOES_ON}, about {ANSWER_TIME} after all are back at the latest."
        owes = {*self._session.people} & {*self._session.shown.owing}
        then = "move now" if owes else "`agree`, or the others may do so"
        return f"{label} wants to go on without you: {then}."

    def _told_without(self, seat: int, operators: Collection[int], *, here: bool) -> str:
        """Return what a player is told if the player of `seat` wants to go on without others; `here`: they are here."""
        session, presence = self._session, self._presence
        label = session.label(seat)
        if session.people and {*operators} <= session.shown.wanted:
            return f"{label} agrees to go on without {listed([presence.named(one) for one in operators])}."
        text = f"{label} wants to go on without {listed([self._with_state(one, '{} ({})') for one in operators])}"
        plays = {*session.people} & {*session.position.live}
        if not plays or session.seconds_left == 0:  # when the turn time is over, this client agrees by itself
            return f"{text}."
        if here:
            ways = "`agree`, or wait" if self.may_agree() else "you need do nothing"
            return f"{text}: {ways}; unless all others agree, {GOES_ON} within about {ANSWER_TIME}."
        return f"{text}: `agree`, or wait."

    def went(self, left: tuple[int, ...]) -> str:
        """Return what a player is told when all have agreed: who leaves is told with the action that says so."""
        told, self._told = self._told, []
        playing = {self._presence.operator(seat) for seat in self._session.position.live}
        stays = {operator for one in told for operator in one.without} <= playing
        return f"Nobody is left behind: {GOES_ON}." if told and stays and not left else ""

    def agreeing(self) -> str:
        """Return in a few words what an agreement that this client has signed waits for."""
        session = self._session
        awaited = self._presence.awaited()
        wanted = session.shown.wanted
        agree = [
            seat for seat in awaited if self._presence.operator(seat) not in wanted or not self._presence.away(seat)
        ]
        if awaited and not agree:
            return "you are too few: waiting for a player to come back and agree"
        names = listed([session.label(seat) for seat in agree]) or "the others"
        waiting = f"waiting for {names}"
        if contested := self.contested():
            leavers = ["you" if seat in session.people else session.speaker(seat) for seat in sorted(contested)]
            return f"{waiting}: with all, or without {listed(leavers)}"
        own = session.shown.proposed.get(session.table.own.operator)
        return f"{waiting} to agree" if own and own.leaving else f"{waiting}, then all go on"

    @property
    def puts_off(self) -> bool:
        """Return whether who is to move has to wait until this client agrees that nobody leaves."""
        shown = self._session.shown
        return not shown.has_agreed and shown.held_up and bool(self.contested())

    @property
    def _waited(self) -> str:
        """Return the waiting time of the open slot in words; nothing in its first half second."""
        waited = round(self._presence.waited)
        return spell(waited) if waited else ""

    def _with_state(self, seat: int, form: str) -> str:
        """Return how a player is called and for how long it is away, in this form; of one who is here, what is so."""
        label, away = self._presence.named(seat), self._presence.away(seat)
        waited = f" (the game has waited {self._waited})" if self._waited else ""
        return form.format(label, away) if away else f"{label}, who is here{waited}"
