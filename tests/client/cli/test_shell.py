"""Tab in a shell and the manual page: both are made from the parser, so that they know each command and option."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from p2p_stonehenge.__main__ import main
from p2p_stonehenge.cli.arguments import make_parser
from p2p_stonehenge.cli.commands import COMMANDS


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("sol",), {"solo"}),
        (("solo", "k"), {"kingamon"}),
        (("host", "--pass"), {"--passphrase"}),
        (("host", "--interf"), {"--interface"}),
    ],
)
def test_tab_in_bash_offers_commands_games_and_options(
    typed: tuple[str, ...], offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "completion"
    script.write_text(printed(capsys, "completion", "bash"))
    words = " ".join(("p2p-stonehenge", *typed))
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _shtab_p2p_stonehenge; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", f"source {script}; {ask}"], capture_output=True, text=True, check=True, timeout=60
    )
    assert {*done.stdout.split()} == offered


@pytest.mark.parametrize("shell", ["zsh", "tcsh", "fish", "powershell"])
def test_other_shells_have_a_script_as_well(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "completion", shell)
    assert all(command in out for command in COMMANDS)


def test_the_manual_page_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "man").replace("\\-", "-")
    for name in COMMANDS:
        assert f"\n.SS {name}\n" in page
        options = {
            word.strip(",.[]") for word in make_parser((name,)).format_help().split() if word.startswith("--")
        } - {"--help"}
        assert all(option in page for option in options), name
    assert "\\fB--passphrase\\fR" in page
    assert "\\fB--careful\\fR" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_the_manual_page_is_set_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "man")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8"], input=page, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    assert "EXIT STATUS" in re.sub(".\b", "", done.stdout), "letters in bold are struck twice"
