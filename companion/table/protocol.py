"""What a game must offer so that a session can hold it: start, check, apply, outcome.

A session is its log of events. State is the fold of `apply` over the log from `start`. `check` says
whether an event may be added to a state; `apply` is pure and never asks for dice: their results
stand in the event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

Data = Mapping[str, Any]
"""JSON data: dicts, lists, texts, whole numbers, booleans, None."""

State = TypeVar("State")


@dataclass(frozen=True)
class Event:
    """Something that happened at the table: its kind and its data (JSON)."""

    kind: str
    data: Data = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the rule that ended it, and the winners (several: they share it)."""

    termination: str
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Step(Generic[State]):
    """A new state and what happened, one sentence each."""

    state: State
    sentences: tuple[str, ...] = ()


class Game(Protocol[State]):
    """The rules of one game, as a session uses them."""

    name: str
    """The game's id in the store."""
    version: int
    """Of the events' format; a store with a newer one is refused."""

    def start(self, config: Data) -> State:
        """The state before the first event. Raises UsageError for a bad config."""

    def check(self, state: State, event: Event) -> None:
        """Raise IllegalPlay, naming the rule and what would be legal, if `event` may not come."""

    def apply(self, state: State, event: Event) -> Step[State]:
        """The state after a checked event. Pure."""

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or None while it runs."""
