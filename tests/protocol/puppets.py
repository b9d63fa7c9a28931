"""Seats whose clients sign and tell only what a test says."""

from collections.abc import Iterable

from clients import Clients, clients, id_of, message_with
from replicas import events_of

from protocol import Effect, SignedEvent, Store, Table
from protocol.events import EventBody, Slot, causes_first


class Puppet:
    """A seat that is linked to all others, and whose client signs and tells only what a test says."""

    def __init__(self, table: Clients, operator: int) -> None:
        self.clients, self.operator = table, operator
        self.others = [one for one in table.nodes if one != operator]
        table.guests[id_of(operator)] = lambda _sender, _data: None
        self.table: Table = table.forger.client(operator, events_of(table[self.others[0]].table))
        self.hear()

    def hear(self) -> None:
        """Take in all that the others have signed."""
        for other in self.others:
            held, chains = self.table.held, self.clients[other].table.held.chains
            news = [event for seat, chain in enumerate(chains) for event in chain[len(held.chains[seat]) :]]
            for event in causes_first(news):
                self.table.receive(event.raw, event.signature)

    def sign(self, body: EventBody, seat: int = 0, slot: Slot | None = None) -> SignedEvent:
        """Sign an event; nobody is told."""
        event = self.clients.forger.forge(seat or self.operator, body, at=self.table, slot=slot)
        self.table.receive(event.raw, event.signature)
        return event

    def tell(self, *events: SignedEvent, to: Iterable[int] = ()) -> None:
        """Send all others (or these) events in one message."""
        for other in to or self.others:
            node, data = self.clients[other], message_with(*events)
            self.clients.do(other, node.receive(id_of(self.operator), data, self.clients.now))

    def told(self, to: int, event: SignedEvent) -> list[Effect]:
        """Send one of the others an event; return what it does besides storing, to be carried out later."""
        effects = self.clients.tell(to, event, self.operator)
        self.clients.do(to, [effect for effect in effects if isinstance(effect, Store)])
        return [effect for effect in effects if not isinstance(effect, Store)]

    def wait(self, seconds: int) -> None:
        """Let time pass for the others."""
        for _ in range(seconds):
            self.clients.tick(1.0, *self.others)


def resigned_in_a_roll() -> tuple[Clients, Puppet]:
    """A table of four at which seat 3 has resigned in a roll, given its part and gone; seat 4 alone owes its part."""
    table = clients("pebbles", 4, pile=60)
    table.tick()
    table.play()
    puppet = Puppet(table, 4)
    table.play()
    table.do(3, [*table[3]._publish([table[3].table.own.resign(3)])])
    table.leave(3)
    puppet.hear()
    return table, puppet
