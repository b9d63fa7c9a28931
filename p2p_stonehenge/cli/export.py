"""The command `export`: a saved game as text, data, a picture or a page for others to look at."""

import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from engine import counted
from p2p_stonehenge.cli.commands import FORMATS
from p2p_stonehenge.cli.common import free_name, shown
from p2p_stonehenge.cli.reading import checked_game, ply_of, read_transcript
from p2p_stonehenge.export import data, film, notation, page, picture, strip
from p2p_stonehenge.failure import USAGE, Failure
from p2p_stonehenge.saved import SavedGame, prove
from p2p_stonehenge.storage.files import at_once
from p2p_stonehenge.text.safe import safe


def export(args: Namespace) -> int:
    """Write a saved game in the format wanted, to OUT or else to standard output.

    In a terminal only text is read: all else comes into a file with a name of its own.
    """
    form = args.format or _ending(args.out)
    if args.out is not None:
        with suppress(OSError):  # where nothing can be looked at, nothing can be written: `_write` says why
            _check(Path(args.out), Path(args.file), force=args.force)
    record = read_transcript(args.file)
    saved = checked_game(record)
    if args.out is None and form != "txt" and sys.stdout.isatty():
        args.out = free_name(saved.table.id, form)
    ply = ply_of(saved, args.at)
    text = _made(saved, record, form, ply)
    if args.out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        return 0
    _write(Path(args.out), text)
    part = _part(form, ply, counted(len(saved), "action"))
    print(f"{saved.game.title}, {part}: written to {safe(str(Path(args.out).absolute()))}")
    return 0


def _ending(out: str | None) -> str:
    """Return the format that the name of the file to write ends with. Raises Failure if that is none."""
    ending = Path(out or "").suffix[1:].lower()
    if ending not in FORMATS:
        asked = f"Nothing is exported as {shown(ending)}." if ending else "As what?"
        raise Failure(f"{asked} Add `--format` and one of {', '.join(FORMATS)}.", USAGE)
    return ending


def _made(saved: SavedGame, record: bytes, format: str, ply: int | None) -> str:
    match format:
        case "txt":
            return notation(saved, ply)
        case "json":
            return data(saved, prove(saved), ply)
        case "svg":
            return picture(saved, len(saved) if ply is None else ply)
        case "strip":
            return strip(saved, ply)
        case "film":
            return film(saved, ply)
    return page(saved, prove(saved), record, ply)


def _part(form: str, ply: int | None, whole: str) -> str:
    """Return in words which part of a game is written, of whose actions `whole` tells; only a page has all of them."""
    if ply is None:
        return "its end" if form == "svg" else whole
    return {"html": f"{whole}, opened after {ply}", "svg": f"after {ply} of {whole}"}.get(form, f"{ply} of {whole}")


def _check(path: Path, source: Path, *, force: bool) -> None:
    """Raise Failure if what lies at the path must not be overwritten."""
    if path.exists() and source.exists() and path.samefile(source):
        raise Failure(f"--out {shown(str(path))} is the saved game itself: name another file.", USAGE)
    if path.is_symlink() and not force and (path.is_file() or not path.exists()):
        end = shown(str(path.readlink()))
        raise Failure(f"{shown(str(path))} leads to {end}: name a file, or add `--force` to write to that one.", USAGE)
    if path.is_file() and not force:
        raise Failure(f"There is a file {shown(str(path))}: name another one, or add `--force` to overwrite it.", USAGE)


def _write(path: Path, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="\n", opener=at_once) as file:
            file.write(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{shown(str(path))} cannot be written ({reason}): name a file in a folder of yours.") from None
