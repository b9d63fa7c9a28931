"""Tables in simulated bad times: whatever happens, nothing is lost, nobody is stuck, nobody is fooled."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from forming import agree
from hypothesis import given, note, settings
from hypothesis import strategies as st
from replicas import FAST, FAST_SIGNERS, body_of, charter_of
from simulator import REAL, played, simulate
from simulator_plan import GAMES, Crash, Flap, Opening, Plan, opening, plan_of

from engine import all_games
from protocol import Formation

WHOLE: dict[str, tuple[str, int, dict[str, Any]]] = {
    "fidchess": ("fidchess", 2, {"turn_limit": 24}),
    "kingamon": ("kingamon", 2, {"quick": True}),
    "pebbles": ("pebbles", 4, {}),
}
SEEDS = 10


def seeded(game: str, seed: int) -> Plan:
    return plan_of(game, Random(f"{game} {seed}"))


def bad_time(
    game: str,
    seed: int,
    *,
    length: float = 20.0,
    loss: float = 0.0,
    twice: float = 0.0,
    delay: float = 0.05,
    faults: Sequence[Crash | Flap] = (),
) -> Plan:
    return Plan(game, 0, seed, length, 0.3, 0.002, loss, twice, delay, tuple(faults), ())


def crashes(clients: int, seed: int, *, every: float, length: float = 20.0) -> list[Crash]:
    """A crash every so many seconds, each at another step."""
    rng = Random(seed)
    times = [every * n for n in range(1, int(length / every))]
    return [Crash(at, rng.randint(1, clients), rng.randrange(12), rng.random(), 0.5) for at in times]


def begun(name: str) -> tuple[str, Opening]:
    key, seats, options = WHOLE[name]
    return key, Opening(charter_of(key, seats, options, fast=True), all_games()[key])


@pytest.mark.many
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_lost_nobody_is_stuck_nobody_is_fooled(game: str) -> None:
    """The first seeds of `scripts/simulate.py`, which has many more and says what is watched."""
    for seed in range(SEEDS):
        simulate(seeded(game, seed))


@pytest.mark.many
@pytest.mark.parametrize("game", GAMES)
@given(rng=st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_whatever_plan_hypothesis_thinks_of(game: str, rng: Random) -> None:
    """The same with plans that Hypothesis draws, so that it can shrink the one that fails."""
    plan = plan_of(game, rng)
    note(str(plan))
    simulate(plan)


@pytest.mark.many
def test_a_simulation_repeats() -> None:
    """The same seed gives the same messages at the same moments, also in another process with other hashes."""
    plans = [seeded(game, 7) for game in GAMES]
    traces = [simulate(plan).trace.hexdigest() for plan in plans]
    assert [simulate(plan).trace.hexdigest() for plan in plans] == traces
    script = Path(__file__).parents[2] / "scripts" / "simulate.py"
    for hashes in ("1", "2"):
        told = subprocess.run(
            [sys.executable, script, GAMES[1], "--seed", "7"],
            env={"PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert told.endswith(f"trace {traces[1]}\n")


@pytest.mark.many
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("seed", range(2))
def test_games_end_alike_over_a_bad_network(name: str, seed: int) -> None:
    """A third of the messages lost, some twice, all delayed and overtaken, links that flap: one game, one result."""
    key, start = begun(name)
    pairs = [Random(n).sample(start.operators, 2) for n in range(12)]
    flaps = [Flap(1.5 * n, one, other, 2) for n, (one, other) in enumerate(pairs)]
    plan = bad_time(key, seed, loss=0.3, twice=0.2, delay=0.3, faults=flaps)
    simulate(plan, begun=start, whole=True)


@pytest.mark.many
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("seed", range(2))
def test_games_survive_crashes(name: str, seed: int) -> None:
    """Clients that die at any step and lose what was not safe: nobody signs two versions of an event."""
    key, start = begun(name)
    faults = crashes(len(start.operators), seed, every=0.5)
    network = simulate(bad_time(key, seed, loss=0.1, delay=0.1, faults=faults), begun=start, whole=True)
    assert network.deaths > 5


def test_a_host_plays_its_bots_seats() -> None:
    """One client signs for two seats, also through crashes: two chains, one file, no seat signs for the other."""
    body = body_of("pebbles", 3, operators=(1, 1, 3), signers=FAST_SIGNERS)
    host = Formation(body, {1: FAST_SIGNERS[0], 2: FAST_SIGNERS[1]}, b"s1", FAST)
    charter = agree([host, Formation(body, {3: FAST_SIGNERS[2]}, b"s3", FAST)])
    faults = [Crash(2.0 * n, (1, 3)[n % 2], n, 0.5, 0.5) for n in range(1, 9)]
    plan = bad_time("pebbles", 1, loss=0.2, twice=0.1, delay=0.2, faults=faults)
    network = simulate(plan, begun=Opening(charter, all_games()["pebbles"]), whole=True)
    assert [client.seats for client in network.clients] == [(1, 2), (3,)]


@pytest.mark.many
def test_deals_survive_crashes_and_a_bad_network() -> None:
    """Clients that die at any step, also between giving up secrets and storing what they signed."""
    start = Opening(charter_of("celtic-whist", 3, {"first": 1}, fast=True), all_games()["celtic-whist"])
    faults = crashes(3, 0, every=1.5, length=60.0)
    with played(bad_time("celtic-whist", 0, length=60.0, loss=0.05, twice=0.1, faults=faults), start) as network:
        network.run(60.0)
        network.heal()
        while min(client.table.fold.position.deals for client in network.clients) < 3:
            network.run(5.0)
            assert network.now < 3000
        network.watch.judge(every_file=True)
    assert network.deaths > 20
    assert all(len(client.kept) > 1 for client in network.clients)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_crash_at_every_step(game: str) -> None:
    """One run again and again, each time with a crash one step of writing, syncing or sending later."""
    plan = seeded(game, 2)
    clients = opening(game, plan.opening).operators
    for skip in range(80):
        crash = Crash(0.05, clients[skip % len(clients)], skip, (skip % 5) / 4, 0.5)
        simulate(plan._replace(faults=(crash,), cheats=(), length=6.0))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", GAMES)
def test_games_to_the_end_with_real_signatures_and_cards(game: str) -> None:
    for seed in range(20):
        simulate(seeded(game, seed), REAL, whole=True)
