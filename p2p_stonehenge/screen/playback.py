"""A saved game gone through ply by ply: where it stands, from whose seat, and what can be typed. Pure text.

One for the screen and for plain lines; what a ply shows besides the board is how its roll or its deal was made.
"""

from collections.abc import Callable
from itertools import islice, takewhile
from typing import Any, NamedTuple

from engine import CHANCE, PUBLIC, counted, listed
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.saved import OPEN, Proven, SavedGame, StepKind
from p2p_stonehenge.screen.views import COVERED, Line, Look, text_of, view_of
from p2p_stonehenge.storage.notes import Notes
from p2p_stonehenge.table.exits import listed_as
from p2p_stonehenge.table.session import RefusedError
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.names import nearest
from p2p_stonehenge.text.safe import safe
from protocol import latest

PACE = 1.5
"""Seconds that each position stays when the game plays by itself."""
PACES = (0.1, 60.0)
PATH_LENGTH = 600
"""Letters of a line that tells the path of a file."""
RECENT = 8
"""Plies that a board may list."""


class Playback:
    """Where somebody stands in a saved game."""

    def __init__(self, saved: SavedGame, proof: Proven, ply: int, charset: str, notes: Notes, side: int = 0) -> None:
        """`side`: the seat from which the board is looked at unless another one is chosen, 0 for a spectator."""
        self.saved = saved
        self.ply = ply
        self.pace = 0.0
        """Seconds a ply while it plays by itself, else 0."""
        self.leaving = False
        self._proof = proof
        self._notes = notes
        self._charset = charset
        self._viewer = OPEN
        self._side = side
        self._flip = False
        self._layout = ""
        self._view = view_of(saved.game.key)
        self._names = tuple(map(safe, saved.names))
        self._rolls = {roll.ply: roll for roll in proof.evidence.rolls}
        self._deals = {deal.ply: deal for deal in proof.evidence.deals}
        self._hidden = any(step.kind is StepKind.DEAL for step in saved.steps)

    # What is shown

    @property
    def state(self) -> Any:
        """Return the position as the seat chosen sees it, or with all hands open."""
        return self.saved.position(self.ply, self._viewer)

    def board(self, width: int, height: int) -> list[Line]:
        """Return the board in at most so many columns."""
        steps = self.saved.steps[: self.ply]
        look = Look(
            width=width,
            height=height,
            charset=self._charset,
            last=self.saved.touched(self.ply),
            viewer=self._viewer if self._viewer > 0 else self._side,
            names=self._names,
            flip=self._flip,
            layout=self._layout,
            short_id=self.saved.short_id,
            recent=tuple((steps[place].actor, self._shown(place)) for place in islice(latest(steps), RECENT))[::-1],
            covered=self._covered(),
            opens=self._viewer == OPEN,
        )
        return self._view.render(self.state, look)

    def _covered(self) -> str:
        """Return why no hand is shown: none is wanted, or some of it was never shown, as in a round given up."""
        if self._viewer > 0:
            return f"{self._names[self._viewer - 1]} never showed all of this hand. `seat all` shows what is known."
        return f"{COVERED} `seat NAME` shows one, `seat all` all."

    def _shown(self, place: int) -> str:
        """Return the action at a place of the log as lists of moves show it."""
        step = self.saved.steps[place]
        return listed_as(step.action, step.exit, captures=step.captures)

    def told(self) -> str:
        """Return what the last ply was."""
        noted = self._notes.texts.get(self.ply, "")
        note = f" Note: {noted}" * bool(noted)
        if not self.ply:
            moves = sum(step.kind is StepKind.MOVE for step in self.saved.steps)
            of = f", {moves} of them moves" if moves < len(self.saved) else ""
            many = f"{counted(len(self.saved), 'action')} to follow{of}."
            match = f" {self.saved.game_of_match}".rstrip()
            return f"The start of {self.saved.game.title}, {listed(self._names)}.{match} {many}{note}"
        step = self.saved.steps[self.ply - 1]
        end = f" {self.saved.outcome} {self.saved.score}".rstrip() if self.ply == len(self.saved) else ""
        return safe(f"{step.number}. {step.told}{end}{note}", 900)

    def how(self) -> str:
        """Return how the last ply came about, if chance had a part in it: who made the roll, who shuffled."""
        if self.ply in self._rolls:
            roll = self._rolls[self.ply]
            parts = [f"{self._names[part.seat - 1]}'s part {part.salt.hex()[:8]}" for part in roll.parts]
            return (
                f"Rolled by all: {listed(parts)}, each fixed before any was shown; together {roll.hash.hex()[:8]},"
                f" which gives {roll.action}."
            )
        if self.ply in self._deals:
            deal = self._deals[self.ply]
            names = listed([self._names[one.seat - 1] for one in deal.shuffles])
            shares = sum(count for _, count in deal.shares)
            return f"Shuffled by {names}, each with a proof; {shares} shares of cards, each proven."
        step = self.saved.steps[self.ply - 1] if self.ply else None
        if step and step.kind in (StepKind.ROLL, StepKind.DRAW, StepKind.DEAL):
            return "Drawn by the one computer at which this was played: not proven."
        if step and step.kind is StepKind.TAKEBACK and self._proof.evidence.clients > 1:
            return "Signed by the clients of all who still played: within a turn unasked, else by their players' wish."
        if step and step.kind is StepKind.MOVE and self._proof.evidence.clients > 1 and self._is_card():
            return f"Opened by {self._names[step.actor - 1]}'s share of the card: proven to be the one dealt."
        return ""

    def _is_card(self) -> bool:
        """Return whether the last ply played a card that was dealt."""
        log = self.saved.table.fold.log[: self.ply]
        hands = next((entry.hands for entry in reversed(log) if entry.hands), None)
        return hands is not None and hands.names(log[-1].action)

    def status(self) -> str:
        """Return where this is, and whose hand is seen."""
        seen = f"   {self._seen()}" if self._hidden else ""
        plays = f"   plays, {self.pace:g} s an action" if self.pace else ""
        return f"action {self.ply} of {len(self.saved)}{seen}{plays}"

    def _seen(self) -> str:
        if self._viewer == OPEN:
            return "all hands"
        return f"hand of {self._names[self._viewer - 1]}" if self._viewer else "no hands"

    # What is typed

    @property
    def _commands(self) -> "dict[str, PlaybackCommand]":
        """Return what can be typed about this game."""
        cards = bool(self.saved.game.suits)
        return {name: command for name, command in COMMANDS.items() if cards or not command.of_cards}

    def go(self, ply: int) -> None:
        """Go to a position, or to the nearest there is."""
        self.ply = max(0, min(ply, len(self.saved)))
        if self.ply == len(self.saved):
            self.pace = 0.0

    def enter(self, text: str) -> list[str]:
        """Do what was typed; return what is to be read besides the board. Raises RefusedError."""
        words = text.split() or ["forth"]
        word, rest = words[0].lower(), " ".join(words[1:])
        word = _ALSO.get(word, word)
        if word.isascii() and word.isdigit() and not rest:
            word, rest = "goto", word
        meant = [name for name in self._commands if name.startswith(word)]
        name = word if word in meant else meant[0] if len(meant) == 1 else ""
        if not name:
            close = closest(word, self._commands)
            hint = f"did you mean `{close}`?" if close else "`help` lists what can be typed."
            raise RefusedError(f"There is no {safe(word)[:20]!r}: {hint}")
        self.pace = 0.0
        return COMMANDS[name].obey(self, rest)

    def _do_forth(self, rest: str) -> list[str]:
        return self._gone(self.ply + _count(rest, 1))

    def _do_back(self, rest: str) -> list[str]:
        return self._gone(self.ply - _count(rest, 1))

    def _do_start(self, _: str) -> list[str]:
        return self._gone(0)

    def _do_end(self, _: str) -> list[str]:
        return self._gone(len(self.saved))

    def _do_goto(self, rest: str) -> list[str]:
        wanted = _count(rest, None)
        if wanted > len(self.saved):
            raise RefusedError(f"There is no action {wanted}: the game has {len(self.saved)}.")
        return self._gone(wanted)

    def _do_decisive(self, _: str) -> list[str]:
        place = self.saved.decisive
        if place is None:
            why = "nobody has won" if self.saved.result else "the game is not finished"
            raise RefusedError(f"No action has decided this game: {why}.")
        self.go(place)
        winners = [self._names[seat - 1] for seat in self.saved.result.winners]  # type: ignore[union-attr]
        named, were = listed(winners), "was" if len(winners) == 1 else "were"
        if place == 0:
            return [f"{named} {were} ahead from the start to the end, as simple bots count."]
        if place == len(self.saved):
            return [f"The last action decided it: before it {named} {were} not ahead, as simple bots count."]
        return [f"From this action on {named} stayed ahead to the end, as simple bots count."]

    def _do_turn(self, _: str) -> list[str]:
        steps = self.saved.steps
        actor = next((step.actor for step in steps[self.ply :] if step.actor != CHANCE), CHANCE)
        same = takewhile(lambda step: step.actor in (actor, CHANCE), steps[self.ply :])
        return self._gone(self.ply + sum(1 for _ in same))

    def _do_play(self, rest: str) -> list[str]:
        low, high = PACES
        try:
            pace = float(rest or PACE)
        except ValueError:
            pace = 0.0
        if not low <= pace <= high:
            raise RefusedError(f"`play` takes the seconds of an action, {low:g} to {high:g}: `play 2`.")
        if self.ply == len(self.saved):
            self.ply = 0
        self.pace = pace
        return []

    def _do_stop(self, _: str) -> list[str]:
        return []

    def _do_seat(self, rest: str) -> list[str]:
        wanted = rest.casefold()
        if wanted in ("all", "public"):
            self._viewer = OPEN if wanted == "all" else PUBLIC
        elif wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= len(self._names):
            self._viewer = int(wanted)
        else:
            found = [place + 1 for place in nearest(rest, self._names)] if wanted else []
            if len(found) != 1:
                raise RefusedError(f"`seat` takes {', '.join(self._names)}, a number of a seat, `public` or `all`.")
            self._viewer = found[0]
        return [f"Seen from {self._names[self._viewer - 1]}'s seat." if self._viewer > 0 else f"Seen: {self._seen()}."]

    def _do_board(self, _: str) -> list[str]:
        return []

    def _do_position(self, _: str) -> list[str]:
        return [*map(self.saved.in_names, self._view.describe(self.state)), self.told()]

    def _do_how(self, _: str) -> list[str]:
        roll, deal = self._rolls.get(self.ply), self._deals.get(self.ply)
        lines = [self.how() or "No chance had a part in this action: the player chose it and signed it."]
        for part in roll.parts if roll else ():
            lines += [f"{self._names[part.seat - 1]} committed to {part.commitment.hex()}"]
            lines += [f"and showed {part.salt.hex()}"]
        if roll:
            lines.append(f"All parts together hash to {roll.hash.hex()}")
            lines += [f"byte {choice.byte}: remainder {choice.value} of {choice.sides}" for choice in roll.choices]
        for one in deal.shuffles if deal else ():
            lines.append(f"{self._names[one.seat - 1]} shuffled {deal.cards} cards: proof of {one.proof_bytes} bytes")  # type: ignore[union-attr]
        return lines

    def _do_played(self, _: str) -> list[str]:
        return [text_of(line) for line in self._view.played(self.state, max(self._viewer, PUBLIC))]

    def _do_log(self, rest: str) -> list[str]:
        steps = self.saved.steps[: self.ply]
        return [safe(f"{step.number}. {step.told}", 600) for step in steps[-_count(rest, 15) :]]

    def _do_note(self, rest: str) -> list[str]:
        try:
            self._notes.put(self.ply, rest)
        except Failure as failure:
            raise RefusedError(safe(str(failure), PATH_LENGTH)) from failure
        told = f"Noted in {self._notes.path}." if rest else "There is no note about this action now."
        return [safe(told, PATH_LENGTH)]

    def _do_notes(self, _: str) -> list[str]:
        return [f"{ply}. {text}" for ply, text in sorted(self._notes.texts.items())] or ["You have noted nothing yet."]

    def _do_proof(self, _: str) -> list[str]:
        proof = self._proof
        return [proof.verdict, *proof.shown, "It does not prove", *(f"- {line}" for line in proof.not_shown)]

    def _do_flip(self, _: str) -> list[str]:
        self._flip = not self._flip
        return []

    def _do_view(self, _: str) -> list[str]:
        layouts = ("", *self._view.layouts)
        self._layout = layouts[(layouts.index(self._layout) + 1) % len(layouts)]
        return []

    def _do_help(self, _: str) -> list[str]:
        return [f"{name:9} {command.meaning}" for name, command in self._commands.items()]

    def _do_quit(self, _: str) -> list[str]:
        self.leaving = True
        return []

    def _gone(self, ply: int) -> list[str]:
        self.go(ply)
        return []


class PlaybackCommand(NamedTuple):
    """What can be typed about a saved game."""

    meaning: str
    obey: Callable[[Playback, str], list[str]]
    """Does it, given what stands behind the word; returns what is to be read. May raise RefusedError."""
    of_cards: bool = False
    """Whether it is for games of cards alone."""


COMMANDS = {
    "forth": PlaybackCommand("[N]: N actions on; Right arrow, or Enter alone", Playback._do_forth),
    "back": PlaybackCommand("[N]: N actions back; Left arrow", Playback._do_back),
    "start": PlaybackCommand("to the start; Home", Playback._do_start),
    "end": PlaybackCommand("to the end; End key", Playback._do_end),
    "goto": PlaybackCommand("N: to the position after N actions; a number alone does it too", Playback._do_goto),
    "decisive": PlaybackCommand("to the action after which the winner stayed ahead; F6", Playback._do_decisive),
    "turn": PlaybackCommand("to the next turn of another player; Page Down", Playback._do_turn),
    "play": PlaybackCommand("[SECONDS]: by itself, an action every so many seconds; the space bar", Playback._do_play),
    "stop": PlaybackCommand("stay here; any key stops it", Playback._do_stop),
    "seat": PlaybackCommand("NAME, `all` or `public`: whose hands are seen", Playback._do_seat),
    "board": PlaybackCommand("the board", Playback._do_board),
    "played": PlaybackCommand("which cards of the round are played, and which not", Playback._do_played, of_cards=True),
    "position": PlaybackCommand("the whole position in words", Playback._do_position),
    "how": PlaybackCommand("how this roll or deal was made, in full", Playback._do_how),
    "log": PlaybackCommand("[N]: the last N actions", Playback._do_log),
    "note": PlaybackCommand(
        "TEXT: keep a note about this action beside the file; without TEXT forget it", Playback._do_note
    ),
    "notes": PlaybackCommand("your notes about this game", Playback._do_notes),
    "proof": PlaybackCommand("what this file proves", Playback._do_proof),
    "flip": PlaybackCommand("the board from the other side; F4", Playback._do_flip),
    "view": PlaybackCommand("another layout; F5", Playback._do_view),
    "help": PlaybackCommand("this list; F1", Playback._do_help),
    "quit": PlaybackCommand("leave; Escape or Ctrl-D", Playback._do_quit),
}

_ALSO = {"next": "forth"}
"""What is understood as another word: at a board it is `forth`."""


def _count(text: str, default: int | None) -> int:
    if not text and default is not None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise RefusedError("That takes a number: `goto 31`, `forth 10`.")
    return int(text)
