"""The session store: S1–S4, export and import, names."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalPlay, SessionError
from companion.games.registry import GAMES
from companion.table.protocol import Event
from companion.table.sessions import Entry, Store, effective
from companion.table.tracker import TrackerGame
from tests.conftest import run

GAME = TrackerGame()
CONFIG = {"target": 1_000_000, "players": ["A", "B"]}


def play(player: str, points: int) -> Event:
    return Event("score", {"player": player, "points": [points]})


def points_in(store: Store, name: str = "g") -> list[int]:
    return [sum(e.event.data["points"]) for e in store.open(name, GAME).entries()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.create("g", GAME, CONFIG)
    return path


def test_s1_undo_and_redo(path: Path) -> None:
    with Store(path) as store:
        session = store.open("g", GAME)
        session.add(play("A", 1))
        session.add(play("A", 2))
        session.undo()
        session.undo()
        assert points_in(store) == []
        with pytest.raises(SessionError, match="nothing to undo"):
            session.undo()
        session.redo()
        session.redo()
        session.undo()
        session.add(play("A", 3))
        with pytest.raises(SessionError, match="nothing to redo"):
            session.redo()
        assert points_in(store) == [1, 3]
        assert session.state().scores == (4, 0)


@given(st.lists(st.sampled_from(["add", "undo", "redo"]), max_size=40))
def test_s1_the_log_agrees_with_two_stacks(moves: list[str]) -> None:
    """Independent: the usual undo and redo stacks, kept as plain lists."""
    raw: list[Entry] = []
    done: list[int] = []
    undone: list[int] = []
    for number, move in enumerate(moves, 1):
        if move == "add":
            done.append(number)
            undone.clear()
        elif move == "undo" and done:
            undone.append(done.pop())
        elif move == "redo" and undone:
            done.append(undone.pop())
        else:
            continue
        raw.append(Entry(number, Event("score" if move == "add" else move), ""))
    assert [entry.number for entry in effective(raw)] == done


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """Run `work(write end of a pipe)` in a child process; returns (pid, read end)."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            work(write)
        finally:
            os._exit(0)
    os.close(write)
    return child, read


def test_s2_killed_at_any_moment_every_acknowledged_event_is_there(path: Path) -> None:
    """200 kills, at random moments: before, inside and between transactions."""
    chance = random.Random(1)
    acknowledged = 0

    def keep_adding(pipe: int) -> None:
        with Store(path) as store:
            session = store.open("g", GAME)
            while True:
                session.add(play("A", 1))
                os.write(pipe, b".")

    for _ in range(200):
        child, pipe = forked(keep_adding)
        wanted = chance.randrange(3)
        while wanted > 0 and os.read(pipe, 1):
            wanted -= 1
            acknowledged += 1
        for _ in range(chance.randrange(20_000)):
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while os.read(pipe, 1):
            acknowledged += 1
        os.close(pipe)
    with Store(path) as store:
        logged = points_in(store)
        numbers = [entry.number for entry in store.raw("g")[1]]
    assert acknowledged > 100
    # one event may be on disk whose acknowledgement the kill cut off
    assert acknowledged <= len(logged) <= acknowledged + 200
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(logged) == {1}


def test_s3_two_processes_write_and_none_loses_an_event(path: Path) -> None:
    def adder(player: str) -> Callable[[int], None]:
        def work(_: int) -> None:
            with Store(path) as store:
                session = store.open("g", GAME)
                for _ in range(200):
                    session.add(play(player, 1))

        return work

    children = [forked(adder(player)) for player in "AB"]
    for child, pipe in children:
        _, status = os.waitpid(child, 0)
        os.close(pipe)
        assert status == 0
    with Store(path) as store:
        assert store.open("g", GAME).state().scores == (200, 200)


def test_s4_a_newer_store_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path):
        pass
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    answer = run("track", "list", "--store", str(path))
    assert answer.code == 5 and "A newer companion made it" in answer.err
    assert path.read_bytes() == before


def test_s4_a_session_of_a_newer_game_format_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE session SET version = 7")
    database.close()
    answer = run("track", "show", "g", "--store", str(path))
    assert answer.code == 5 and "format 7" in answer.err


def test_a_file_that_is_no_store_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"not a database, but long enough to look like a file" * 40)
    answer = run("track", "list", "--store", str(path))
    assert answer.code == 5 and answer.err.count("\n") == 1
    assert run("track", "list", "--store", str(tmp_path / "s.sqlite" / "x")).code == 5


def test_names_rename_delete_and_list(path: Path) -> None:
    store = ["--store", str(path)]
    assert run("session", "rename", "g", "h", *store).code == 0
    assert run("track", "show", "g", *store).code == 5
    assert "did you mean 'h'?" in run("session", "rename", "hh", "x", *store).err
    assert run("session", "delete", "h", *store, stdin="n\n").code == 5
    assert [s["name"] for s in run("session", "list", "--json", *store).json["sessions"]] == ["h"]
    assert run("session", "delete", "h", *store, stdin="y\n").code == 0
    assert run("session", "list", "--json", *store).json["sessions"] == []
    assert run("session", "delete", "h", *store, "--yes").code == 5


def test_the_same_name_twice_is_refused(path: Path) -> None:
    answer = run("track", "new", "g", "--target", "7", "--players", "A", "--store", str(path))
    assert answer.code == 5 and "already" in answer.err


def test_export_and_import_give_the_same_game(path: Path, tmp_path: Path) -> None:
    store = ["--store", str(path)]
    for arguments in (["add", "g", "A", "3"], ["add", "g", "B", "2"], ["undo", "g"]):
        run("track", *arguments, *store)
    out = tmp_path / "g.jsonl"
    assert run("session", "export", "g", "-o", str(out), *store).code == 0
    assert run("session", "import", str(out), *store).code == 5
    assert run("session", "import", str(out), "--as", "copy", *store).code == 0
    run("track", "redo", "copy", *store)
    with Store(path) as opened:
        assert points_in(opened, "g") == [3]
        assert points_in(opened, "copy") == [3, 2]
    text = out.read_text("utf-8")
    assert run("session", "import", "-", "--as", "third", *store, stdin=text).code == 0


HEADER = {
    "companion-session": 1,
    "name": "x",
    "game": "track",
    "version": 1,
    "config": CONFIG,
    "created": "2026-01-01",
}


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["{"],
        ["[]"],
        [{}],
        [{**HEADER, "companion-session": 2}],
        [{**HEADER, "game": "chess"}],
        [{**HEADER, "config": None}],
        [{**HEADER, "config": {}}],
        [HEADER, {"number": 2, "kind": "score", "data": {}}],
        [HEADER, {"number": 1, "kind": "undo", "data": {}}],
        [HEADER, {"number": 1, "kind": "edit", "data": {"number": 9, "data": {}}}],
        [HEADER, {"number": 1, "kind": "score", "data": {"player": "A", "points": [-1]}}],
        [HEADER, {"number": 1, "kind": "score", "data": {"player": "Z", "points": [1]}}],
    ],
)
def test_an_import_that_cannot_be_is_refused_whole(
    lines: list[Any], path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "x.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text(text, encoding="utf-8")
    answer = run("session", "import", str(file), "--store", str(path))
    assert answer.code in (2, 4, 5), answer
    assert "error" in answer.err
    with Store(path) as store:
        assert [info.name for info in store.sessions()] == ["g"]


def test_an_illegal_event_is_not_recorded(path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(IllegalPlay):
            store.open("g", GAME).add(play("Z", 1))
        assert points_in(store) == []


def test_every_game_has_its_own_name() -> None:
    assert len(GAMES) == len({game.name for game in GAMES.values()})
    assert all(name == game.name for name, game in GAMES.items())


def test_the_store_is_where_companion_home_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    run("track", "new", "cup", "--target", "7", "--players", "A")
    assert (tmp_path / "home" / "sessions.sqlite").exists()


def test_many_processes_may_begin_one_session_of_rolls(tmp_path: Path) -> None:
    """The first rolls of a session, thrown at once: none is refused, none lost (S3)."""
    command = [sys.executable, "-m", "companion", "roll", "--session", "d", "--seed", "x"]
    command += ["--store", str(tmp_path / "s.sqlite")]
    started = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(8)]
    assert [process.wait() for process in started] == [0] * 8
    listed = run("session", "list", "--store", str(tmp_path / "s.sqlite"), "--json").json
    assert [info["events"] for info in listed["sessions"]] == [8]


def test_a_refused_roll_leaves_no_session(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "s.sqlite"))
    assert run("roll", "--session", "left", "--dice", "40", *store).code == 2
    assert run("session", "list", "--json", *store).json["sessions"] == []


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipe (name TEXT)")
    before = path.read_bytes()
    answer = run("track", "list", "--store", str(path))
    assert answer.code == 5 and "another program's" in answer.err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("config", "event"),
    [
        ('{"target":7,"players":5}', ""),
        ('{"target":7,"teams":["A"]}', ""),
        (
            '{"target":7,"players":["A"]}',
            '{"number":1,"kind":"score","data":{"player":["x"],"points":{}}}',
        ),
    ],
)
def test_a_malformed_export_is_refused_whole(config: str, event: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    header = (
        '{"companion-session":1,"name":"x","game":"track","version":1,"config":%s,"created":""}'
    )
    file.write_text(header % config + "\n" + event + "\n", encoding="utf-8")
    store = ("--store", str(tmp_path / "s.sqlite"))
    assert run("session", "import", str(file), *store).code in (2, 4, 5)
    assert run("session", "list", "--json", *store).json["sessions"] == []


def test_odd_names_survive_export_and_import(tmp_path: Path) -> None:
    one, two = (("--store", str(tmp_path / f"{n}.sqlite")) for n in "ab")
    assert run("track", "new", "g", "--target", "7", "--players", "小明，Zoë", *one).code == 0
    assert (
        "printable" in run("track", "new", "h", "--target", "7", "--players", "A\u2028B", *one).err
    )
    file = tmp_path / "g.jsonl"
    assert run("session", "export", "g", "-o", str(file), *one).code == 0
    assert run("session", "import", str(file), *two).code == 0
    shown = run("track", "show", "g", "--json", *two).json["players"]
    assert [player["name"] for player in shown] == ["小明", "Zoë"]


def test_an_unwritable_place_is_an_error_not_a_fault(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "s.sqlite"))
    run("track", "new", "g", "--target", "7", "--players", "A", *store)
    answer = run("session", "export", "g", "-o", str(tmp_path), *store)
    assert answer.code == 6 and "unexpected" not in answer.err
