"""The command `solo`: a game on this computer, and another one after it with the sides changed."""

import secrets
from argparse import Namespace
from contextlib import closing
from random import Random

from engine import fewest_players, option_text
from p2p_stonehenge.bots.adaptive import ADAPTIVE, Seated, keep_bots, level_for, note, tell_level
from p2p_stonehenge.bots.players import LEVELS, USUAL, Bots, bot_name
from p2p_stonehenge.cli.common import find_game
from p2p_stonehenge.cli.play import (
    BOT_PAUSE,
    at_table,
    bots_told,
    check_setup,
    level_of,
    match_to,
    nick_of,
    option_of,
    run,
    say,
)
from p2p_stonehenge.failure import FAILED, USAGE, Failure
from p2p_stonehenge.lobby.setup import bots_of
from p2p_stonehenge.lobby.shelf import Shelf
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.table.local import LocalTable, against_bots
from p2p_stonehenge.text.program import command_here
from protocol import (
    ATTEMPT_BYTES,
    LOCAL,
    MOST_COUNTED,
    Body,
    Seat,
    Series,
    Table,
    local_charter,
    make_body,
    series_after,
    series_within,
)


def solo(args: Namespace) -> int:
    """Play on this computer alone."""
    game = find_game(args.game)
    players = args.players or fewest_players(game)
    options = args.options
    if args.auto is None and not args.hot_seat:
        options = against_bots(game) | options
    check_setup(game, options, players)
    home = Home.open(args.home)
    auto = None if args.auto is None else level_of(args.auto)
    level = _opponents(args)
    match = match_to(args, game, options, players)
    people = () if auto is not None else tuple(range(1, players + 1)) if args.hot_seat else (1,)
    identity = home.identity()
    nick_of(home, args.name)
    host = people[0] if people else 1
    names = {seat: _name(home, seat, people, args.name is not None) for seat in range(1, players + 1)}
    seats = tuple(Seat(identity.id, name, seat if seat in people else host) for seat, name in names.items())
    body = make_body(LOCAL, game, options, seats, secrets.token_bytes(ATTEMPT_BYTES), series=Series(match))
    if auto is None and not args.hot_seat and players > 1:
        for name in options.keys() - args.options.keys():
            option = option_of(game, name)
            told = f"Against bots {name} is {options[name]} ({option.help})"
            say(f"{told}; with -o {name}={option_text(option.default)} the game goes on.")
        chosen = level_for(home, game.key, players) if level is None else level
        say(bots_told(game, range(2, players + 1), Seated(chosen, level is None)))
    return play_alone(args, home, body, auto, level)


def _opponents(args: Namespace) -> int | None:
    """Return the level of the other bots; None if each game is to follow from those before. Raises Failure."""
    if args.hot_seat:
        for option, given in (("--auto", args.auto), ("--level", args.level)):
            if given is not None:
                raise Failure(f"{option} is for bots, and with --hot-seat people play all seats: leave one out.", USAGE)
    text = next(text for text in (args.level, args.auto, LEVELS[USUAL]) if text is not None)
    if text == args.level and text.strip().lower() == ADAPTIVE:
        if args.auto is not None:
            raise Failure(f"--level {ADAPTIVE} follows one player's games: leave out --auto.", USAGE)
        return None
    return level_of(text, [ADAPTIVE])


def play_alone(args: Namespace, home: Home, body: Body, auto: int | None, level: int | None) -> int:
    """Play a game as `body` says, and others after it as long as the player wants.

    Without a `level` the bots' level of each game follows from the games before.
    """
    key, seats = body.game, len(body.seats)
    while True:
        played = level_for(home, key, seats) if level is None else level
        table = run(_play(args, home, body, auto, Seated(played, level is None)))
        if level is None:
            follow(home, table, played)
        if not table.wants_again:
            return 0
        body = following(table.table)


def follow(home: Home, table: LocalTable, level: int) -> None:
    """Let the level of the next game follow from a table at which bots of `level` played."""
    if table.result:
        key, seats = table.game.key, len(table.table.charter.body.seats)
        note(home, key, seats, table.people, level, table.result)
        if table.wants_again and (level_next := level_for(home, key, seats)) != level:
            say(f"Level of the next game: {LEVELS[level_next]}.")


def following(last: Table) -> Body:
    """Return the next game of the players of a table: each sits where the next one sat. Raises Failure for none."""
    body, result = last.charter.body, last.fold.result
    before = [body.seats[-1], *body.seats[:-1]]
    seats = tuple(one._replace(operator=one.operator % len(before) + 1) for one in before)
    series = series_after(last.id, body, result, seats) if result else series_within(body, seats)
    if max(series.games, *series.points, 0) > MOST_COUNTED:
        another = f"`{command_here()} solo {body.game}` begins another one, with no score"
        raise Failure(f"No further game follows: the score counts to {MOST_COUNTED}. {another}.", FAILED)
    return body._replace(seats=seats, attempt=secrets.token_bytes(ATTEMPT_BYTES), series=series)


async def _play(args: Namespace, home: Home, body: Body, auto: int | None, seated: Seated) -> LocalTable:
    identity = home.identity()
    charter = local_charter(body, identity, secrets.token_bytes(32))
    others = [*bots_of(body)]
    people = tuple(number for number in range(1, len(body.seats) + 1) if number not in others)
    keep_bots(home, charter.table, seated)
    with closing(home.journal(charter.table)) as journal:
        table = LocalTable(Table(charter, {1: identity}), journal, people)
        bots = []
        if auto is not None:
            bots.append(Bots(table, others[:1], auto, Random()))
            del others[:1]
        tell_level(table, others, seated)
        bots.append(Bots(table, others, seated.level, Random(), BOT_PAUSE if people else 0.0))
        try:
            await at_table(args, table, table.begin, bots)
        finally:
            Shelf(home).note(table.path, table.table)
    return table


def _name(home: Home, seat: int, people: tuple[int, ...], named: bool) -> str:
    """Return what a seat is called; `named`: whether the command gives a name, which is then that of the first seat."""
    if seat not in people:
        return bot_name(seat)
    if len(people) > 1 and not (named and seat == people[0]):
        return f"player {seat}"
    return home.nick()
