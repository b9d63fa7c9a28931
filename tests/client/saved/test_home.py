"""The player's files: identity, nick, lock, journals, secrets, and what happens when the disk refuses."""

import errno
import os
import re
import stat
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from saved_games import LOST, solo

from p2p_stonehenge.bots import adaptive
from p2p_stonehenge.cli import letters
from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby import known
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import DAMAGED, Home
from p2p_stonehenge.storage.notes import Notes
from p2p_stonehenge.storage.settings import FILE, HOME_VARIABLE, FileSettings, keep, kept
from protocol import NICK_LENGTH

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "manual.md"
TABLE = bytes.fromhex("0123456789abcdef" * 4)
posix = pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(str(tmp_path / "home"))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refuse_writes(monkeypatch: pytest.MonkeyPatch, code: int, after: int = 0) -> None:
    """Let `os.write` write `after` bytes and then fail with `code`."""
    real, left = os.write, [after]

    def write(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(code, os.strerror(code))
        done = real(file, bytes(data)[: left[0]])
        left[0] -= done
        return done

    monkeypatch.setattr(os, "write", write)


def test_path_wins_over_the_variable_and_that_over_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "variable"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "system"))
    assert Home.open(str(tmp_path / "path")).path == tmp_path / "path"
    assert Home.open(None).path == tmp_path / "variable"
    if sys.platform == "linux":
        monkeypatch.delenv(HOME_VARIABLE)
        assert Home.open(None).path == tmp_path / "system" / "p2p-stonehenge"


@posix
def test_everything_is_closed_to_others(home: Home) -> None:
    old = os.umask(0)
    try:
        home.identity()
        home.new_secret(TABLE, b"s")
        home.set_nick("anna")
        home.journal(TABLE).close()
        with home.lock():
            pass
        keep(home.path, {})
        Notes(home.saved(TABLE), TABLE).put(1, "a note")
    finally:
        os.umask(old)
    found = {path.relative_to(home.path).as_posix(): mode(path) for path in home.path.rglob("*")}
    assert found == {
        "games": 0o700,
        "config.toml": 0o600,
        "games/0123456789abcdef.stonehenge": 0o600,
        "games/0123456789abcdef.stonehenge.notes.json": 0o600,
        "identity.key": 0o600,
        "lock": 0o600,
        "nick": 0o600,
        "secrets": 0o700,
        "secrets/0123456789abcdef": 0o600,
    }
    assert mode(home.path) == 0o700


def test_the_manual_names_each_file_of_a_home(home: Home) -> None:
    home.set_nick("anna")
    keep(home.path, {})
    with home.lock():
        played = solo(home, LOST, 1.7e9)
    home.new_secret(TABLE, b"s")
    home.keep_passphrase(TABLE, "well met")
    home.leave_match(TABLE)
    known.meet(home, home.identity().id, "anna")
    letters._keep_last(home, {})
    adaptive.keep_bots(home, bytes(32), adaptive.Seated(1, follows=True))
    Notes(played, TABLE).put(1, "a note")
    assert len(list(Shelf(home).games())) == 1
    played.with_suffix(DAMAGED).touch()
    table = MANUAL.read_text("utf-8").partition("## Where files lie")[2].partition("\n## ")[0]
    named = {name for row in re.findall(r"^\|([^|]+)\|", table, re.MULTILINE) for name in re.findall("`(.+?)`", row)}
    files = [path.relative_to(home.path).as_posix() for path in home.path.rglob("*") if path.is_file()]
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in named)] == []
    assert [pattern for pattern in named if not any(fnmatch(name, pattern) for name in files)] == []


@posix
def test_a_note_goes_through_no_link_in_the_folder_of_somebody_else(tmp_path: Path) -> None:
    """A saved game is read where it was unpacked, and the notes lie beside it."""
    precious, unpacked = tmp_path / "precious", tmp_path / "unpacked"
    precious.write_text("the only copy")
    unpacked.mkdir()
    game = unpacked / "game.stonehenge"
    (unpacked / "game.stonehenge.notes.json.new").symlink_to(precious)
    (unpacked / "game.stonehenge.notes.json").symlink_to(tmp_path / "new")
    made = []

    def opened(name: Any, flags: int, *rest: Any, **more: Any) -> int:
        made.extend([flags] if flags & os.O_CREAT else [])
        return real(name, flags, *rest, **more)

    real = os.open
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", opened)
        Notes(game, TABLE).put(1, "a note")
    assert precious.read_text() == "the only copy"
    assert not (tmp_path / "new").exists()
    assert all(flags & os.O_EXCL for flags in made)
    assert len(made) == 1
    assert Notes(game, TABLE).texts == {1: "a note"}


def test_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(Failure, match="is no directory: use --home"):
        Home.open(str(tmp_path / "home"))
    with pytest.raises(Failure, match="use --home"):
        Home.open(str(tmp_path / "home" / "below"))


def test_home_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to(tmp_path / "nowhere" / "below", target_is_directory=True)
    with pytest.raises(Failure, match="use --home DIR"):
        Home.open(str(tmp_path / "home"))


def test_home_where_nothing_can_be_made() -> None:
    if not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    with pytest.raises(Failure, match="cannot be made: use --home DIR"):
        Home.open("/proc/here")


def test_identity_is_made_once(home: Home) -> None:
    first = home.identity().id
    assert home.identity().id == first == Home.open(str(home.path)).identity().id
    assert (home.path / "identity.key").stat().st_size == 32


def test_identity_made_by_another_program_in_the_same_moment_is_taken(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = bytes(range(32))
    real = Path.exists

    def exists(path: Path) -> bool:
        found = real(path)
        if path.name == "identity.key" and not found:
            path.write_bytes(other)  # right after we looked
        return found

    monkeypatch.setattr(Path, "exists", exists)
    home.identity()
    assert (home.path / "identity.key").read_bytes() == other


def test_file_system_without_links(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert home.identity().id == home.identity().id


@pytest.mark.parametrize("size", [0, 31, 33])
def test_damaged_identity_is_refused_and_not_shown(home: Home, size: int) -> None:
    (home.path / "identity.key").write_bytes(b"S" * size)
    with pytest.raises(Failure, match=r"damaged.*32 bytes") as refusal:
        home.identity()
    assert "SS" not in str(refusal.value)
    assert (home.path / "identity.key").read_bytes() == b"S" * size


@posix
def test_open_identity_is_closed(home: Home) -> None:
    before = home.identity().id
    (home.path / "identity.key").chmod(0o644)
    assert home.identity().id == before
    assert mode(home.path / "identity.key") == 0o600


def test_nick(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "li\x1bsa")
    assert home.nick() == "lisa"
    home.set_nick("  anna\u202e  maria  " + "x" * 100)
    assert home.nick() == ("anna maria " + "x" * 100)[:NICK_LENGTH]
    (home.path / "nick").write_bytes(b"\xff\x1b[2Jbo\xc3")
    assert home.nick() == "[2Jbo"


def test_nobody_is_called_like_a_bot(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing but names is known they tell who is a bot: other clients do not hear who greets with such a one."""
    home.set_nick("bottom")
    for name in ("bot 2", "  Bot\u202e  Brigid", "\uff42ot Brigid"):
        with pytest.raises(Failure, match="would be taken for a bot: only a bot's name begins with 'bot '"):
            home.set_nick(name)
    with pytest.raises(Failure, match="'You' means somebody else on the screens of others"):
        home.set_nick("You")
    assert home.nick() == "bottom"
    (home.path / "nick").write_bytes(b"bot 2")
    assert home.nick() == "player bot 2"
    (home.path / "nick").unlink()
    monkeypatch.setenv("LOGNAME", "Bot Smith")
    assert home.nick() == "player Bot Smith"


def test_lock_keeps_another_process_out_until_it_is_released(home: Home) -> None:
    """One program plays with an identity, and the other is told what to do."""
    attempt = (
        "import sys; from p2p_stonehenge.storage.home import Home\nwith Home.open(sys.argv[1]).lock(): print('got it')"
    )

    def other() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", attempt, str(home.path)], capture_output=True, text=True, timeout=60, check=False
        )

    with home.lock():
        held = other()
        with pytest.raises(Failure, match=r"already uses this home.*--home DIR") as refusal, home.lock():
            pass
    assert refusal.value.code == 1
    assert "already uses this home" in held.stderr
    assert held.stdout == ""
    assert other().stdout == "got it\n"


def test_lock_of_a_killed_process_is_free(home: Home) -> None:
    hold = (
        "import sys, time; from p2p_stonehenge.storage.home import Home\n"
        "with Home.open(sys.argv[1]).lock(): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", hold, str(home.path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Failure), home.lock():
            pass
        holder.kill()
    with home.lock():
        pass


def test_journal_holds_the_bytes_as_they_came(home: Home) -> None:
    journal = home.journal(TABLE)
    assert journal.path == home.games / "0123456789abcdef.stonehenge"
    journal.append(b"one", sync=True)
    journal.append(b"", sync=False)
    journal.append(b"two\r\n" * 50_000, sync=False)
    journal.close()
    journal.close()
    assert journal.path.read_bytes() == b"one" + b"two\r\n" * 50_000


def test_journal_is_never_overwritten(home: Home) -> None:
    journal = home.journal(TABLE)
    journal.append(b"first", sync=False)
    with pytest.raises(Failure, match="exists already"):
        home.journal(TABLE)
    journal.close()
    again = home.journal(TABLE, resume=True)
    again.append(b" second", sync=False)
    again.cut(8)
    again.append(b"!", sync=True)
    again.close()
    assert again.path.read_bytes() == b"first se!"
    with pytest.raises(Failure, match="no saved game") as refusal:
        home.journal(bytes(32), resume=True)
    assert refusal.value.code == 5


def test_one_program_at_a_time_writes_to_a_saved_game(home: Home) -> None:
    hold = (
        "import sys, time; from p2p_stonehenge.storage.home import Home\n"
        "held = Home.open(sys.argv[1]).journal(bytes.fromhex(sys.argv[2]), resume=True)\n"
        "print('held', flush=True); time.sleep(60)"
    )
    home.journal(TABLE).close()
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(home.path), TABLE.hex()], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Failure, match="open in another window"):
            home.journal(TABLE, resume=True)
        assert home.saved(TABLE).read_bytes() == b"", "it can be read all the same"
        holder.kill()
    home.journal(TABLE, resume=True).close()


@pytest.mark.parametrize("synced", [False, True])
def test_sync_means_fsync_of_the_file_and_of_a_new_name(
    home: Home, monkeypatch: pytest.MonkeyPatch, synced: bool
) -> None:
    files = []
    monkeypatch.setattr(os, "fsync", lambda file: files.append(Path(f"/proc/self/fd/{file}").readlink().name))
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc here")
    journal = home.journal(TABLE)
    assert files == ["games"]
    journal.append(b"x", sync=synced)
    journal.close()
    assert files[1:] == [journal.path.name] * synced
    files.clear()
    home.new_secret(TABLE, b"s")
    assert len(files) == 2
    assert files[1] == "secrets"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EACCES, "not allowed"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "use --home"),
    ],
)
def test_refused_write_says_what_to_do_and_leaves_no_half_record(
    home: Home, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    journal = home.journal(TABLE)
    journal.append(b"good", sync=False)
    with monkeypatch.context() as patch:
        refuse_writes(patch, code, after=3)
        with pytest.raises(Failure, match=f"{words}.* Then `resume` goes on with the game"):
            journal.append(b"half a record", sync=True)
    journal.append(b" better", sync=True)
    journal.close()
    assert journal.path.read_bytes() == b"good better"


def test_full_disk_leaves_no_half_identity(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        refuse_writes(patch, errno.ENOSPC, after=10)
        with pytest.raises(Failure, match="disk is full"):
            home.identity()
    assert [path.name for path in home.path.iterdir() if path.is_file()] == []
    home.identity()


def test_secret_lasts_until_it_is_forgotten(home: Home) -> None:
    home.new_secret(TABLE, b"seed")
    assert Home.open(str(home.path)).kept_secret(TABLE) == b"seed"
    with pytest.raises(Failure, match="under way"):
        home.new_secret(TABLE, b"another")
    assert home.kept_secret(TABLE) == b"seed"
    assert home.kept_secret(bytes(32)) is None
    home.forget_secret(TABLE)
    home.forget_secret(TABLE)
    assert home.kept_secret(TABLE) is None


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_home_that_is_open_to_others_is_closed(tmp_path: Path) -> None:
    for place in (tmp_path / "home", tmp_path / "home" / "games", tmp_path / "home" / "secrets"):
        place.mkdir()
        place.chmod(0o777)
    home = Home.open(str(tmp_path / "home"))
    for place in (home.path, home.games, home.path / "secrets"):
        assert place.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("content", [b"", b"7", b'{"solo": 7}', b"[" * 200_000], ids=lambda content: repr(content[:20]))
def test_a_damaged_file_of_what_was_chosen_last_is_no_reason_to_stop(home: Home, content: bytes) -> None:
    (home.path / letters.LAST).write_bytes(content)
    assert letters._last(home) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.timeout(10)
def test_no_named_pipe_in_the_place_of_a_file_holds_the_program_up(home: Home) -> None:
    """To open one waits for a program that writes there."""
    for name in (FILE, "nick", "identity.key", f"secrets/{TABLE.hex()[:16]}", f"secrets/{TABLE.hex()[:16]}.passphrase"):
        os.mkfifo(home.path / name, 0o600)
    assert kept(home.path) == FileSettings({}, ())
    for read in (home.nick, home.identity, lambda: home.kept_secret(TABLE), lambda: home.kept_passphrase(TABLE)):
        with pytest.raises(Failure, match="t is no file"):
            read()
