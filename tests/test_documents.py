"""README and docs: every console block runs, every option is documented (C3)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
SETS_UP = ("git clone", "python3.11 -m venv", "pip install", "pytest")


def blocks() -> list[tuple[str, str]]:
    found = []
    for path in DOCUMENTS:
        here = BLOCK.findall(path.read_text("utf-8"))
        if path.name.startswith("table-") and here:
            here = ["".join(here)]  # an evening is one story
        found += [(path.name, block) for block in here]
    return found


@pytest.mark.parametrize(("document", "block"), blocks())
def test_console_blocks_run_and_print_what_they_show(
    document: str, block: str, tmp_path: Path
) -> None:
    """`$` starts a command, `…` stands for any text, a trailing comment is the exit code."""
    commands = re.split(r"^\$ ", block, flags=re.M)[1:]
    if any(word in block for word in SETS_UP):
        pytest.skip("sets up an environment; .ci/run does the same")
    shutil.copytree(ROOT / "cardsets", tmp_path / "cardsets")
    bin_folder = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "COMPANION_HOME": str(tmp_path / "home"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    for command in commands:
        line, _, shown = command.partition("\n")
        result = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        expected = int(m[1]) if (m := re.search(r"# exit (\d+)", line)) else 0
        said = result.stdout
        assert result.returncode == expected, said
        pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
        assert re.search(pattern, said, re.S), f"{line}\nexpected:\n{shown}\ngot:\n{said}"


def test_c3_the_reference_is_what_the_code_says() -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "make_reference.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_c3_every_command_is_in_the_readme_and_every_option_in_the_reference() -> None:
    import typer

    readme = (ROOT / "README.md").read_text("utf-8")
    reference = (ROOT / "docs" / "commands.md").read_text("utf-8")
    for path, command in leaves("companion", typer.main.get_command(app)):
        assert f"## `{path}`" in reference, path
        assert " ".join(path.split()[:2]) in readme, path
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert f"`{option}`" in reference, option


def leaves(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", {})
    if not children:
        yield path, command
    for name, child in children.items():
        yield from leaves(f"{path} {name}", child)


def test_every_cited_id_can_be_looked_up() -> None:
    known = set(re.findall(r"^## ((?:GO|UN|PP)-\d+)", _all("docs/rules/*.md"), re.M))
    known |= set(re.findall(r"^- (?:\*\*)?([A-Z]\d+)\b", _all("tests/CASES.md"), re.M))
    cited = set(re.findall(r"\b(?:GO|UN|PP)-\d+\b", _all("companion/**/*.py")))
    cited |= set(re.findall(r"\b(?:GO|UN|PP)-\d+\b", _all("tests/**/*.py")))
    assert cited <= known, cited - known


def _all(pattern: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in ROOT.glob(pattern))
