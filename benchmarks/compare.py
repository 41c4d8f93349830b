"""Times companion beside other card-sheet makers on the same decks, and looks at what they made.

    python benchmarks/compare.py --report docs/benchmarks.md --json compare.json

Each tool gets an environment of its own below --envs (made once, from PyPI); each deck is made by
each tool in turn, A B C A B C, and the median of the runs is shown. CPU is user + system time of the
process, peak memory its largest resident size. protograf 0.6 needs Python 3.13; a tool that cannot be
installed is named in the report. See peers/*.py for how each is used.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]
from run import once
from words import PARAGRAPH

FONT = HERE.parent / "layouts" / "fonts" / "PnPSansTC-Regular.ttf"
PEERS = {
    "protograf": ("protograf==0.6.*", "python3.13"),
    "decksmith": ("decksmith==0.9.*", "python3.11"),
    "cartuli": ("cartuli==0.1.0b3", "python3.11"),
}
KINDS = {
    "text54": "54 text cards",
    "text540": "540 text cards",
    "pictures54": "54 cards with pictures",
    "shared540": "540 cards, 54 pictures",
}


def environments(folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """(tool → its Python, tool → its version or why it is missing)."""
    pythons = {"companion": Path(sys.executable), "bare ReportLab": Path(sys.executable)}
    notes = {}
    for name, (requirement, python) in PEERS.items():
        home = folder / name
        if not (home / "bin" / "python").exists():
            if not shutil.which(python):
                notes[name] = f"not run: needs {python}"
                continue
            subprocess.run([python, "-m", "venv", str(home)], check=True)
            pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", requirement]
            if subprocess.run(pip, check=False).returncode:
                notes[name] = f"not run: {requirement} cannot be installed"
                shutil.rmtree(home)
                continue
        pythons[name] = home / "bin" / "python"
    for name, python_path in pythons.items():
        package = {"companion": "pnp-companion", "bare ReportLab": "reportlab"}.get(name, name)
        code = f"import importlib.metadata as m; print(m.version({package!r}))"
        found = subprocess.run(
            [str(python_path), "-c", code], capture_output=True, text=True, check=True
        )
        notes[name] = found.stdout.strip()
    return pythons, notes


def command(name: str, python: Path, kind: str, out: Path, work: Path) -> list[str]:
    """How a tool makes a deck."""
    script = {"bare ReportLab": "bare"}.get(name, name)
    return [
        str(python),
        str(HERE / "peers" / f"{script}_deck.py"),
        kind,
        str(out),
        str(work),
        str(FONT),
    ]


def look(pdf: Path) -> dict[str, Any]:
    """What a PDF holds: kB, real text, the Chinese right, fonts embedded, pages."""
    import pypdfium2
    from pypdf import PdfReader

    document = pypdfium2.PdfDocument(pdf)
    text = "".join(document[0].get_textpage().get_text_range().split())
    pages = len(document)
    document.close()
    wanted = "".join(PARAGRAPH.split())
    fonts = list(_fonts(PdfReader(pdf)))
    return {
        "kb": pdf.stat().st_size / 1000,
        "pages": pages,
        "text": bool(text),
        "chinese": text.count(wanted) == 9,
        "embedded": bool(fonts) and all(fonts),
    }


def _fonts(reader: Any) -> Iterator[bool]:
    """Whether each font that is used on the first page is embedded."""
    page = reader.pages[0]
    stack, seen = [page["/Resources"].get_object()], set()
    while stack:
        resources = stack.pop()
        for font in (
            resources.get("/Font", {}).get_object().values() if "/Font" in resources else ()
        ):
            used = font.get_object()
            inner = used["/DescendantFonts"][0].get_object() if "/DescendantFonts" in used else used
            descriptor = inner.get("/FontDescriptor")
            yield bool(descriptor and "/FontFile2" in descriptor.get_object())
        forms = resources.get("/XObject", {}).get_object() if "/XObject" in resources else {}
        for reference in forms.values():
            form = reference.get_object()
            if id(form) not in seen and "/Resources" in form:
                seen.add(id(form))
                stack.append(form["/Resources"].get_object())


def measure(
    pythons: dict[str, Path], kinds: Sequence[str], runs: int, work: Path
) -> list[dict[str, Any]]:
    """A row for each tool and deck."""
    subprocess.run(
        [sys.executable, str(HERE / "peers" / "make_pictures.py"), str(work), str(FONT)], check=True
    )
    rows = []
    for kind in kinds:
        samples: dict[str, list[tuple[float, float, float]]] = {name: [] for name in pythons}
        targets = {name: work / f"{name.replace(' ', '-')}-{kind}.pdf" for name in pythons}
        for number in range(runs):
            for name, python in pythons.items():
                sample = once(command(name, python, kind, targets[name], work))
                samples[name].append(sample)
                print(f"{kind} {number + 1}/{runs} {name}: {sample[0]:.2f} s CPU", file=sys.stderr)
        for name in pythons:
            cpu, wall, peak = (
                statistics.median(column) for column in zip(*samples[name], strict=True)
            )
            found = look(targets[name])
            rows.append(
                {"tool": name, "kind": kind, "cpu": cpu, "wall": wall, "peak": peak, **found}
            )
    return rows


def growth(work: Path, runs: int) -> list[tuple[int, float, float, float]]:
    """(cards, CPU s, peak MiB, kB) of companion for 10², 10³ and 10⁴ text cards."""
    found = []
    for cards in (100, 1000, 10_000):
        out = work / f"growth-{cards}.pdf"
        line = command("companion", Path(sys.executable), f"text{cards}", out, work)
        samples = [once(line) for _ in range(runs)]
        cpu, peak = (statistics.median(sample[i] for sample in samples) for i in (0, 2))
        found.append((cards, cpu, peak, out.stat().st_size / 1000))
    return found


def report(
    rows: Sequence[dict[str, Any]],
    notes: dict[str, str],
    runs: int,
    grown: Sequence[tuple[int, float, float, float]] = (),
) -> str:
    """The Markdown page."""
    lines = [
        "# Beside other tools",
        "",
        f"Made by `benchmarks/compare.py` on {datetime.now(UTC):%Y-%m-%d}, Python "
        f"{platform.python_version()}, {os.cpu_count()} cores, median of {runs} runs in turn.",
        "Versions: " + ", ".join(f"{name} {note}" for name, note in notes.items()) + ".",
        "",
        "cartuli lays out ready pictures: its cards are drawn beforehand, which is not counted, and "
        "its last deck is 54 cards ten times.",
    ]
    for kind, title in KINDS.items():
        chosen = [row for row in rows if row["kind"] == kind]
        if not chosen:
            continue
        lines += [
            "",
            f"## {title}",
            "",
            "| tool | CPU s | wall s | peak MiB | PDF kB | text | Chinese right | fonts embedded |",
            "| --- | ---: | ---: | ---: | ---: | --- | --- | --- |",
        ]
        for row in chosen:
            kinds_of = "real text" if row["text"] else "raster"
            right = "yes" if row["chinese"] else ("no text" if not row["text"] else "no")
            fonts = ("yes" if row["embedded"] else "no") if row["text"] else "–"
            lines.append(
                f"| {row['tool']} | {row['cpu']:.2f} | {row['wall']:.2f} | {row['peak']:.0f} "
                f"| {row['kb']:,.0f} | {kinds_of} | {right} | {fonts} |"
            )
    if grown:
        lines += [
            "",
            "## How companion's cost grows",
            "",
            "| text cards | CPU s | peak MiB | PDF kB |",
            "| ---: | ---: | ---: | ---: |",
        ]
        lines += [f"| {n:,} | {cpu:.2f} | {peak:.0f} | {kb:,.0f} |" for n, cpu, peak, kb in grown]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--envs", type=Path, default=Path.home() / ".cache" / "companion-peers")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pythons, notes = environments(options.envs)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(pythons, options.kinds.split(","), options.runs, Path(folder))
        grown = growth(Path(folder), options.runs)
    text = report(rows, notes, options.runs, grown)
    print(text)
    if options.report:
        options.report.write_text(text, "utf-8")
    if options.json:
        options.json.write_text(json.dumps({"versions": notes, "rows": rows}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
