"""The page of settings: each in a row with its values, changed at once."""

from collections.abc import Callable
from functools import partial

from p2p_stonehenge.screen.pages import BACK, Line, NotUnderstoodError, Page, Words, around, no_row, row, wrapped
from p2p_stonehenge.storage.settings import SETTINGS
from p2p_stonehenge.text.widths import cells, cut, fit


class ConfigPage(Page):
    """Shows and changes settings. `values` are in force; `change(name, value)` keeps one and returns it, or raises."""

    marks_a_row = True

    def __init__(self, values: dict[str, str], change: Callable[[str, str], str]) -> None:
        super().__init__()
        self.values = values
        self._change = change
        self.mark = 0

    def render(self, width: int, height: int) -> list[Line]:
        lines = [row(("class:title", " SETTINGS")), row("")]
        room = max(12, *(cells(value) + 2 for value in self.values.values()))
        for number, (name, value) in enumerate(self.values.items(), 1):
            text = f" {'>' if number - 1 == self.mark else ' '} {number}  {fit(name, 10)}{fit(value, room)}"
            text += ", ".join(SETTINGS[name].values) if name in SETTINGS else "how others see you"
            lines.append(row(("class:ask" if number - 1 == self.mark else "", cut(text, width - 1))))
        name = list(self.values)[self.mark]
        about = SETTINGS[name].about if name in SETTINGS else "what friends see"
        below = [row(""), *wrapped(f"{name}: {about}.", width - 1, " ")]
        hint = wrapped("Enter changes the marked row, 2 changes row 2, 1 NAME renames you.", width - 1, " ")
        if len(lines) + len(below) + len(hint) <= height:
            below += hint
        return [*around(lines, self.mark + 2, height - len(below)), *below]

    def told(self) -> list[str]:
        lines = ["Settings."]
        for number, (name, value) in enumerate(self.values.items(), 1):
            about = f" {SETTINGS[name].about} ({', '.join(SETTINGS[name].values)})." if name in SETTINGS else ""
            lines.append(f"{number}. {name}: {value}.{about}")
        return [*lines, "Type a number and a value, or `back`."]

    def prompt(self) -> str:
        return "change what> "

    def status(self) -> str:
        return "Enter changes it" if list(self.values)[self.mark] in SETTINGS else "Enter asks for it"

    def help(self) -> str:
        return (
            "Up and Down choose a row, Enter or Right changes it. 2 changes row 2, 2 VALUE sets it, 1 NAME renames you."
            " `back` or Ctrl-D goes back."
        )

    def help_told(self) -> str:
        return (
            "2 changes row 2, 2 VALUE sets it, 1 NAME renames you. Enter alone tells the page again."
            " `back` or Ctrl-D goes back."
        )

    def move(self, by: int) -> None:
        self.mark = max(0, min(len(self.values) - 1, self.mark + by))

    def turn(self, by: int) -> None:
        name = list(self.values)[self.mark]
        if name not in SETTINGS:
            raise NotUnderstoodError("Enter asks for your name.")
        values = SETTINGS[name].values
        self._set(name, values[(values.index(self.values[name]) + by) % len(values)])

    def enter(self, text: str) -> Page | Words | None:
        words = text.split()
        if not words:
            return self._change_marked()
        names = list(self.values)
        wanted = words[0].lower()
        number = int(wanted) - 1 if wanted.isdecimal() and len(wanted) < 4 else -1
        fits = [name for name in names if name.startswith(wanted)]
        if not (0 <= number < len(names) or len(fits) == 1):
            raise no_row(wanted, names)
        self.mark = number if 0 <= number < len(names) else names.index(fits[0])
        if len(words) == 1:
            return self._change_marked()
        self._set(names[self.mark], " ".join(words[1:]))
        return None

    def _change_marked(self) -> Page | None:
        """Take the next value of the marked row; return the page that asks for one where there is none to go to."""
        name = list(self.values)[self.mark]
        if name not in SETTINGS:
            return _ValuePage(name, self.values[name], partial(self._set, name))
        self.turn(1)
        return None

    def _set(self, name: str, value: str) -> None:
        self.values[name] = self._change(name, value)
        self.tell(f"{name} is {self.values[name]} now.")

    def choices(self, text: str) -> list[tuple[str, str]]:
        word, blank, typed = text.lower().lstrip().partition(" ")
        if not blank:
            abouts = {name: SETTINGS[name].about if name in SETTINGS else "" for name in self.values}
            return [(name, about) for name, about in abouts.items() if name.startswith(word)]
        values = SETTINGS[word].values if word in SETTINGS else ()
        return [(f"{word} {value}", "") for value in values if value.startswith(typed)]


class _ValuePage(Page):
    """Asks for a value that is typed, such as the player's name."""

    def __init__(self, name: str, value: str, choose: Callable[[str], None]) -> None:
        super().__init__()
        self._name, self._value, self._choose = name, value, choose

    def render(self, width: int, height: int) -> list[Line]:
        return [row(("class:title", f" {self._name.upper()}")), row(""), *wrapped(self.help(), width - 1, " ")][:height]

    def told(self) -> list[str]:
        return [self.help()]

    def prompt(self) -> str:
        return f"{self._name}> "

    def help(self) -> str:
        return f"It is {self._value} now: type another one. Enter alone leaves it, as `back` does."

    def enter(self, text: str) -> Page | Words | None:
        if text.strip():
            self._choose(" ".join(text.split()))
        return BACK
