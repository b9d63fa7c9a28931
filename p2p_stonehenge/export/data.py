"""A saved game as JSON, for programs. `docs/export.md` has the schema."""

import json
from typing import Any

from p2p_stonehenge.saved import Proven, SavedGame
from p2p_stonehenge.screen.views import view_of
from protocol import id_text

SCHEMA = 1
"""Grows when a field changes its meaning or goes."""


def entry(saved: SavedGame, proof: Proven, ply: int | None = None) -> dict[str, Any]:
    """Return the game up to `ply`, or the whole of it, as values that JSON has."""
    body, last = saved.table.charter.body, len(saved) if ply is None else ply
    whole = last == len(saved)
    return {
        "schema": SCHEMA,
        "game": {"key": saved.game.key, "title": saved.game.title, "rules": body.version},
        "table": saved.table.id.hex(),
        "kind": body.kind,
        "options": dict(body.options),
        "seats": _seats(saved),
        "plies": _plies(saved, last),
        "position": {
            "ply": last,
            "told": [*map(saved.in_names, view_of(saved.game.key).describe(saved.position(last)))],
        },
        "series": saved.series(whole=whole),
        "finished": saved.result is not None,
        "result": saved.result._asdict() if saved.result and whole else None,
        "outcome": saved.outcome if whole else None,
        "verification": _verification(proof),
    }


def _seats(saved: SavedGame) -> list[dict[str, Any]]:
    return [
        {
            "seat": number,
            "name": seat.name,
            "colour": saved.game.colours[number - 1],
            "key": id_text(seat.id),
            "operator": seat.operator,
        }
        for number, seat in enumerate(saved.table.charter.body.seats, 1)
    ]


def _plies(saved: SavedGame, last: int) -> list[dict[str, Any]]:
    """Return the first `last` plies."""
    return [
        {
            "number": step.number,
            "actor": step.actor,
            "kind": step.kind,
            "action": action,
            "told": step.told,
            "places": list(step.places),
        }
        for step, action in list(zip(saved.steps, saved.actions, strict=True))[:last]
    ]


def _verification(proof: Proven) -> dict[str, Any]:
    """Return what the check of the whole file found."""
    report, evidence = proof.report, proof.evidence
    return {
        "ok": report.ok,
        "events": evidence.effects,
        "signed_events": evidence.events,
        "moves": evidence.moves,
        "rolls": len(evidence.rolls),
        "deals": len(evidence.deals),
        "shuffles": evidence.shuffles,
        "shares": evidence.shares,
        "digest": report.digest,
        "signed_by": list(report.signed_by),
        "cheats": [cheat._asdict() for cheat in report.cheats],
        "verdict": proof.verdict,
        "proven": list(proof.shown),
        "not_proven": list(proof.not_shown),
    }


def data(saved: SavedGame, proof: Proven, ply: int | None = None) -> str:
    """Return the game as a JSON document."""
    return json.dumps(entry(saved, proof, ply), indent=1, ensure_ascii=False) + "\n"
