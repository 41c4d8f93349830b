"""Shell completion: decks, parts, cards, sheets, papers, sessions, players, tiles."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import run


def offered(line: str, home: Path) -> list[str]:
    """What bash would offer for a line that ends where the cursor stands."""
    words = line.split(" ")
    result = subprocess.run(
        [str(Path(sys.executable).parent / "companion")],
        env={
            **os.environ,
            "_COMPANION_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "COMPANION_HOME": str(home),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("companion pri", "print"),
        ("companion print game", "game-on"),
        ("companion print property-poker --part ti", "tiles"),
        ("companion print game-on --only thr", "three-pointer-35"),
        ("companion print game-on --only score,dun", "score,dunk-60"),
        ("companion print game-on --paper a3-l", "a3-landscape"),
        ("companion property-poker dr", "draw"),
        ("companion property-poker draw x --start 10", "10H"),
    ],
)
def test_a_shell_completes(line: str, expected: str, home: Path) -> None:
    assert expected in offered(line, home)


def test_a_shell_completes_sessions_and_players(home: Path) -> None:
    assert run("track", "new", "friday", "--players", "Ann,Bo", "--target", "11").code == 0
    assert run("game-on", "match", "new", "final", "--players", "Cy,Di", "--to", "7").code == 0
    assert offered("companion track show fr", home) == ["friday"]
    assert offered("companion track show fi", home) == []
    assert offered("companion session delete fi", home) == ["final"]
    assert offered("companion game-on match technical final C", home) == ["Cy"]


def test_nothing_is_offered_and_nothing_made_when_there_is_nothing(home: Path) -> None:
    assert offered("companion track show x", home) == []
    assert offered("companion print nowhere --only x", home) == []
    assert not home.exists()
