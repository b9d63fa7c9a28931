"""A verifier written from the specification alone finds in files of simulated tables just what the program finds."""

from random import Random

import pytest
from changed_fields import changes
from fast_deck import FAST_DECK
from kinds import expect
from replicas import FAST, FAST_SIGNERS
from simulator import played
from simulator_plan import opening, plan_of
from verdicts import judged

from engine import decode, encode
from protocol.file import MAGIC, EventRecord, records

GAMES = ("pebbles", "qenqe", "kingamon", "fidchess", "fidchell")
SEEDS = range(1000, 1003)
CHANGES = 8
"""Files that are made of each by a cheat who signs well."""

pytestmark = pytest.mark.usefixtures("fast_signatures")


def record(*entries: bytes | int) -> bytes:
    payload = encode(entries)
    return len(payload).to_bytes(4, "big") + payload


def forged(data: bytes, rng: Random) -> bytes:
    """The file with one event changed and signed again: in its place, beside it, or as a proof."""
    ends, found = zip(*records(data), strict=True)
    signed = [one for one in zip((len(MAGIC), *ends), ends, found, strict=False) if isinstance(one[2], EventRecord)]
    start, end, kept = rng.choice(signed[-30:])
    fields = rng.choice([*changes([*expect(tuple, decode(kept.raw))], rng)])
    raw = encode(tuple(fields))
    other = raw, FAST_SIGNERS[fields[2] - 1].sign(b"stonehenge/event/2" + raw)
    before, rest = data[:end], data[end:]
    return rng.choice(
        [
            data[:start] + record(2, *other),
            before + record(2, *other) + rest,
            before + record(3, *kept, *other) + rest,
            data + record(3, *kept, *other),
        ]
    )


@pytest.mark.many
@pytest.mark.parametrize("game", GAMES)
def test_both_verifiers_agree_on_files_of_simulated_tables_and_on_forged_ones(game: str) -> None:
    """Bad networks, crashes, agreements and cheats, as `scripts/simulate.py` has them."""
    valid = set()
    for seed in SEEDS:
        rng = Random(f"{game} {seed}")
        plan = plan_of(game, rng)
        with played(plan, opening(plan.game, plan.opening)) as network:
            network.run(plan.length)
            network.heal()
            network.run(30.0)
            files = [bytes(client.disk) for client in network.clients]
            assert all(judged(file, FAST, FAST_DECK) for file in files)
            played_on = [file for file in files if len([*records(file)]) > 3]
            for _ in range(CHANGES if played_on else 0):
                valid.add(judged(forged(rng.choice(played_on), rng), FAST, FAST_DECK) is not None)
    assert valid == {True, False}
