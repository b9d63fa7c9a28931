"""Rules of spectators, broken."""

from collections.abc import Iterator
from typing import Any

from engine import encode
from protocol.events import Head
from protocol.formation import read_charter
from protocol.table import gallery, spectator
from protocol.table.gallery import Gallery
from protocol.table.held import Held
from protocol.table.spectator import Spectator
from simulator_breakages.tools import ENDLESS, Breakage, Function, always, constant, instead, while_broken


def sent_again_later(real: Function) -> Function:
    def due(self: Gallery, watching: Any, *args: Any) -> Any:
        messages = real(self, watching, *args)
        if messages:
            watching.again = self._when + gallery.SENT_AGAIN_AFTER
        return messages

    return due


def unmetered(real: Function) -> Function:
    def serve(self: Gallery, *args: Any) -> Iterator[Any]:
        for effect in real(self, *args):
            self._left = gallery.BYTES_AT_ONCE
            yield effect

    return serve


def proofs_kept_back(real: Function) -> Function:
    def release(self: Gallery) -> None:
        self._proofs = len(self._table.held.proofs)
        real(self)

    return release


def any_passphrase(real: Function) -> Function:
    def admits(self: Gallery, peer: bytes) -> bool:
        self._proven.add(peer)
        return bool(real(self, peer))

    return admits


def any_charter(_: Function) -> Function:
    def charter(self: Spectator, packed: bytes, nonces: Any, signatures: Any) -> Any:
        return read_charter(encode((packed, nonces, signatures)), self._verifier)

    return charter


def all_lengths(self: Gallery) -> tuple[int, ...]:
    return tuple(map(len, self._table.held.chains))


def undelayed(self: Gallery) -> tuple[int, ...]:
    return tuple(head.length for head in self._table.held.closed(self._table.fold.position.behind))


def unclosed(self: Held, lengths: Any) -> tuple[Head, ...]:
    return tuple(
        Head(length, chain[length - 1].hash if length else b"")
        for chain, length in zip(self.chains, lengths, strict=True)
    )


WATCHING = (
    # Spectators.
    Breakage(
        "spectators are sent all that is held",
        instead(Gallery._shown, lambda _: all_lengths),
        "test_spectators.py::test_a_spectator_is_sent_only_what_lies_behind_all_seats",
    ),
    Breakage(
        "spectators are not sent what parts that count have named",
        instead(Gallery._shown, while_broken(Held, "closed", unclosed)),
        "test_spectators.py::test_a_spectator_sees_a_resignation_that_a_roll_has_named",
    ),
    Breakage(
        "nothing is delayed",
        instead(Gallery._shown, lambda _: undelayed),
        "test_spectators.py::test_a_delay_keeps_the_last_actions_from_spectators_until_the_end",
    ),
    Breakage(
        "everybody may watch every table",
        instead(Gallery._admits, always(True)),
        "test_spectators.py::test_a_table_that_nobody_may_watch_shows_nothing",
    ),
    Breakage(
        "the passphrase is asked for and not wanted",
        instead(Gallery._admits, any_passphrase),
        "test_spectators.py::test_who_does_not_know_the_passphrase_is_asked_and_sees_nothing",
    ),
    Breakage(
        "any number of spectators has a place",
        constant(gallery, "PLACES", ENDLESS),
        "test_spectators.py::test_the_spectator_for_whom_there_is_no_place_watches_through_another_player",
    ),
    Breakage(
        "spectators are sent as much as they ask for",
        instead(Gallery.serve, unmetered),
        "test_spectators.py::test_all_spectators_together_get_so_many_bytes_a_second",
    ),
    Breakage(
        "what a spectator lacks is sent again at once",
        constant(gallery, "SENT_AGAIN_AFTER", 0.0),
        "test_spectators.py::test_a_flood_of_questions_is_answered_by_the_clock_alone",
    ),
    Breakage(
        "proofs are not shown to spectators",
        instead(Gallery._release, proofs_kept_back),
        "test_spectators.py::test_a_game_that_equivocation_ends_is_over_for_spectators_as_well",
    ),
    Breakage(
        "a spectator takes any charter",
        instead(Spectator._charter, any_charter),
        "test_spectators.py::test_a_spectator_takes_no_other_charter",
    ),
    Breakage(
        "a spectator stays with a player who says nothing",
        constant(spectator, "ANSWERED_WITHIN", float("inf")),
        "test_spectators.py::test_a_spectator_goes_on_through_another_player",
    ),
    Breakage(
        "a spectator is sent nothing again while new events come",
        instead(Gallery._due, sent_again_later),
        "test_spectators.py::test_a_lost_message_is_made_up_for_while_the_game_goes_on",
    ),
)
