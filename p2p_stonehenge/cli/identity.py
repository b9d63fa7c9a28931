"""The command `identity`: who the player is to others."""

from argparse import Namespace

from p2p_stonehenge.storage.home import Home
from protocol import id_text


def identity(args: Namespace) -> int:
    """Print the nick, the id and where the key lies."""
    home = Home.open(args.home)
    print(f"nick  {home.nick()}")
    print(f"id    {id_text(home.identity().id)}")
    print(f"key   {home.path / 'identity.key'}")
    return 0
