"""A short, deterministic part of the fuzzing (python -m tests.fuzz runs it by the hundred thousand)."""

from __future__ import annotations

import pytest

from tests.fuzz.runner import run_target
from tests.fuzz.targets import Target, all_targets


@pytest.mark.parametrize("target", all_targets(), ids=lambda target: target.name)
def test_changed_inputs_end_in_a_clear_error_or_a_result(target: Target) -> None:
    found = run_target(target, 40, seed=0)
    assert not found, [finding.what for finding in found]
