"""A slow, obvious Celtic Whist, written from the rule sheet with lists of card names, to compare the engine with."""

from collections.abc import Mapping

from engine import OptionValue

COLOURS = ["W", "B", "G", "Y", "R", "K"]
DUMMY = 0
HAND = {2: 15, 3: 10, 4: 7, 5: 7}


def numbers(copy: str = "") -> list[str]:
    return [f"{COLOURS[(n - 1) % 6]}{n}{copy}" for n in range(1, 31)]


def value(card: str) -> int:
    """What a card counts where the highest number wins; the trilithon beats every number."""
    return 100 if card[0] == "T" else int(card[1:].strip("'"))


class Reference:
    def __init__(self, options: Mapping[str, OptionValue], seats: int) -> None:
        self.options = options
        self.count = seats
        self.live = list(range(1, seats + 1))
        self.solo = seats == 1
        self.timer = self.number("timer", 15) if self.solo else 0
        self.total = dict.fromkeys(self.live, self.number("start", 15) if self.solo else 0)
        self.team = 0
        self.won_before: dict[int, int] | None = None
        self.extra = 0
        self.winners: tuple[int, ...] | None = None
        self.dealer = 0
        self.trump = ""
        self.turn = 0
        self.hands: dict[int, list[str]] = {}
        self.bids: dict[int, str] = {}
        self.tricks: list[int] = []
        self.trick: list[tuple[int, str]] = []
        self.history: list[list[tuple[int, str]]] = []
        self.stage = "trump"
        if not self.solo:
            if options.get("first", "random") == "random":
                self.stage = "first"
            else:
                self.dealer = self.number("first", 0)

    def on(self, option: str, setting: OptionValue = True) -> bool:
        return self.options.get(option, False) == setting

    def number(self, option: str, otherwise: int) -> int:
        return int(self.options.get(option, otherwise))

    def clockwise(self, start: int) -> list[int]:
        """The seats still playing, clockwise, beginning with `start` or the next one after it."""
        circle = [(start - 1 + step) % self.count + 1 for step in range(self.count)]
        return [seat for seat in circle if seat in self.live]

    def after(self, seat: int) -> int:
        return self.clockwise(seat % self.count + 1)[0]

    # Cards

    def deck(self) -> list[str]:
        cards = numbers()
        if len(self.live) == 5:
            cards += numbers("'") if self.on("all_cards") else [c for c in numbers("'") if 5 <= value(c) <= 9]
        return [*cards, f"T{self.trump}"]

    def hand_size(self) -> int:
        if self.solo:
            return self.number("hand", 13)
        return 12 if self.on("all_cards") and len(self.live) == 5 else HAND[len(self.live)]

    def colour(self, card: str) -> str:
        return card[1] if card[0] == "T" else card[0]

    def follows(self, seat: int, led: str) -> list[str]:
        """The cards of a seat that follow the card led, all its cards if none must or can."""
        hand = self.hands[seat]
        if self.colour(led) == "K" and not self.on("black_must_follow"):
            return hand
        return [card for card in hand if self.colour(card) == self.colour(led)] or hand

    def beats(self, card: str, best: str, led: str) -> bool:
        """Whether a card played later beats the best so far."""
        if self.colour(led) == "K":
            return value(card) > value(best)
        if self.colour(card) == self.trump:
            return self.colour(best) != self.trump or value(card) > value(best)
        return self.colour(card) == self.colour(led) == self.colour(best) and value(card) > value(best)

    # What may be done

    def actor(self) -> int | None:
        if self.stage == "over":
            return None
        return self.turn if self.stage in ("bid", "play") else 0

    def choices(self) -> list[str]:
        """Every canonical text possible now; nothing for a deal."""
        if self.stage == "first":
            return [f"first {seat}" for seat in self.live]
        if self.stage == "trump":
            return [f"trump T{letter}" for letter in "WBGYR"]
        if self.stage == "bid":
            found = [f"bid {n}" for n in range(1, self.hand_size() + 1)]
            if self.on("restrictive_null"):
                found += ["null 1", "null max"]
            else:
                found += [f"null {n}" for n in range(1, self.hand_size() + 1)]
            if self.on("doubling"):
                found += ["double"] + ["null double"] * (not self.on("restrictive_null"))
            return found
        if self.stage == "play":
            return self.follows(self.turn, self.trick[0][1]) if self.trick else list(self.hands[self.turn])
        return []

    def owners(self) -> list[int]:
        circle = [1, 0] if self.solo else self.clockwise(self.dealer % self.count + 1)
        found = [seat for _ in range(self.hand_size()) for seat in circle]
        return found + [0] * (len(self.deck()) - len(found))

    # What it does

    def apply(self, actor: int, text: str) -> None:
        if text == "resign":
            self.resign([actor], inside=self.stage in ("deal", "bid", "play"))
        elif self.stage == "first":
            self.dealer, self.stage = int(text[-1]), "trump"
        elif self.stage == "trump":
            self.trump, self.stage = text[-1], "deal"
        elif self.stage == "deal":
            self.deal(text.split()[1:])
        elif self.stage == "bid":
            self.bid(text)
        else:
            self.play(text)

    def deal(self, cards: list[str]) -> None:
        circle = [1, DUMMY] if self.solo else self.clockwise(self.dealer % self.count + 1)
        self.hands = {holder: [] for holder in circle}
        cards = list(cards)
        for _ in range(self.hand_size()):
            for holder in circle:
                self.hands[holder].append(cards.pop(0))
        self.bids, self.tricks, self.history, self.trick = {}, [], [], []
        self.stage, self.turn = "bid", circle[0]
        if self.won_before and not self.solo:
            most = max(self.won_before[seat] for seat in self.live)
            self.turn = next(seat for seat in circle if self.won_before[seat] == most)

    def bid(self, text: str) -> None:
        self.bids[self.turn] = text
        if self.solo:
            self.stage = "play"
            return self.dummy_leads()
        self.turn = self.after(self.turn)
        if len(self.bids) < len(self.live):
            return None
        if all(text.startswith("null") for text in self.bids.values()):
            self.bids = dict.fromkeys(self.live, "bid 0")
        rank = {seat: self.worth(seat) * (-1 if self.bids[seat].startswith("null") else 1) for seat in self.live}
        best = self.clockwise(self.dealer)
        for measure in (rank, dict.fromkeys(self.live, 0) if self.on("cooperative") else self.total):
            top = max(measure[seat] for seat in best)
            best = [seat for seat in best if measure[seat] == top]
        self.turn, self.stage = best[0], "play"
        return None

    def worth(self, seat: int) -> int:
        text = self.bids[seat]
        if text.endswith("double"):
            return 2 * self.hand_size()
        if text == "null max":
            return max(self.worth(other) for other in self.live if not self.bids[other].startswith("null"))
        return int(text.split()[1])

    def dummy_leads(self) -> None:
        self.trick = [(DUMMY, self.hands[DUMMY].pop(0))]
        self.turn = 1

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < (2 if self.solo else len(self.live)):
            self.turn = self.after(self.turn)
            return None
        led = self.trick[0][1]
        taker, best = self.trick[0]
        for seat, other in self.trick[1:]:
            if self.beats(other, best, led):
                taker, best = seat, other
        self.tricks.append(taker)
        self.history.append(self.trick)
        self.trick = []
        if len(self.tricks) == self.hand_size():
            return self.finish()
        if self.solo:
            return self.dummy_leads()
        self.turn = taker
        return None

    # The end of a round

    def kept_back(self, seat: int) -> list[tuple[int, str]]:
        """Trick and card of each play of a seat that did not follow suit, though a later one, or its hand, could."""
        tricks = [trick for trick in [*self.history, self.trick] if any(who == seat for who, _ in trick)]
        mine = [next(card for who, card in trick if who == seat) for trick in tricks]
        found = []
        for number, (trick, card) in enumerate(zip(tricks, mine, strict=True)):
            led = self.colour(trick[0][1])
            if self.solo or (led == "K" and not self.on("black_must_follow")):
                continue
            later = mine[number + 1 :] + self.hands[seat]
            if self.colour(card) != led and any(self.colour(other) == led for other in later):
                found.append((number + 1, card))
        return found

    def revokers(self) -> list[int]:
        """The seats that kept back a card that follows suit, as a later trick of the round shows."""
        return [seat for seat in self.live if self.kept_back(seat)]

    def score(self, seat: int) -> int:
        text, taken = self.bids[seat], self.tricks.count(seat)
        worth = self.worth(seat)
        if text == "bid 0":
            return -taken
        if text.startswith("null"):
            return worth if taken == 0 else -worth
        aim = self.hand_size() if text == "double" else worth
        if taken < aim:
            return -worth
        if taken > aim and self.on("scoring", "hard"):
            return 0
        return worth - (taken - aim)

    def finish(self) -> None:
        if guilty := self.revokers():
            return self.resign(guilty, inside=True)
        if self.on("cooperative"):
            return self.finish_together()
        self.won_before = {}
        for seat in self.live:
            self.won_before[seat] = self.score(seat)
            self.total[seat] = max(0, self.total[seat] + self.won_before[seat])
        return self.finish_alone() if self.solo else self.finish_apart()

    def finish_together(self) -> None:
        zero = all(text == "bid 0" for text in self.bids.values())
        made = [
            self.tricks.count(seat) == (0 if text.startswith("null") else int(text.split()[1]))
            for seat, text in self.bids.items()
        ]
        if all(made) and not zero:
            self.team += len(self.live)
        self.timer += 1
        if self.team >= 30:
            return self.end(self.live)
        return self.end([]) if self.timer == 30 else self.next_round()

    def finish_alone(self) -> None:
        if self.total[1] >= 30:
            return self.end([1])
        if self.total[1] == 0:
            return self.end([])
        self.timer += 1
        if self.timer == 30:
            better = self.total[1] > self.number("start", 15)
            return self.end([1] if self.on("scoring", "hard") and better else [])
        return self.next_round()

    def finish_apart(self) -> None:
        highest = max(self.total[seat] for seat in self.live)
        tie_break = self.timer == 30
        self.timer = min(30, max(self.timer + 1, highest))
        if self.timer < 30:
            return self.next_round()
        self.extra += tie_break
        best = [seat for seat in self.live if self.total[seat] == highest]
        if len(best) == 1 or self.extra == 10:
            return self.end(best)
        self.live = best
        return self.next_round()

    def next_round(self) -> None:
        self.stage = "trump"
        if not self.solo:
            self.dealer = self.after(self.dealer)

    def resign(self, leavers: list[int], inside: bool) -> None:
        self.live = [seat for seat in self.live if seat not in leavers]
        if len(self.live) < 2:
            return self.end([] if self.on("cooperative") else self.live)
        if inside:
            self.won_before = None
            return self.next_round()
        if self.dealer in leavers:
            self.dealer = self.after(self.dealer)
        return None

    def end(self, winners: list[int]) -> None:
        self.stage, self.winners = "over", tuple(winners)

    def points(self) -> tuple[int, ...]:
        return (self.team,) * self.count if self.on("cooperative") else tuple(self.total[s] for s in sorted(self.total))
