"""What a saved game proves, told to people: the verdict, what it does not prove, and how its rolls and deals work."""

from collections.abc import Iterator
from typing import NamedTuple

from engine import Dice, Pick, counted, listed
from p2p_stonehenge.saved.game import SavedGame, StepKind
from p2p_stonehenge.table.base import drawn_told
from p2p_stonehenge.table.takebacks import moves_taken_back
from p2p_stonehenge.text.safe import safe
from protocol import Clock, Evidence, MoveProof, Report, RollProof, report_of


class Proven(NamedTuple):
    """What people are told of a saved game whose every record was checked: sentences, and what programs read."""

    verdict: str
    shown: tuple[str, ...]
    """What the file proves: the outcome, breaches of the rules, then all else."""
    not_shown: tuple[str, ...]
    """What it does not prove, in words that follow "It does not prove"."""
    details: tuple[str, ...]
    """What else was checked, and how much of it there was: for those who want to know everything."""
    report: Report

    @property
    def evidence(self) -> Evidence:
        """Return what the file proves, in numbers."""
        return _evidence(self.report)


def prove(saved: SavedGame) -> Proven:
    """Return what a saved game proves, or that part of a file which is good."""
    report = report_of(saved.table)
    found = _evidence(report)
    shown, details = tuple(_shown(saved, report, found)), tuple(_details(saved, found))
    return Proven(_verdict(saved, report, found), shown, _not_shown(saved, found), details, report)


def _evidence(report: Report) -> Evidence:
    assert report.evidence is not None  # a saved game has a table
    return report.evidence


def _verdict(saved: SavedGame, report: Report, found: Evidence) -> str:
    if report.cheats:
        who = listed(sorted({_name(saved, cheat.seat) for cheat in report.cheats}))
        return f"Genuine, and it proves that {who} broke the rules."
    kinds = {step.kind for step in saved.steps}
    chance = [word for kind, word in ((StepKind.ROLL, "dice"), (StepKind.DEAL, "cards")) if kind in kinds]
    unproven = f"its {' and '.join(chance)} are not proven" if chance else "no other player has signed it"
    if saved.local:
        return f"Valid, but a game on one computer: {unproven}."
    if found.clients < 2:
        return f"Genuine, but one player's computer played all seats: {unproven}."
    return "Genuine."


def _shown(saved: SavedGame, report: Report, found: Evidence) -> Iterator[str]:
    yield saved.outcome
    for cheat in report.cheats:
        which = f"{cheat.kind}, event {cheat.event} of that player"
        yield f"{_name(saved, cheat.seat)} signed {safe(cheat.reason)} ({which}): the evidence is in the file."
    if origin := saved.table.charter.body.origin:
        yield (
            f"It goes on from table {origin.table.hex()[:16]} after {counted(len(origin.actions), 'action')}, as all"
            " signed; that these were played there, the file of that table proves."
        )
    if told := saved.game_of_match:
        earlier = " All signed that score; how it was made, the files of the games before prove."
        yield told + earlier * bool(saved.table.charter.body.series.games and not saved.local)
    if saved.score:
        yield saved.score
    signer = "its player" if found.clients > 1 else "the one computer at which all was played"
    told = counted(found.moves, "move")
    if undone := moves_taken_back(saved.table.fold.log):
        told += f", {undone} of them taken back," if found.moves > 1 else ", taken back,"
    if found.resigned:
        told += f" and {counted(found.resigned, 'resignation')}"
    yield f"{told.rstrip(',')}, each lawful and signed by {signer}."
    if found.clients > 1:
        yield from _chance_shown(saved, found, _clients(saved))
    if back := found.takebacks:
        turns = "1 turn was" if back == 1 else f"{back} turns were"
        yield f"{turns} taken back{': all who still played signed that.' if found.clients > 1 else '.'}"
    if part := found.within:
        times = "once" if part == 1 else f"{part} times"
        unasked = ": the clients of the others sign that without asking" if found.clients > 1 else ""
        yield f"Within a turn its player took something back {times}{unasked}."
    for seat in found.left_behind:
        yield f"The others went on without {_name(saved, seat)}: everybody who stayed signed that."
    if report.finished and not saved.local:
        signed = [_name(saved, seat) for seat in report.signed_by if saved.table.operator(seat) == seat]
        yield f"The result is signed by {listed(signed)}." if signed else "Nobody has signed the result."


def _chance_shown(saved: SavedGame, found: Evidence, names: list[str]) -> Iterator[str]:
    """Yield what is proven of the rolls and deals of several clients; `names`: of their players."""
    if found.rolls:
        drawn, one = drawn_told(saved.steps[roll.ply - 1].action for roll in found.rolls), len(found.rolls) == 1
        yield (
            f"{drawn[:1].upper()}{drawn[1:]} that nobody could steer: {listed(names)} each fixed a secret part"
            f" before any part was shown, and all parts together make {'it' if one else 'each of them'}."
        )
    if found.shuffles:
        yield (
            f"{found.shuffles} shuffles in {counted(len(found.deals), 'deal')}, each proven to every player: the"
            " same cards in an order that nobody knew."
        )
        yield f"{found.cards} cards played, each proven to be one that was dealt to its player."


def _not_shown(saved: SavedGame, found: Evidence) -> tuple[str, ...]:
    told = ["when the game was played, or that nothing was left out at its end"]
    told.append("who held the keys, or that the players are different people")
    told += ["that the players kept their cards from each other"] * bool(found.deals)
    if saved.table.charter.body.turn_time:
        told.append("how long a player took: nobody signs that, and a client may have resigned as the time was up")
    told += ["that a player whom the others went on without was absent"] * bool(found.left_behind)
    return tuple(told)


def _details(saved: SavedGame, found: Evidence) -> Iterator[str]:
    body, effects = saved.table.charter.body, counted(found.effects, "event")
    seats = ", ".join(f"{seat} {_name(saved, seat)}" for seat in range(1, len(saved.names) + 1))
    yield f"{saved.game.title}, rules version {body.version}, seats: {seats}"
    yield f"charter signed by {'all ' * (len(body.signers) > 1)}{counted(len(body.signers), 'signer')}"
    if body.turn_time:
        yield f"{_timed(body.turn_time)}: not checked"
    yield f"{effects} with an effect among {found.events}, each signed by its seat and chained"
    yield (
        f"{counted(found.moves + found.resigned, 'action')} of seats, all lawful, each made for the state that the"
        " moves before it give"
    )
    values = counted(found.chance, "chance value")
    if found.clients > 1:
        yield f"{values}, each made by all seats together and checked step by step"
    else:
        yield f"{values}: made by one computer alone, not proven"
    if found.deals:
        deals, shuffles, shares = (
            counted(number, word)
            for number, word in ((len(found.deals), "deal"), (found.shuffles, "shuffle"), (found.shares, "share"))
        )
        yield f"{deals}: {shuffles} and {shares} of cards proven"
        yield f"cards played, each proven to be the one dealt: {found.cards}"
    for seat in found.audited:
        yield f"last round audited: the cards that {_name(saved, seat)} still held are open"
    if found.unaudited:
        yield "last round not audited: its last cards were not played, so a revoke in it would not show"
    if saved.table.fold.broken:
        yield "the result follows from two versions of an event"


def _timed(turn_time: int | Clock) -> str:
    if isinstance(turn_time, Clock):
        return f"all turns of a player were to take {turn_time.seconds} seconds and {turn_time.increment} for each"
    return f"each turn was to take {turn_time} seconds at most"


def _clients(saved: SavedGame) -> list[str]:
    """Return the names of the players who sit at a computer of their own: no bots of others."""
    seats = saved.table.charter.body.seats
    return [_name(saved, number) for number, seat in enumerate(seats, 1) if seat.operator == number]


def _name(saved: SavedGame, seat: int) -> str:
    return saved.called[seat - 1]


def lesson(saved: SavedGame, found: Evidence) -> list[str]:
    """Return how the rolls and the shuffles of this very game were kept fair, in paragraphs, on its own numbers."""
    told = []
    if found.clients < 2:
        return [
            "This game was played on one computer, which rolled and dealt by itself. Nothing about that can be checked"
            " afterwards: only that its owner signed this file, and that the moves are lawful."
        ]
    if found.rolls:
        told += _roll_lesson(saved, max(found.rolls, key=lambda roll: (isinstance(roll.draw, Dice), -roll.ply)))
    if found.deals:
        told += _deal_lesson(saved, found)
    return told or _move_lesson(saved, found.move)


def _move_lesson(saved: SavedGame, move: MoveProof | None) -> list[str]:
    """Return how the moves of this game hang together, told of the first one that another player has answered."""
    if move is None:
        return ["Nobody has answered a move yet: there is nothing to explain."]
    mover, other, signature = _name(saved, move.seat), _name(saved, move.answered_by), move.signature.hex()
    return [
        f"A MOVE. How does everybody know that {mover} played {safe(move.text)}, and that nothing was changed since?",
        f"1. Signed. The client of {mover} wrote the move into {len(move.raw)} bytes, with the table, the place in the"
        " game and a digest of the position, and signed them (Ed25519). Its key stands in the charter, which all signed"
        " before the first move. The signature:",
        *(f"     {half}" for half in (signature[:64], signature[64:])),
        "2. Named. From these bytes follows a hash (BLAKE2b); other bytes have another one:",
        f"     {move.hash.hex()}",
        f"3. Answered. Event {move.answer} of {other} names this hash, and {other} signed that: {other} had seen this"
        " move and no other one. So each event holds on to all before it: to change one, leave one out or put one in,"
        " all signatures after it would have to be made anew.",
        "4. Replayed. Whoever reads the file plays all moves again by the rules, and compares each position with the"
        " digest that the players signed.",
        "Check it with nothing but Python. The hash of the move:",
        f"     {_python('sh/event/2', move.raw)}",
    ]


def _roll_lesson(saved: SavedGame, roll: RollProof) -> list[str]:
    step = saved.steps[roll.ply - 1]
    told = [
        f"A ROLL. Action {roll.ply}: {safe(step.told)} How do {listed(_clients(saved))} know that nobody chose this?",
        "1. Commit. Before anything was shown, the client of each seat made 32 random bytes, its part, and signed only"
        " a hash of them (BLAKE2b), bound to this table, this roll and its seat. From a hash nobody can tell the part:",
        *[f"     seat {part.seat}, {_name(saved, part.seat)}: {part.commitment.hex()}" for part in roll.parts],
        "2. Reveal. When all hashes were there, each client showed its part. A part that does not fit its hash is a"
        " breach that costs the seat. These fit:",
        *[f"     seat {part.seat}, {_name(saved, part.seat)}: {part.salt.hex()}" for part in roll.parts],
        "3. Mix. All parts and what the roll is about are hashed together:",
        f"     {roll.hash.hex()}",
        "4. Read off. Bytes that follow from this hash choose the value. A byte too large to be fair is skipped:",
    ]
    for choice in roll.choices:
        limit = 256 - 256 % choice.sides
        skipped = [f"{byte} is skipped, since {limit} and above would favour some values" for byte in choice.skipped]
        chosen = f"{choice.byte} leaves {choice.value} when divided by {choice.sides}: {_picked(roll, choice.value)}"
        told.append("     " + "; ".join((*skipped, chosen)))
    told.append(
        "If only one player's part is random, the value is random: no player could fit a part to the others', since"
        " each part was fixed before any was shown. A player who shows no part only holds the game up, and the"
        " others may go on without that player."
    )
    first = roll.parts[0]
    told += [
        f"Check it with nothing but Python. The commitment of seat {first.seat}, then the hash of all parts:",
        *[
            f"     {_python(name, hashed)}"
            for name, hashed in (("sh/commit/2", first.hashed), ("sh/outcome/2", roll.hashed))
        ],
    ]
    return told


def _python(name: str, hashed: bytes) -> str:
    """Return a command that prints a hash."""
    call = f"hashlib.blake2b(bytes.fromhex('{hashed.hex()}'), digest_size=32, person=b'{name}')"
    return f'python3 -c "import hashlib; print({call}.hexdigest())"'


def _picked(roll: RollProof, value: int) -> str:
    if isinstance(roll.draw, Dice):
        return f"the die shows {value + 1}"
    assert isinstance(roll.draw, Pick)
    return f"of {', '.join(roll.draw.outcomes)} that is {roll.draw.outcomes[value]}"


def _deal_lesson(saved: SavedGame, found: Evidence) -> list[str]:
    deal = found.deals[0]
    return [
        f"A DEAL. Action {deal.ply}: {deal.cards} cards that lie in no computer openly.",
        "1. Keys. Each client made a key for this deal alone, and proved that it knows the secret half. All public"
        " halves together are the lock on each card, which only all of them can open:",
        *[f"     seat {seat}, {_name(saved, seat)}: {key.hex()}" for seat, key in deal.keys],
        "2. Shuffles. One after the other each client changed the order, put a fresh mask on every card (ElGamal) and"
        " proved, without showing the order, that the cards are the same (a Terelius-Wikstrom proof):",
        *[
            f"     {_name(saved, one.seat)}: the deck {one.before.hex()[:12]}... became {one.after.hex()[:12]}...,"
            f" proof of {one.proof_bytes} bytes"
            for one in deal.shuffles
        ],
        "     If only one of them shuffled at random, nobody knows the order.",
        "3. Shares. For each card everybody but its owner gave a share that takes one lock off, with a proof"
        " (Chaum-Pedersen) that it is the right one. The last lock is the owner's: the owner alone sees the card.",
        *[f"     {_name(saved, seat)} gave {count} shares" for seat, count in deal.shares],
        "4. Play. Playing a card shows the owner's own share of it: all can open it then, and see that it is the card"
        f" which was dealt there. So it was with {found.cards} cards of this game.",
    ]
