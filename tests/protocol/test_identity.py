"""Ids as text, and the secrets of a table: what comes back as it was written, and what is refused."""

from typing import Any

import pytest

from engine import MalformedError, encode
from protocol import Identity, Secrets, id_bytes, id_text

ID = Identity(b"a" * 32).id
SECRETS = Secrets.from_seed(b"s" * 32)


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
    assert Secrets.restored(b"s" * 32) == SECRETS
    later = SECRETS.moved_on(3)
    assert Secrets.restored(later.packed()) == later
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
        Secrets.restored(encode(SECRETS._replace(**changed)))
