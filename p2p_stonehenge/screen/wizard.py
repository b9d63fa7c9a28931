"""The pages before a table: which game, and how it is to be played, each option in a line."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import Game, Option, OptionError, fewest_players, option_text
from p2p_stonehenge.bots.adaptive import ADAPTIVE
from p2p_stonehenge.screen.pages import (
    HELP,
    Line,
    NotUnderstoodError,
    Page,
    TextPage,
    Words,
    around,
    hung,
    no_row,
    row,
    wrapped,
)
from p2p_stonehenge.screen.views import Look, text_of, view_of
from p2p_stonehenge.text.closest import closest
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, cut, fit

FEW = 12
"""So many whole numbers are gone through one by one; of more the player types one."""
_RANGE = re.compile(r"([0-9]+)-([0-9]+)")
"""A range of whole numbers in what a row allows."""
SECONDS = 5
"""Seconds for an action of which the page says how long a game lasts."""
_CLOCK = re.compile(r"[0-9]{1,4}\+[0-9]{1,4}")
TURN_TIME = "turn-time"
"""The row that is called as its option on the command line."""
TURN_TIMES = ("none", "30", "60", "90", "180", "600", "5+3", "10+5", "30+20")
MATCH, MATCHES = "match", ("none", "3", "5", "7", "11", "21")
WATCHERS, DELAYS = ("all", "nobody"), ("0", "1", "2", "5", "10")
_FLAGS = {"true": "yes", "false": "no"}
TYPED = {shown: value for value, shown in _FLAGS.items()}
"""What yes and no, as pages show them, stand for."""


def _one_of(setting: "SettingRow", text: str) -> str:
    """Read one of the values."""
    value = TYPED.get(text, text)
    if value not in setting.values:
        raise NotUnderstoodError(f"{setting.name} is {setting.allows}, not {safe(text)[:20]}.")
    return value


def _number(setting: "SettingRow", text: str) -> str:
    """Read a whole number, also one that is none of the values: the command says whether it is possible."""
    return str(int(text)) if text.isdecimal() and len(text) < 7 else _one_of(setting, text)


def _time(setting: "SettingRow", text: str) -> str:
    """Read seconds that are possible, or a clock as 10+5."""
    if _CLOCK.fullmatch(text):
        return text
    number = _number(setting, text)
    return number if setting.takes(number) else _one_of(setting, text)


def _bot(setting: "SettingRow", text: str) -> str:
    """Read a level of bots by its name or its number."""
    levels = [level for level in setting.values if level != ADAPTIVE]
    if text in map(str, range(len(levels))):
        return levels[int(text)]
    if text not in setting.values:
        meant = closest(text, setting.values)
        ways = f"did you mean {meant}?" if meant else f"type {' or '.join(setting.values)}."
        raise NotUnderstoodError(f"There is no bot of level {safe(text)[:20]}: {ways}")
    return text


class SettingRow(NamedTuple):
    """A row: its name, the values to go through, what it does, the usual value, what may be typed besides."""

    name: str
    values: tuple[str, ...]
    help: str
    usual: str
    allows: str
    read: Callable[["SettingRow", str], str] = _one_of
    """Returns the value of the row that a text means. Raises NotUnderstoodError."""

    @property
    def about(self) -> str:
        """Return what it does and which values it may have."""
        return f"{self.help}. Possible: {self.allows}."

    def takes(self, number: str) -> bool:
        """Return whether a whole number of a few digits, or one of the values, is possible in the row."""
        ranges = [(int(low), int(high)) for low, high in _RANGE.findall(self.allows)]
        return number in self.values or any(low <= int(number) <= high for low, high in ranges)

    def keeps(self, value: str) -> bool:
        """Return whether a value that was chosen is still possible; of its options a game says so itself."""
        return value in self.values or self.read not in (_one_of, _bot)


class Wizard(Page):
    """How a game is to be played, for `host` or `solo`. It amounts to a command line, which it shows."""

    def __init__(
        self,
        command: str,
        game: Game[Any],
        levels: tuple[str, ...],
        last: Mapping[str, str],
        keep: Callable[[dict[str, str]], None],
        against_bots: Mapping[str, str] = {},
    ) -> None:
        """`levels`: of bots; `last`: what was chosen last time; `keep` is given what is chosen now.

        `against_bots`: the usual values of options where one player plays alone against bots.
        """
        super().__init__()
        self.command, self.game = command, game
        self._levels, self._keep, self._against_bots = levels, keep, against_bots
        self.chosen: dict[str, str] = {}
        self.mark = 0
        self._is_told = False
        """Whether the page is told line by line, to somebody who sees no mark."""
        for name, value in last.items():  # the number of players first: it decides which options there are
            self._try(name, value)

    # What can be chosen

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return int(self.chosen.get("players", fewest_players(self.game)))

    def settings(self) -> list[SettingRow]:
        """Return the rows for so many players: those that come and go with their number are the last ones.

        So a row keeps its number.
        """
        game, seats = self.game, self.game.seats
        if self.command == "host":
            seats = range(max(2, seats[0]), seats[-1] + 1)
        found, changing = [], []
        if len(seats) > 1:
            usual = str(fewest_players(game))
            found.append(_numbers("players", seats, "seats at the table", usual))
        if self.command == "host":
            if seats[-1] > 2:
                changing.append(self._bots())
                if self.chosen.get("bots"):
                    changing.append(self._level())
        elif self.players > 1:
            rows = found if seats[0] > 1 else changing
            people = "bots, or people at this keyboard"
            rows.append(SettingRow("against", ("bots", "people"), people, "bots", "bots or people"))
            rows.append(self._level())
        for option in game.options:
            if option.players is None:
                found.append(self._option(option))
            elif self.players in option.players:
                changing.append(self._option(option))
        if self.command == "host":
            found.append(
                SettingRow(
                    TURN_TIME,
                    TURN_TIMES,
                    "seconds a turn or 10+5; being late loses",
                    "none",
                    "none, 10-86400 seconds, or minutes for all turns + seconds more after each",
                    _time,
                )
            )
            help = "only friends who know it may sit down"
            found.append(SettingRow("passphrase", ("none", "asked"), help, "none", "none or asked"))
            found += self._watching()
        if self.players > 1:
            help = f"points of a match; a win counts {'its worth' if game.stakes else '1'}"
            found.append(SettingRow(MATCH, MATCHES, help, "none", "none, 2-999", _number))
        return found + changing

    def _option(self, option: Option) -> SettingRow:
        """Return the row of an option of the game."""
        setting = _setting(option, self.players)
        alone = self.command == "solo" and self.players > 1 and self.chosen.get("against", "bots") == "bots"
        return setting._replace(usual=self._against_bots.get(option.name, setting.usual)) if alone else setting

    def _bots(self) -> SettingRow:
        """Return the row of how many seats bots play; at a table for two a friend has the other one."""
        found = _numbers("bots", range(self.players - 1), "seats that bots of yours play", "0")
        few = "0 with 2 players: with more a bot plays along, and `solo` is for bots alone"
        return found if self.players > 2 else found._replace(allows=few)

    def _level(self) -> SettingRow:
        """Return the row of the bots' level."""
        usual = self._levels[min(2, len(self._levels) - 1)]
        adapts = ": up when you win, down when you lose" if ADAPTIVE in self._levels else ""
        return SettingRow("level", self._levels, "how well bots play", usual, " or ".join(self._levels) + adapts, _bot)

    def _watching(self) -> list[SettingRow]:
        """Return the rows about those who watch: with a passphrase only friends do, unless all are to."""
        watchers = ("passphrase", *WATCHERS) if self.chosen.get("passphrase") == "asked" else WATCHERS
        allows = " or ".join(watchers)
        rows = [SettingRow("watch", watchers, "who may watch the game", watchers[0], allows)]
        if self.chosen.get("watch") != "nobody":
            rows.append(SettingRow("delay", DELAYS, "watchers are so many actions behind", "0", "0-1000", _number))
            if self.chosen.get("delay", "0") == "0":
                rows.append(
                    SettingRow(
                        "talk",
                        ("false", "true"),
                        "players and watchers share the chat",
                        "false",
                        "no or yes",
                    )
                )
        return rows

    def value(self, setting: SettingRow) -> str:
        """Return what is chosen for a row."""
        return self.chosen.get(setting.name, setting.usual)

    def words(self) -> tuple[str, ...]:
        """Return the command line that the page amounts to."""
        words = [self.command, self.game.key]
        options = {option.name for option in self.game.options}
        for setting in self.settings():
            value = self.value(setting)
            if value == setting.usual or (setting.name == "level" and "--hot-seat" in words):
                continue
            if setting.name in options:
                words += ["-o", f"{setting.name}={value}"]
            elif setting.name == "against":
                words.append("--hot-seat")
            elif setting.name in ("passphrase", "talk"):
                words.append(f"--{setting.name}")
            else:
                words += [f"--{setting.name}", value]
        return tuple(words)

    def _set(self, setting: SettingRow, text: str) -> None:
        """Choose a value. Raises NotUnderstoodError."""
        self.chosen[setting.name] = value = setting.read(setting, text)
        if value == setting.usual:
            del self.chosen[setting.name]
        before = dict[str, str]()
        while before != self.chosen:  # another row may go with what goes: the bots' level with the bots
            before, known = self.chosen, {one.name: one for one in self.settings()}
            self.chosen = {name: value for name, value in before.items() if name in known and known[name].keeps(value)}

    def _try(self, name: str, value: str) -> None:
        """Choose what was chosen last time, unless that is possible no longer."""
        setting = next((one for one in self.settings() if one.name == name), None)
        if setting:
            try:
                self._set(setting, value)
            except NotUnderstoodError:
                return

    def _check(self) -> None:
        """Raise NotUnderstoodError if the options do not go together."""
        options = {option.name for option in self.game.options}
        try:
            self.game.start({name: value for name, value in self.chosen.items() if name in options}, self.players)
        except OptionError as error:
            raise NotUnderstoodError(f"{_in_yes_and_no(str(error))}.") from error

    def _misfit(self) -> str:
        """Return in words why the options do not go together, or nothing: another choice may be meant to follow."""
        try:
            self._check()
        except NotUnderstoodError as error:
            return f"That does not go together yet: {error}"
        return ""

    def _seat_as_needed(self, setting: SettingRow) -> None:
        """Choose the number of players that the value just chosen needs, where it needs another one."""
        if setting.name not in {option.name for option in self.game.options} or setting.name not in self.chosen:
            return
        alone = {setting.name: self.chosen[setting.name]}

        def possible(players: int) -> bool:
            try:
                self.game.start(alone, players)
            except OptionError:
                return False
            return True

        rows = [row for row in self.settings() if row.name == "players"]
        if rows and not possible(self.players):
            fits = [value for value in rows[0].values if possible(int(value))]
            if fits:
                self._set(rows[0], min(fits, key=lambda value: abs(int(value) - self.players)))

    def lasts(self) -> str:
        """Return how long a game lasts with so many players; nothing where that is not known, as by other rules."""
        actions = view_of(self.game.key).lasts.get(self.players, 0)
        others = {option.name for option in self.game.options if option.name != "first"} & {*self.chosen}
        if not actions or others:
            return ""
        what = "bids and cards" if self.game.suits else "moves"
        minutes = f"{max(1, round(actions * SECONDS / 60))} minutes at {SECONDS} seconds each"
        return f"A game: some {actions} {what} (of bots), {minutes}."

    # What is shown

    def render(self, width: int, height: int) -> list[Line]:
        settings = self.settings()
        self.mark = max(0, min(self.mark, len(settings) - 1))
        title = f" {self.command.upper()} {self.game.title.upper()}"
        star = "   * not as usual: `reset` undoes all"
        head = [row(("class:title", cut(title, width)), ("class:dim", star if len(title + star) < width else ""))]
        marked = settings[self.mark]
        about = wrapped(f"{marked.name}   {marked.about}", width - 1, " ")
        same = wrapped(f"the same as:  {' '.join(self.words())}", width - 1, " ")
        if misfit := self._misfit():
            same = [row(("class:refusal", text_of(line))) for line in wrapped(misfit, width - 1, " ")]
        how = "5 VALUE sets row 5. A 5 alone goes into the marked row, or else changes row 5"
        hint = wrapped(how, width - 1, " ")
        more = wrapped("board shows the board, reset undoes all", width - 1, " ")
        length = wrapped(self.lasts(), width - 1, " ")
        below = [row(""), *about, *length, *same, *hint, *more]
        texts = self._texts(settings)
        whole = [
            row(("class:ask" if number == self.mark else "", part))
            for number, text in enumerate(texts)
            for part in hung(text, width - 1)
        ]
        without = [row(""), *about, *same, *hint]
        for fits in (below, below[: -len(more)], [row(""), *about, *length, *same], without):
            if len(head) + len(whole) + len(fits) <= height:
                return [*head, *whole, *fits]
        # What the marked row does is told below: a row that would be too wide is shown without it.
        bare = self._texts(settings, helped=False)
        rows = [
            row(("class:ask" if number == self.mark else "", text if cells(text) < width else cut(without, width - 1)))
            for number, (text, without) in enumerate(zip(texts, bare, strict=True))
        ]
        shorter = (without, [*about, *same, *hint], [*about, *same], about)
        below = next((one for one in (below, *shorter) if len(head) + len(rows) + len(one) <= height), about)
        return [*head, *around(rows, self.mark, max(3, height - len(head) - len(below))), *below][:height]

    def _texts(self, settings: Sequence[SettingRow], *, helped: bool = True) -> list[str]:
        """Return the rows: number, name, value and, if `helped`, what it does; each column as wide as it has to be."""
        values = [_shown(self.value(setting)) for setting in settings]
        names = max(len(setting.name) for setting in settings) + 2
        width = max(map(len, values)) + 2
        lines = []
        for number, (setting, value) in enumerate(zip(settings, values, strict=True), 1):
            mark, star = " >"[number - 1 == self.mark], " *"[self.value(setting) != setting.usual]
            about = setting.help if helped else ""
            lines.append(f" {mark}{star}{number:>3}  {fit(setting.name, names)}{fit(value, width)}{about}".rstrip())
        return lines

    def told(self) -> list[str]:
        self._is_told = True
        lines = [f"{self.command} {self.game.title}."]
        for number, setting in enumerate(self.settings(), 1):
            star = ", not the usual" if self.value(setting) != setting.usual else ""
            value = _shown(self.value(setting))
            lines.append(f"{number}. {setting.name}: {value}{star}. {setting.about}")
        return [*lines, *filter(None, [self.lasts()]), self._same(), self.help()]

    def _same(self) -> str:
        return self._misfit() or f"The same as: {' '.join(self.words())}"

    def prompt(self) -> str:
        return "Enter opens the table> " if self.command == "host" else "Enter begins> "

    def status(self) -> str:
        return f"row {self.mark + 1} of {len(self.settings())}   Right changes it"

    def help(self) -> str:
        begins = "opens the table" if self.command == "host" else "begins"
        return (
            f"Enter {begins}. 5 changes row 5{'' if self._is_told else ', or goes into the marked row if it can'};"
            " 5 VALUE sets row 5, 5 ? tells what it does; `board` shows the board, `reset` undoes all, `back` or Ctrl-D"
            " goes back."
        )

    def move(self, by: int) -> None:
        self.mark = max(0, min(len(self.settings()) - 1, self.mark + by))

    def turn(self, by: int) -> None:
        setting = self.settings()[self.mark]
        values = setting.values
        value = self.value(setting)
        self._set(setting, values[(values.index(value) + by) % len(values)] if value in values else values[0])
        self._seat_as_needed(setting)

    # What is typed

    def enter(self, text: str) -> Page | Words | None:
        words = text.lower().replace("=", " ").split()
        if not words:
            self._check()
            self._keep({"players": str(self.players)} | self.chosen)
            return Words(self.words())
        if words == ["reset"]:
            self.chosen = {}
            self._say(self._same())
            return None
        if words in (["board"], ["b"]):
            return TextPage("board", self._board())
        wanted, *values = [word for word in words if word not in HELP] or [str(self.mark + 1)]
        if words == [wanted] and self._is_for_marked(wanted):
            wanted, values = self.settings()[self.mark].name, [wanted]
        self.mark = self._row_of(wanted)
        setting = self.settings()[self.mark]
        if {*words} & {*HELP}:
            raise NotUnderstoodError(f"{setting.name}: {setting.about}")
        if values:
            self._set(setting, " ".join(values))
        elif len(setting.values) > 1:
            self.turn(1)
        else:
            raise NotUnderstoodError(f"Type {wanted} and a value: {setting.name} is {setting.allows}.")
        before = self.players
        self._seat_as_needed(setting)
        seated = f" players: {self.players}." if self.players != before else ""
        self._say(f"{setting.name}: {_shown(self.value(setting))}.{seated} {self._same()}")
        return None

    def _is_for_marked(self, word: str) -> bool:
        """Return whether a number that stands alone is another value of the row that is seen to be marked."""
        setting = self.settings()[self.mark]
        if self._is_told or not (word.isascii() and word.isdigit() and len(word) < 7):
            return False
        return word not in (str(self.mark + 1), self.value(setting)) and setting.takes(word)

    def _say(self, text: str) -> None:
        self.tell(text)

    def _row_of(self, word: str) -> int:
        settings = self.settings()
        if word.isdecimal():
            if 1 <= int(word[:6]) <= len(settings):
                return int(word) - 1
            raise NotUnderstoodError(f"There are rows 1 to {len(settings)}.")
        names = [setting.name for setting in settings]
        fits = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
        if len(fits) != 1:
            raise no_row(word, names)
        return names.index(fits[0])

    def _board(self) -> str:
        self._check()
        options = {option.name for option in self.game.options}
        state = self.game.start({n: v for n, v in self.chosen.items() if n in options}, self.players)
        names = tuple(f"player {seat}" for seat in range(1, self.players + 1))
        lines = view_of(self.game.key).render(state, Look(names=names, viewer=1, short_id="new"))
        return "\n".join(text_of(line).rstrip() for line in lines)

    def choices(self, text: str) -> list[tuple[str, str]]:
        word, blank, typed = text.lower().lstrip().partition(" ")
        if not blank:
            names = [(setting.name, setting.help) for setting in self.settings() if setting.name.startswith(word)]
            return [*names, *((name, "") for name in ("reset", "board", "back") if name.startswith(word))]
        try:
            setting = self.settings()[self._row_of(word)]
        except NotUnderstoodError:
            return []
        return [(f"{word} {value}", "") for value in map(_shown, setting.values) if value.startswith(typed.strip())]


def _numbers(name: str, numbers: range, help: str, usual: str) -> SettingRow:
    return SettingRow(name, tuple(map(str, numbers)), help, usual, f"{numbers[0]}-{numbers[-1]}")


def _setting(option: Option, seats: int) -> SettingRow:
    """Return the row of a game's option."""
    values = [option_text(value) for value in option.values]
    high = seats if option.high == 0 else option.high
    if 0 <= high - option.low < FEW:
        values += [str(number) for number in range(option.low, high + 1)]
    allows = "yes or no" if {*values} == {*_FLAGS} else option.allows(seats)

    def read(_: SettingRow, text: str) -> str:
        try:
            return option_text(option.read(TYPED.get(text, text), seats))
        except OptionError as error:
            raise NotUnderstoodError(str(error)) from error

    return SettingRow(option.name, tuple(values), option.help, option_text(option.default), allows, read)


def _in_yes_and_no(text: str) -> str:
    """Return what a game says of its options with yes and no, as the rows have them."""
    for value, shown in _FLAGS.items():
        text = re.sub(rf"(?:=|(?<= is) ){value}\b", f" {shown}", text)
    return text


def _shown(value: str) -> str:
    return _FLAGS.get(value, value)
