"""The commands about other people: `peers` lists them, `forget` forgets the key of one."""

import json
from argparse import Namespace

from p2p_stonehenge.cli.common import SCHEMA
from p2p_stonehenge.cli.play import run, telling, warn, warning_of
from p2p_stonehenge.lobby import known
from p2p_stonehenge.net.discovery import Sighting, seen_within
from p2p_stonehenge.storage.home import Home
from p2p_stonehenge.text.output import folded
from p2p_stonehenge.text.program import command_here
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.widths import cells, fit
from protocol import id_text


def peers(args: Namespace) -> int:
    """List who is on the network, without showing up there."""
    found = run(seen_within(args.interface, args.seconds))
    home, tell = Home.open(args.home), telling(args)
    seen = sorted(found, key=lambda one: (one.nick.casefold(), one.id))
    if args.json:
        entries = [
            {
                "nick": one.nick,
                "id": id_text(one.id),
                "addresses": one.addresses,
                "table": one.table,
                "warning": warning_of(home, one.id, one.nick) or None,
            }
            for one in seen
        ]
        print(json.dumps({"schema": SCHEMA, "peers": entries}, indent=2))
    elif not seen:
        told = f"Nobody was seen in {args.seconds:g} seconds. Are the others on this network, with a table open?"
        ways = (
            f"`{command_here()} doctor` looks for what is in the way; `--interface ADDRESS` looks on another network."
        )
        print(folded(f"{told} {ways}"))
    else:
        tables = [one.announced.told if one.announced else "no open table" for one in seen]
        names, wide = max(cells(one.nick) for one in seen), max(map(len, tables))
        for one, table in zip(seen, tables, strict=True):
            print(f"{fit(one.nick, names)}  {id_text(one.id)[:8]}  {table:{wide}}  {' '.join(_where(one))}")
            warn(home, tell, one)
    return 0


def _where(one: Sighting) -> list[str]:
    """Return the addresses of a client; without a table without their ports, as there is nothing to join."""
    if one.table:
        return [*one.addresses]
    return [*dict.fromkeys(address.rpartition(":")[0] for address in one.addresses)]


def forget(args: Namespace) -> int:
    """Forget a player's key."""
    print(safe(known.forget(Home.open(args.home), args.who)))
    return 0
