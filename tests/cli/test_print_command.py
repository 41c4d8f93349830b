"""The commands as a user meets them: exit codes, messages, files, C1, C2, P23's --only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import PLAIN_BACK, MakeDeck, run, text_of

COMPANION = [sys.executable, "-m", "companion"]
TEN = "id,name\n" + "".join(f"c{n},Card{n}\n" for n in range(1, 21))


def printed(pdf: Path) -> list[str]:
    return [word for word in text_of(pdf).split() if word.startswith("Card")]


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("3,7-9,20", ["Card3", "Card7", "Card8", "Card9", "Card20"]),
        ("c2", ["Card2"]),
        ("#2, c1", ["Card1", "Card2"]),
    ],
)
def test_p23_only(only: str, expected: list[str], make_deck: MakeDeck, tmp_path: Path) -> None:
    out = tmp_path / "o.pdf"
    assert run("print", str(make_deck(csv=TEN)), "--only", only, "-o", str(out)).code == 0
    assert printed(out) == expected


@pytest.mark.parametrize(
    ("only", "message"),
    [("c22", "did you mean"), ("0", "1 to 20"), ("5-3", "1 to 20"), ("19-21", "1 to 20"), (",", "names no card")],
)  # fmt: skip
def test_only_that_matches_nothing_is_an_error(
    only: str, message: str, make_deck: MakeDeck, tmp_path: Path
) -> None:
    out = tmp_path / "o.pdf"
    answer = run("print", str(make_deck(csv=TEN)), "--only", only, "-o", str(out))
    assert answer.code == 2 and message in answer.err and not out.exists()


def test_only_a_number_that_is_also_an_id_must_be_made_plain(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    deck = make_deck(csv="id,name\n2,Card1\n1,Card2\n")
    out = tmp_path / "o.pdf"
    assert run("print", str(deck), "--only", "2", "-o", str(out)).code == 2
    run("print", str(deck), "--only", "#2", "-o", str(out))
    assert printed(out) == ["Card2"]
    run("print", str(deck), "--only", "=2", "-o", str(out))
    assert printed(out) == ["Card1"]


def test_c1_json_is_the_whole_of_stdout(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = str(make_deck(csv="id,name,unused\na,Ada,x\n"))
    for command in (["check", deck], ["print", deck, "-o", str(tmp_path / "o.pdf")], ["list"]):
        answer = run(*command, "--json")
        assert answer.code == 0
        assert isinstance(answer.json, dict)


def test_c1_no_color_where_stderr_is_no_terminal(make_deck: MakeDeck) -> None:
    assert "\x1b" not in run("check", str(make_deck(csv="id,name\na,{x}\n"))).err


def test_c2_one_line_and_the_exit_code_no_traceback() -> None:
    answer = run("print", "gme-on")
    assert answer.code == 2
    assert answer.err == "error: there is no deck 'gme-on' (did you mean 'game-on'?)\n"


@pytest.mark.parametrize(
    "arguments",
    [["--margin", "5mn"], ["--gap", "-3"], ["--duplex", "long"], ["--overflow", "x"], ["--marks", "y"]],
)  # fmt: skip
def test_a_bad_option_is_a_usage_error(arguments: list[str], make_deck: MakeDeck) -> None:
    answer = run("print", str(make_deck()), *arguments)
    assert answer.code == 2


def test_default_output_is_in_the_output_folder(
    make_deck: MakeDeck, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deck = make_deck()
    monkeypatch.chdir(tmp_path)
    answer = run("print", str(deck))
    assert answer.code == 0 and "output/demo.pdf" in answer.out
    assert (tmp_path / "output" / "demo.pdf").read_bytes()[:5] == b"%PDF-"


def test_dash_writes_to_standard_output(make_deck: MakeDeck) -> None:
    result = subprocess.run(
        [*COMPANION, "print", str(make_deck()), "-o", "-"], capture_output=True, check=True
    )
    assert result.stdout.startswith(b"%PDF-") and result.stdout.rstrip().endswith(b"%%EOF")
    assert b"1 card" in result.stderr


def test_a_closed_pipe_ends_quietly(make_deck: MakeDeck) -> None:
    deck = make_deck(csv="name,count\nAda,900\n")
    result = subprocess.run(
        f"{sys.executable} -m companion print {deck} -o - | head -c 100 >/dev/null",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in result.stderr and b"Exception" not in result.stderr


def test_the_last_good_file_stays_when_a_print_fails(make_deck: MakeDeck, tmp_path: Path) -> None:
    deck = make_deck()
    out = tmp_path / "o.pdf"
    run("print", str(deck), "-o", str(out))
    before = out.read_bytes()
    (deck / "cards.csv").write_text("name\n堃\n", encoding="utf-8")
    assert run("print", str(deck), "-o", str(out)).code == 6
    assert out.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == []


def test_a_folder_that_cannot_be_written_is_one_clear_line(
    make_deck: MakeDeck, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    answer = run("print", str(make_deck()), "-o", str(tmp_path / "file" / "o.pdf"))
    assert answer.code == 6
    assert answer.err.startswith("error: cannot write")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_clear_line(make_deck: MakeDeck) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*COMPANION, "print", str(make_deck()), "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert result.returncode == 6
    assert b"Traceback" not in result.stderr and b"No space left" in result.stderr


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ctrl_c_leaves_no_file(make_deck: MakeDeck, tmp_path: Path) -> None:
    rows = "".join(f"c{n},Card {n} of a very long deck\n" for n in range(6000))
    deck = make_deck(csv="id,name\n" + rows, back=PLAIN_BACK)
    out = tmp_path / "results"
    process = subprocess.Popen(
        [*COMPANION, "print", str(deck), "-o", str(out / "o.pdf")],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while _cpu_seconds(process.pid) < 0.8 and time.monotonic() < deadline:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in errors and b"Traceback" not in errors
    assert not out.exists() or list(out.iterdir()) == []


def _cpu_seconds(pid: int) -> float:
    """User time of a running process: it is well into composing after 0.8 s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def test_help_and_version() -> None:
    assert run("--version").out.startswith("companion 0.")
    assert "print" in run("--help").out
    assert run().code == 2


def test_list_shows_decks_layouts_sizes_and_papers() -> None:
    answer = run("list")
    for part in ("game-on", "籃球", "100 cards", "game-on/card", "poker", "letter"):
        assert part in answer.out
