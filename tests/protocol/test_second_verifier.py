"""A verifier written from the specification alone finds in what simulated clients saved just what the program finds."""

from random import Random

import pytest
import second_verifier
from fast_deck import FAST_DECK
from replicas import FAST
from simulator import played
from simulator_plan import opening, plan_of

from protocol import verify

GAMES = ("pebbles", "qenqe", "kingamon", "fidchess", "fidchell")
SEEDS = range(1000, 1006)


def found_by_the_program(data):
    report = verify(data, FAST, scheme=FAST_DECK)
    assert report.ok, report.error
    found = {name: value for name, value in report._asdict().items() if name != "lines"}
    found["result"] = report.result and {name: in_json(value) for name, value in report.result._asdict().items()}
    return found | {"signed_by": [*report.signed_by], "cheats": [[*cheat[:3]] for cheat in report.cheats]}


def in_json(value):
    return [*value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("game", GAMES)
def test_both_verifiers_agree_on_every_file_of_a_simulated_table(game, monkeypatch):
    """Bad networks, crashes, agreements and cheats, as `scripts/simulate.py` has them."""
    monkeypatch.setattr(second_verifier, "signed", FAST.verify)
    for seed in SEEDS:
        plan = plan_of(game, Random(f"{game} {seed}"))
        with played(plan, opening(plan.game, plan.opening)) as network:
            network.run(plan.length)
            network.heal()
            network.run(30.0)
            for client in network.clients:
                data = bytes(client.disk)
                assert second_verifier.verify(data) == found_by_the_program(data), (seed, client.operator)
