"""Wrong files and texts by the thousand: every reader answers with a clear error or a result.

    python -m tests.fuzz --inputs 200000        all targets, on all cores

A short deterministic part runs in the tests (tests/test_fuzz.py).
"""
