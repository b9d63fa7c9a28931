"""What a player reads of faults that the table finds: each has its sentence."""

from p2p_stonehenge.table.faults import TOLD, refused
from protocol import Fault, LocalFaultError


def test_every_fault_that_the_rules_do_not_explain_has_a_sentence() -> None:
    assert {*TOLD} == {*Fault} - {Fault.AGAINST_THE_RULES}
    assert str(refused(LocalFaultError(Fault.AGREED))).startswith("You have agreed to go on")
    assert str(refused(LocalFaultError(Fault.AGAINST_THE_RULES, "That is no move."))) == "That is no move."
