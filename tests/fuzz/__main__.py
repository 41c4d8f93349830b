"""Fuzz all readers: python -m tests.fuzz --inputs 200000 --seed 1"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.runner import run_target
from tests.fuzz.targets import all_targets

PARCEL = 1000
MOST_MEMORY = 1 << 30
"""Address space that an input may take beyond what the program itself has mapped."""
Parcel = tuple[str, int, int]
"""(target, how many inputs, seed)."""


def run_parcel(parcel: Parcel) -> list[str]:
    """What was found, by a process of its own: one that crashes is a finding too."""
    name, count, seed = parcel
    line = [sys.executable, "-m", "tests.fuzz", "--parcel", name, str(count), str(seed)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        return [
            f"{name} (seed {seed}): the process ended with {done.returncode}: {done.stderr[-300:]}"
        ]
    return [f"{name} (seed {seed}): {what}" for what in json.loads(done.stdout)]


def parcel_here(name: str, count: int, seed: int, keep: Path) -> list[str]:
    """Run a parcel in this process, in 1 GB more than it has now; keep inputs that go wrong."""
    target = next(target for target in all_targets() if target.name == name)
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MOST_MEMORY, mapped + MOST_MEMORY))
    findings = run_target(target, count, seed)
    for number, finding in enumerate(findings):
        keep.mkdir(parents=True, exist_ok=True)
        stem = f"{name.replace(' ', '-').replace('/', '-')}-{seed}-{number}.bin"
        (keep / stem).write_bytes(finding.data)
    return [finding.what for finding in findings]


def parcels(inputs: int, seed: int, only: str | None) -> list[Parcel]:
    """The inputs, shared out to the targets."""
    targets = [target for target in all_targets() if only in (None, target.name)]
    shares = sum(target.share for target in targets)
    found = []
    for target in targets:
        wanted = -(-inputs * target.share // shares)
        for start in range(0, wanted, PARCEL):
            found.append((target.name, min(PARCEL, wanted - start), seed * 10**6 + start))
    return found


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--parcel", nargs=3)
    parser.add_argument("--keep", type=Path, default=Path("output/fuzz"))
    options = parser.parse_args()
    if options.parcel:
        name, count, seed = options.parcel
        print(json.dumps(parcel_here(name, int(count), int(seed), options.keep)))
        return
    todo = parcels(options.inputs, options.seed, options.only)
    counts: dict[str, int] = {}
    findings: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, count, _), found in zip(todo, pool.map(run_parcel, todo), strict=True):
            counts[name] = counts.get(name, 0) + count
            findings += found
            done = sum(counts.values())
            print(f"\r{done:,} inputs, {len(findings)} findings", end="", file=sys.stderr)
    print(file=sys.stderr)
    for name, count in counts.items():
        print(f"{name:<18} {count:>8,}")
    print(f"{'in all':<18} {sum(counts.values()):>8,}, {len(findings)} findings")
    for finding in findings:
        print(finding)
    raise SystemExit(bool(findings))


if __name__ == "__main__":
    main()
