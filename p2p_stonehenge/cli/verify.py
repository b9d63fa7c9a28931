"""The command `verify`: whether a saved game is genuine, what that proves and what not."""

from argparse import Namespace
from pathlib import Path
from textwrap import wrap
from typing import Any

from p2p_stonehenge.cli.arguments import screen_width
from p2p_stonehenge.cli.common import print_json
from p2p_stonehenge.cli.reading import checked, read_transcript
from p2p_stonehenge.failure import NOT_A_TRANSCRIPT
from p2p_stonehenge.saved import Proven, SavedGame, lesson, prove
from p2p_stonehenge.storage.home import SUFFIX
from p2p_stonehenge.text.names import quoted
from p2p_stonehenge.text.program import command_here, on_page
from p2p_stonehenge.text.safe import safe
from protocol import Report, TranscriptError, report_of

_UNCHECKABLE = (
    "This is not a saved game that can be checked, or it was altered. Ask another player of the game for the file: all"
    " have the same."
)


def verify(args: Namespace) -> int:
    """Check a saved game and say what holds; 3 if it is not a valid transcript."""
    content = read_transcript(args.file)
    try:
        saved = SavedGame(checked(content))
    except TranscriptError as fault:
        return _invalid(args, report_of(fault.table, str(fault)), fault)
    proof = prove(saved)
    if args.json:
        print_json(_entry(proof.report))
        return 0
    for line in _told(proof, _again(args, saved), details=args.details, explain=args.explain):
        print(line)
    if args.explain:
        for paragraph in lesson(saved, proof.evidence):
            aside = paragraph.startswith(" ")
            # A command is to be copied: it stays on one line.
            print(paragraph if "python3" in paragraph else _fill(paragraph) if aside else f"\n{_fill(paragraph)}")
    return 0


def _invalid(args: Namespace, report: Report, fault: TranscriptError) -> int:
    if args.json:
        print_json(_entry(report))
        return NOT_A_TRANSCRIPT
    verdict = "NOT GENUINE" if report.table else "NO GAME TO CHECK"
    print(_fill(f"{verdict}: {_named(fault)}."))
    if report.table:
        print(
            _fill(
                "Somebody or something has changed this file since it was signed, or it was cut off. Ask another"
                " player of the game for the file: all have the same."
            )
        )
    else:
        other = f"Nothing in it tells of a table: name a file that ends in {SUFFIX}."
        print(_fill(_UNCHECKABLE if args.file.endswith(SUFFIX) else other))
    if args.details and fault.table:
        proof = prove(SavedGame(fault.table))
        print("\nWhat is good before that:")
        for line in (*proof.shown, *proof.details):
            print(_fill(f"- {line}"))
    return NOT_A_TRANSCRIPT


def _named(fault: TranscriptError) -> str:
    """Return what is wrong with a file, with the name of a player for the number of the seat."""
    text = safe(str(fault))
    if not (fault.table and fault.author):
        return text
    name = quoted(safe(fault.table.charter.body.seats[fault.author - 1].name))
    return text.replace(f"seat {fault.author}", name)


def _again(args: Namespace, saved: SavedGame) -> str:
    """Return the command that checks the same file again.

    On the start page it needs no program before it, and a game of the player's own no path: that is long to type.
    """
    from p2p_stonehenge.storage.settings import place

    named = args.typed if args.typed.isprintable() else "FILE"  # a name can drive a terminal
    if not on_page():
        return f"{command_here()} verify {named}"
    own = Path(named).is_absolute() and Path(named).is_relative_to(place(args.home))
    return f"verify {saved.short_id if own else named}"


def _told(proof: Proven, check: str, *, details: bool, explain: bool) -> list[str]:
    """Return what is said of a file; `check` is the command that checks it again."""
    verdict = proof.verdict if proof.report.finished else f"{proof.verdict} Not finished yet."
    lines = [_fill(f"{verdict} {proof.shown[0]}" if proof.report.finished else verdict)]
    lines += [_fill(f"- {sentence}") for sentence in proof.shown[1:]]
    lines += ["", "It does not prove"]
    lines += [_fill(f"- {sentence}") for sentence in proof.not_shown]
    if details:
        facts = (f"table {proof.report.table}", f"final state {proof.report.digest}", *proof.details)
        lines += ["", "Checked in detail:", *[_fill(f"- {line}") for line in facts]]
    elif not explain:
        # On lines of their own: they are copied.
        lines += ["", "All that was checked:", f"  {check} --details", "How it works:", f"  {check} --explain"]
    return lines


def _fill(text: str) -> str:
    """Return a paragraph wrapped at words; hashes and names of places stay whole."""
    indent = " " * (len(text) - len(text.lstrip()) + 2 * text.lstrip().startswith("- "))
    return "\n".join(
        wrap(text, screen_width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    )


def _entry(report: Report) -> dict[str, Any]:
    entry = report._asdict()
    del entry["evidence"]
    entry["result"] = report.result and report.result._asdict()
    return entry
