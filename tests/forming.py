"""The charter of a table, as the clients that sit down at it agree on it."""

from collections.abc import Sequence

from protocol import Charter, Formation


def agree(formations: Sequence[Formation]) -> Charter:
    """Let clients hear each other's statements until each has the charter; return it."""
    while not all(formation.charter for formation in formations):
        for hearer in formations:
            for speaker in formations:
                if speaker is not hearer:
                    hearer.merge(speaker.message())
    (charter,) = {formation.charter for formation in formations if formation.charter}
    return charter
