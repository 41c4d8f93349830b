"""What all games on the session store say of their past: the log in words, undo, redo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.cli.output import answer, answer_json, remark

if TYPE_CHECKING:
    from companion.table.sessions import Entry, Session


def answer_log(session: Session[Any], as_json: bool) -> None:
    """Every entry that counts, with what it led to."""
    rows = told(session)
    if as_json:
        entries = [
            {"number": e.number, "at": e.at, **e.event.data, "event": e.event.kind, "text": [*said]}
            for e, said in rows
        ]
        answer_json({"name": session.name, "entries": entries})
        return
    for entry, said in rows:
        answer(f"{entry.number:>4}  {'; '.join(said)}")
    if not rows:
        remark("nothing has happened yet")


def told(session: Session[Any]) -> list[tuple[Entry, tuple[str, ...]]]:
    """The entries that count and the sentences of each."""
    state, rows = session.game.start(session.config), []
    for entry in session.entries():
        step = session.game.apply(state, entry.event)
        state = step.state
        rows.append((entry, step.sentences))
    return rows


def take_back(session: Session[Any]) -> None:
    """Undo the newest entry and say in words which one it was."""
    rows = told(session)
    session.undo()
    number, said = rows[-1][0].number, rows[-1][1]
    remark(f"undone: entry {number}, {said[0] if said else rows[-1][0].event.kind}")


def bring_back(session: Session[Any]) -> None:
    """Redo what was undone last and say in words which one it was."""
    session.redo()
    entry, said = told(session)[-1]
    remark(f"done again: entry {entry.number}, {said[0] if said else entry.event.kind}")
