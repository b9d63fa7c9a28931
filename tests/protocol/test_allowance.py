"""How much one of the others may say."""

from protocol import Allowance, Allowances


def test_so_much_comes_at_once_and_then_one_in_each_span() -> None:
    allowance = Allowance(3, 5.0)
    assert [allowance.take(100.0) for _ in range(5)] == [True, True, True, False, False]
    assert not allowance.take(104.9)
    assert allowance.take(105.0)
    assert not allowance.take(105.0)


def test_what_was_not_taken_is_kept_up_to_what_comes_at_once() -> None:
    allowance = Allowance(3, 5.0)
    assert [allowance.take(now) for now in (100.0, 200.0, 200.0, 200.0, 200.0)] == [True, True, True, True, False]


def test_to_ask_whether_one_is_left_takes_none() -> None:
    allowance = Allowance(1, 5.0)
    assert allowance.has(0.0)
    assert allowance.take(0.0)
    assert not allowance.has(0.0)
    assert allowance.has(5.0)


def test_seconds_that_are_summed_up_may_be_rounded() -> None:
    allowance, now = Allowance(1, 0.1), 0.0
    for _ in range(1000):
        assert allowance.take(now)
        now += 0.1


def test_each_key_has_its_own_and_the_one_asked_for_longest_ago_gives_way() -> None:
    allowances = Allowances(1, 5.0, 2)
    assert [allowances.take(key, 0.0) for key in "abab"] == [True, True, False, False]
    assert not allowances.take("a", 0.0)
    assert allowances.take("c", 0.0)
    assert not allowances.take("a", 0.0)
    assert allowances.take("b", 0.0), "it is whole again"
