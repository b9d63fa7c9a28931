"""The door of a table with a passphrase: how host and guest show each other that they know it.

The host names a session, the guest answers with its share, the host with its own share and tag, the guest with its tag.
The host shows its tag first: a guest gives nothing to a host that does not know the passphrase. An answer of the host
lets the guest test one passphrase, so answers are what is counted and limited, over all guests together.
"""

from collections.abc import Callable
from enum import Enum, auto

from protocol.formation.passphrase import PAKE_SHARE_BYTES, SESSION_BYTES, Handshake, KeyExchange, same_tag

ANSWER_EVERY = 1.0
"""Seconds between two answers of a host, over all guests together: so many passphrases can be tested, not more."""


class Door:
    """The host's side. `random(n)` returns n fresh bytes; time is passed in."""

    def __init__(self, passphrase: str, host: bytes, random: Callable[[int], bytes]) -> None:
        self.wrong = 0
        """Answers given so far that no right tag has followed."""
        self._passphrase, self._host, self._random = passphrase, host, random
        self._sessions: dict[bytes, bytes] = {}
        self._waiting: dict[bytes, Handshake] = {}
        self._expected: dict[bytes, bytes] = {}
        self._last = -ANSWER_EVERY

    def ask(self, guest: bytes) -> Handshake:
        """Return the question for a guest, with a new session; the guest's earlier session ends."""
        self.forget(guest)
        self._sessions[guest] = self._random(SESSION_BYTES)
        return Handshake(self._sessions[guest], b"", b"")

    def hear(self, guest: bytes, message: Handshake) -> bool:
        """Take in a guest's message; return whether the guest has shown that it knows the passphrase."""
        if self._sessions.get(guest) != message.session:
            return False
        if message.tag:
            del self._sessions[guest]
            right = same_tag(self._expected.pop(guest, b""), message.tag)
            self.wrong -= right
            return right
        if message.share and guest not in self._expected:
            self._waiting.setdefault(guest, message)
        return False

    def answer(self, now: float) -> tuple[bytes, Handshake] | None:
        """Return the next guest to answer, with the answer; None if no answer is due. A session gets one answer."""
        if not self._waiting or now - self._last < ANSWER_EVERY:
            return None
        self._last = now
        guest = next(iter(self._waiting))
        session, share, _ = self._waiting.pop(guest)
        names = {"guest": guest, "host": self._host, "session": session}
        run = KeyExchange(self._passphrase, **names, secret=self._random(len(share)), hosts=True)
        try:
            tag, self._expected[guest] = run.tags(share)
        except ValueError:
            self.forget(guest)
            return None
        self.wrong += 1
        return guest, Handshake(session, run.share, tag)

    def forget(self, guest: bytes) -> None:
        """Drop what is held of a guest that has gone."""
        for held in (self._sessions, self._waiting, self._expected):
            held.pop(guest, None)


class Caller:
    """A guest's side of one session. `secret`: PAKE_SHARE_BYTES random bytes for this session only."""

    def __init__(self, passphrase: str, *, guest: bytes, host: bytes, session: bytes, secret: bytes) -> None:
        self._session = session
        self._run = KeyExchange(passphrase, guest=guest, host=host, session=session, secret=secret, hosts=False)

    @property
    def greeting(self) -> Handshake:
        """Return the guest's first message: its share."""
        return Handshake(self._session, self._run.share, b"")

    def meet(self, message: Handshake) -> Handshake | None:
        """Return the guest's tag, in answer to the host's message; None if the host does not know the passphrase."""
        try:
            tag, expected = self._run.tags(message.share)
        except ValueError:
            return None
        return Handshake(self._session, b"", tag) if same_tag(expected, message.tag) else None


class NotIn(Enum):
    """Why a guest or a spectator is not let in yet."""

    NEEDS_PASSPHRASE = auto()
    """The host asks for a passphrase, and this client has none."""
    WRONG_PASSPHRASE = auto()
    """The host does not know the passphrase that this client has."""


class Knock:
    """A guest's or a spectator's side at the doors that it comes to, one at a time.

    `own`: the id of this client; `random(n)` returns n fresh bytes.
    """

    def __init__(self, own: bytes, random: Callable[[int], bytes]) -> None:
        self._own, self._random = own, random
        self._caller: Caller | None = None

    @property
    def waits(self) -> bool:
        """Return whether the host has to answer."""
        return self._caller is not None

    def leave(self) -> None:
        """Wait for no answer any more."""
        self._caller = None

    def hear(self, host: bytes, message: Handshake, passphrase: str | None) -> Handshake | NotIn | None:
        """Take in a host's message; return what to send, or why nothing is sent, None if nobody asked for the message.

        What is sent has a tag once the host has shown that it knows the passphrase.
        """
        if not message.tag:
            self._caller = None
            if passphrase is None:
                return NotIn.NEEDS_PASSPHRASE
            names = {"guest": self._own, "host": host, "session": message.session}
            self._caller = Caller(passphrase, **names, secret=self._random(PAKE_SHARE_BYTES))
            return self._caller.greeting
        if self._caller is None:
            return None
        answer = self._caller.meet(message)
        self._caller = None
        return answer or NotIn.WRONG_PASSPHRASE
