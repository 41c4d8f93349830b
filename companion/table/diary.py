"""A session of dice rolls: every roll is logged with its origin, nothing else has a state."""

from __future__ import annotations

from companion.errors import IllegalPlay
from companion.table.protocol import Data, Event, Outcome, Step


class DiceDiary:
    """Rolls kept in a session; the state is how many there are (a seeded roll's index)."""

    name = "roll"
    version = 1

    def start(self, config: Data) -> int:
        """No rolls yet."""
        del config
        return 0

    def check(self, state: int, event: Event) -> None:
        """Only rolls are kept."""
        del state
        if event.kind != "roll":
            raise IllegalPlay(f"a session of rolls knows no event '{event.kind}'")

    def apply(self, state: int, event: Event) -> Step[int]:
        """One more roll."""
        del event
        return Step(state + 1)

    def outcome(self, state: int) -> Outcome | None:
        """It never ends."""
        del state
        return None
