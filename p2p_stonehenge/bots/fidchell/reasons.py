"""What a move of Fidchell does and what it is for, in a few words for a player."""

from collections.abc import Sequence

from engine import counted, listed
from engine.games.fidchell import GAME, State, captures, fields_of, with_turn
from p2p_stonehenge.bots.fidchell.chains import FAR, Chains, onto
from p2p_stonehenge.bots.thought import Kind, Part, Reason

LONG = 8
"""A chain that lacks so many fields is no plan."""
NAMED = 4
"""Fields or pieces, at most, for which a reason names them."""
TOLD = 2
"""So many aims are told of a move, those that matter most."""


NEAR = 3
"""A chain that lacks so many fields, or fewer, is a danger to the others."""


def deeds(chains: Chains, before: State, after: State, *, named: bool = False) -> Reason:
    """Return what a move does: what it captures, and what becomes of the chains.

    `named`: which pieces it captures; else only how many, if several, for the story names them.
    """
    seat = _mover(before, after)
    taken = sum(
        old & ~new for number, (old, new) in enumerate(zip(before.men, after.men, strict=True), 1) if number != seat
    )
    found = []
    if named and taken:
        found.append(Part(f"captures {_named(before, taken, 'and')}", Kind.HARM))
    elif taken.bit_count() > 1:
        found.append(Part(f"captures {taken.bit_count()} pieces", Kind.HARM))
    was, now = (chains.lack(state, seat) for state in (before, after))
    if now < min(was, LONG):
        before_it = f"instead of {was}" if was < FAR else "where it had no way"
        fields = f" ({', '.join(chains.missing(after, seat))})" if 0 < now <= NAMED else ""
        told = f"leaves {_colour(seat)}'s chain to the king {counted(now, 'field')} short {before_it}{fields}"
        found.append(Part(told, Kind.HARM if now <= NEAR else Kind.PLAIN))
    for other in after.playing:
        was, now = (chains.lack(state, other) for state in (before, after))
        if other != seat and now > was < LONG:
            needs = f"lacks {now} fields instead of {was}" if now < FAR else "has no way to the king now"
            found.append(Part(f"is in the way of {_colour(other)}'s chain, which {needs}"))
    return tuple(found)


def closings(chains: Chains, before: State, after: State) -> Reason:
    """Return in how many ways the seat that moved can close its chain with its next move, if in several."""
    seat = _mover(before, after)
    if chains.lack(after, seat) != 1:
        return ()
    turned = with_turn(after, seat)
    ways = {
        action.rpartition("-")[2]
        for action in onto(turned, seat, chains.lacking(after, seat))
        if GAME.apply(turned, seat, action).winner == seat
    }
    if len(ways) < 2:
        return ()
    told = f"makes {len(ways)} ways to close {_colour(seat)}'s chain ({', '.join(sorted(ways))})"
    return (Part(told, Kind.HARM),)


def aims(chains: Chains, before: State, after: State, *, alone: bool) -> Reason:
    """Return what a move is for that leaves the turn to others, what matters most first.

    `alone`: nothing else is said of the move, so that it is worth telling what many moves do.
    """
    seat = _mover(before, after)
    rivals = [one for one in after.playing if one != seat]
    found = [*closings(chains, before, after), *_unblocked(chains, before, after, seat, rivals)]
    own = before.men[seat - 1], after.men[seat - 1]
    attacked = _takable(after, rivals, [seat]) & ~_takable(before, rivals, [seat])
    if attacked.bit_count() >= (1 if alone else 2):
        found.append(Part(f"threatens to capture {_named(after, attacked, 'or')}"))
    faced, faces = _takable(before, [seat], rivals), _takable(after, [seat], rivals)
    if faced & ~own[1] and not faces & ~own[0]:
        found.append(Part("brings its piece out of danger"))
    if (saved := faced & ~faces & own[1]) and any(captures(with_turn(after, rival)) for rival in rivals):
        found.append(Part(f"guards {_named(after, saved, 'and')} from capture", Kind.GUARDS))
    if alone and not found and _meets(after, own[1] & ~own[0] & ~faces, rivals):
        found.append(Part(f"cannot be captured on {_named(after, own[1] & ~own[0], 'and')}"))
    return tuple(found[:TOLD])


def _meets(state: State, some: int, rivals: Sequence[int]) -> bool:
    """Return whether a piece of a rival is next to one of some fields."""
    return any(state.rules.board.near[field] & state.men[rival - 1] for field in fields_of(some) for rival in rivals)


def _unblocked(chains: Chains, before: State, after: State, seat: int, rivals: Sequence[int]) -> Reason:
    """Return that no move of a rival lengthens what a chain lacks that is nearly closed, if that was not so before."""
    now = chains.lack(after, seat)
    if not 1 < now <= NAMED or _is_blocked(chains, after, seat, rivals):
        return ()
    if now == chains.lack(before, seat) and not _is_blocked(chains, before, seat, rivals):
        return ()
    return (Part(f"leaves no single move that blocks {_colour(seat)}'s chain"),)


def _is_blocked(chains: Chains, state: State, seat: int, rivals: Sequence[int]) -> bool:
    """Return whether a move of a rival makes the chain of a seat lack more than it does.

    It comes to a field of each of the shortest chains, or captures.
    """
    now, fields = chains.lack(state, seat), chains.lacking(state, seat)
    for rival in rivals:
        turned = with_turn(state, rival)
        for action in (*onto(turned, rival, fields), *captures(turned)):
            if chains.lack(GAME.apply(turned, rival, action), seat) > now:
                return True
    return False


def _takable(state: State, victims: Sequence[int], hunters: Sequence[int]) -> int:
    """Return the fields of pieces of some seats that others may capture with a move, if it is their turn."""
    found = 0
    for hunter in hunters:
        turned = with_turn(state, hunter)
        for action in captures(turned):
            after = GAME.apply(turned, hunter, action)
            for victim in victims:
                found |= state.men[victim - 1] & ~after.men[victim - 1]
    return found


def _named(state: State, some: int, conjunction: str) -> str:
    """Return the names of a few fields with pieces, or how many there are."""
    names = [state.rules.board.names[field] for field in fields_of(some)]
    if len(names) > NAMED:
        return counted(len(names), "piece")
    return listed(names).replace(" and ", f" {conjunction} ")


def _mover(before: State, after: State) -> int:
    """Return the seat of which a piece has come to a field."""
    moved = (one & ~old for old, one in zip(before.standing, after.standing, strict=True))
    return next(number for number, fields in enumerate(moved, 1) if fields)


def _colour(seat: int) -> str:
    return GAME.colours[seat - 1]
