"""Absence as a client meets it: votes, claims and the turn time, the file they leave, and coming back after them."""

import pytest
from protocol._event import MOVE, RESIGN, VOTE, WISH
from protocol._node import RESUME_PATIENCE
from protocol._transcript import ForkRecord
from replicas import FAST, FAST_SIGNERS, NAMES, Circle, agree, charter_of, events_of, summary
from test_node import id_of, told_of

from engine import Turn, all_games
from protocol import (
    NET,
    Broken,
    Caught,
    Claimed,
    Disputed,
    Folded,
    Formation,
    LocalFaultError,
    Node,
    Overdue,
    Seat,
    Secrets,
    Send,
    Store,
    Table,
    Voted,
    charter_record,
    load,
    make_body,
    records,
    verify,
)

LIMIT = 30


def charter(seats=3, operators=None, turn_time=LIMIT):
    """A table of pebbles at which a turn may run out of time."""
    operators = operators or range(1, seats + 1)
    signers = FAST_SIGNERS[:seats]
    roster = tuple(map(Seat, (signer.id for signer in signers), NAMES, operators))
    body = make_body(NET, all_games()["pebbles"], {"first": 1}, roster, b"attempt-attempt-", turn_time)
    own = {o: {n: signers[n - 1] for n in range(1, seats + 1) if roster[n - 1].operator == o} for o in set(operators)}
    return agree([Formation(body, keys, b"s%d" % o, FAST) for o, keys in own.items()])


class Clients:
    """Nodes with a disk each. Who is `away` hears and says nothing."""

    def __init__(self, signed):
        self.charter = signed
        operators = [seat.operator for seat in signed.body.seats]
        self.nodes = {operator: Node(self.table(operator)) for operator in sorted(set(operators))}
        self.disks = dict.fromkeys(self.nodes, charter_record(signed))
        self.told = {operator: [] for operator in self.nodes}
        self.away = set()
        self.now = 1.0
        for one, node in self.nodes.items():
            for other in self.nodes:
                if one != other:
                    self.do(one, node.link(id_of(other), up=True))

    def __getitem__(self, operator):
        return self.nodes[operator]

    def table(self, operator):
        seats = enumerate(self.charter.body.seats, 1)
        own = {n: FAST_SIGNERS[n - 1] for n, seat in seats if seat.operator == operator}
        return Table(self.charter, own, Secrets.from_seed(b"seed%d" % operator), FAST)

    def do(self, operator, effects):
        """Carry out effects, and what follows from them elsewhere."""
        queue = [(operator, effect) for effect in effects]
        while queue:
            at, effect = queue.pop(0)
            if isinstance(effect, Send):
                to = next(n for n in self.nodes if id_of(n) == effect.peer)
                if not {at, to} & self.away:
                    queue += [(to, new) for new in self.nodes[to].receive(id_of(at), effect.data, self.now)]
            elif isinstance(effect, Store):
                self.disks[at] += effect.data
            elif not isinstance(effect, Folded):
                self.told[at].append(effect)

    def leave(self, operator):
        self.away.add(operator)
        for one, node in self.nodes.items():
            self.do(one, node.link(id_of(operator), up=False))

    def tick(self, seconds=0.0):
        self.now += seconds
        for operator, node in self.nodes.items():
            if operator not in self.away:
                self.do(operator, node.tick(self.now))

    def play(self):
        """Let whoever is due make the first move there is."""
        table = next(node.table for operator, node in self.nodes.items() if operator not in self.away)
        due = table.fold.position.due
        assert isinstance(due, Turn)
        operator = self.charter.body.seats[due.seat - 1].operator
        self.do(operator, self[operator].play(due.seat, "take 1"))

    def resume(self, operator):
        """Let a client that was killed start again from its disk."""
        before = self[operator].table
        table = load(self.disks[operator], FAST, signers=before.signers, secrets=before.secrets)
        self.nodes[operator] = node = Node(table, resumed=True)
        self.away.discard(operator)
        for other in self.nodes:
            if other != operator and other not in self.away:
                self.do(operator, node.link(id_of(other), up=True))
                self.do(other, self[other].link(id_of(operator), up=True))
        self.do(operator, node.start())

    def check(self, *operators):
        """All that is on these disks verifies, and tells of one game that these clients have."""
        for operator in operators:
            report = verify(self.disks[operator], FAST)
            assert report.ok, report.error
        assert len({str(summary(self[operator].table)) for operator in operators}) == 1


def of(kind, told):
    return [effect for effect in told if isinstance(effect, kind)]


def test_a_vote_of_another_is_told_once():
    """Rule 9: whoever hears it may agree; hearing it again, also through a third, says nothing new."""
    clients = Clients(charter(4, turn_time=0))
    clients.leave(1)
    clients.do(2, clients[2].vote(1))
    assert clients.told == {1: [], 2: [], 3: [Voted(2, 1)], 4: [Voted(2, 1)]}
    (vote,) = (event for event in events_of(clients[3].table) if event.kind == VOTE)
    for peer in (2, 4):
        clients.do(3, told_of(clients[3], vote, peer))
    circle = Circle(clients.charter, fast=True)
    circle.give(circle[2], vote)
    clients.do(3, told_of(clients[3], circle.forge(2, VOTE, (1,)), 2))
    assert len(clients[3].table.chains[1]) == 2, "signed once more"
    for _ in range(5):
        clients.tick(10.0)
    with pytest.raises(LocalFaultError, match="already"):
        clients[2].vote(1)
    assert clients.told[3] == [Voted(2, 1)]
    clients.do(3, clients[3].vote(1))
    assert clients.told[4] == [Voted(2, 1), Voted(3, 1)]
    assert clients[4].table.fold.position.live == (1, 2, 3, 4), "half are not enough"
    clients.do(4, clients[4].vote(1))
    assert clients[2].table.fold.position.live == (2, 3, 4)
    assert clients.told[2] == [Voted(3, 1)], "the last vote removed the seat, which is told as such"
    clients.play()
    clients.check(2, 3, 4)


def test_a_vote_for_what_is_over_is_not_told():
    """Who comes back hears of a vote against it only as long as it counts."""
    clients = Clients(charter(3, turn_time=0))
    clients.away.add(3)
    clients.do(2, clients[2].vote(1))
    clients.play()
    assert clients.told[1] == [Voted(2, 1)]
    clients.away.clear()
    for _ in range(2):
        clients.tick(5.0)
    clients.check(1, 2, 3)
    assert clients[1].table.fold.position.plies > 0
    assert not of(Voted, clients.told[3])


def test_a_claim_is_told_to_who_comes_back_until_play_goes_on():
    """Rule 10."""
    clients = Clients(charter(2, turn_time=0))
    clients.leave(1)
    clients.do(2, clients[2].claim())
    assert clients.told[1] == []
    clients.resume(1)
    assert clients.told[1] == [Claimed(2)]
    clients.tick(5.0)
    clients.play()
    clients.tick(5.0)
    assert clients.told == {1: [Claimed(2)], 2: []}
    assert clients[2].table.fold.claims() == ()
    clients.check(1, 2)


def test_who_runs_out_of_time_is_voted_out_by_the_clients_of_the_others():
    """The clock is that of each client, from when it saw the slot open."""
    clients = Clients(charter(3))
    clients.leave(1)
    clients.tick()
    clients.tick(LIMIT - 1)
    assert clients.told == {1: [], 2: [], 3: []}
    clients.tick(1)
    assert of(Overdue, clients.told[2]) == of(Overdue, clients.told[3]) == [Overdue(1)]
    for operator in (2, 3):
        position = clients[operator].table.fold.position
        assert (position.live, position.slot.epoch) == ((2, 3), 1)
    clients.tick(LIMIT - 1)
    assert not of(Overdue, clients.told[2][1:]), "the next turn has its own time"
    clients.play()
    clients.check(2, 3)
    assert "seat 1 was voted out" in " ".join(verify(clients.disks[2], FAST).lines)


def test_the_time_begins_anew_with_every_turn():
    clients = Clients(charter(3))
    for _ in range(6):
        clients.tick()
        clients.tick(LIMIT - 1)
        clients.play()
    assert clients.told == {1: [], 2: [], 3: []}


def test_of_two_players_nobody_is_voted_out_when_time_is_up():
    """Rule 10: both are told, once."""
    clients = Clients(charter(2))
    clients.tick()
    for _ in range(3):
        clients.tick(LIMIT)
    assert clients.told == {1: [Overdue(1)], 2: [Overdue(1)]}
    assert events_of(clients[2].table) == []


def test_a_table_without_a_limit_waits_for_ever():
    clients = Clients(charter(3, turn_time=0))
    clients.tick()
    clients.tick(10 * 86400)
    assert clients.told == {1: [], 2: [], 3: []}


def test_who_is_alone_when_time_is_up_votes_when_a_link_is_back():
    """Whoever has lost the network cannot know who is gone; but two of three must not wait for each other's vote."""
    clients = Clients(charter(3))
    clients.leave(1)
    clients.tick()
    clients[2].link(id_of(3), up=False)
    clients[3].link(id_of(2), up=False)
    clients.tick(LIMIT)
    clients.tick(LIMIT)
    assert [of(Overdue, clients.told[operator]) for operator in (2, 3)] == [[Overdue(1)]] * 2
    assert events_of(clients[2].table) == events_of(clients[3].table) == []
    clients.do(2, clients[2].link(id_of(3), up=True))
    clients.do(3, clients[3].link(id_of(2), up=True))
    clients.tick(1.0)
    assert clients[2].table.fold.position.live == clients[3].table.fold.position.live == (2, 3)
    assert [of(Overdue, clients.told[operator]) for operator in (2, 3)] == [[Overdue(1)]] * 2


def test_a_resumed_client_neither_votes_nor_claims_before_the_others_were_heard():
    """Rule 20: an old copy may have voted, or moved, already. Nor does its clock run before that."""
    for seats, word in ((3, "vote"), (2, "claim")):
        clients = Clients(charter(seats))
        node = Node(clients.table(2), resumed=True)
        assert 1 in node.unheard
        with pytest.raises(LocalFaultError, match="how far the game had come"):
            node.vote(1) if word == "vote" else node.claim()
        node.tick(0.0)
        assert not of(Overdue, node.tick(25.0) + node.tick(29.0))
        assert node.table.chains[1] == []
    node = Node(Clients(charter(2)).table(2), resumed=True)
    assert not [effect for now in (0.0, LIMIT, 9.0 * LIMIT) for effect in node.tick(now)], "of two the other is needed"


def test_a_standing_vote_is_against_the_client_that_is_gone():
    """A player who is gone takes a bot with it: whoever has voted against one of the seats wants both removed."""
    clients = Clients(charter(5, operators=[1, 1, 3, 4, 5], turn_time=0))
    clients.leave(1)
    for operator in (3, 4, 5):
        clients.do(operator, clients[operator].vote(1))
    for operator in (3, 4, 5):
        table = clients[operator].table
        assert table.fold.position.live == (3, 4, 5)
        votes = [event.body for event in table.chains[operator - 1] if event.kind == VOTE]
        assert votes[0] == (1,)
        assert [(entry.actor, entry.removed) for entry in table.fold.log[:2]] == [(1, True), (2, True)]
    clients.play()
    clients.check(3, 4, 5)


def test_a_standing_vote_ends_when_its_target_is_heard_of():
    """It comes back before the majority: at its next turn nobody votes against it unasked."""
    clients = Clients(charter(3, turn_time=0))
    clients.away.add(1)
    clients.do(2, clients[2].vote(1))
    clients.away.clear()
    clients.play()
    clients.tick(5.0)
    for _ in range(5):
        clients.play()
    assert sum(event.kind == VOTE for event in events_of(clients[3].table)) == 1
    assert clients[3].table.fold.position.live == (1, 2, 3)
    clients.check(1, 2, 3)


def two_versions(clients):
    circle = Circle(clients.charter, fast=True)
    return [circle.forge(1, MOVE, (move,)) for move in ("take 1", "take 2")]


@pytest.mark.parametrize("lost", [False, True], ids=["broadcast", "broadcast lost"])
def test_a_proof_of_a_fork_reaches_all(lost):
    """Rule 4: where its broadcast was lost, the proofs that Have lists show who lacks it."""
    clients = Clients(charter(4, turn_time=0))
    one, two = two_versions(clients)
    clients.away.add(1)
    for operator in (2, 3, 4):
        effects = told_of(clients[operator], one, 1)
        clients.do(operator, effects)
    if lost:
        clients.away |= {3, 4}
    clients.do(2, told_of(clients[2], two, 1))
    assert [len(clients[operator].table.forks) for operator in (2, 3, 4)] == ([1, 0, 0] if lost else [1, 1, 1])
    clients.away = {1}
    for _ in range(2):
        clients.tick(5.0)
    for operator in (2, 3, 4):
        assert [fork.kept.seat for fork in clients[operator].table.forks] == [1]
        kinds = [type(record) for _, record in records(clients.disks[operator])]
        assert kinds.count(ForkRecord) == 1
    clients.check(2, 3, 4)


def test_a_proof_stands_in_the_file_before_what_it_lets_in():
    """What names the other version can be taken in only by who has the proof; a file is read from its beginning."""
    clients = Clients(charter(4, turn_time=0))
    one, two = two_versions(clients)
    clients.away = {1, 2, 3, 4}
    clients.do(2, told_of(clients[2], one, 1))
    clients.do(4, told_of(clients[4], two, 1))
    (named,) = clients[4].table.chains[3]
    clients.do(2, told_of(clients[2], named, 4))
    assert named not in clients[2].table.chains[3], "it names a version that is not held"
    clients.do(2, told_of(clients[2], two, 4))
    assert named in clients[2].table.chains[3]
    clients.away = {1}
    for _ in range(3):
        clients.tick(5.0)
    for operator in (2, 3, 4):
        assert clients[operator].table.fold.position.live == (2, 3, 4)
        assert summary(load(clients.disks[operator], FAST)) == summary(clients[operator].table)
    clients.check(2, 3, 4)


def test_who_has_not_heard_of_a_fork_is_not_said_to_have_a_wrong_state():
    """Its digest is that of the state with what does not stand here."""
    circle = Circle(charter_of("qenqe", 4, {"first": 3}, fast=True), fast=True)
    resigned, other = circle.forge(2, RESIGN, ()), circle.forge(2, WISH, (1,))
    moves = []
    for seat in (3, 4):
        table = circle[seat]
        circle.give(table, resigned, *moves)
        moves.append(table.play(seat, table.game.legal(table.state, seat)[0]))
    node = Node(circle.client(1))
    effects = [effect for event in (resigned, other, *moves) for effect in told_of(node, event, event.seat)]
    assert node.table.fold.disputed() == (moves[1],)
    assert any(isinstance(effect, Caught) and effect.seat == 2 for effect in effects)
    assert not any(isinstance(effect, Disputed | Broken) for effect in effects)


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_client_killed_after_a_removal_signs_nothing_twice(after):
    """It loads the same game from its file, and nothing it has signed before is signed in another version."""
    clients = Clients(charter(4, turn_time=0))
    clients.leave(1)
    for operator in (2, 3, 4):
        clients.do(operator, clients[operator].vote(1))
    for _ in range(after):
        clients.play()
    before = summary(clients[2].table), clients[2].table.chains[1][:]
    clients.leave(2)
    clients.resume(2)
    assert summary(clients[2].table) == before[0]
    assert clients[2].table.chains[1][: len(before[1])] == before[1]
    assert clients[2].unheard == (), "the removed seat need not be heard"
    for _ in range(3):
        clients.play()
    assert not any(clients[operator].table.forks for operator in (2, 3, 4))
    clients.check(2, 3, 4)


def test_who_was_removed_comes_back_to_watch():
    """Its client hears that it is out, signs no move any more, and sees the others play on."""
    clients = Clients(charter(3, turn_time=0))
    clients.play()
    while clients[2].table.fold.position.due != Turn(1):
        clients.play()
    clients.leave(1)
    clients.do(2, clients[2].vote(1))
    clients.do(3, clients[3].vote(1))
    clients.play()
    clients.resume(1)
    assert clients[1].table.fold.log[-1].actor != 1
    assert [entry.removed for entry in clients[1].table.fold.log if entry.actor == 1][-1]
    assert clients[1].unheard == ()
    for call in (lambda: clients[1].play(1, "take 1"), lambda: clients[1].vote(2), clients[1].claim):
        with pytest.raises(LocalFaultError, match="no longer plays"):
            call()
    while isinstance(clients[2].table.fold.position.due, Turn):
        clients.play()
    clients.tick(5.0)
    clients.check(1, 2, 3)


def test_a_client_that_died_after_its_vote_has_voted():
    """The vote is on disk before anybody sees it."""
    clients = Clients(charter(4, turn_time=0))
    clients.leave(1)
    effects = clients[2].vote(1)
    assert isinstance(effects[0], Store)
    assert effects[0].sync
    assert any(isinstance(effect, Send) for effect in effects[1:])
    clients.disks[2] += effects[0].data
    clients.leave(2)
    clients.resume(2)
    assert of(Voted, clients.told[3]) == [Voted(2, 1)], "what was not sent is sent again"
    clients.tick()
    clients.tick(RESUME_PATIENCE)
    with pytest.raises(LocalFaultError, match="already"):
        clients[2].vote(1)
