"""The players at a table and what became of each: all words about leaving, being missed and coming back.

To leave by wish, to be out of reach and to be left behind are three things. Each is told as what it is: what happened,
by which player's doing, and what can be typed now.
"""

from collections import deque
from collections.abc import Callable, Iterable

from p2p_stonehenge.text.times import spell
from protocol import Attending, Exit

TOLD_AT_MOST = 6
"""Comings and goings of one player that are told within RESTLESS seconds; a peer may let its link flap."""
RESTLESS = 60.0


class Person:
    """One player: what became of it and since when, and whether it still plays."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.became = Attending.UNREACHED
        self.since = 0.0
        self.came = False
        """Whether it has been here since this program sat down."""
        self.missed = False
        """Whether its absence has been told."""
        self.exit: Exit | None = None
        """How the player left the game for good."""
        self.since_action = 0
        """By which action of it."""
        self.told: deque[float] = deque(maxlen=TOLD_AT_MOST)

    @property
    def here(self) -> bool:
        """Return whether its link is up and its player has not left."""
        return self.became is Attending.PRESENT

    @property
    def has_left(self) -> bool:
        """Return whether its player has left by wish."""
        return self.became in (Attending.GONE, Attending.GONE_FOR_TODAY)

    @property
    def not_yet(self) -> str:
        """Return with which word a player is not reached: this computer may have slept, and lost sight of all."""
        return "again" if self.came else "yet"

    def away_for(self, now: float | None) -> str:
        """Return how long the player has been away, and why, in a few words; empty for a player who is here.

        Without `now` it says no time: at the end of a game no clock runs that would keep it true.
        """
        if now is None:
            kept = {Attending.AWAY: "is away", Attending.GONE: "has left", Attending.GONE_FOR_TODAY: "has left"}
            return kept[self.became] if self.became in kept else self.away_for(0.0)
        ago = _about(now - self.since)
        return {
            Attending.UNREACHED: f"not reached {self.not_yet}",
            Attending.PRESENT: "",
            Attending.AWAY: f"away for {ago}",
            Attending.GONE: f"left {ago} ago",
            Attending.GONE_FOR_TODAY: f"adjourned {ago} ago",
        }[self.became]


class People:
    """All players at a table, by seat. Each coming and going is told once, as a sentence or nothing."""

    def __init__(self, seats: Iterable[int], speaker: Callable[[int], str], label: Callable[[int], str]) -> None:
        """`speaker` and `label` return what the player of a seat is called here, without and with the colour."""
        self._people = {seat: Person(seat) for seat in seats}
        self._speaker, self._label = speaker, label

    def __getitem__(self, seat: int) -> Person:
        return self._people[seat]

    def told_of(self, seat: int, became: Attending, since: float) -> None:
        """Note what another client says of a player, without a word."""
        self._become(self._people[seat], became, since)

    def seat(self, seat: int, now: float) -> None:
        """Note that a player is here, without a word."""
        person = self._people[seat]
        self._become(person, Attending.PRESENT, now)
        person.came, person.missed = True, False

    def arrive(self, seat: int, now: float) -> str:
        """Note that a link came up."""
        person = self._people[seat]
        if person.here:
            return ""
        waited, was = now - person.since, person.became
        self.seat(seat, now)
        if was is Attending.UNREACHED:
            return self._told(person, now, "is here.")
        after = f", after {spell(round(waited))}" if waited >= 1 else ""
        return self._told(person, now, f"is back{after}.")

    def expect(self, seat: int, now: float) -> None:
        """Note, without a word, that a player who was here has to be reached again through no doing of its own."""
        if self._people[seat].here:
            self._become(self._people[seat], Attending.UNREACHED, now)

    def miss(self, seat: int) -> bool:
        """Note that the absence of a player is told; return whether that player is not reached, and it is news."""
        person = self._people[seat]
        news = person.became is Attending.UNREACHED and not person.missed
        person.missed |= news
        return news

    def lose(self, seat: int, now: float, ways: str, bots: str = "", out: str = "") -> str:
        """Note that a link broke, or that none came up; nothing new of a player who had left.

        `ways`, `bots` and `out` as for `leave`.
        """
        person = self._people[seat]
        if person.has_left or person.missed:
            return ""
        reached = person.here
        self._become(person, Attending.AWAY if reached else Attending.UNREACHED, now)
        person.missed = True
        then = f"Nothing is lost{' so far' * bool(out)}: {ways}.{out}" if ways else "The game goes on."
        what = "does not answer any more" if reached else f"has not been reached {person.not_yet}"
        return self._told(person, now, f"{what}{bots}. {then}")

    def leave(self, seat: int, now: float, *, adjourned: bool, ways: str, bots: str = "", out: str = "") -> str:
        """Note that a player leaves by wish. `ways` are what can be done about it, empty if the game goes on.

        `bots`: which bots go with that player; `out`: in a sentence, when the player is out by time.
        """
        person, became = self._people[seat], Attending.GONE_FOR_TODAY if adjourned else Attending.GONE
        if person.became is became:
            return ""
        self._become(person, became, now)
        person.missed = True
        if not ways:
            return self._told(person, now, "has left the table; the game goes on.")
        what = "adjourns the game until another day" if adjourned else "has left the table"
        return self._told(person, now, f"{what}{bots}. The game is kept: {ways}.{out}")

    def status(self, seats: Iterable[int], now: float | None) -> str:
        """Return for the status line which of these players are not here; empty if all are.

        Of one it says why and for how long, as `away_for` does; there is no room for that of several during a game, of
        whom it says only what all of them have done.
        """
        away = [self._people[seat] for seat in seats if not self._people[seat].here]
        if now is not None and len(away) > 1:
            became = away[0].became if len({person.became for person in away}) == 1 else Attending.AWAY
            what = {Attending.GONE: "have left", Attending.GONE_FOR_TODAY: "have adjourned"}.get(became, "away")
            return f"{len(away)} {what}: {', '.join(self._speaker(person.seat) for person in away)}"
        return ", ".join(f"{self._speaker(person.seat)} {person.away_for(now)}" for person in away)

    def leave_game(self, seat: int, action: int, exit: Exit) -> None:
        """Note that action number `action` of the game put a player out of it, and how."""
        self._people[seat].exit, self._people[seat].since_action = exit, action

    def take_back(self, action: int) -> None:
        """Note that the actions from number `action` on do not stand any more."""
        for person in self._people.values():
            if person.since_action >= action:
                person.exit = None

    def _become(self, person: Person, became: Attending, now: float) -> None:
        person.became, person.since = became, now

    def _told(self, person: Person, now: float, text: str) -> str:
        """Return a sentence about a player, or nothing if there were too many of late; the last one says so."""
        if len(person.told) == TOLD_AT_MOST and now < person.told[0] + RESTLESS:
            return ""
        person.told.append(now)
        if len(person.told) == TOLD_AT_MOST and now < person.told[0] + RESTLESS:
            text += " That happens often now: `who` tells how it stands."
        return f"{self._label(person.seat)} {text}"


def _about(seconds: float) -> str:
    """Return a time as people say it: seconds up to a minute, minutes up to an hour, then hours."""
    whole = max(0, round(seconds))
    return spell(whole if whole < 60 else whole // 60 * 60 if whole < 3600 else whole // 3600 * 3600)
