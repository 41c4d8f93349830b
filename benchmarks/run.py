"""Times whole commands and prints a table: CPU, wall, peak memory, PDF size, ratio to a bare script.

    python benchmarks/run.py               everything, five runs each, in turn A B A B …
    python benchmarks/run.py --runs 3 --json results.json

CPU is user + system time of the whole process as the operating system counts it; the median of the
runs is shown. The bare script is the least that ReportLab can do: two strings a card.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from decks import full_session, text_deck

BARE = Path(__file__).parent / "bare.py"
DECKS = Path(__file__).parent / "decks.py"


@dataclass
class Figure:
    """The medians of one command's runs. Seconds, mebibytes, kilobytes."""

    name: str
    cpu: float
    wall: float
    peak_mib: float
    pdf_kb: float
    limit: float | None
    ratio: float | None = None


def once(command: list[str]) -> tuple[float, float, float]:
    """(CPU seconds, wall seconds, peak MiB) of one run. Raises if the command fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors.decode()}")
    wall = time.perf_counter() - start
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def jobs(folder: Path) -> list[tuple[str, list[str], Path | None, float | None]]:
    """(name, command, the PDF it writes, its CPU limit in seconds)."""
    companion = [sys.executable, "-m", "companion"]
    listed: list[tuple[str, list[str], Path | None, float | None]] = [
        ("companion --version", [*companion, "--version"], None, 0.25),
        ("companion --help", [*companion, "--help"], None, 0.25),
    ]
    store = full_session(folder / "sessions.sqlite", 10_000)
    add = [*companion, "track", "add", "long", "A", "1", "--store", str(store)]
    listed += [
        ("companion roll", [*companion, "roll"], None, 0.2),
        ("companion odds 4d6kh3", [*companion, "odds", "4d6kh3"], None, None),
        ("track add, 10,000 events before", add, None, 0.3),
    ]
    for cards, limit in ((54, 0.5), (540, 1.5), (5400, None)):
        pdf = folder / f"bare-{cards}.pdf"
        listed.append(
            (f"bare script, {cards}", [sys.executable, str(BARE), str(cards), str(pdf)], pdf, None)
        )
        deck = text_deck(folder / f"text-{cards}", cards)
        pdf = folder / f"text-{cards}.pdf"
        command = [*companion, "print", str(deck), "-o", str(pdf)]
        listed.append((f"companion, {cards} text cards", command, pdf, limit))
    for cards, pictures, limit in ((54, 54, 1.0), (540, 54, 2.0), (5000, 500, None)):
        deck = folder / f"pictures-{cards}"
        # in a process of its own: a child's peak memory is never counted under its parent's
        maker = [sys.executable, str(DECKS), str(deck), str(cards), str(pictures)]
        subprocess.run(maker, check=True)
        pdf = folder / f"pictures-{cards}.pdf"
        command = [*companion, "print", str(deck), "-o", str(pdf)]
        listed.append((f"{cards} cards with {pictures} PNGs 700 × 400", command, pdf, limit))
    deck = folder / "text-54"
    command = [*companion, "export", str(deck), "--to", "png", "-o", str(folder / "png")]
    listed.append(("export 54 cards as PNG, 300 ppi", command, None, None))
    pdf = folder / "game-on.pdf"
    listed.append(
        ("companion print game-on", [*companion, "print", "game-on", "-o", str(pdf)], pdf, None)
    )
    return listed


def measure(runs: int) -> list[Figure]:
    """Every job `runs` times, in turn."""
    with tempfile.TemporaryDirectory() as name:
        todo = jobs(Path(name))
        samples: dict[str, list[tuple[float, float, float]]] = {job[0]: [] for job in todo}
        for _, command, _, _ in todo:
            once(command)  # warm up
        for _ in range(runs):
            for title, command, _, _ in todo:
                samples[title].append(once(command))
        figures = []
        for title, _, pdf, limit in todo:
            cpu, wall, peak = (
                statistics.median(column) for column in zip(*samples[title], strict=True)
            )
            size = pdf.stat().st_size / 1000 if pdf else 0.0
            figures.append(Figure(title, cpu, wall, peak, size, limit))
    by_name = {figure.name: figure for figure in figures}
    for cards in (54, 540, 5400):
        text = by_name[f"companion, {cards} text cards"]
        text.ratio = text.cpu / by_name[f"bare script, {cards}"].cpu
    return figures


def table(figures: list[Figure]) -> str:
    """A Markdown table."""
    rows = [
        "| command | CPU s | wall s | peak MiB | PDF kB | × bare | limit s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for f in figures:
        ratio = f"{f.ratio:.1f}" if f.ratio else ""
        limit = f"{f.limit:g}" if f.limit else ""
        size = f"{f.pdf_kb:.0f}" if f.pdf_kb else ""
        rows.append(
            f"| {f.name} | {f.cpu:.2f} | {f.wall:.2f} | {f.peak_mib:.0f} | {size} | {ratio} | {limit} |"
        )
    small, large = (
        next(f for f in figures if f.name == f"companion, {n} text cards") for n in (540, 5400)
    )
    growth = (large.peak_mib - small.peak_mib) * 1024 / (5400 - 540)
    rows.append(f"\nMemory grows by {growth:.1f} kB a card (from 540 to 5,400 cards).")
    return "\n".join(rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.runs)
    print(table(figures))
    if options.json:
        options.json.write_text(json.dumps([asdict(f) for f in figures], indent=2))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
