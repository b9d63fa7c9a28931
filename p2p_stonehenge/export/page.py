"""A saved game as one page of HTML that needs nothing else: no network, no other file, no program but a browser.

Everything that came from players is escaped where it enters the page. Besides, the page's own policy lets no script run
but the two that their hashes name, and nothing be loaded.
"""

import base64
import hashlib
import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from p2p_stonehenge.export.picture import drawing, told
from p2p_stonehenge.export.svg import circle, element, escape, number, styles
from p2p_stonehenge.saved import Proven, SavedGame, lesson
from p2p_stonehenge.screen.views import view_of
from p2p_stonehenge.table.agreed import teams_of, time_given
from p2p_stonehenge.text.safe import safe
from p2p_stonehenge.text.seats import teams_told
from protocol import CheatKind, id_text

CALM = 1200
SPEEDS = ((250, "fastest"), (500, "fast"), (CALM, "calm"), (3000, "slow"))
"""Milliseconds that each position stays when the game plays by itself."""


class _Table:
    """Texts, each kept once and named by its number: most pieces stay where they are from ply to ply."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def numbers(self, texts: Iterable[str]) -> list[int]:
        """Return the number of each text."""
        return [self.texts.setdefault(text, len(self.texts)) for text in texts]


def page(saved: SavedGame, proof: Proven, record: bytes, ply: int | None = None) -> str:
    """Return the page; `record` are the bytes of the saved game, which the page carries. It opens at `ply`."""
    at = 0 if ply is None else ply
    css = _file("page.css") + styles()
    scripts = (_file("page.js"), _file("check.js"))
    data = _script_safe(json.dumps(_data(saved, proof, record, at), ensure_ascii=False, separators=(",", ":")))
    title = escape(f"{saved.game.title}: {safe(saved.outcome)}")
    hashes = " ".join(f"'{_hash(script)}'" for script in scripts)
    allowed = f"script-src {hashes}; style-src '{_hash(css)}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
<a class="skip" href="#moves">To the moves</a>
<header>
<h1>{escape(saved.game.title)}</h1>
<p class="outcome">{escape(safe(saved.outcome))}</p>
<p><a id="seal" href="#proof">{_seal(proof)}</a></p>
</header>
<main>
<div class="columns">
<div>
{_board(saved, at)}
{_controls()}
<details><summary>The position in words</summary><p id="words">{escape(_words(saved, at))}</p></details>
</div>
<div>
<h2>Players</h2>
{_players(saved)}
<h2 id="log">Moves</h2>
<ol id="moves" tabindex="0" aria-labelledby="log">
{_moves(saved)}
</ol>
<h2 id="proof">Is this game genuine?</h2>
{_proof(saved, proof, record)}
</div>
</div>
{_details(saved, proof, record)}
</main>
<footer><p class="dim">{_foot(saved)}</p></footer>
<script type="application/json" id="game">{data}</script>
{"".join(f"<script>{script}</script>" for script in scripts)}
</body>
</html>
"""


def _file(name: str) -> str:
    return files("p2p_stonehenge.export").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _script_safe(text: str) -> str:
    """Return JSON that no browser takes for the end of a script, or for anything else than data."""
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _data(saved: SavedGame, proof: Proven, record: bytes, at: int) -> dict[str, Any]:
    parts, sentences = _Table(), _Table()
    every = range(len(saved) + 1)
    frames = [parts.numbers(drawing(saved, ply).pieces) for ply in every]
    describe = view_of(saved.game.key).describe
    words = [sentences.numbers(list(map(saved.in_names, describe(saved.position(ply))))) for ply in every]
    captions = [told(saved, ply) for ply in every]
    return {
        "at": at,
        "parts": list(parts.texts),
        "frames": frames,
        "sentences": list(sentences.texts),
        "words": words,
        "told": captions,
        "plies": _plies(saved, proof),
        "record": {
            "table": saved.table.id.hex(),
            "sha256": hashlib.sha256(record).hexdigest(),
            "digest": proof.report.digest,
            "events": proof.evidence.events,
            "finished": saved.result is not None,
            "team": saved.team,
            "twice": [[one.seat, one.event] for one in proof.report.cheats if one.kind is CheatKind.EQUIVOCATION],
            "breaches": [one.seat for one in proof.report.cheats if one.kind is not CheatKind.EQUIVOCATION],
        },
    }


def _plies(saved: SavedGame, proof: Proven) -> list[tuple[int, str, str, str]]:
    """Return actor, kind and action of each ply for the check, and for a roll the bytes that its parts make."""
    rolls = {roll.ply: roll.hashed.hex() for roll in proof.evidence.rolls}
    return [(step.actor, step.kind, safe(step.action, 600), rolls.get(step.number, "")) for step in saved.steps]


def _words(saved: SavedGame, ply: int) -> str:
    return " ".join(map(saved.in_names, view_of(saved.game.key).describe(saved.position(ply))))


def _board(saved: SavedGame, ply: int) -> str:
    drawn = drawing(saved, ply)
    size = f"0 0 {number(drawn.width)} {number(drawn.height)}"
    head = f'<svg class="board" viewBox="{size}" role="img" aria-label="The board" aria-describedby="caption">'
    inner = f'{drawn.board}<g id="pieces">{"".join(drawn.pieces)}</g>'
    return f"""<figure>
{head}{inner}</svg>
<figcaption id="caption" aria-live="polite">{escape(told(saved, ply))}</figcaption>
</figure>"""


def _controls() -> str:
    chosen = {CALM: " selected"}
    speeds = "".join(f'<option value="{pause}"{chosen.get(pause, "")}>{name}</option>' for pause, name in SPEEDS)
    return f"""<div class="controls" role="group" aria-label="Go through the game" data-script hidden>
<button id="first" aria-label="To the start">|&lt;</button>
<button id="back" aria-label="Back">&lt;</button>
<button id="play">Play</button>
<button id="next" aria-label="Next">&gt;</button>
<button id="end" aria-label="To the end">&gt;|</button>
<label>speed <select id="speed">{speeds}</select></label>
</div>
<input id="slide" type="range" min="0" value="0" aria-label="Ply" data-script hidden>
<p class="dim keys" data-script hidden>Keys: left and right, Home, End; the space bar plays.</p>
<noscript><p>Without scripts this page shows one position; the moves and the check are all here.</p></noscript>"""


def _players(saved: SavedGame) -> str:
    rows = []
    for seat, one in enumerate(saved.table.charter.body.seats, 1):
        colour = saved.game.colours[seat - 1]
        dot = circle(10, 10, 9, f"f-{colour.lower()} s-edge rim")
        sign = f'<svg class="sign" viewBox="0 0 20 20" aria-hidden="true">{dot}</svg>'
        bot = "" if one.operator == seat or saved.local else f", a bot of {safe(saved.names[one.operator - 1])}"
        won = ", won" if saved.result and seat in saved.result.winners else ""
        points = f"<td>{saved.result.points[seat - 1]}</td>" if saved.result else "<td></td>"
        name = element("span", "name", safe(one.name))
        rows.append(f"<tr><td>{sign} {escape(colour)}</td><td>{name}{escape(bot + won)}</td>{points}</tr>")
    head = '<tr><th scope="col">Colour</th><th scope="col">Player</th><th scope="col">Points</th></tr>'
    options = dict(saved.table.charter.body.options)
    plain = {option.name: option for option in saved.game.options}
    changed = [f"{name}={value}" for name, value in options.items() if value != _default(plain[name].default)]
    rules = f"Options: {', '.join(changed)}." if changed else "The rules of the sheet, no options."
    turn_time = saved.table.charter.body.turn_time
    rules += f" Time: {time_given(turn_time)}." if turn_time else ""
    teams = teams_told(saved.game, saved.names, teams_of(saved.table.charter))
    rules = " ".join(part for part in (rules, teams, saved.game_of_match, saved.score) if part)
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div><p class="dim">{escape(rules)}</p>'


def _default(value: Any) -> str:
    from engine import option_text

    return option_text(value)


def _moves(saved: SavedGame) -> str:
    lines = ['<li><a href="#0"><span class="number">0</span> <span>The start</span></a></li>']
    for step in saved.steps:
        shown = element("span", "number", str(step.number))
        sentence = element("span", "told", safe(step.told, 600))
        action = element("code", text=safe(step.action, 600))
        lines.append(f'<li><a href="#{step.number}">{shown} {sentence} {action}</a></li>')
    return "\n".join(lines)


def _proof(saved: SavedGame, proof: Proven, record: bytes) -> str:
    shown = "".join(f"<li>{escape(sentence)}</li>" for sentence in proof.shown[1:])
    not_shown = "".join(f"<li>{escape(sentence)}</li>" for sentence in proof.not_shown)
    name = f"{saved.table.id.hex()[:16]}.stonehenge"
    link = f"data:application/octet-stream;base64,{base64.b64encode(record).decode()}"
    kind = "warn" if proof.report.cheats or proof.evidence.clients < 2 else "good"
    return f"""<p id="verdict" class="{kind}">{escape(proof.verdict)}</p>
<ul id="shown">{shown}</ul>
<p>It does not prove</p>
<ul>{not_shown}</ul>
<p>The program that made this page checked all that. But anybody can make up a page, and a game
under the same names with new keys. To be sure:</p>
<ol>
<li><a id="record" download="{name}" href="{link}">Save the signed record</a> ({-(-len(record) // 1000)} kB).</li>
<li>Check it with a p2p-stonehenge of your own: <code>p2p-stonehenge verify {name}</code>. Compare who won.</li>
<li>Compare the keys, below under "For experts", with those that <code>p2p-stonehenge identity</code> prints for your
friends.</li>
</ol>
<p data-script hidden><button id="check">Check it in this browser</button></p>
<p data-script hidden class="dim">This check is a part of the page: it finds damage and changes, but a forged page
can fake it.</p>
<div id="checked" role="status"></div>"""


def _details(saved: SavedGame, proof: Proven, record: bytes) -> str:
    taught = "\n\n".join(lesson(saved, proof.evidence))
    explained = element("div", "lesson", taught)
    return f"""<details><summary>How it works, on this game's own numbers</summary>{explained}</details>
<details><summary>For experts</summary>{_expert(saved, proof, record)}</details>"""


def _seal(proof: Proven) -> str:
    return escape(f"{proof.verdict} How to check that")


def _expert(saved: SavedGame, proof: Proven, record: bytes) -> str:
    body = saved.table.charter.body
    facts = [
        ("Table", saved.table.id.hex()),
        ("Record", f"{len(record)} bytes, SHA-256 {hashlib.sha256(record).hexdigest()}"),
        ("Final state", f"BLAKE2b {proof.report.digest}"),
        ("Signed events", f"{proof.evidence.events}, of which {proof.evidence.effects} had an effect"),
    ]
    keys = "".join(
        f'<tr><th scope="row">Key of seat {seat}, {escape(safe(one.name))}</th>'
        f'<td class="hex key">{id_text(one.id)}</td></tr>'
        for seat, one in enumerate(body.seats, 1)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="hex">{escape(value)}</td></tr>' for name, value in facts
    )
    checked = "".join(f"<li>{escape(line)}</li>" for line in proof.details)
    rolls = "".join(
        f"<tr><td>{roll.ply}</td><td>{escape(roll.action)}</td><td class='hex'>{roll.hash.hex()}</td><td class='hex'>"
        + "<br>".join(f"{part.seat}: {part.salt.hex()}" for part in roll.parts)
        + "</td></tr>"
        for roll in proof.evidence.rolls
    )
    head = "<tr><th>Ply</th><th>Value</th><th>Hash of the parts</th><th>Part of each seat</th></tr>"
    table = f"<h3>Every roll</h3><div class='wide'><table>{head}{rolls}</table></div>" if rolls else ""
    return f"<div class='wide'><table>{rows}{keys}</table></div><ul>{checked}</ul>{table}"


def _foot(saved: SavedGame) -> str:
    return escape(f"Table {saved.short_id}. Made with p2p-stonehenge: table games among friends, without a server.")
