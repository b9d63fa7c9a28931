"""The options of a game: what may be chosen when a table is made, and how a choice is read."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

OptionValue: TypeAlias = str | int | bool

SEATS = 0
"""As `Option.high`: the number of seats at the table."""


class OptionError(ValueError):
    """An option that does not exist, a value it does not take, or a combination a game forbids.

    `option` is the name; the message says what is allowed.
    """

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


class Option(NamedTuple):
    """One option of a game: it takes named values, a range of whole numbers, texts of a pattern, or more than one."""

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    """The named values."""
    help: str
    """What the option does, in one line."""
    low: int = 1
    high: int = -1
    """The range is `low` to `high`; none by default."""
    players: tuple[int, ...] | None = None
    """The numbers of players for which the option may be named at all; None for every number."""
    pattern: str = ""
    """The regular expression that a text has to match as a whole; empty for none."""
    form: str = ""
    """What `pattern` asks for, in words."""

    def allows(self, seats: int) -> str:
        """Return the allowed values in words.

        >>> Option("pieces", 27, ("few",), "the pieces of each player", low=7, high=40).allows(2)
        'few or 7-40'
        """
        words = [option_text(value) for value in self.values]
        high = seats if self.high == SEATS else self.high
        if high >= self.low:
            words.append(f"{self.low}-{high}")
        if self.pattern:
            words.append(self.form)
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"

    def read(self, value: OptionValue, seats: int) -> OptionValue:
        """Return the canonical value that `value`, a text or the Python value, names. Raises OptionError.

        >>> flag("quen", "stacks of five disks").read("TRUE", 2)
        True
        """
        high = seats if self.high == SEATS else self.high
        text = option_text(value).strip().lower()
        for named in self.values:
            if option_text(named) == text:
                return named
        if text.isascii() and text.isdigit() and len(text) <= 9 and self.low <= int(text) <= high:
            return int(text)
        if self.pattern and re.fullmatch(self.pattern, text):
            return text
        raise OptionError(self.name, f"{self.name}={_shown(text)} is not possible: {self.name} is {self.allows(seats)}")


def option_text(value: OptionValue) -> str:
    """Return the text of an option's value: `true`, `false`, `3`, `random`."""
    return ("true" if value else "false") if type(value) is bool else str(value)


def flag(name: str, help: str) -> Option:
    """Return an option that is true or false, false by default."""
    return Option(name, False, (False, True), help)


def is_on(flag: Option, given: Mapping[str, OptionValue]) -> bool:
    """Return whether a flag is true among options as they are typed or held, which may lack it."""
    return option_text(given.get(flag.name, flag.default)).strip().lower() == option_text(True)


def resolve(options: Iterable[Option], given: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
    """Return every option that applies to `seats` players with its canonical value, in the order of `options`.

    `given` may lack options. Raises OptionError for a name that is unknown or not for so many players, and for a value
    that the option does not take.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError(name, f"there is no option {_shown(name)}: options are {', '.join(known)}")
        players = known[name].players
        if players is not None and seats not in players:
            raise OptionError(name, f"{name} is only for {_numbers(players)} player{'s' * (players != (1,))}")
    return {
        name: option.read(given.get(name, option.default), seats)
        for name, option in known.items()
        if option.players is None or seats in option.players
    }


def _numbers(numbers: tuple[int, ...]) -> str:
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 2 else " or ".join(map(str, numbers))


def _shown(text: str) -> str:
    """Return `text` short and printable."""
    return "".join(c if c.isprintable() else "?" for c in text[:40])
