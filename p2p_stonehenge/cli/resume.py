"""The command `resume`: goes on with a game after any exit, crash or power cut, exactly where it was."""

import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from secrets import token_bytes

from engine import MalformedError, counted
from p2p_stonehenge.bots.adaptive import Seated, kept_bots, tell_level
from p2p_stonehenge.bots.players import Bots
from p2p_stonehenge.cli.common import shown
from p2p_stonehenge.cli.play import (
    BOT_PAUSE,
    at_table,
    bots_told,
    level_of,
    network_of,
    run,
    say,
)
from p2p_stonehenge.cli.solo import follow, following, play_alone
from p2p_stonehenge.failure import FAILED, NOT_A_TRANSCRIPT, NOT_FOUND, USAGE, Failure
from p2p_stonehenge.lobby.facts import RESUME, Facts, Saved
from p2p_stonehenge.lobby.naming import LEAST_LETTERS, Wanted, choose, fitting, taken, unfinished
from p2p_stonehenge.lobby.origins import moved_told
from p2p_stonehenge.lobby.setup import bots_of
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.screen.asking import agrees, ask, can_ask
from p2p_stonehenge.screen.asking import choose as choose_by_name
from p2p_stonehenge.storage.home import SUFFIX, Home, Journal, explained, letters_of, put, read_saved
from p2p_stonehenge.table.agreed import own_seats, short_id
from p2p_stonehenge.table.endings import outcome_of
from p2p_stonehenge.table.local import LocalTable
from p2p_stonehenge.text.program import command_here
from protocol import (
    LOCAL,
    Charter,
    Node,
    Secrets,
    Signer,
    Table,
    TranscriptError,
    bot_identity,
    first_record,
    load,
    whole,
)


def resume(args: Namespace) -> int:
    """Go on with the table that is named, or with the only one that was interrupted."""
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)
    with home.lock():
        asks = auto is None and can_ask()
        path, charter = _find(home, " ".join(args.table), asks=asks)
        _check_newest(home, charter, asks=asks)
        table, journal = _open(home, path, charter)
        with closing(journal):
            return _played_on(args, auto, home, journal.path, table, journal)


def _played_on(args: Namespace, auto: int | None, home: Home, path: Path, table: Table, journal: Journal) -> int:
    """Play a table to its end, or until the player leaves, and what follows it; `path` is its file."""
    charter, result = table.charter, table.fold.result
    if result and charter.body.kind == LOCAL:
        if auto is not None or not _between(home, table.id):  # a bot ends with the game
            raise Failure(f"That game is over. {outcome_of(table)} `replay {path}` shows it.", NOT_FOUND)
        seated = kept_bots(home, charter.table)
        return play_alone(args, home, following(table), auto, None if seated.follows else seated.level)
    say(f"{table.game.title}, table {short_id(table.id)}: {counted(len(table.fold.log), 'action')} so far.")
    seated = kept_bots(home, charter.table)
    if charter.body.kind == LOCAL:
        try:
            played = run(_alone(args, auto, seated, table, journal))
        finally:
            journal.close()  # another game may follow
            Shelf(home).note(path, table)
        if seated.follows and auto is None:
            follow(home, played, seated.level)
        if played.wants_again:
            level = None if seated.follows else seated.level
            return play_alone(args, home, following(table), auto, level)
        return 0
    return run(_among_peers(args, auto, home, table, journal, seated.level))


async def _alone(args: Namespace, auto: int | None, seated: Seated, table: Table, journal: Journal) -> LocalTable:
    seats = range(1, len(table.charter.body.seats) + 1)
    bots = [*(seats if auto is not None else bots_of(table.charter.body))]
    people = [seat for seat in seats if seat not in bots]
    local = LocalTable(table, journal, people, resumed=True)
    if auto is None:
        tell_level(local, bots, seated)
        if bots:
            say(bots_told(table.game, bots, seated))
    playing = Bots(local, bots, seated.level if auto is None else auto, Random(), BOT_PAUSE if people else 0.0)
    await at_table(args, local, local.begin, [playing])
    return local


async def _among_peers(
    args: Namespace, auto: int | None, home: Home, table: Table, journal: Journal, level: int
) -> int:
    from p2p_stonehenge.cli.sitting import Place, door_of, play_among_peers

    async with network_of(home, args) as network:
        words = home.kept_passphrase(table.id)
        door = door_of(network.identity.id, words)
        node = Node(table, resumed=True, challenge=token_bytes(8), door=door)
        place = Place(node, journal, words, resumed=True)
        return await play_among_peers(args, auto, home, network, place, level=level)


def _find(home: Home, wanted: str, *, asks: bool) -> tuple[Path, Charter]:
    """Return the file and the charter of the table to go on with. Raises Failure.

    Of several unfinished games that may be meant the player chooses one. Where nobody can be asked, and none is wanted,
    it is the last one. If none is unfinished, a player who can be asked goes on with a match alone between two of its
    games, where it is the only match. All saved games are read only for these, and for a game named by its people.
    """
    by_id = len(wanted) >= LEAST_LETTERS and not set(wanted.lower()) - set("0123456789abcdef")
    if wanted and not (by_id and any(home.games.glob(f"{wanted.lower()}*{SUFFIX}"))):
        return _by_people(home, wanted, asks=asks)
    files = _files(home, wanted)
    if asks and not wanted and len(files) > 1 and (games := unfinished(Shelf(home).games())):
        files = [_chosen(games) if len(games) > 1 else games[0].path]
    return _last_interrupted(home, files, any_state=bool(wanted)) or _match_alone(home, wanted, asks=asks)


def _check_newest(home: Home, charter: Charter, *, asks: bool) -> None:
    """Ask before a game is played on that has gone on, or was decided, at another table. Raises Failure.

    Where nobody can be asked, that is refused: the game could come to a second end.
    """
    games = list(Shelf(home).games())
    one = next((one for one in games if one.table == charter.table), None)
    if one is None or not one.elsewhere:
        return
    told = moved_told(games, charter.body.series, charter.table)
    if not asks:
        raise Failure(f"{told} `{command_here()} saved` lists both.", USAGE)
    say(told)
    if not run(agrees(ask, "Play on at the older table all the same?")):
        raise Failure(f"`{command_here()} saved` lists both games.", USAGE)


def _files(home: Home, beginning: str) -> list[Path]:
    """Return the saved games whose ids begin so, the one played last first."""
    with explained(home.games):
        files = [path for path in home.games.glob(f"{beginning.lower()}*{SUFFIX}") if path.is_file()]
        return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def _by_people(home: Home, wanted: str, *, asks: bool) -> tuple[Path, Charter]:
    """Return the unfinished game that its number, its players or its name tell, chosen where several may be meant.

    It is told which one that is: the numbers of the list are others once a game was played.
    """
    games = list(Shelf(home).games())
    meant = unfinished(fitting(games, wanted))
    if asks and len(meant) > 1:
        path = _chosen(meant)
    else:
        now = time.time()
        game = choose(games, wanted, now, Wanted.UNFINISHED, RESUME)
        say(taken(games, game, wanted, now))
        path = game.path
    return path, first_record(_content(path))


def _last_interrupted(home: Home, files: Sequence[Path], *, any_state: bool) -> tuple[Path, Charter] | None:
    """Return the first of these files that is a game to go on with, or a game in whatever state; None if none is."""
    for file in files:
        try:
            charter = first_record(read_saved(file))
        except (OSError, TranscriptError):  # it is gone, or too large, or tells of no table
            continue
        named = home.saved(charter.table)
        path = named if named.exists() else file  # which may be an old copy
        if any_state or _interrupted(home, path, charter):
            return path, charter
    return None


def _match_alone(home: Home, wanted: str, *, asks: bool) -> tuple[Path, Charter]:
    """Return the last game of a match alone that is between two games. Raises Failure where that is not meant."""
    name = f" that begins with {wanted}" if wanted else ""
    ahead = [] if wanted else [one for one in Shelf(home).games() if one.between]
    if asks and len(ahead) == 1 and ahead[0].facts.kind == LOCAL:
        return ahead[0].path, first_record(_content(ahead[0].path))
    ways = _next_game(ahead[0]) if ahead else "`host` or `join` begins a new one."
    raise Failure(f"There is no interrupted table{name} in {home.games}. {ways}", NOT_FOUND)


def _between(home: Home, table: bytes) -> Saved | None:
    """Return the saved game of a table if its match goes on with another game that has not begun."""
    return next((one for one in Shelf(home).games() if one.between and one.table == table), None)


def _next_game(last: Saved) -> str:
    """Return how the match of a saved game goes on."""
    ways = f"`{command_here()} {' '.join(last.goes_on)}` begins the next game"
    friends = last.opponents()
    who, name = (friends[0], friends[0]) if len(friends) == 1 else ("another player", "NAME")
    opened = f" If {who} has opened it: `{command_here()} join {name}`." if friends else ""
    return f"{ways} of the match of {last.title} with {last.company()}.{opened}"


def _chosen(games: Sequence[Saved]) -> Path:
    """Return the file of the game that the player chooses, of several unfinished ones."""
    told = [one.told(time.time()) for one in games]
    for number, game in enumerate(told, 1):
        say(f"{number}. {game}")
    return games[max(run(choose_by_name(ask, told, "go on with the first")), 1) - 1].path


def _interrupted(home: Home, path: Path, charter: Charter) -> bool:
    if charter.body.kind != LOCAL:
        return home.kept_secret(charter.table) is not None
    data = _content(path)
    try:
        facts = Facts.of(load(data[: whole(data)]))
    except TranscriptError:
        return False
    return facts.result is None and not facts.bots_play_on


def _content(path: Path) -> bytes:
    """Return what the file of a saved game holds. Raises Failure."""
    try:
        return read_saved(path)
    except OSError as error:
        raise Failure(f"{path} cannot be read ({error.strerror}): move it away, or put a copy there.", FAILED) from None


def _secrets(home: Home, path: Path, charter: Charter, kept: bytes) -> Secrets:
    """Return the secrets of a table from the bytes kept. Raises Failure for those of another table, or damaged ones."""
    try:
        return Secrets.restored(kept, charter.table)
    except MalformedError as error:
        raise _unusable(home, path, charter, f"is damaged: {error}") from error


def _signers(
    home: Home, path: Path, charter: Charter, own: Sequence[int], secrets: Secrets | None
) -> dict[int, Signer]:
    """Return the keys of the own seats; without `secrets`, at one computer, the one key of all. Raises Failure."""
    identity = home.identity()
    if secrets is None:
        return {1: identity}
    signers: dict[int, Signer] = {}
    for seat in own:
        id = charter.body.seats[seat - 1].id
        signers[seat] = identity if id == identity.id else bot_identity(secrets.bots, seat)
        if signers[seat].id != id:
            raise _unusable(home, path, charter, "is damaged: your bots had other keys")
    return signers


def _unusable(home: Home, path: Path, charter: Charter, why: str) -> Failure:
    """Return `why` the secrets of a table cannot be used: a client that signs by wrong secrets looks like a cheat."""
    file, title = home.secret(charter.table), short_id(charter.table)
    ways = (
        f"`{command_here()} host --from {title}` opens another table that goes on from there, `replay {path}` shows it."
    )
    return Failure(f"{file} {why}. Put a copy of that file back to play on. Without one {ways}", FAILED)


def _is_over(content: bytes) -> bool:
    """Return whether the game in a file is over, or cannot be read."""
    try:
        return load(content[: whole(content)]).fold.result is not None
    except TranscriptError:
        return True


def _open(home: Home, path: Path, charter: Charter) -> tuple[Table, Journal]:
    """Return the table as far as its file is whole; a torn end is cut off. Raises Failure.

    The file that is played on is named by the table's id. A file to which the player has given another name is never
    changed: where the file named by the id is missing, the game goes on in a copy.
    """
    identity = home.identity()
    own = own_seats(charter, identity.id)
    among_peers = charter.body.kind != LOCAL
    kept = home.kept_secret(charter.table) if among_peers else None
    if not own:
        told = "You had no seat at that table: you watched it, or played with another key than the one in this home."
        raise Failure(f"{told} `replay {path}` shows it.", FAILED)
    if among_peers and kept is None:
        if not _is_over(_content(path)):
            raise _unusable(home, path, charter, "is not there, and the game has no end")
        between = _between(home, charter.table)
        then = f" {_next_game(between)}" if between else ""
        raise Failure(f"That table has ended; its secrets are gone. `replay {path}` shows it.{then}", NOT_FOUND)
    secrets = None if kept is None else _secrets(home, path, charter, kept)
    signers = _signers(home, path, charter, own, secrets)
    own_file = home.saved(charter.table)
    is_copied = path != own_file and put(own_file, _content(path), replace=False)
    journal = home.journal(charter.table, resume=True)
    try:
        data = _content(own_file)
        good = whole(data)
        table = load(data[:good], signers=signers, secrets=secrets)
        if table.id != charter.table:
            named = f"{letters_of(table.id)}{SUFFIX}"
            raise Failure(f"{own_file} holds another table than its name says: call that file {named}.", FAILED)
        if not table.own.secrets_fit():
            raise _unusable(home, path, charter, "is damaged: its content is not what this game was played with")
    except Failure:
        journal.close()
        raise
    except TranscriptError as error:
        journal.close()
        raise Failure(f"{own_file} was altered and cannot be played on: {error}", NOT_A_TRANSCRIPT) from error
    if is_copied and table.fold.result is None:
        say(f"{shown(path.name)} stays as it is: the game goes on in {own_file.name}.")
    if good < len(data):
        journal.cut(good)
        say(f"The end of the saved game was torn: {len(data) - good} bytes without a whole record were cut off.")
    return table, journal
