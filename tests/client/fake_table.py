"""A table without network or bots for the tests of the screens: what the others do is done by the test."""

from typing import Any

from engine import CHANCE, Turn, all_games
from p2p_stonehenge.table.session import After, Note, Ply, RefusedError, Said, Session


class FakeTable(Session):
    """Seat 1 is anna's, seat 2 ben's, a third one cara's; `people` are played through the screen, all else by `act`."""

    def __init__(self, key: str, people: tuple[int, ...] = (1,), players: int = 2, **options: Any) -> None:
        super().__init__()
        self.game = all_games()[key]
        self.people = people
        self.names = ("anna", "ben", "cara")[:players]
        self.short_id = "7f3a"
        self.now = self.game.start(options, players)
        self.before: list[Any] = []
        self.draws: set[int] = set()

    @property
    def state(self) -> Any:
        return self.now

    def past(self, plies: int) -> Any:
        return self.before[plies] if plies < len(self.before) else self.now

    def waiting(self) -> str:
        return f"{self.to_move()} to move" if self.turn else "the dice"

    def to_move(self) -> str:
        return self.names[self.turn - 1] if self.turn else ""

    def wishes(self) -> tuple[int, ...]:
        return tuple(sorted(self.draws))

    def links(self) -> str:
        return "all here"

    def play(self, seat: int, action: str) -> None:
        refusal = self.game.refuse(self.now, seat, action)
        if refusal:
            raise RefusedError(refusal.text)
        self.act(seat, action)

    def act(self, actor: int, action: str) -> None:
        story = self.game.story(self.now, actor, action)
        self.before.append(self.now)
        self.now = self.game.apply(self.now, actor, action)
        self.tell(Ply(len(self.plies) + 1, actor, action, story))

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        (self.draws.add if wish else self.draws.discard)(seat)
        self.tell(Note(f"{self.label(seat)} {'offers a draw' if wish else 'takes the offer back'}"))
        if self.draws == {1, 2}:
            self.act(CHANCE, "draw")

    def say(self, text: str) -> None:
        if not self.names[1]:
            raise RefusedError("There is nobody to hear you.")
        self.tell(Said("anna", text))

    def replay(self, *actions: str) -> "FakeTable":
        """Do some actions, each by whoever is due."""
        for action in actions:
            due = self.game.pending(self.now)
            actor = due.seat if isinstance(due, Turn) else CHANCE
            refusal = self.game.refuse(self.now, actor, action)
            assert refusal is None, refusal
            self.act(actor, action)
        return self


class Staying(FakeTable):
    """A table that stays open, and at which another game can follow."""

    stays = True
    follows = After(may_again=True)
    asked = 0

    def after(self) -> After:
        return self.follows

    def again(self) -> None:
        self.asked += 1
        self.wants_again = True
