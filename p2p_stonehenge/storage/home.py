"""What a player keeps between games: the identity, the nick, saved games and the secrets of tables under way.

docs/manual.md lists all files, under "Where files lie". Each has the mode 0600. Saved games only grow; any other file
is put there whole.
"""

import contextlib
import errno
import getpass
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from p2p_stonehenge.failure import NOT_FOUND, USAGE, Failure
from p2p_stonehenge.storage import files
from p2p_stonehenge.storage.files import BINARY, read_file
from p2p_stonehenge.storage.settings import place
from p2p_stonehenge.text.names import MEANS_ANOTHER
from protocol import SEED_BYTES, Identity, clean_nick, passes_for_bot

SUFFIX = ".stonehenge"
"""Of the names of saved games."""
DAMAGED = ".damaged"
"""Of what could not be read of such a game and was put aside."""
SAVED_LIMIT = 64 << 20
"""Bytes of a saved game that are read: the longest take well below one megabyte, `/dev/zero` would fill the memory."""
NOTED_LIMIT = 4 << 20
"""Bytes that are read of any other file that this program keeps: none takes so much."""
SECRET_LIMIT = 1024
"""More than the secrets of a table ever take."""
TABLE_LETTERS = 16
"""Hex digits of a table id in file names."""
NICK_BYTES = 1024
"""More than any nick needs: what is read of a file that somebody may have put there by mistake."""


class Journal:
    """A file that only grows. What a record is, is not known here: bytes are written as they come."""

    def __init__(self, path: Path, file: int) -> None:
        self.path = path
        self._file = file

    def append(self, record: bytes, sync: bool) -> None:
        """Write all of `record` or nothing; with `sync` it has reached the disk when this returns. Raises Failure."""
        rest = memoryview(record)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
            if sync:
                os.fsync(self._file)
        except OSError as error:  # half a record must not stand before a whole one
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, os.fstat(self._file).st_size - len(record) + len(rest))
            raise Failure(f"{_failure(self.path, error)} Then `resume` goes on with the game.") from error

    def cut(self, size: int) -> None:
        """Drop what follows the first `size` bytes: the torn end that a crash has left. Raises Failure."""
        with explained(self.path):
            os.ftruncate(self._file, size)
            os.fsync(self._file)

    def close(self) -> None:
        """Close the file; closing twice does no harm."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class Home:
    """The directory of one player. Use `Home.open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games = path / "games"
        self._secrets = path / "secrets"

    @classmethod
    def open(cls, path: str | None) -> "Home":
        """Return the home at `path`, or else where P2P_STONEHENGE_HOME or the system says, made if need be."""
        home = cls(place(path))
        for directory in (home.path, home.games, home._secrets):
            try:
                with explained(directory):
                    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            except FileExistsError:
                raise Failure(f"{directory} is no directory: use --home DIR for another place.") from None
            except FileNotFoundError:
                raise Failure(f"{directory} cannot be made: use --home DIR for another place.") from None
            _close_to_others(directory, 0o700)
        return home

    def identity(self) -> Identity:
        """Return the identity, made at first use. Raises Failure if its file is damaged."""
        return Identity(_seed(self.path / "identity.key"))

    def nick(self) -> str:
        """Return the nick last set, or the login name; with a word before it if that means a bot or somebody else."""
        nick = self._kept_nick()
        return clean_nick(f"player {nick}") if passes_for_bot(nick) or nick.casefold() in MEANS_ANOTHER else nick

    def _kept_nick(self) -> str:
        path = self.path / "nick"
        with contextlib.suppress(FileNotFoundError), explained(path):
            return clean_nick(read_file(path, NICK_BYTES).decode("utf-8", "ignore"))
        try:
            return clean_nick(getpass.getuser())
        except (OSError, KeyError, ImportError):  # no login name: some containers, Windows without variables
            return clean_nick("")

    def set_nick(self, text: str) -> None:
        """Keep `text`, cleaned, as the nick. Raises Failure if others would take it for the name of somebody else."""
        nick = clean_nick(text)
        if nick.casefold() in MEANS_ANOTHER:
            raise Failure(f"{nick!r} means somebody else on the screens of others: take another name.", USAGE)
        if passes_for_bot(nick):
            raise Failure(f"{nick!r} would be taken for a bot: only a bot's name begins with 'bot '.", USAGE)
        put(self.path / "nick", nick.encode(), replace=True)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the identity alone: two programs that sign with one key look like a cheat. Raises Failure."""
        path = self.path / "lock"
        with explained(path):
            file = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
        try:
            if not _locked(file):
                raise Failure("Another p2p-stonehenge already uses this home: end it, or use --home DIR for a second.")
            yield
        finally:
            os.close(file)

    def saved(self, table: bytes) -> Path:
        """Return where the saved game of a table lies, if there is one."""
        return self.games / f"{letters_of(table)}{SUFFIX}"

    def leave_match(self, table: bytes) -> None:
        """Keep that the match of which a table's game was the last one is not gone on with. Raises Failure."""
        put(self._left_match(table), b"", replace=True)

    def has_left_match(self, table: bytes) -> bool:
        """Return whether that is kept."""
        return self._left_match(table).exists()

    def _left_match(self, table: bytes) -> Path:
        return self.games / f"{letters_of(table)}{SUFFIX}.left"

    def journal(self, table: bytes, resume: bool = False) -> Journal:
        """Return the new file of a table, or with `resume` the one that is there, for this program alone.

        Two that write to one file would make two games of it. Raises Failure.
        """
        path = self.saved(table)
        new = 0 if resume else os.O_CREAT | os.O_EXCL
        try:
            with explained(path):
                file = os.open(path, os.O_RDWR | os.O_APPEND | new | BINARY, 0o600)
        except FileExistsError:
            raise Failure(f"{path} exists already: this table is to be resumed, not started anew.") from None
        except FileNotFoundError:
            raise Failure(f"There is no saved game {path}.", NOT_FOUND) from None
        journal = Journal(path, file)
        if not _locked(file):
            journal.close()
            raise Failure("This game is open in another window: play on there, or leave it there first.")
        _sync_directory(self.games)
        return journal

    def is_open(self, table: bytes) -> bool:
        """Return whether a program has the file of a table for itself; to look takes no lock from it."""
        with contextlib.suppress(OSError):
            file = os.open(self.saved(table), os.O_RDWR | BINARY)
            try:
                return not _locked(file)
            finally:
                os.close(file)
        return False

    def secret(self, table: bytes) -> Path:
        """Return where the secrets of a table lie while it is under way."""
        return self._secrets / letters_of(table)

    def new_secret(self, table: bytes, content: bytes) -> None:
        """Put the secrets of a new table on the disk. Raises Failure, and leaves those that are there already."""
        path = self.secret(table)
        if not put(path, content, replace=False):
            raise Failure(f"{path} exists already: a table of that name is under way. `resume` goes on with it.")

    def kept_secret(self, table: bytes) -> bytes | None:
        """Return what is kept of a table's secrets, None if the table has ended. Raises Failure."""
        path = self.secret(table)
        with explained(path):
            try:
                return read_file(path, SECRET_LIMIT)
            except FileNotFoundError:
                return None

    def keep_secret(self, table: bytes, content: bytes) -> None:
        """Put `content` in the place of a table's secret; what stood there before is gone. Raises Failure."""
        put(self.secret(table), content, replace=True)

    def keep_passphrase(self, table: bytes, words: str) -> None:
        """Keep the passphrase of a table as long as its secrets, to let those in who watch it. Raises Failure."""
        put(self._passphrase(table), words.encode("utf-8", "surrogatepass"), replace=True)

    def kept_passphrase(self, table: bytes) -> str | None:
        """Return the passphrase that is kept of a table, if one is. Raises Failure."""
        path = self._passphrase(table)
        with explained(path):
            try:
                return read_file(path, SECRET_LIMIT).decode("utf-8", "surrogatepass")
            except (FileNotFoundError, UnicodeDecodeError):
                return None

    def _passphrase(self, table: bytes) -> Path:
        return self._secrets / f"{letters_of(table)}.passphrase"

    def forget_secret(self, table: bytes) -> None:
        """Delete the secret seed and the passphrase of a table that has ended."""
        for path in (self.secret(table), self._passphrase(table)):
            with explained(path):
                path.unlink(missing_ok=True)
        _sync_directory(self._secrets)


def letters_of(table: bytes) -> str:
    """Return the letters of a table id that name the files of the table."""
    return table.hex()[:TABLE_LETTERS]


def _seed(path: Path) -> bytes:
    """Return the 32 secret bytes in a file, which is made if it is missing and closed to others if it was open."""
    with explained(path):
        if not path.exists():
            put(path, secrets.token_bytes(SEED_BYTES), replace=False)
        _close_to_others(path, 0o600)
        seed = read_file(path, SEED_BYTES + 1)
    if len(seed) != SEED_BYTES:
        raise Failure(f"{path} is damaged: it must be {SEED_BYTES} bytes long. Put back a copy, or move it away.")
    return seed


def _close_to_others(path: Path, mode: int) -> None:
    """Let nobody else on this computer at a file or folder, if it is open to them and ours to close."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077 and path.stat().st_uid == os.getuid():
        with explained(path):
            path.chmod(mode)


def read_saved(path: Path) -> bytes:
    """Return what the file of a saved game holds. Raises OSError, also for a file too large for that."""
    if path.stat().st_size > SAVED_LIMIT:
        raise OSError(errno.EFBIG, "it is too large for a saved game", str(path))
    return read_file(path, SAVED_LIMIT)


def read_json(path: Path, limit: int) -> Any:
    """Return the value in a file of JSON with at most `limit` bytes. Raises OSError, or ValueError if it holds none."""
    import json

    try:
        return json.loads(read_file(path, limit))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def put(path: Path, content: bytes, replace: bool) -> bool:
    """Put a file there, whole or not at all; False if one is there already and `replace` does not allow to."""
    with explained(path):
        return files.put(path, content, replace=replace)


def _sync_directory(directory: Path) -> None:
    with explained(directory):
        files.sync_directory(directory)


def _locked(file: int) -> bool:
    """Lock an open file for this program until it is closed; False if another one has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, SAVED_LIMIT, os.SEEK_SET)  # behind the end: what is locked there nobody else can read
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EAGAIN, errno.EDEADLK}:
            return False
        raise
    return True


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the system refuses into a Failure that says what to do; missing and existing files pass."""
    try:
        yield
    except (FileExistsError, FileNotFoundError):
        raise
    except OSError as error:
        raise _failure(path, error) from error


def _failure(path: Path, error: OSError) -> Failure:
    """Return in words what the system refused at `path`, and what to do."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        advice = "The disk is full: make room, or use --home DIR on another disk"
    elif error.errno == errno.EROFS:
        advice = "This disk is read-only: use --home DIR on another one"
    elif isinstance(error, PermissionError):
        advice = "This is not allowed to you: change its owner or mode, or use --home DIR"
    else:
        advice = f"{error.strerror or 'It failed'}: use --home DIR for another place"
    return Failure(f"{advice} ({path}).")
