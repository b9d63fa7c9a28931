"""What a card does in its trick, and for the cards that stay in the hand, in a few words for a player.

All of it follows from the rules, the bids and what the seat has seen. A card is unseen if it is not played and not in
the seat's own hand: another player holds it, or it lies face down.
"""

from collections.abc import Sequence
from enum import Enum

from engine.games.celtic_whist import BLACK, CARD, GAME, SPOKEN, State, deck, members, number, winning
from p2p_stonehenge.bots.celtic_whist.aims import Aims
from p2p_stonehenge.bots.celtic_whist.layout import layout, places
from p2p_stonehenge.bots.thought import Part, Reason

TOLD = 2
"""So many things are told of a card, those that matter most."""


class Aim(Enum):
    """What a seat aims at."""

    TAKE = "one more trick"
    AVOID = "no more tricks"
    NOTHING = "neither, since its own result is certain"


def reasons(view: State, seat: int, aims: Aims, needs: Sequence[int]) -> dict[str, Reason]:
    """Return for each card that `seat` may play what it does.

    `needs`: how many more tricks each seat wants, in the order of the seats. What goes for all cards is told only if
    there is nothing else to say, with the remark that it goes for all.
    """
    choice = _Choice(view, seat, aims, needs)
    found = {name: choice.parts(choice.plan.place[CARD[view.trump][name]]) for name in GAME.legal(view, seat)}
    shared = set.intersection(*map(set, found.values())) if len(found) > 1 else set[str]()
    return {
        name: tuple([Part(part) for part in parts if part not in shared][:TOLD])
        or (Part(f"{parts[0]}, like every card that may be played"),)
        for name, parts in found.items()
    }


class _Choice:
    """The cards of a seat that is to play, and the trick that it plays to. Seats are counted from 0, in their order."""

    def __init__(self, view: State, seat: int, aims: Aims, needs: Sequence[int]) -> None:
        seats, plan = view.standing.seats, layout(view.trump)
        held = len(view.plays) % len(seats) if len(seats) > 1 else 1
        self.plan, self.aims, self.needs = plan, aims, needs
        self.me = seats.index(seat)
        self.names = [GAME.colours[one - 1] for one in seats]
        self.hand = plan.mask(members(view.hands[seat - 1]))
        self.left = self.hand.bit_count()
        self.unseen = plan.mask(deck(view.standing)) & ~(plan.mask(view.plays) | self.hand)
        self.legal = plan.mask(CARD[view.trump][name] for name in GAME.legal(view, seat))
        self.trumps = plan.of_suit[view.trump]
        self.behind = [(self.me + after) % len(seats) for after in range(1, max(len(seats), 2) - held)]
        """The seats that play to the trick after this one."""
        self.led = self.holder = -1
        """The suit led, and the seat that has the best card of the trick; -1 for none, and for the dummy."""
        self.better = self.legal
        """The cards that may be played and beat those of the trick."""
        if held:
            trick = view.plays[-held:]
            best = winning(view.trump, trick)
            self.led = plan.suit[plan.place[trick[0]]]
            self.better &= plan.above[self.led][plan.place[trick[best]]]
            self.holder = (self.me - held + best) % len(seats) if len(seats) > 1 else -1
        self.aim = self._aim(needs, self.left)

    def parts(self, place: int) -> list[str]:
        """Return what the card at a place does, the most important first; at least one thing."""
        after = self._after(place)
        if not self.better >> place & 1:
            found = self._loses(place, after)
        elif self.behind:
            found = self._beats(place)
        else:
            found = self._takes(place, after)
        return [*found, *self._leaves(place, after)]

    # What the seat aims at

    def _aim(self, needs: Sequence[int], left: int) -> Aim:
        """Return what the seat aims at when so many tricks are left to be played."""
        own = needs[self.me]
        if self.aims.team:
            alive = left and min(needs) >= 0 and sum(needs) == left
            return Aim.NOTHING if not alive else Aim.TAKE if own else Aim.AVOID
        if 0 < own <= left:
            return Aim.TAKE
        return Aim.AVOID if left and own <= 0 and self._costs(self.me, own) else Aim.NOTHING

    def _costs(self, seat: int, need: int) -> bool:
        """Return whether one more trick costs a seat points that wants none any more: `need` is not above 0."""
        points, total = self.aims.points[seat], self.aims.totals[seat]
        tricks = self.aims.targets[seat] - need
        return max(0, total + points[tricks + 1]) < max(0, total + points[tricks])

    def _after(self, place: int) -> Aim:
        """Return what the seat aims at when the card is played, if that is the same whoever takes the trick."""
        takers = [self.me] if self.better >> place & 1 else [self.holder]
        if self.behind and not (takers == [self.me] and not self._higher(place)):
            takers += self.behind
        found = set()
        for taker in takers:
            needs = [need - (seat == taker) for seat, need in enumerate(self.needs)]
            found.add(self._aim(needs, self.left - 1))
        found.discard(Aim.NOTHING)
        return found.pop() if len(found) == 1 else Aim.NOTHING

    # What the card does in the trick

    def _higher(self, place: int) -> int:
        """Return the unseen cards that beat a card in this trick."""
        led = self.led if self.led >= 0 else self.plan.suit[place]
        return self.plan.above[led][place] & self.unseen

    def _takes(self, place: int, after: Aim) -> list[str]:
        """Return what a card does that takes the trick as its last one."""
        others, above = self.better ^ 1 << place, self.plan.above[self.led][place]
        wanted, forced = self.aim is Aim.TAKE, self.better == self.legal
        if wanted and not others and not forced:
            found = ["is the only card that takes the trick"]
        elif wanted and after is Aim.TAKE and others and not others & ~above:
            found = ["takes the trick with the lowest card that does"]
        elif (wanted or forced) and after is Aim.AVOID and others and not others & above:
            found = ["takes the trick with the highest card that does"]
        else:
            found = ["takes the trick"]
        return found + self._spoils()

    def _beats(self, place: int) -> list[str]:
        """Return what a card does that leads the trick, or beats the cards of it, before others play."""
        leads, suit, higher = self.led < 0, self.plan.suit[place], self._higher(place)
        if not higher:
            sure = (
                "cannot be beaten any more"
                if self.aim is Aim.TAKE
                else "takes the trick, since no unseen card beats it"
            )
            return [sure, *self._spoils()]
        of_suit = self.unseen & self.plan.of_suit[suit]
        plain = BLACK not in (suit, self.led)
        if self.aim is Aim.TAKE and plain and not 1 << place & self.trumps and not higher & ~self.trumps:
            chance = "can only be beaten by a trump"
        elif self.aim is Aim.AVOID and leads and plain and of_suit and not of_suit & ~higher:
            chance = f"is lower than every unseen {SPOKEN[suit]} card"
        elif higher == self.unseen:
            chance = "can be beaten by every unseen card"
        else:
            chance = f"can be beaten by {higher.bit_count()} of the {self.unseen.bit_count()} unseen cards"
        return [chance] if leads else ["beats the cards that lie there", chance]

    def _spoils(self) -> list[str]:
        """Return whose bid fails when this seat takes the trick, though its own may fail as well."""
        if self.aims.team:
            return []
        rivals = [seat for seat, need in enumerate(self.needs) if need == self.left and seat != self.me]
        return [f"keeps {self.names[seat]} from making the bid" for seat in rivals]

    def _loses(self, place: int, after: Aim) -> list[str]:
        """Return what a card does that cannot take the trick."""
        found = [told] if (told := self._got_rid_of(place, after)) else []
        if self.behind:
            return found or ["cannot take the trick"]
        if self.holder < 0:
            return found or ["leaves the trick to the dummy"]
        taker, need = self.names[self.holder], self.needs[self.holder]
        spares = not self.better or after == self.aim  # else the card gives the own bid up
        if self.aims.team and self.aim is not Aim.NOTHING and need > 0:
            found.append(f"leaves the trick to {taker}, who still wants {need}")
        elif not self.aims.team and need <= 0 and self._costs(self.holder, need) and spares:
            found.append(f"gives {taker} a trick too many")
        return found or [f"leaves the trick to {taker}"]

    def _got_rid_of(self, place: int, after: Aim) -> str:
        """Return why this one is played of the cards that cannot take the trick; "" for no such reason."""
        bit, losing = 1 << place, self.legal & ~self.better
        numbers = {other: number(self.plan.cards[other]) for other in places(losing)}
        costs_trump = bit & self.trumps and losing & ~self.trumps
        if self.aim is after is Aim.AVOID:
            if losing == bit:
                return "is the only card that cannot take the trick"
            if costs_trump:
                return "gets rid of a trump"
            if numbers[place] == max(numbers.values()):
                return "gets rid of the highest number that cannot take the trick"
        lowest = losing == self.legal and numbers[place] == min(numbers.values())
        if self.aim is after is Aim.TAKE and lowest and not costs_trump:
            return "gives up the lowest number that may be played"
        return ""

    # What it does for the cards that stay in the hand

    def _leaves(self, place: int, after: Aim) -> list[str]:
        """Return what a card does for those that stay in the hand."""
        bit, suit = 1 << place, self.plan.suit[place]
        rest, found = self.hand ^ bit, list[str]()
        if bit & self.trumps:
            return found
        if after is Aim.TAKE and self.led >= 0 and self.legal & self.trumps:
            found.append("saves a trump")
        if suit != BLACK and not rest & self.plan.of_suit[suit] and self.unseen & self.plan.of_suit[suit]:
            void, colour = f"leaves no {SPOKEN[suit]} card in the hand", SPOKEN[suit]
            if after is Aim.TAKE and rest & self.trumps:
                found.append(f"{void}, so that {colour} can be trumped later")
            elif after is Aim.AVOID and rest & ~self.trumps:
                found.append(f"{void}, so that other cards can be thrown on {colour} later")
        return found
