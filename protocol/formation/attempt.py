"""How the seats agree on a charter: each commits to a nonce, shows it once all commitments are held, and signs.

No seat can choose the table id, because each nonce was fixed before the nonces of the others were seen. Commitments are
signed too, and nonces open them: a client that passes a statement on cannot change it.
"""

from collections.abc import Callable, Mapping

from engine import HASH_BYTES, MalformedError, Value, blake, encode
from protocol.formation.charter import (
    COMMITMENT_BYTES,
    Body,
    Charter,
    charter_signed,
    commitment_signed,
    nonce_commitment,
    sign_charter,
    sign_commitment,
)
from protocol.identity import ED25519, SIGNATURE_BYTES, Signer, Verifier


class FormationError(MalformedError):
    """A statement does not fit: this attempt to form the table must be given up.

    `seat`: the seat that signed two different statements; 0 if the client that sent the statement is to blame.
    """

    def __init__(self, reason: str, seat: int = 0) -> None:
        super().__init__(reason)
        self.seat = seat


class Formation:
    """One attempt to agree on a charter, as one client sees it: a set of statements that only grows.

    Clients send each other everything they hold (`message`) whenever it grew (`merge`), in any order and by way of
    any client. `seed`: random bytes for this attempt and this run of the program alone. A host that knew a nonce from
    an earlier attempt could choose its own nonce to fit.
    """

    def __init__(self, body: Body, own: Mapping[int, Signer], seed: bytes, verifier: Verifier = ED25519) -> None:
        """`own`: what signs for the own seats. Raises FormationError if the key of such a seat is another one."""
        for seat, signer in own.items():
            if signer.id != body.seats[seat - 1].id:
                raise FormationError(f"a key that is not that of seat {seat}", seat)
        self.body = body
        self._own = own
        self._verifier = verifier
        seats = len(body.seats)
        self._secret = {seat: blake("sh/nonce/1", seed, encode((body.packed(), seat))) for seat in own}
        self._commitments: list[bytes | None] = [None] * seats
        self._nonces: list[bytes | None] = [None] * seats
        self._signatures: list[bytes | None] = [None] * seats
        for seat, nonce in self._secret.items():
            self._commitments[seat - 1] = sign_commitment(body, seat, nonce, own[seat])
        self._contribute()

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the seats that have not signed the charter."""
        return tuple(seat for seat, signature in enumerate(self._signatures, 1) if signature is None)

    @property
    def awaited(self) -> tuple[int, ...]:
        """Return the seats whose statement is due: no nonce is shown before all have committed, no signature before."""
        for stated in (self._commitments, self._nonces, self._signatures):
            if None in stated:
                return tuple(seat for seat, value in enumerate(stated, 1) if value is None)
        return ()

    @property
    def charter(self) -> Charter | None:
        """Return the charter, None until every signer has signed."""
        nonces = tuple(nonce for nonce in self._nonces if nonce)
        signatures = tuple(signature for signature in self._signatures if signature)
        return None if self.missing else Charter(self.body, nonces, signatures)

    def message(self) -> tuple[Value, ...]:
        """Return all that is held: the packed body, commitments, nonces, signatures."""
        return (self.body.packed(), tuple(self._commitments), tuple(self._nonces), tuple(self._signatures))

    def merge(self, message: Value) -> bool:
        """Take in what another client holds; return whether anything was new.

        Raises FormationError, and takes in nothing, unless every part is proven to come from its seat and fits
        what that seat has stated before.
        """
        match message:
            case (bytes(packed), tuple(commitments), tuple(nonces), tuple(signatures)):
                if packed != self.body.packed():
                    raise FormationError("another charter")
            case _:
                raise FormationError("not a formation")
        before = self.message()
        committed = self._taken(
            self._commitments, commitments, COMMITMENT_BYTES, self._is_commitment, "did not commit to that"
        )

        def opens(seat: int, nonce: bytes) -> bool:
            commitment = committed[seat - 1]
            return commitment is not None and nonce_commitment(self.body, seat, nonce) == commitment[:HASH_BYTES]

        shown = self._taken(self._nonces, nonces, HASH_BYTES, opens, "has committed to another nonce")

        def signs(seat: int, signature: bytes) -> bool:
            all_shown = tuple(nonce for nonce in shown if nonce)
            complete = len(all_shown) == len(shown)
            return complete and charter_signed(self.body, all_shown, seat, signature, self._verifier)

        signed = self._taken(self._signatures, signatures, SIGNATURE_BYTES, signs, "did not sign this charter")
        self._commitments, self._nonces, self._signatures = committed, shown, signed
        self._contribute()
        return self.message() != before

    def _taken(
        self,
        held: list[bytes | None],
        stated: tuple[Value, ...],
        size: int,
        is_of: Callable[[int, bytes], bool],
        reproach: str,
    ) -> list[bytes | None]:
        """Return what is held together with what is stated; `is_of(seat, value)` must hold for all that is new."""
        if len(stated) != len(held):
            raise FormationError("wrong number of seats")
        taken = list(held)
        for seat, value in enumerate(stated, 1):
            if value is None or value == held[seat - 1]:
                continue
            if not isinstance(value, bytes) or len(value) != size:
                raise FormationError("a value of the wrong size")
            if seat in self._own:
                raise FormationError(f"seat {seat} has not stated that")
            if not is_of(seat, value):
                raise FormationError(f"seat {seat} {reproach}")
            if held[seat - 1] is not None:
                raise FormationError(f"seat {seat} stated two different things", seat)
            taken[seat - 1] = value
        return taken

    def _is_commitment(self, seat: int, commitment: bytes) -> bool:
        return commitment_signed(self.body, seat, commitment, self._verifier)

    def _contribute(self) -> None:
        if all(self._commitments):
            for seat, nonce in self._secret.items():
                self._nonces[seat - 1] = nonce
        nonces = tuple(nonce for nonce in self._nonces if nonce)
        if len(nonces) == len(self._nonces):
            for seat, signer in self._own.items():
                if self._signatures[seat - 1] is None:
                    self._signatures[seat - 1] = sign_charter(self.body, nonces, signer)
