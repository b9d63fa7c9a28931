"""What this client signs: what its seats owe without a choice, and what its players want.

Nothing is sent from here, and the fold is not brought up to date: the caller stores and sends what was signed first.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from engine import CHANCE, NotationError, Pick, Turn
from protocol.chance import Roll
from protocol.events import EventBody, Leaving, SignedEvent, SlotKind, bodies, make_event
from protocol.identity import Secrets, Signer
from protocol.table.audit import LastRound
from protocol.table.fold import Fold
from protocol.table.position import Applied
from protocol.table.step import NO_TAKEBACK, why_not_act
from protocol.table.views import Views

MORE_THAN_WISHES = 4
"""Events for one slot that wishes leave room for: what the slot asks for, and a resignation."""


class Fault(Enum):
    """Why what this client's player asked for is not possible now. The client has the words for it."""

    AGAINST_THE_RULES = auto()
    """The rules of the game say why, in their own words."""
    NOT_DUE = auto()
    """The table waits for something else than an action of this seat."""
    SECRETS_MISSING = auto()
    """The secrets that open the cards are not here."""
    RESIGNED_ALREADY = auto()
    DRAW_TOO_OFTEN = auto()
    """A draw was offered, or the offer taken back, as often as one turn allows."""
    DRAW_BEFORE_MOVE = auto()
    """The seat has offered a draw since its last move."""
    DRAW_OFFERED = auto()
    DRAW_NOT_OFFERED = auto()
    ROLL_BEGUN = auto()
    """The next roll has begun, before which nothing is taken back."""
    TAKEBACK_ASKED = auto()
    """The seat has asked for this take-back, or agreed to it, already."""
    TAKEBACK_TOO_OFTEN = auto()
    PLAYED_ELSEWHERE = auto()
    """Another client plays this seat."""
    GAME_OVER = auto()
    OUT_OF_THE_GAME = auto()
    """The seat no longer plays."""
    PLAYED_ON = auto()
    """An event that the seat signed later waits for what that event names."""
    AGREED = auto()
    """This client has agreed to go on without somebody, and waits for the others to agree."""
    UNHEARD = auto()
    """Peers have to say first how far the game had come."""
    OWN_SEAT = auto()
    """A player cannot go on without the own seat."""
    OF_TWO_PLAYERS = auto()
    """Of two players nobody can go on without the other."""
    OF_TWO_PEOPLE = auto()
    """The same where bots play as well, which have no vote."""
    NOT_AWAITED = auto()
    """The game does not wait for the player without whom it should go on."""
    NOTHING_PROPOSED = auto()
    """Nobody has proposed to go on without a player."""
    NOTHING_TO_SAY = auto()
    NOBODY_HEARS = auto()
    """No client is linked that could read a line of chat."""


class LocalFaultError(Exception):
    """What this client's player asked for is not possible now.

    `fault` says why; `words` are those of the rules, where it is against them.
    """

    def __init__(self, fault: Fault, words: str = "") -> None:
        super().__init__(words or fault.name)
        self.fault, self.words = fault, words


class Own:
    """The seats that this client plays: `signers` holds their keys, `secrets` what they hide."""

    def __init__(self, fold: Fold, signers: Mapping[int, Signer], secrets: Secrets | None) -> None:
        self.signers = dict(sorted(signers.items()))
        self.secrets = secrets
        self.secrets_wrong = False
        """Whether an own seat gave no part of a roll or deal because the secrets are not those of the table."""
        self.last_round = LastRound(fold)
        self._fold, self._held, self._scheme = fold, fold.held, fold.rules.scheme
        self._views = Views(fold, self.signers)

    @property
    def operator(self) -> int:
        """Return the seat whose client this is."""
        return self._fold.operators[min(self.signers) - 1]

    @property
    def has_agreed(self) -> bool:
        """Return whether this client has agreed to leave the present epoch: it signs nothing more there."""
        position, agreed = self._fold.position, self._held.agreed
        return any(seat in position.live and agreed(seat) > position.slot.epoch for seat in self.signers)

    def view(self, seat: int) -> Any:
        """Return the state as `seat` sees it; for a seat played elsewhere, as everybody does."""
        return self._views.of(seat, self.secrets)

    def earlier_view(self, seat: int, log: list[Applied], plies: int) -> Any:
        """Return the state after the first `plies` actions of `log`, but not after all of them, as `seat` saw it.

        The log, of this table, may be a copy: the fold is not looked at, so that a thread may work on it.
        """
        return self._views.earlier(seat, log, plies)

    # What its seats owe.

    def duties(self) -> list[SignedEvent]:
        """Sign what the own seats owe to the open slot without a choice."""
        if self._fold.broken:
            return []
        epoch = self._fold.position.slot.epoch
        return [
            self.sign(seat, body)
            for seat in self.signers
            if self._held.agreed(seat) <= epoch
            and not self._held.waits(seat)
            and (body := self._duty(seat)) is not None
        ]

    def _duty(self, seat: int) -> EventBody | None:
        """Return what a seat owes to the open slot without a choice, None if that is nothing."""
        fold, position, machine = self._fold, self._fold.position, self._fold.position.machine
        if fold.given(seat):
            return None
        if position.slot.kind == SlotKind.END:
            return self.last_round.body(seat, self.secrets)
        if fold.rules.local or seat not in position.givers:
            return None
        if position.slot.kind == SlotKind.TURN:
            return bodies.Sequence() if fold.asynchronous() else None
        if machine is None or self.secrets is None:
            return None
        if isinstance(machine, Roll):
            part: EventBody | None = machine.part(seat, position.slot.epoch, self.secrets)
        else:
            part = machine.part(seat, self.secrets, self._scheme)
        if part is None and not self.secrets_wrong:
            self.secrets_wrong = not self.secrets_fit()
        return part

    def secrets_fit(self) -> bool:
        """Return whether the secrets are those by which the own seats have signed what stands now.

        That is the commitments for a roll, and the keys of the deal under way and of the last one. Without secrets, and
        once those of a deal are forgotten, nothing is signed by wrong ones.
        """
        secrets, position = self.secrets, self._fold.position
        if secrets is None:
            return True
        roll = position.machine if isinstance(position.machine, Roll) else self._next_roll()
        deals = [position.dealing, position.hands.dealing if position.hands else None]
        return all(roll.fits(seat, secrets) for seat in self.signers) and all(
            deal.fits(seat, secrets, self._scheme) for deal in deals if deal for seat in self.signers
        )

    def _next_roll(self) -> Roll:
        """Return the roll for which commitments stand, if one follows; what is drawn by it is not known yet."""
        position = self._fold.position
        return Roll(self._fold.rules.table, position.rolls, Pick(()), position.live, position.bound)

    def prepare(self) -> None:
        """Work out the revelations of own seats ahead, if the open turn may lead to a roll: it then takes no time.

        They are not kept here: `bound_salt` remembers salts and commitments, which are all that takes time.
        """
        position = self._fold.position
        if position.bound and self.secrets and position.slot.kind == SlotKind.TURN:
            roll = self._next_roll()
            for seat in [one.seat for one in position.bound if one.seat in self.signers]:
                roll.part(seat, position.slot.epoch, self.secrets)

    def forget(self) -> bool:
        """Give up the secrets of deals that are over and settled; return whether there was something to forget."""
        before, dealing = self.secrets, self._fold.position.dealing
        if before and dealing and dealing.keys:
            # All live seats have signed a key for this deal after the last event of the deal before.
            self.secrets = before.moved_on(dealing.number)
        return self.secrets != before

    # What its players want.

    def play(self, seat: int, text: str) -> SignedEvent:
        """Sign a move of the seat to act. Raises LocalFaultError with the reason if it is not lawful."""
        self._check_act(seat)
        rules, position = self._fold.rules, self._fold.position
        view, action = self.view(seat), text
        if rules.judge(view, seat, text):
            try:
                action = rules.game.parse(view, text)
            except NotationError as error:
                raise LocalFaultError(Fault.AGAINST_THE_RULES, str(error)) from error
            if refusal := rules.judge(view, seat, action):
                raise LocalFaultError(Fault.AGAINST_THE_RULES, refusal.text)
        if action == "resign":
            return self.resign(seat)
        if not isinstance(position.due, Turn) or position.due.seat != seat or self._fold.given(seat):
            raise LocalFaultError(Fault.NOT_DUE)
        hands = position.hands
        if hands and hands.names(action):
            cards = self._views.cards(seat, hands, self.secrets)
            play = hands.play(seat, action, cards, self.secrets, self._scheme) if self.secrets else None
            if play is None:
                raise LocalFaultError(Fault.SECRETS_MISSING)
            return self.sign(seat, play)
        return self.sign(seat, bodies.Move(action))

    def resign(self, seat: int, *, late: bool = False) -> SignedEvent:
        """Sign the resignation of a seat; `late`: its time is up. Raises LocalFaultError if it no longer plays."""
        self._check_act(seat)
        if self._fold.has_resigned(seat):
            raise LocalFaultError(Fault.RESIGNED_ALREADY)
        return self.sign(seat, bodies.Resign(int(late)))

    def wish_draw(self, seat: int, wish: bool) -> SignedEvent:
        """Sign a draw wish of a seat, or take it back. Raises LocalFaultError if that is not possible now."""
        self.check_wish(seat, wish)
        return self.sign(seat, bodies.Wish(int(wish)))

    def check_wish(self, seat: int, wish: bool) -> None:
        """Raise LocalFaultError if a seat cannot wish a draw, or take its wish back, now."""
        self._check_act(seat)
        position = self._fold.position
        if refusal := self._fold.rules.game.refuse(position.state, CHANCE, "draw"):
            raise LocalFaultError(Fault.AGAINST_THE_RULES, refusal.text)
        if not self._has_room(seat):
            raise LocalFaultError(Fault.DRAW_TOO_OFTEN)
        if wish and position.wished[seat - 1]:
            raise LocalFaultError(Fault.DRAW_BEFORE_MOVE)
        if wish == bool(position.wishes[seat - 1]):
            raise LocalFaultError(Fault.DRAW_OFFERED if wish else Fault.DRAW_NOT_OFFERED)

    def take_back(self, seat: int) -> SignedEvent:
        """Sign that a seat wishes its last turn taken back, or agrees to what others wish. Raises LocalFaultError."""
        return self.sign(seat, bodies.Takeback(self.check_take_back(seat)))

    def check_take_back(self, seat: int) -> int:
        """Return to after how many actions a seat can wish to go back now: where others wish it, or by its own turn.

        Raises LocalFaultError if it can wish nothing.
        """
        self._check_act(seat)
        position = self._fold.position
        if not isinstance(position.due, Turn):
            raise LocalFaultError(Fault.ROLL_BEGUN)
        waiting = [
            one for one in self._fold.asynchronous() if one.seat == seat and isinstance(one.body, bodies.Takeback)
        ]
        if seat in position.asking or any(one.digest == position.digest for one in waiting):
            raise LocalFaultError(Fault.TAKEBACK_ASKED)
        if not self._has_room(seat):
            raise LocalFaultError(Fault.TAKEBACK_TOO_OFTEN)
        asking = position.asking
        to = position.takebacks[asking[0] - 1] if asking else position.turn_start(seat)
        if to is None:
            raise LocalFaultError(Fault.AGAINST_THE_RULES, NO_TAKEBACK)
        return to

    def _has_room(self, seat: int) -> bool:
        """Return whether a seat may sign a wish and still everything else that the open slot may ask for."""
        return self._held.room(seat, self._fold.position.slot, agreements=False) > MORE_THAN_WISHES

    def act(self, actor: int, action: str) -> SignedEvent:
        """Sign any actor's action at a table with one signer. Raises LocalFaultError with the reason."""
        if refusal := why_not_act(self._fold.rules, self._fold.position, actor, action):
            raise LocalFaultError(Fault.AGAINST_THE_RULES, refusal.text)
        return self.sign(1, bodies.Act(actor, action))

    def agree(self, number: int, leaving: tuple[Leaving, ...]) -> list[SignedEvent]:
        """Sign, for every own seat that plays, that it goes on in epoch `number` without the seats that leave.

        Nothing is signed that could never count, as where `number` lies too far above what the author has seen.
        """
        seats = [seat for seat in self.signers if seat in self._fold.position.live]
        if self._held.contradicts(self._make(seats[0], bodies.Epoch(number, leaving))):
            return []
        return [self.sign(seat, bodies.Epoch(number, leaving)) for seat in seats]

    def _check_act(self, seat: int) -> None:
        fold = self._fold
        if seat not in self.signers:
            raise LocalFaultError(Fault.PLAYED_ELSEWHERE)
        if fold.result is not None:
            raise LocalFaultError(Fault.GAME_OVER)
        if seat not in fold.position.live:
            raise LocalFaultError(Fault.OUT_OF_THE_GAME)
        if self._held.waits(seat):
            raise LocalFaultError(Fault.PLAYED_ON)
        if self.has_agreed:
            raise LocalFaultError(Fault.AGREED)

    def sign(self, seat: int, body: EventBody) -> SignedEvent:
        """Sign an event for the open slot and add it to the seat's chain."""
        event = self._make(seat, body)
        self._held.append(event)
        return event

    def _make(self, seat: int, body: EventBody) -> SignedEvent:
        """Return a signed event for the open slot, which nobody knows of yet."""
        position = self._fold.position
        # Where no slot closes by it, it names nothing that others could sign anew to undo what follows from it.
        alone = isinstance(body, bodies.Result | bodies.Resign | bodies.Wish | bodies.Takeback)
        leaving = body.leaving if isinstance(body, bodies.Epoch) else ()
        heads = self._held.nameable(position, self.signers, alone=alone, leaving=leaving)
        return make_event(self.signers[seat], self._held.table, seat, heads, position.slot, position.digest, body)
