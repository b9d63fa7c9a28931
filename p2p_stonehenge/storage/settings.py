"""The settings of a player: one TOML file in the home. An option wins over the environment, that over the file.

Light to import: the first prompt depends on it.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from p2p_stonehenge.storage.files import put, read_file
from p2p_stonehenge.text.closest import closest

HOME_VARIABLE = "P2P_STONEHENGE_HOME"
FILE = "config.toml"
FILE_LIMIT = 1 << 16
"""Bytes of the file that are read; it takes one thousand."""


class Setting(NamedTuple):
    """What can be set: the values, the usual one first, and what it is."""

    values: tuple[str, ...]
    about: str

    @property
    def usual(self) -> str:
        """Return the value that holds where nothing is set."""
        return self.values[0]


SETTINGS = {
    "palette": Setting(
        ("auto", "dark", "light", "mono", "safe"),
        "the colours; dark, light: of the background; mono: none; safe: for every background and colour-blind people",
    ),
    "charset": Setting(("auto", "unicode", "ascii"), "the characters that this terminal can show"),
    "bell": Setting(
        ("on", "off", "notify"),
        "ring when it becomes your turn; notify: also with a notification of the desktop, where the terminal can",
    ),
    "title": Setting(("on", "off"), "say in the title of the window whose turn it is"),
    "careful": Setting(("on", "off"), "ask before a move after which another player can win at once"),
    "threats": Setting(("off", "on"), "alone against bots: say at your turn what they threaten"),
    "board": Setting(("asked", "drawn", "told"), "with --plain: the board, or the position in words, each turn"),
}
"""What a player may choose about the screen."""


class Settings(NamedTuple):
    """What a player may choose about the screen."""

    charset: str = "auto"
    """auto, unicode or ascii."""
    palette: str = "auto"
    """dark, light: for such a background; safe: for any, and all eyes; mono: no colours; auto: see `palette_for`."""
    bell: bool = True
    """Ring when it becomes the player's turn."""
    notify: bool = False
    """Then ask the terminal for a notification of the desktop as well."""
    board: str = "asked"
    """What the plain mode shows at the player's turn: `drawn`, the board; `told`, the position; `asked`, nothing."""
    careful: bool = True
    """Ask before a move after which another player can win at once."""
    threats: bool = False
    """Alone against bots: tell at the player's turn what the others threaten."""
    title: bool = True
    """Say in the title of the window whose turn it is."""
    saved: str = ""
    """Where the game is kept, shown when it ends or is left; empty if it is not kept."""


class FileSettings(NamedTuple):
    """What the file says: the values that can be used, and a sentence about each line that cannot."""

    values: dict[str, str]
    complaints: tuple[str, ...]
    readable: bool = True
    """False where the file is no TOML: none of its lines is known then."""


def place(path: str | None) -> Path:
    """Return where the home is: at `path`, or else where P2P_STONEHENGE_HOME or the system says."""
    named = path or os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("p2p-stonehenge", appauthor=False))


def kept(home: Path) -> FileSettings:
    """Return what the file of a home says; nothing if there is none."""
    try:
        content = read_file(home / FILE, FILE_LIMIT)
    except OSError:
        return FileSettings({}, ())
    import tomllib

    try:
        found = tomllib.loads(content.decode())
    except RecursionError:
        error = ValueError("nested too deeply")
        return FileSettings({}, (f"{home / FILE}: {_unreadable(content, error)}",), readable=False)
    except ValueError as error:
        return FileSettings({}, (f"{home / FILE}: {_unreadable(content, error)}",), readable=False)
    values, complaints = {}, []
    for name, value in found.items():
        setting = SETTINGS.get(name)
        text = _text(value)
        if setting is None:
            close = closest(name, SETTINGS)
            meant = f"did you mean {close}?" if close else f"there are {', '.join(SETTINGS)}"
            complaints.append(f"There is no setting {name[:40]!r}: {meant}")
        elif text not in setting.values:
            complaints.append(f"{name} can be {', '.join(setting.values)}, not {text[:40]!r}")
        else:
            values[name] = text
    return FileSettings(values, tuple(f"{home / FILE}: {text}" for text in complaints))


def _text(value: object) -> str:
    """Return a value of the file as text: no setting has one that cannot be written."""
    try:
        return ("on" if value else "off") if isinstance(value, bool) else str(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or values within values
        return "what cannot be written"


def _unreadable(content: bytes, error: ValueError) -> str:
    """Return which line of a file is no TOML, what a right one looks like, and what to do."""
    import re

    lines = content.decode(errors="replace").splitlines()
    if isinstance(error, UnicodeDecodeError):
        number = content[: error.start].count(b"\n") + 1
    else:
        found = re.search(r"at line (\d+)", str(error))
        number = int(found[1]) if found else len(lines)
    text = f" {lines[number - 1].strip()[:40]!r}," if 0 < number <= len(lines) else ""
    right = f'each setting has one line, as in {next(iter(SETTINGS))} = "dark"'
    return f"line {number},{text} cannot be read: {right}. Mend it, or delete the file and use `config`."


def from_environment(name: str) -> str:
    """Return what the environment says of a setting, or nothing."""
    return os.environ.get(f"P2P_STONEHENGE_{name.upper()}", "")


class InForce(NamedTuple):
    """The value of a setting where no option is given, and what set it."""

    value: str
    by: str


def in_force(home: Path) -> dict[str, InForce]:
    """Return what is in force of each setting by the environment and the file of a home.

    What the environment says is taken as it is: it may be none of the values.
    """
    file = kept(home).values
    found = {}
    for name, setting in SETTINGS.items():
        if value := from_environment(name):
            found[name] = InForce(value, f"set by P2P_STONEHENGE_{name.upper()}")
        elif name in file:
            found[name] = InForce(file[name], f"set in {FILE}")
        else:
            found[name] = InForce(setting.usual, "default")
    return found


def keep(home: Path, values: Mapping[str, str]) -> None:
    """Write the file with all settings, each explained; the usual ones are commented out. Raises OSError."""
    lines = ["# Settings of p2p-stonehenge. An option or the environment wins over a line here.\n"]
    for name, setting in SETTINGS.items():
        value = values.get(name, setting.usual)
        lines.append(f"\n# {setting.about}\n# one of {', '.join(setting.values)}\n")
        lines.append(f'{"# " if value == setting.usual else ""}{name} = "{value}"\n')
    put(home / FILE, "".join(lines).encode(), replace=True)
