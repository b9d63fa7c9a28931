"""The three words of a table: what a meddler between two players cannot make equal."""

from replicas import charter_of

from protocol import phrase
from protocol.formation.words import WORDS


def test_words_are_1024_different_ones_that_can_be_read_aloud() -> None:
    assert len(set(WORDS)) == 1024
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 9 for word in WORDS)


def test_all_seats_have_the_same_words_and_each_nonce_changes_them() -> None:
    charter = charter_of("kingamon")
    words = phrase(charter)
    assert len(words) == 3
    assert set(words) <= set(WORDS)
    for seat, nonce in enumerate(charter.nonces):
        other = bytes([nonce[0] ^ 1]) + nonce[1:]
        assert phrase(charter._replace(nonces=(*charter.nonces[:seat], other, *charter.nonces[seat + 1 :]))) != words
    assert phrase(charter._replace(body=charter.body._replace(attempt=bytes(16)))) != words
