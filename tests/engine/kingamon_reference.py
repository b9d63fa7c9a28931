"""A slow, obvious Byzantine Kingamon, written from the rule sheet with a list of pieces, to compare the engine with."""

from collections.abc import Mapping

from engine import OptionValue

HOME = {1: range(1, 7), 2: range(24, 30)}


class Piece:
    """A disk or a king on "bar", a space 1-29, "off" or "gone"."""

    def __init__(self, seat: int, kind: str, where: int | str) -> None:
        self.seat, self.kind, self.where = seat, kind, where
        self.entered = where != "bar"


class Reference:
    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        self.options = options
        self.pieces = [Piece(1, "disk", space) for space in (2, 3, 4, 5, 6) for _ in "12"]
        self.pieces += [Piece(2, "disk", space) for space in (28, 27, 26, 25, 24) for _ in "12"]
        self.pieces += [Piece(1, "king", "bar"), Piece(2, "king", "bar")]
        self.stage = "first"
        self.seat = 0
        self.dice: list[int] = []
        self.again = False
        self.stake = 1
        self.cube: tuple[int, ...] = (1, 2)
        self.winner: int | None = None
        if options.get("first", "random") != "random":
            self.begin(int(options["first"]))

    def on(self, option: str, value: OptionValue = True) -> bool:
        return self.options.get(option, False) == value

    def side(self, seat: int) -> list[Piece]:
        return [piece for piece in self.pieces if piece.seat == seat]

    def standing(self, seat: int, space: int | str) -> list[Piece]:
        return [piece for piece in self.side(seat) if piece.where == space]

    def begin(self, seat: int) -> None:
        self.stage, self.seat = "roll", seat

    def actor(self) -> int | None:
        """0 for chance, a seat, None when the game is over."""
        if self.stage == "over":
            return None
        return 0 if self.stage in ("first", "roll") else self.seat

    def choices(self) -> list[str]:
        """Every canonical text possible now."""
        return {
            "first": ["first 1", "first 2"],
            "roll": [f"{a}-{b}" for a in range(1, 7) for b in range(1, 7)],
            "choose": ["roll", "double"],
            "answer": ["take", "drop"],
            "play": sorted({text for text, *_ in self.plays()}),
            "over": [],
        }[self.stage]

    def plays(self) -> list[tuple[str, Piece, int | str, int]]:
        """(text, piece, where it goes, die) for each piece and die."""
        found = []
        for die in set(self.dice):
            for piece in self.side(self.seat):
                target = self.target(piece, die)
                if target is None:
                    continue
                text = f"{piece.where}/{target}"
                if piece.kind == "king":
                    text = "K" + text
                if target == "off" and self.distance_off(piece) != die:
                    text += f"({die})"
                if target != "off" and self.victim(target):
                    text += "*"
                found.append((text, piece, target, die))
        return found

    def distance_off(self, piece: Piece) -> int:
        """Which die bears off a piece that stands on a space."""
        assert isinstance(piece.where, int)
        return 30 - piece.where if piece.seat == 1 else piece.where

    def target(self, piece: Piece, die: int) -> int | str | None:
        """Where the die takes the piece, None if it may not be used so."""
        seat, other = piece.seat, 3 - piece.seat
        if piece.where == "bar":
            space = die if seat == 1 else 30 - die
            return space if self.may_land(seat, space) else None
        if isinstance(piece.where, str):
            return None
        if self.on("bar_first"):
            for mate in self.side(seat):
                if mate.where == "bar" and (mate.kind == "disk" or mate.entered):
                    return None
        space = piece.where + die if seat == 1 else piece.where - die
        if 1 <= space <= 29:
            return space if self.may_land(seat, space) else None
        if piece.where not in HOME[other]:
            return None
        if self.on("bearing_off", "backgammon"):
            in_play = [mate.where for mate in self.side(seat) if mate.where not in ("off", "gone")]
            return "off" if all(where in HOME[other] for where in in_play) else None
        return "off" if self.distance_off(piece) == die else None

    def may_land(self, seat: int, space: int) -> bool:
        there = self.standing(3 - seat, space)
        if space in (12, 18):
            return self.on("safe_spaces") or not there
        return len(there) < 2

    def victim(self, space: int | str) -> Piece | None:
        there = self.standing(3 - self.seat, space)
        return there[0] if len(there) == 1 and space not in (12, 18, "off") else None

    def apply(self, actor: int, text: str) -> None:
        if text == "resign":
            self.finish(3 - actor)
        elif text == "draw":
            self.finish(0)
        elif self.stage == "first":
            self.begin(int(text[-1]))
        elif self.stage == "roll":
            self.roll(int(text[0]), int(text[-1]))
        elif self.stage == "choose":
            self.stage = "roll"
            if text == "double":
                self.stage, self.seat = "answer", 3 - self.seat
        elif self.stage == "answer":
            doubler = 3 - self.seat
            if text == "drop":
                self.finish(doubler)
            else:
                self.stake *= 2
                self.cube = (self.seat,) if self.stake < 64 else ()
                self.stage, self.seat = "roll", doubler
        else:
            self.play(text)

    def roll(self, one: int, two: int) -> None:
        self.dice = [one, two]
        self.again = one == two or (self.on("acey_ducey") and {one, two} == {1, 2})
        self.stage = "play"
        self.move_on()

    def play(self, text: str) -> None:
        _, piece, target, die = next(play for play in self.plays() if play[0] == text)
        self.dice.remove(die)
        victim = self.victim(target)
        piece.where, piece.entered = target, True
        if victim and victim.kind == "disk":
            victim.where = "gone" if self.on("captured_disks", "removed") else "bar"
        elif victim:
            victim.where = "bar"
            if not self.on("captured_king", "bar"):
                return self.finish(self.seat)
        if self.on("quick") and piece.kind == "king" and target == "off":
            return self.finish(self.seat)
        if all(mate.where == "off" for mate in self.side(self.seat)):
            return self.finish(self.seat)
        return self.move_on()

    def move_on(self) -> None:
        """While a die can be played it is; then an extra roll or the other side's turn."""
        if self.plays():
            return
        self.dice = []
        if self.again:
            self.stage = "roll"
        else:
            self.seat = 3 - self.seat
            self.stage = "choose" if self.on("cube") and self.seat in self.cube else "roll"
        self.again = False

    def finish(self, winner: int) -> None:
        self.stage, self.winner = "over", winner

    def points(self) -> tuple[int, ...]:
        return tuple(self.stake if seat == self.winner else 0 for seat in (1, 2))

    def board(self) -> dict[tuple[int, str], list[str]]:
        """{(seat, kind): sorted places}; a king on the bar since the start is on "start"."""
        return {
            (seat, kind): sorted(
                str("start" if piece.where == "bar" and not piece.entered else piece.where)
                for piece in self.side(seat)
                if piece.kind == kind and piece.where != "gone"
            )
            for seat in (1, 2)
            for kind in ("disk", "king")
        }
