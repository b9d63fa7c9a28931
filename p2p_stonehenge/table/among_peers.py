"""A table among peers, as a session: what a player can do there, what arrives, and what is due by time."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from engine import Result, listed
from p2p_stonehenge.storage.home import Journal
from p2p_stonehenge.table.another_game import AnotherGame
from p2p_stonehenge.table.base import PLAYED_ON
from p2p_stonehenge.table.comings import Comings
from p2p_stonehenge.table.faults import refused
from p2p_stonehenge.table.jobs import Jobs, Keeper
from p2p_stonehenge.table.notices import CHAT_LINES, LINE_EVERY, NOTED, Notices
from p2p_stonehenge.table.presence import Presence
from p2p_stonehenge.table.proposals import ANSWER_TIME, GOES_ON, Proposals
from p2p_stonehenge.table.session import (
    After,
    AskedFirst,
    BusyError,
    Capability,
    Note,
    Notice,
    Progress,
    Question,
    RefusedError,
    Said,
)
from p2p_stonehenge.table.shown import Shown, ShownTable
from p2p_stonehenge.table.spectators import Spectators
from p2p_stonehenge.table.taking_back import TakingBack
from p2p_stonehenge.text.times import whole_seconds
from protocol import (
    Allowance,
    Attending,
    Effect,
    Fault,
    Folded,
    LeaveReason,
    LocalFaultError,
    Node,
    Position,
    Proposed,
    SpectatorChat,
    charter_record,
    phrase,
    wishing,
)

TICK = 0.5
"""Seconds between two looks at what time demands."""
COUNTS_ANEW = "This program has started again and counts all times anew: the others may see less time left than you do."
SHUFFLING_NOW = "The cards are being shuffled: wait a moment, then type it again."


class Settled(NamedTuple):
    """What the table was like when the effects of the last job were carried out: what is told depends on it."""

    position: Position
    result: Result | None
    unheard: tuple[int, ...]
    has_agreed: bool

    @classmethod
    def of(cls, shown: Shown) -> "Settled":
        """Return what the table is like; not while a thread works on it."""
        return cls(shown.position, shown.end.result, shown.unheard, shown.has_agreed)


class NetTable(ShownTable):
    """A table among peers. `people` are the seats that a person plays here; other own seats are bots'."""

    def __init__(
        self,
        node: Node,
        journal: Journal,
        sender: Keeper,
        people: Sequence[int],
        keep: Callable[[bytes], None] = lambda _secrets: None,
        elsewhere: Callable[[bytes], str] = lambda _peer: "",
        *,
        resumed: bool = False,
    ) -> None:
        """`elsewhere` returns in a sentence where a player is who has left this table, or nothing."""
        super().__init__(node, people)
        self.path = journal.path
        self.words = " ".join(phrase(node.table.charter))
        self.advises = not node.peers
        self._jobs = Jobs(node, journal, sender, keep, self)
        self._presence = Presence(self, node)
        self._proposals = Proposals(self, node, self._presence)
        self._comings = Comings(
            self,
            self._presence,
            self._proposals,
            lambda peer: elsewhere(peer) or self._another_day(),
            sender.nick_of,
        )
        self._another_game = AnotherGame(self, self._presence)
        self._taking_back = TakingBack(self, node)
        self._spectators = Spectators(self, node, self._jobs, self._presence, self._another_game)
        self._notices = Notices(self, node, self._comings, self._another_game, time.monotonic)
        self._says = Allowance(CHAT_LINES - 1, LINE_EVERY)
        self._told_of_others = ""
        self._settled = Settled.of(self.shown)
        self._told_of: object = None
        """The position of which everything is told."""
        self._leaves: LeaveReason | None = None
        """Why the player leaves the table: None while the player is at it."""
        if resumed:
            self._tell_plies()
        else:
            journal.append(charter_record(node.table.charter), sync=True)

    # What the player can do

    def can(self, capability: Capability) -> bool:
        if capability == "without":
            return not self._presence.only_two
        if capability == "mute":
            return bool(self.table.charter.body.watching.talk)
        if capability == "agree":
            return self._proposals.may_agree()
        if capability == "newest":
            return bool(self.shown.unheard) or self.shown.own_waits
        return super().can(capability)

    def question(self, capability: AskedFirst, seat: int = 0) -> Question:
        if capability == "again" and self._another_game.may_begin:
            self._check_wants_none()
            return self._another_game.question()
        if capability == "newest" and self.can("newest"):
            return self._comings.ask_newest(self.shown.unheard)
        if capability in ("quit", "adjourn"):
            asked = super().question(capability, seat)
            return asked if self.leaves_freely else asked._replace(text=asked.text + self._presence.meanwhile())
        if capability not in ("without", "agree", "draw", "takeback"):
            return super().question(capability, seat)
        if self._jobs.working:
            raise BusyError(SHUFFLING_NOW)
        try:
            self._node.check_may_sign()
            if capability == "takeback":
                if seat in self.asking():
                    raise RefusedError(f"You are for this take-back already. {self._taking_back.off_again}")
                asked = super().question(capability, seat)
                self._node.check_take_back(seat)
                return asked if self._node.peers else asked._replace(text="")
            if capability == "draw":
                if (noted := self.shown.draws_waiting.get(seat)) is not None:
                    raise RefusedError(NOTED[noted])
                self._node.check_wish(seat, wish=True)
                return super().question(capability, seat)
            return self._proposals.ask_without(seat) if capability == "without" else self._proposals.ask_agree()
        except LocalFaultError as fault:
            raise self._refused(fault) from fault

    @property
    def leaves_freely(self) -> bool:
        return super().leaves_freely and not self._presence.own_bots

    def _way_in_does(self) -> str:
        return (
            "lets your bots play on, and you watch" if self.out and self._presence.own_bots else super()._way_in_does()
        )

    def play(self, seat: int, action: str) -> None:
        self._try(lambda: self._node.play(seat, action))

    def wish_draw(self, seat: int, wish: bool = True) -> None:
        if (noted := self.shown.draws_waiting.get(seat)) is not None:
            raise RefusedError(NOTED[noted])
        self._try(lambda: self._node.wish_draw(seat, wish))
        self._tell_all(self._notices.wishes_noted())

    def asking(self) -> tuple[int, ...]:
        return self.position.asking

    def take_back(self, seat: int) -> None:
        told, plies = self._taking_back.asked_by(seat), len(self.plies)
        self._try(lambda: self._node.take_back(seat), Note(told, stands=lambda: len(self.plies) == plies))

    def _grant(self) -> None:
        """Agree to a take-back to which this client agrees by itself, if one is asked for."""
        if (seat := self._taking_back.grants()) is not None:
            with suppress(RefusedError):  # this client has no say any more
                self._try(lambda: self._node.take_back(seat))

    def may_wish(self, seat: int) -> bool:
        """Return whether `seat` plays and may offer a draw now."""
        position = self.position
        return seat in position.live and not position.wished[seat - 1]

    def say(self, text: str) -> None:
        seat = min(self.table.own.signers)
        if not self._says.take(time.monotonic()):
            raise RefusedError("You have said much at once, and the others would not see it: wait a second.")
        self._try(lambda: self._node.say(text), Said(self.speaker(seat), text))
        if told := self._presence.unread():
            self.tell(Note(told))

    def mute(self) -> bool:
        if not self.can("mute"):
            return super().mute()
        self._notices.muted = not self._notices.muted
        return self._notices.muted

    def without(self, seat: int) -> None:
        who = self._presence.named(self.table.operator(seat))
        told = f"You want to go on without {who}: now the others who stay have to agree"
        told += "" if self._presence.away(seat) else f" within {ANSWER_TIME}, else {GOES_ON}"
        self._try(lambda: self._without(seat), Note(f"{told}."))

    def _without(self, seat: int) -> Iterable[Effect]:
        effects = self._node.without(seat)
        self._proposals.want({self.table.operator(seat)})
        return effects

    def agree(self) -> None:
        names = listed([self._presence.named(seat) for seat in sorted(self._proposals.unwanted())])
        self._try(self._agree, Note(f"You agree to go on without {names}."))

    def _agree(self) -> Iterable[Effect]:
        unwanted = self._proposals.unwanted()
        effects = self._node.agree()
        self._proposals.want(unwanted)
        return effects

    def newest(self) -> None:
        self._jobs.add(self._node.trust)

    def again(self) -> None:
        """Note that the player wants to play again with the same players, and tell them."""
        another = self._another_game
        if not another.may_begin:
            raise RefusedError(another.refusal())
        self._check_wants_none()
        self._try(partial(self._node.again, self._presence.here))
        another.decide()
        self._begin_again()
        if not self.wants_again:
            names = listed([self.label(seat) for seat in another.awaited])
            told = f"You want to play again: waiting for {names}. You may go on talking; `quit` leaves the table."
            self.tell(Note(told, stands=lambda: bool(another.awaited)))

    def _check_wants_none(self) -> None:
        """Raise RefusedError if the player wants another game already."""
        if names := listed([self.label(seat) for seat in self._another_game.awaited]):
            raise RefusedError(f"You want to play again already: waiting for {names}. `quit` leaves the table.")

    def _begin_again(self) -> None:
        """Leave this table for another game once all who are here want it."""
        if self._another_game.begins and not self.wants_again:
            self._another_game.begin()
            self.wants_again = True
            self.tell(Progress())

    def forgo(self) -> None:
        """Note that the player has left the table without another game, though one may have been wanted."""
        if not self.wants_again:
            self._another_game.forgo()

    @property
    def departed(self) -> tuple[bytes, ...]:
        """Return the other clients whose players have left by wish."""
        return self._presence.departed

    @property
    def plays_without(self) -> frozenset[bytes]:
        """Return the ids of the players who were gone when the player here wanted to play again."""
        return self._another_game.without

    @property
    def silent(self) -> list[str]:
        """Return, once the player here plays again, how the others are called who have not said that they do."""
        return self._another_game.silent

    def _another_day(self) -> str:
        """Return in a sentence that a match goes on although nobody is left at this table to play its next game."""
        goes_on = self.after().way_on and not self._presence.company
        return " The match goes on another day, from the start page." if goes_on else ""

    def after(self) -> After:
        another = self._another_game
        return (
            super()
            .after()
            ._replace(
                may_again=another.may_begin and not another.decided,
                sides_change=another.sides_change,
                wanting=() if another.decided else tuple(sorted(another.wanting)),
                awaited=another.awaited,
            )
        )

    def leave(self, *, adjourn: bool = False) -> None:
        self._leaves = LeaveReason.ADJOURN if adjourn else LeaveReason.QUIT
        # Not a job: jobs wait while a thread works on a deal, and leaving need not.
        for effect in self._node.leave(self._leaves):
            self._jobs.sender.send(effect.peer, effect.data)

    def _try(self, call: Callable[[], Iterable[Effect]], told: Notice | None = None) -> None:
        """Do what the player wants, `told` before what follows from it. Raises RefusedError."""
        if self._jobs.working:
            raise BusyError(SHUFFLING_NOW)
        try:
            effects = call()
        except LocalFaultError as fault:
            raise self._refused(fault) from fault
        if told:  # before the effects, each of which shows the table anew
            self.note_change()
            self.tell(told)
        self._jobs.carry_out(effects)

    def _refused(self, fault: LocalFaultError) -> RefusedError:
        """Return the refusal that tells the player of a fault; it names those who have to be heard first."""
        first = fault.fault is Fault.UNHEARD and self.shown.unheard
        return RefusedError(self._comings.first_to_be_heard()) if first else refused(fault)

    # What arrives, and what is due by time

    def begin(self, linked: Sequence[bytes]) -> None:
        """Start with the links that stand already."""
        for peer in linked:
            if peer in self._node.peers and not self.shown.unheard:
                self._comings.begin(peer)
                self._jobs.add(partial(self._node.link, peer, up=True))
            else:
                self.link(peer, up=True)
        if self.shown.unheard and self.table.charter.body.turn_time and self.result is None:
            self.tell(Note(COUNTS_ANEW))
        self._jobs.add(self._node.start)

    def link(self, peer: bytes, up: bool) -> None:
        """Note a link that came up or went down."""
        if peer not in self._node.peers:
            self._spectators.link(peer, up)
            return
        self._jobs.add(partial(self._node.link, peer, up))
        if up:
            self._jobs.add(partial(self._node.ask, peer))  # its answer tells that it is at this table
        self._tell_all(self._comings.link(peer, up))
        self._begin_again()

    def loss(self, peer: bytes) -> None:
        """Ask a peer for what was dropped, now that it is heard again."""
        self._jobs.add(partial(self._node.ask, peer))

    def receive(self, peer: bytes, data: bytes) -> asyncio.Future[None] | None:
        """Take in a message from a peer; return what is at work on it, if a thread is."""
        if peer not in self._node.peers:
            self._spectators.receive(peer, data)
            return None
        self._tell_all(self._comings.hear(peer, data))
        self._jobs.add(lambda: self._node.receive(peer, data, self._presence.now()))
        return self._jobs.working

    def look(self, now: float) -> None:
        """Note a look at the clocks, also once the game is over: else a computer that is awake seems to have slept."""
        self._tell_all(self._comings.note_time(now))
        self._tell_all(self._comings.look_at_the_end())
        self._tell_links()
        if untold := self._another_game.untold():
            self._jobs.add(partial(self._node.again, untold))
        self._begin_again()

    def _tell_links(self) -> None:
        if self._told_of_others != (told := self.links()):
            self._told_of_others = told
            self.tell(Progress())

    def serve(self, now: float, hints: Sequence[tuple[bytes, str]]) -> None:
        """Send those who watch what is due; `hints`: where the other players are. To be called twice a second."""
        left = {LeaveReason.QUIT: Attending.GONE, LeaveReason.ADJOURN: Attending.GONE_FOR_TODAY}
        own = left[self._leaves] if self._leaves else Attending.PRESENT
        self._spectators.serve(now, hints, Attending.AGAIN if self.wants_again else own)

    def dismiss(self, now: float) -> None:
        """Serve those who watch for the last time; tell the others that this client leaves, where nobody did yet."""
        if self.result is not None and not self.wants_again and self._leaves is None:
            self.leave()
        self.serve(now, ())
        self._spectators.dismiss()

    def trouble(self, peer: bytes | None, text: str, stands: Callable[[], bool] = lambda: True) -> None:
        """Tell the player of a trouble with the network, but not of one with a player who has left by wish.

        What is said of a peer whose link is down is over once the link is up.
        """
        if peer is None or peer in {*self._node.peers} - {*self._presence.departed}:
            linked = peer in self.shown.linked
            self._tell_all(self._notices.trouble(text, lambda: stands() and (peer in self.shown.linked) == linked))

    @property
    def sought(self) -> tuple[bytes, ...]:
        """Return the other clients that are looked for while they are missing.

        After the end of the game those whose players have left by wish are not: they do not come back.
        """
        return tuple(id for id in self._node.peers if self.result is None or id not in self._presence.departed)

    async def keep_time(self) -> None:
        """Do what time demands until the game is over and nothing is left to wait for."""
        while self._jobs.working or not self._node.done(time.monotonic()):
            await asyncio.sleep(TICK if self.result is None else TICK / 10)
            self.tick(time.monotonic())

    @property
    def may_go_on(self) -> bool:
        """Return whether the game, which two versions of an event have ended, may prove not to be over."""
        return self.shown.may_go_on

    async def goes_on(self) -> bool:
        """Wait, after `keep_time`, until the game goes on after all; return False once it is over for good."""
        while self.result is not None:
            if not self.may_go_on:
                return False
            await asyncio.sleep(TICK)
            self.tick(time.monotonic())
        return True

    def tick(self, now: float) -> None:
        """Do what is due by time, and say what can be done about a player who has been missing for a while."""
        self._tell_all(self._comings.note_time(now))
        self._tell_all(self._comings.look(now))
        self._jobs.add(partial(self._node.tick, now))
        self._tell_all(self._notices.time_left())
        self._tell_all(self._notices.wishes_noted())
        self._agree_unattended()
        self._tell_links()

    def _agree_unattended(self) -> None:
        """Agree to go on without a player that is missing here as well, if no person sits at this client to agree.

        Nor does this client wait for ever for an operator that does not sign what this client has signed.
        """
        if self.people or self.result is not None:
            return
        missed = self.shown.unwanted & {*self._presence.missed()}
        for seat in (missed | self._proposals.refusing_for_long()) - self.shown.wanted:
            with suppress(RefusedError):  # nothing is due from that player any more, or a thread works on the table
                told = Note(f"This client agrees to go on without {self.label(seat)}.")
                self._try(partial(self._without, seat), told)

    # What becomes of jobs

    def hear(self, effect: Effect) -> None:
        """Tell the player of an effect."""
        if isinstance(effect, SpectatorChat) and not effect.name:  # said through this client: no job, a thread may work
            name = self._jobs.sender.nick_of(effect.peer)
            self._jobs.add(partial(self._node.pass_on, effect.peer, name, effect.text))
            self._tell_all(self._notices.of(effect._replace(name=name)))
            return
        self.note_change()
        if isinstance(effect, Folded):
            self._tell_plies()
        else:
            self._tell_all(self._notices.of(effect))
            self._begin_again()

    def settle(self) -> None:
        """Tell the player what has changed when all effects of a job are carried out."""
        self.note_change()
        before, now = self._settled, Settled.of(self.shown)
        self._settled, had_ended = now, before.result
        if had_ended and not now.result:
            self._another_game.forgo()
            self.wants_again = False
            self.tell(Note(PLAYED_ON, urgent=True))
        elif had_ended and had_ended != now.result:
            told = "The others had signed the end of the game, which stands whatever was signed twice"
            self.tell(Note(f"{told}. {self.outcome}", urgent=True))
        if now.position is not self._told_of:  # after most statements of what others hold it is the same
            self._told_of = now.position
            self._tell_plies()
            self._tell_all(self._notices.wishes())
            self._tell_all(self._taking_back.news())
            if self.asking():
                self._grant()
        self._presence.await_slot()
        if before.unheard and not now.unheard:
            for operator, agreement in self.shown.proposed.items():
                if operator != self.table.own.operator:  # what others wish the player may agree to now
                    self._tell_all(self._notices.of(Proposed(operator, agreement.leavers)))
        if (before.unheard, before.has_agreed) != (now.unheard, now.has_agreed):
            # Nothing may have been played, but the player to move could not until now.
            self.tell(Progress())

    def thread_ended(self) -> None:
        """Let the screen show what has come of it."""
        self.tell(Progress())

    def _tell_all(self, notices: Iterable[Notice]) -> None:
        for notice in notices:
            self.tell(notice)

    # What the screen shows

    @property
    def ready(self) -> bool:
        return not self.shown.unheard and not self.shown.has_agreed and not self._jobs.working

    @property
    def turn(self) -> int:
        # No seat has the turn at a resumed table before all other clients were heard or have agreed, or after
        # equivocation has ended the game.
        return 0 if self.shown.unheard or self.shown.has_agreed or self.result else super().turn

    @property
    def seconds_left(self) -> int | None:
        # What is left was looked up when the notices were made: in another turn that figure is out of date.
        return None if self.shown.seconds_left is None else self._notices.seconds_left

    def clock(self, seat: int) -> int | None:
        return None if self.shown.unheard or self.result else whole_seconds(self.shown.clocks[seat - 1])

    def waiting(self) -> str:
        return self._notices.waiting()

    def to_move(self) -> str:
        return "" if self._proposals.puts_off else super().to_move()

    def wishes(self) -> tuple[int, ...]:
        return wishing(self.position.wishes, self.position.live)

    def proposed(self) -> str:
        # Where the player here has agreed, `waiting` says who has yet to do so.
        if not (remarks := {} if self.shown.has_agreed else self._notices.remarks()):
            return ""
        if self.can("agree") and not {*self.people} & {*remarks}:
            return f"go on without {listed([self.speaker(seat) for seat in remarks])}? `agree`"
        named = ((remark, "you" if seat in self.people else self.speaker(seat)) for seat, remark in remarks.items())
        return "; ".join(f"{remark} {name}" for remark, name in named)

    def links(self) -> str:
        # At a resumed table `waiting` says which players have to come back.
        return "" if self.shown.unheard else self._presence.status()

    def watched(self) -> str:
        return self._spectators.told()

    def remark(self, seat: int) -> str:
        again = "wants to play again" if seat in self._another_game.wanting else ""
        return ", ".join(
            part for part in (self._presence.away(seat), self._notices.remarks().get(seat, ""), again) if part
        )

    def audited(self) -> list[str]:
        """Return what is known of a last round that was broken off, once the result is signed."""
        return self._notices.audited()
