"""How files are read and put in their places: all that this program keeps, but for what only grows.

Light to import: the first prompt depends on it.
"""

import errno
import os
import secrets
import stat
import sys
from pathlib import Path

BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags that belong to every `os.open` of a file."""


def read_file(path: Path, limit: int) -> bytes:
    """Return what a file holds, at most `limit` bytes. Raises OSError, also for what is no file: a pipe never ends."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))
    with path.open("rb") as file:
        return file.read(limit)


def is_there(path: Path) -> bool:
    """Return whether something lies at a path; False where nobody may look, and where no name is so long."""
    try:
        return path.exists()
    except OSError:
        return False


def at_once(path: str, flags: int) -> int:
    """Open a file as the `opener` of `open`: nobody is waited for at the other end of a named pipe.

    Such a pipe with nobody there is empty; it cannot be written to. Raises OSError.
    """
    nonblock = getattr(os, "O_NONBLOCK", 0)
    file = os.open(path, flags | nonblock, 0o666)
    if nonblock:
        os.set_blocking(file, True)
    return file


def put(path: Path, content: bytes, replace: bool) -> bool:
    """Put a file there, whole or not at all; False if one is there already and `replace` does not allow to.

    Nobody else may read it. It is written under a name that nobody can foresee and that must be new: a link that came
    with the folder of somebody else leads no write to another file. Raises OSError.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
        try:
            _write(file, content)
            os.fsync(file)
        finally:
            os.close(file)
        if replace:
            draft.replace(path)
        elif not _linked(draft, path):
            return False
    finally:
        draft.unlink(missing_ok=True)
    sync_directory(path.parent)
    return True


def _linked(draft: Path, path: Path) -> bool:
    """Give `draft` the name `path` unless that is taken; return whether it has it now."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if path.exists():
            return False
        draft.replace(path)
    return True


def _write(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def sync_directory(directory: Path) -> None:
    """Make new and deleted names in `directory` last; Windows has no such thing. Raises OSError."""
    if sys.platform != "win32":
        file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
