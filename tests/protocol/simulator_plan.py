"""What happens in one simulated game, as data: where it begins, how bad the network is, which faults and cheats.

A plan is drawn from whatever chooses like `random.Random`: a seed, or Hypothesis, which then shrinks the plan.
"""

from functools import cache
from random import Random
from typing import Any, NamedTuple

from pebbles import Pebbles
from replicas import ATTEMPT, FAST_SIGNERS, IDENTITIES, NAMES

from engine import Chance, Deal, Game, OptionError, Over, all_games
from protocol import NET, Charter, Seat, draw_locally, make_body
from protocol.formation.charter import sign_charter

OPENINGS = 96
"""Games begun for each game: players, operators, options and a position; runs share them."""
LATE = 30
"""Actions that are left to a game that is to be played to its end, or a round where nobody may hold cards before."""
REMEMBERED = 2048
"""Answers of each method of a game that are remembered."""
GAMES = ("fidchess", "qenqe", "fidchell", "celtic-whist", "kingamon", "pebbles")
"""All games, and one for up to five seats that rolls after each move, where most can cross."""


class Opening(NamedTuple):
    """A signed charter, and the game that begins where some random play has led."""

    charter: Charter
    game: Game[Any]

    @property
    def operators(self) -> tuple[int, ...]:
        """The seats whose clients sit at the table; other seats are their bots."""
        return tuple(sorted({seat.operator for seat in self.charter.body.seats}))


class Cut(NamedTuple):
    """What clients `one` send to clients `other` is lost for a while, with `both` also the other way.

    With `noticed` their links go down after a while, otherwise nobody says so.
    """

    at: float
    length: float
    one: tuple[int, ...]
    other: tuple[int, ...]
    both: bool
    noticed: bool


class Flap(NamedTuple):
    """A link goes down and comes up so many times."""

    at: float
    one: int
    other: int
    times: int


class Crash(NamedTuple):
    """A client dies after `skip` more steps of writing, syncing and sending, and starts again after `down` seconds.

    Of the bytes that were written but not synced the part `torn` survives.
    """

    at: float
    client: int
    skip: int
    torn: float
    down: float


class Restore(NamedTuple):
    """A client dies; its file, with `secrets` these too, is an old copy when it starts again: the part `kept` of it."""

    at: float
    client: int
    kept: float
    secrets: bool
    down: float


class Jump(NamedTuple):
    """A client's clock jumps."""

    at: float
    client: int
    seconds: float


class Slow(NamedTuple):
    """A client needs `pause` seconds for each message for a while."""

    at: float
    client: int
    length: float
    pause: float


class Sleep(NamedTuple):
    """A laptop sleeps: what arrives waits, and its clock stands still."""

    at: float
    client: int
    length: float


class Gone(NamedTuple):
    """A client dies and never starts again."""

    at: float
    client: int


class Quit(NamedTuple):
    """A player resigns and leaves at once for good, whether or not anybody has heard of it."""

    at: float
    client: int


Fault = Cut | Flap | Crash | Restore | Jump | Slow | Sleep | Gone | Quit


class Cheat(NamedTuple):
    """A client that does not keep to the program: `way` is one of WAYS, begun at `at`, up to `times` times.

    `victims` are clients that it treats differently from the others.
    """

    at: float
    client: int
    way: str
    times: int
    victims: tuple[int, ...]


WAYS = (
    "equivocate",
    "rewrite",
    "hush",
    "split",
    "withhold",
    "illegal",
    "digest",
    "chain",
    "spam",
    "garbage",
    "noise",
    "flood",
    "epochs",
)
COLLUSIONS = (
    ("rewrite", "hush"),
    ("equivocate", "hush"),
    ("equivocate", "withhold"),
    ("rewrite", "withhold"),
    ("epochs", "epochs"),
    ("epochs", "equivocate"),
    ("epochs", "withhold"),
    ("rewrite", "hush", "epochs"),
    ("equivocate", "hush", "withhold"),
)
"""What two or three do who work together, at the same time and against the same victims."""


class Plan(NamedTuple):
    """One run. `seed` is for all that is not said here: delays, losses, and what players choose.

    `length` is how many seconds the network is bad, `pace` how many a player thinks, who resigns with the chance
    `leave` each time; links lose and double the parts `loss` and `twice` of messages and delay them by `delay` seconds,
    on average.
    """

    game: str
    opening: int
    seed: int
    length: float
    pace: float
    leave: float
    loss: float
    twice: float
    delay: float
    faults: tuple[Fault, ...]
    cheats: tuple[Cheat, ...]

    @property
    def cheaters(self) -> set[int]:
        """The clients that do not keep to the program."""
        return {cheat.client for cheat in self.cheats}


def plan_of(game: str, rng: Random) -> Plan:
    """Draw a plan."""
    number = rng.randrange(OPENINGS)
    clients = opening(game, number).operators
    length = rng.choice((6.0, 12.0, 25.0))
    cheats = _cheats(rng, clients, length)
    plan = Plan(
        game=game,
        opening=number,
        seed=rng.randrange(2**32),
        length=length,
        pace=rng.choice((0.05, 0.2, 0.5)),
        leave=rng.choice((0.0, 0.002, 0.002, 0.02 if len(clients) == 2 else 0.15)),
        loss=rng.choice((0.0, 0.0, 0.05, 0.2, 0.4)),
        twice=rng.choice((0.0, 0.0, 0.1, 0.3)),
        delay=rng.choice((0.01, 0.05, 0.2, 0.5)),
        faults=_faults(rng, clients, length),
        cheats=cheats,
    )
    return plan._replace(faults=(*plan.faults, *_gone(rng, clients, length)))


def _faults(rng: Random, clients: tuple[int, ...], length: float) -> tuple[Fault, ...]:
    """Some faults. One copy at most is old: where all are, nobody is left who could tell what was lost."""
    found: list[Fault] = []
    for _ in range(rng.choice((0, 1, 2, 3, 5))):
        fault = _fault(rng, clients, length)
        if not isinstance(fault, Restore) or not any(isinstance(one, Restore) for one in found):
            found.append(fault)
    return tuple(found)


def _gone(rng: Random, clients: tuple[int, ...], length: float) -> tuple[Gone | Quit, ...]:
    """In one run of four with three or more clients one that is lost for good: half of these resign first."""
    if len(clients) < 3 or (chance := rng.random()) >= 1 / 4:
        return ()
    return ((Gone if chance < 1 / 8 else Quit)(rng.uniform(0.0, length), rng.choice(clients)),)


def _fault(rng: Random, clients: tuple[int, ...], length: float) -> Fault:
    at = rng.uniform(0.0, length)
    client = rng.choice(clients)
    match rng.choice((Cut, Cut, Flap, Crash, Crash, Crash, Restore, Jump, Slow, Sleep)).__name__:
        case "Cut":
            apart = rng.sample(clients, rng.randint(1, len(clients) - 1))
            rest = [one for one in clients if one not in apart]
            rest = rest if rng.random() < 0.6 else rng.sample(rest, rng.randint(1, len(rest)))
            both, noticed = rng.random() < 0.6, rng.random() < 0.5
            return Cut(at, rng.uniform(0.5, 15.0), tuple(sorted(apart)), tuple(sorted(rest)), both, noticed)
        case "Flap":
            one, other = rng.sample(clients, 2)
            return Flap(at, one, other, rng.randint(1, 6))
        case "Crash":
            return Crash(at, client, rng.randrange(12), rng.random(), rng.choice((0.1, 1.0, 5.0)))
        case "Restore":
            return Restore(at, client, rng.random(), rng.random() < 0.5, rng.choice((0.5, 3.0)))
        case "Jump":
            return Jump(at, client, rng.choice((-30.0, -2.0, 5.0, 40.0, 100_000.0)))
        case "Slow":
            return Slow(at, client, rng.uniform(1.0, 10.0), rng.choice((0.05, 0.3)))
        case _:
            return Sleep(at, client, rng.uniform(1.0, 20.0))


def _cheats(rng: Random, clients: tuple[int, ...], length: float) -> tuple[Cheat, ...]:
    """Cheats that each do something of their own, or some that work together."""
    if len(clients) == 2:
        return (_cheat(rng, rng.choice(clients), clients, length),) if rng.random() < 0.4 else ()
    if rng.random() < 0.25:
        ways = rng.choice([ways for ways in COLLUSIONS if len(ways) < len(clients)])
        together = rng.sample(clients, len(ways))
        others = [one for one in clients if one not in together]
        victims = tuple(sorted(rng.sample(others, rng.randint(1, len(others)))))
        at, times = rng.uniform(0.0, 0.7 * length), rng.randint(1, 4)
        return tuple(Cheat(at, client, way, times, victims) for client, way in zip(together, ways, strict=True))
    cheaters = rng.sample(clients, rng.choice((0, 0, 1, 1, 1, 2)))
    return tuple(_cheat(rng, client, clients, length) for client in cheaters)


def _cheat(rng: Random, client: int, clients: tuple[int, ...], length: float) -> Cheat:
    others = [one for one in clients if one != client]
    victims = tuple(sorted(rng.sample(others, rng.randint(1, len(others)))))
    return Cheat(rng.uniform(0.0, 0.7 * length), client, rng.choice(WAYS), rng.randint(1, 4), victims)


@cache
def opening(key: str, number: int, *, fast: bool = True, late: bool = False) -> Opening:
    """The game begun with this number: 2-5 players as the game allows, one in six with a bot, random options.

    With `late` it is near its end.
    """
    rng = Random(f"{key} {number}")
    game = Pebbles() if key == "pebbles" else all_games()[key]
    seats = rng.choice([count for count in game.seats if count > 1])
    operators = list(range(1, seats + 1))
    if seats > 2 and rng.random() < 1 / 6:
        operators[rng.randrange(1, seats)] = 1
    options = _options(game, seats, rng)
    if late and any(option.name == "turn_limit" for option in game.options):
        options["turn_limit"] = rng.randint(10, 60)
    plies, left = (5000, LATE) if late else (rng.choice((0, 0, 5, 20, 60, 200)), 0)
    begun = _begun(game, game.start(options, seats), rng, plies, left)
    signers = FAST_SIGNERS if fast else IDENTITIES
    roster = tuple(Seat(signers[at].id, NAMES[at], operators[at]) for at in range(seats))
    nonces = tuple(bytes([number, at]) * 16 for at in range(seats))
    body = make_body(NET, game, options, roster, ATTEMPT)
    signatures = tuple(sign_charter(body, nonces, signer) for signer in signers[:seats])
    return Opening(Charter(body, nonces, signatures), begun)


def _options(game: Game[Any], seats: int, rng: Random) -> dict[str, Any]:
    """Options that go together, half of them as they are by default."""
    while True:
        chosen: dict[str, Any] = {}
        for option in game.options:
            if rng.random() < 0.5 and (option.players is None or seats in option.players):
                few = range(option.low, min(option.high or seats, option.low + 60) + 1)
                chosen[option.name] = rng.choice([*option.values, *(rng.choice(few) for _ in range(2) if few)])
        try:
            game.start(chosen, seats)
        except OptionError:
            continue
        return chosen


def once(method: Any) -> Any:
    """A pure method of a game as one that remembers its answers, by which state it is: to hash one takes longer."""
    known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def answer(self: Any, state: Any, *rest: Any) -> Any:
        key = (id(state), *rest)
        found = known.get(key)
        if found is None:  # what is known is kept, so that no other state can get its id
            if len(known) >= REMEMBERED:
                known.clear()
            found = known[key] = (state, method(self, state, *rest))
        return found[1]

    return answer


def _begun(game: Game[Any], first: Any, rng: Random, plies: int, left: int) -> Game[Any]:
    """The game, beginning after so many random actions or where it ends, `left` before that.

    It is not over there, and nobody holds cards.
    """
    state, ply = first, 0
    kept = [(0, first)]
    for ply in range(1, plies + 1):
        due = game.pending(state)
        if isinstance(due, Over):
            break
        if isinstance(due, Chance):
            action = draw_locally(due.draw, rng.randbytes(32))
            actor = 0
        else:
            actor = due.seat
            action = rng.choice(game.legal(state, actor))
        state = game.apply(state, actor, action)
        due = game.pending(state)
        hidden = game.key == "celtic-whist" and not (isinstance(due, Chance) and isinstance(due.draw, Deal))
        if not hidden and not isinstance(due, Over):
            kept.append((ply, state))
    begin = [state for at, state in kept if at <= max(0, ply - left)][-1]

    rules = type(game)

    class Begun(rules):  # type: ignore[misc, valid-type]
        """The same rules from there on. Pure functions of which every replica asks the same are worked out once."""

        def start(self, options: Any, seats: int) -> Any:
            return begin

        pending = once(rules.pending)
        live = once(rules.live)
        refuse = once(rules.refuse)
        apply = once(rules.apply)
        legal = once(rules.legal)
        revokes = once(rules.revokes)
        view = once(rules.view)
        pack = once(rules.pack)

    return Begun()
