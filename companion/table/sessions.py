"""Sessions in one SQLite file: an append-only log of events for each, never lost, never half.

Undo and redo are events too: the log as it counts (`entries`) is what is left when they are worked
off. Every added event is one committed transaction that first reads the newest log, so two
processes that write to one session are put in some order and none loses an event.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.errors import IllegalPlay, SessionError, close_match
from companion.table.protocol import Data, Event, Game, Outcome, Step

FORMAT = 1
"""Version of the file's tables."""
EXPORT_FORMAT = 1
_WAIT_SECONDS = 30.0

S = TypeVar("S")
_MALFORMED = (TypeError, ValueError, KeyError, AttributeError, IndexError, AssertionError)
"""What rules raise when a log holds what no command would have written."""

_MIGRATIONS = (
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        version INTEGER NOT NULL,
        config TEXT NOT NULL,
        created TEXT NOT NULL
    );
    CREATE TABLE event (
        session INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (session, number)
    ) WITHOUT ROWID;
    """,
)
"""Statement number n takes the file from format n to n + 1."""


@dataclass(frozen=True)
class Entry:
    """An event that counts, with its number in the log."""

    number: int
    event: Event
    at: str


@dataclass(frozen=True)
class SessionInfo:
    """A session as a list shows it."""

    name: str
    game: str
    version: int
    config: Data
    created: str
    events: int


def default_store() -> Path:
    """COMPANION_HOME, else where the platform keeps user data; the file `sessions.sqlite`."""
    home = os.environ.get("COMPANION_HOME")
    if home:
        return Path(home) / "sessions.sqlite"
    from platformdirs import user_data_path

    return user_data_path("companion", appauthor=False) / "sessions.sqlite"


class Store:
    """The file that holds all sessions. Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises SessionError, leaving a newer file unchanged."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise SessionError(f"the session file {path} cannot be opened: {error}") from None
        try:
            # bytes that are no text are a damaged file's: what reads them says so
            self._db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            self._prepare()
        # of a damaged schema SQLite's own message may hold bytes that are no text
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self._db.close()
            raise SessionError(f"the session file {path} cannot be used: {error}") from None
        except SessionError:
            self._db.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _prepare(self) -> None:
        # one statement, one snapshot: another process may be making the tables just now
        found, tables = self._db.execute(
            "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
        ).fetchone()
        if found > FORMAT:
            raise SessionError(
                f"the session file {self.path} has format {found}; this companion knows up to "
                f"{FORMAT}. A newer companion made it; nothing was changed"
            )
        if found == 0 and tables:
            raise SessionError(f"{self.path} is another program's database; nothing was changed")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        if found < FORMAT:
            self._migrate()

    def _migrate(self) -> None:
        with self._writing():
            # read again: another process may have done it while we waited for the lock
            (found,) = self._db.execute("PRAGMA user_version").fetchone()
            for number in range(found, FORMAT):
                for statement in _MIGRATIONS[number].split(";"):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction that holds the write lock from its start."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise SessionError(f"the session file {self.path} is busy: {error}") from None
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._db.execute("ROLLBACK")
            raise SessionError(f"nothing was recorded: {error}") from None

    # sessions

    def sessions(self, game: str | None = None) -> list[SessionInfo]:
        """All sessions (of one game), oldest first."""
        rows = self._db.execute(
            "SELECT name, game, version, config, created,"
            " (SELECT count(*) FROM event WHERE session = session.id)"
            " FROM session WHERE ?1 IS NULL OR game = ?1 ORDER BY id",
            (game,),
        )
        return [SessionInfo(n, g, v, _config(n, c), at, count) for n, g, v, c, at, count in rows]

    def create(self, name: str, game: Game[Any], config: Data) -> None:
        """Start a session. Raises SessionError for a taken name, UsageError for a bad config."""
        _check_name(name)
        game.start(config)
        with self._writing():
            if self._find(name):
                raise SessionError(f"there is a session '{name}' already; choose another name")
            self._insert(name, game.name, game.version, config, _now())

    def open_or_create(self, name: str, game: Game[S], config: Data) -> Session[S]:
        """The session `name`, begun with `config` if there is none yet. Raises as `open` does."""
        _check_name(name)
        game.start(config)
        with self._writing():
            if not self._find(name):
                self._insert(name, game.name, game.version, config, _now())
        return self.open(name, game)

    def rename(self, old: str, new: str) -> None:
        """Give a session another name. Raises SessionError."""
        _check_name(new)
        with self._writing():
            key = self._require(old)[0]
            if self._find(new):
                raise SessionError(f"there is a session '{new}' already; choose another name")
            self._db.execute("UPDATE session SET name = ? WHERE id = ?", (new, key))

    def delete(self, name: str) -> None:
        """Remove a session and its log. Raises SessionError."""
        with self._writing():
            self._db.execute("DELETE FROM session WHERE id = ?", (self._require(name)[0],))

    def info(self, name: str) -> SessionInfo:
        """One session. Raises SessionError with a suggestion if there is none of that name."""
        self._require(name)
        return next(info for info in self.sessions() if info.name == name)

    def export(self, name: str) -> Iterator[str]:
        """JSON Lines: a header, then every event of the raw log."""
        info = self.info(name)
        key = self._require(name)[0]
        yield _json(
            {
                "companion-session": EXPORT_FORMAT,
                "name": info.name,
                "game": info.game,
                "version": info.version,
                "config": info.config,
                "created": info.created,
            }
        )
        for number, kind, data, at in self._rows(key):
            yield _json({"number": number, "kind": kind, "data": json.loads(data), "at": at})

    def import_lines(
        self, lines: Sequence[str], name: str | None, games: Mapping[str, Game[Any]], shown: str
    ) -> str:
        """Read an export as a new session, all or nothing; returns its name.

        The log is replayed by its game's rules first. Raises SessionError or IllegalPlay.
        """
        header, events = _parse_export(lines, shown)
        session = name or str(header["name"])
        _check_name(session)
        game = games.get(header["game"])
        if game is None or header["version"] > game.version:
            raise SessionError(f"{shown} is of a game or format that this companion does not know")
        raw = [Entry(n, Event(kind, data), at) for n, kind, data, at in events]
        try:
            Session(self, session, game, header["config"])._fold(effective(raw), checked=True)
        except _MALFORMED as error:
            # a file from elsewhere may hold anything; nothing of it has been stored
            raise SessionError(
                f"{shown}: its settings or events are malformed ({type(error).__name__}: {error})"
            ) from None
        with self._writing():
            if self._find(session):
                raise SessionError(f"there is a session '{session}' already; choose another name")
            key = self._insert(
                session, header["game"], header["version"], header["config"], header["created"]
            )
            self._db.executemany(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
                [(key, n, kind, _json(data), at) for n, kind, data, at in events],
            )
        return session

    def _insert(self, name: str, game: str, version: int, config: Data, created: str) -> int:
        cursor = self._db.execute(
            "INSERT INTO session (name, game, version, config, created) VALUES (?, ?, ?, ?, ?)",
            (name, game, version, _json(config), created),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _find(self, name: str) -> tuple[int, str, int, str] | None:
        row: tuple[int, str, int, str] | None = self._db.execute(
            "SELECT id, game, version, config FROM session WHERE name = ?", (name,)
        ).fetchone()
        return row

    def _require(self, name: str) -> tuple[int, str, int, str]:
        row = self._find(name)
        if row is None:
            names = [info.name for info in self.sessions()]
            match = close_match(name, names)
            hint = f" (did you mean '{match}'?)" if match else ""
            raise SessionError(f"there is no session '{name}'{hint}")
        return row

    # events

    def _rows(self, key: int) -> Iterator[tuple[int, str, str, str]]:
        return self._db.execute(
            "SELECT number, kind, data, at FROM event WHERE session = ? ORDER BY number", (key,)
        )

    def raw(self, name: str) -> tuple[int, list[Entry]]:
        """(the session's key, every event of its log, undo and redo included)."""
        key = self._require(name)[0]
        try:
            rows = [Entry(n, Event(k, json.loads(d)), at) for n, k, d, at in self._rows(key)]
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
            raise SessionError(f"the log of '{name}' is damaged: {error}") from None
        return key, rows

    def changes(self) -> int:
        """A number that changes whenever another process has written to the file."""
        (version,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(version)

    def open(self, name: str, game: Game[S]) -> Session[S]:
        """The session `name` of `game`. Raises SessionError: unknown, another game, or newer."""
        _, found, version, config = self._require(name)
        if found != game.name:
            raise SessionError(f"session '{name}' is a game of {found}, not of {game.name}")
        if version > game.version:
            raise SessionError(
                f"session '{name}' has format {version} of {game.name}; this companion knows up "
                f"to {game.version}. A newer companion made it; nothing was changed"
            )
        return Session(self, name, game, _config(name, config))


@dataclass(frozen=True)
class Session(Generic[S]):
    """One session of one game: its log, its state, and what may be added."""

    store: Store
    name: str
    game: Game[S]
    config: Data

    def entries(self) -> list[Entry]:
        """The log as it counts: undone events left out, edits put in."""
        return effective(self.store.raw(self.name)[1])

    def state(self) -> S:
        """The fold of the log."""
        return self._fold(self.entries())

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        return self.game.outcome(self.state())

    def add(self, event: Event) -> Step[S]:
        """Check an event against the newest state and record it. Raises IllegalPlay, SessionError.

        When this returns, the event is on disk.
        """
        return self.add_made(lambda state: event)

    def add_made(self, make: Callable[[S], Event]) -> Step[S]:
        """Like `add`, with an event made from the newest state while no other process can write."""
        with self.store._writing():
            key, raw = self.store.raw(self.name)
            state = self._fold(effective(raw))
            event = make(state)
            self.game.check(state, event)
            step = self.game.apply(state, event)
            self._append(key, raw, event)
        return step

    def undo(self) -> Entry:
        """Take back the newest entry that counts. Raises SessionError if there is none."""
        return self._turn("undo")

    def redo(self) -> Entry:
        """Bring back what was undone last. Raises SessionError if nothing can be."""
        return self._turn("redo")

    def edit(self, number: int, data: Data) -> S:
        """Replace the data of entry `number` and replay the rest. Raises IllegalPlay if an entry
        would no longer be legal, SessionError if there is no such entry."""
        with self.store._writing():
            key, raw = self.store.raw(self.name)
            if number not in {entry.number for entry in effective(raw)}:
                raise SessionError(f"session '{self.name}' has no entry {number}")
            event = Event("edit", {"number": number, "data": dict(data)})
            changed = [*raw, Entry(_next(raw), event, "")]
            state = self._fold(effective(changed), checked=True)
            self._append(key, raw, event)
        return state

    def _turn(self, kind: str) -> Entry:
        with self.store._writing():
            key, raw = self.store.raw(self.name)
            done, undone = _worked_off(raw)
            candidates = done if kind == "undo" else undone
            if not candidates:
                raise SessionError(f"session '{self.name}' has nothing to {kind}")
            self._append(key, raw, Event(kind))
            return candidates[-1]

    def _append(self, key: int, raw: Sequence[Entry], event: Event) -> None:
        self.store._db.execute(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
            (key, _next(raw), event.kind, _json(event.data), _now()),
        )

    def _fold(self, entries: Sequence[Entry], *, checked: bool = False) -> S:
        try:
            return self._folded(entries, checked=checked)
        except _MALFORMED as error:
            if checked:
                raise
            raise SessionError(
                f"the log of '{self.name}' is damaged ({type(error).__name__}: {error}); "
                "nothing was changed"
            ) from None

    def _folded(self, entries: Sequence[Entry], *, checked: bool) -> S:
        state = self.game.start(self.config)
        for entry in entries:
            if checked:
                try:
                    self.game.check(state, entry.event)
                except IllegalPlay as error:
                    raise IllegalPlay(f"entry {entry.number} would not be legal: {error}") from None
            state = self.game.apply(state, entry.event).state
        return state


def effective(raw: Sequence[Entry]) -> list[Entry]:
    """The entries that count, in order, with edits put in."""
    counting: dict[int, Entry] = {}
    for entry in _worked_off(raw)[0]:
        if entry.event.kind == "edit":
            number = entry.event.data["number"]
            old = counting[number]
            changed = Event(old.event.kind, entry.event.data["data"])
            counting[number] = Entry(number, changed, old.at)
        else:
            counting[entry.number] = entry
    return list(counting.values())


def _worked_off(raw: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """(entries that are done, entries that could be redone), undo and redo worked off."""
    done: list[Entry] = []
    undone: list[Entry] = []
    for entry in raw:
        if entry.event.kind == "undo":
            undone.append(done.pop())
        elif entry.event.kind == "redo":
            done.append(undone.pop())
        else:
            done.append(entry)
            undone.clear()
    return done, undone


def _next(raw: Sequence[Entry]) -> int:
    return raw[-1].number + 1 if raw else 1


def _parse_export(
    lines: Sequence[str], shown: str
) -> tuple[dict[str, Any], list[tuple[int, str, Data, str]]]:
    try:
        documents = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError) as error:
        raise SessionError(f"{shown} is no session export: {error}") from None
    header = documents[0] if documents else None
    if not isinstance(header, dict) or "companion-session" not in header:
        raise SessionError(f"{shown} is no session export: the first line is no header")
    found = header["companion-session"]
    if not isinstance(found, int) or found > EXPORT_FORMAT:
        raise SessionError(f"{shown} has export format {found}, newer than {EXPORT_FORMAT}")
    wanted = {"name": str, "game": str, "version": int, "config": dict, "created": str}
    for key, kind in wanted.items():
        if not isinstance(header.get(key), kind):
            raise SessionError(f"{shown}, line 1: '{key}' is missing or of the wrong kind")
    events = []
    for number, item in enumerate(documents[1:], 1):
        sound = (
            isinstance(item, dict)
            and item.get("number") == number
            and isinstance(item.get("kind"), str)
            and isinstance(item.get("data"), dict)
        )
        if not sound:
            raise SessionError(f"{shown}, line {number + 1}: no event number {number}")
        events.append((number, item["kind"], item["data"], str(item.get("at", ""))))
    try:
        effective([Entry(n, Event(kind, data), at) for n, kind, data, at in events])
    except (IndexError, KeyError, TypeError):
        raise SessionError(f"{shown}: it undoes or edits what is not there") from None
    return header, events


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > 100 or not name.isprintable():
        raise SessionError(
            f"{name!r} is no name for a session: 1 to 100 characters, no blank at the ends"
        )


def _config(name: str, text: str) -> Data:
    try:
        config = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise SessionError(f"the settings of '{name}' are damaged: {error}") from None
    if not isinstance(config, dict):
        raise SessionError(f"the settings of '{name}' are damaged: no table")
    return config


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
