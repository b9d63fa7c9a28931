"""How many tricks a hand of Celtic Whist may hope for, by adding up the chances of its cards."""

from functools import cache

from engine.games.celtic_whist import BLACK, SUITS
from p2p_stonehenge.bots.celtic_whist.layout import layout

CHANCES = {
    2: ((37, 47, 62, 67, 73), (3, 22, 46, 54, 99), (8, 19, 40, 70, 98)),
    3: ((29, 35, 42, 53, 63), (0, 0, 7, 28, 91), (2, 5, 12, 38, 88)),
    4: ((26, 33, 40, 46, 55), (0, 0, 1, 8, 81), (2, 3, 6, 18, 69)),
    5: ((15, 27, 36, 45, 51), (0, 0, 0, 4, 77), (0, 1, 4, 13, 62)),
}
"""By the number of players: how often of 100 a card takes a trick, the lowest number of its suit first. Of the trump
suit, of Black, of the other suits. Counted over 1,500 rounds in which every seat aims at what it may hope for."""
SURE = 100


@cache
def chances(trump: int, players: int) -> tuple[float, ...]:
    """Return by place how often a card takes a trick, from 0 to 1. A solitaire player has one opponent, the dummy."""
    of_trump, of_black, of_plain = CHANCES[max(players, 2)]
    found = []
    for card, suit in zip(layout(trump).cards, layout(trump).suit, strict=True):
        row = of_trump if suit == trump else of_black if suit == BLACK else of_plain
        found.append((SURE if card == 2 * len(SUITS) * len(row) else row[card % len(row)]) / 100)
    return tuple(found)


def hope(trump: int, players: int, hand: int) -> float:
    """Return how many tricks a hand may hope for at the start of a round."""
    table, total = chances(trump, players), 0.0
    while hand:
        total += table[hand.bit_length() - 1]
        hand ^= 1 << (hand.bit_length() - 1)
    return total
