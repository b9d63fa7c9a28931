"""Ids as text, and the secrets of a table: what comes back as it was written, and what is refused."""

from typing import Any

import pytest

from engine import MalformedError, encode
from protocol import Identity, Secrets, id_bytes, id_text

ID = Identity(b"a" * 32).id
SECRETS = Secrets.from_seed(b"s" * 32)
TABLE = b"t" * 32


def test_an_id_is_read_back_in_either_case() -> None:
    assert id_bytes(id_text(ID)) == id_bytes(id_text(ID).upper()) == ID


@pytest.mark.parametrize(
    "text",
    [id_text(ID)[:-1], id_text(ID) + "a", id_text(ID)[:-1] + "b", id_text(b"\xff" * 32), "1" * 52, ""],
    ids=["too short", "too long", "other last bits", "no point", "no base32", "nothing"],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        id_bytes(text)


def test_secrets_come_back_after_a_restart() -> None:
    later = SECRETS.moved_on(3)
    assert Secrets.restored(later.kept(TABLE), TABLE) == later
    assert later.moved_on(2) == later.moved_on(3) == later


def test_the_secrets_of_a_deal_that_is_over_are_gone() -> None:
    kept = [SECRETS.for_deal(deal, b"anna") for deal in range(4)]
    assert len({*kept}) == 4
    later = SECRETS.moved_on(2)
    assert [later.for_deal(deal, b"anna") for deal in range(4)] == [None, None, *kept[2:]]


@pytest.mark.parametrize(
    "changed", [{"chance": b"x"}, {"bots": b""}, {"cards": bytes(33)}, {"deal": -1}, {"deal": "2"}]
)
def test_secrets_of_another_shape_are_refused(changed: dict[Any, Any]) -> None:
    with pytest.raises(MalformedError, match="not the secrets of a table"):
        Secrets.restored(encode(SECRETS._replace(**changed)), TABLE)


def test_secrets_that_were_kept_without_a_checksum_are_read_as_well() -> None:
    later = SECRETS.moved_on(3)
    assert Secrets.restored(b"s" * 32, TABLE) == SECRETS
    assert Secrets.restored(later.packed(), TABLE) == later


def test_secrets_with_one_bit_changed_or_of_another_table_are_refused() -> None:
    """What is signed by them would look like a cheat."""
    kept = SECRETS.kept(TABLE)
    for bit in range(8 * len(kept)):
        changed = bytearray(kept)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(MalformedError):
            Secrets.restored(bytes(changed), TABLE)
    for length in {*range(len(kept))} - {32}:
        with pytest.raises(MalformedError):
            Secrets.restored(kept[:length], TABLE)
    with pytest.raises(MalformedError, match="another table"):
        Secrets.restored(kept, b"u" * 32)
