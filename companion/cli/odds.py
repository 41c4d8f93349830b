"""`companion odds`: the exact distribution of a dice expression."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import JsonOption
from companion.cli.output import answer, answer_json, fraction_json, percent
from companion.errors import PrintError, UsageError

if TYPE_CHECKING:
    from companion.table.odds import Distribution

_BARS = 40
_LONGEST_FRACTION = 10**9
_MOST_ROWS = 60


def odds(
    expression: Annotated[str, typer.Argument(metavar="EXPR", help="d100, 2d6+1, 4d6kh3 …")],
    at_most: Annotated[
        int | None, typer.Option(metavar="N", help="The chance of N or less.", show_default=False)
    ] = None,
    at_least: Annotated[
        int | None, typer.Option(metavar="N", help="The chance of N or more.", show_default=False)
    ] = None,
    best_of: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="The highest of N rolls.")
    ] = 1,
    worst_of: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="The lowest of N rolls.")
    ] = 1,
    versus: Annotated[
        str | None,
        typer.Option(metavar="EXPR", help="Against another roll.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it as .png or .svg.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show exact chances: every result, at most, at least, expected value, best of, versus."""
    from companion.table.odds import odds as odds_of

    if best_of > 1 and worst_of > 1:
        raise UsageError("--best-of and --worst-of exclude each other")
    found = odds_of(expression)
    if best_of > 1:
        found = found.best_of(best_of)
    if worst_of > 1:
        found = found.worst_of(worst_of)
    other = odds_of(versus) if versus else None
    if plot:
        _plot(found, expression, plot)
    facts: dict[str, Fraction] = {}
    if at_most is not None:
        facts[f"at most {at_most}"] = found.at_most(at_most)
    if at_least is not None:
        facts[f"at least {at_least}"] = found.at_least(at_least)
    if other:
        names = ("higher", "equal", "lower")
        facts |= dict(zip(names, found.versus(other), strict=True))
    if as_json:
        answer_json(_as_json(found, expression, at_most, at_least, versus, other))
    else:
        _show(found, expression, facts, versus, best_of, worst_of)


def _as_json(
    found: Distribution,
    expression: str,
    at_most: int | None,
    at_least: int | None,
    versus: str | None,
    other: Distribution | None,
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "expression": expression,
        "mean": fraction_json(found.mean),
        "least": found.least,
        "greatest": found.greatest,
        "chances": [
            {"result": result, "chance": fraction_json(found.chance(result))}
            for result in found.weights
        ],
    }
    if at_most is not None:
        document["at_most"] = fraction_json(found.at_most(at_most))
    if at_least is not None:
        document["at_least"] = fraction_json(found.at_least(at_least))
    if versus and other:
        higher, equal, lower = found.versus(other)
        document["versus"] = {
            "expression": versus,
            "higher": fraction_json(higher),
            "equal": fraction_json(equal),
            "lower": fraction_json(lower),
        }
    return document


def _show(
    found: Distribution,
    expression: str,
    facts: dict[str, Fraction],
    versus: str | None,
    best_of: int,
    worst_of: int,
) -> None:
    title = expression
    if best_of > 1:
        title = f"best of {best_of} × {expression}"
    if worst_of > 1:
        title = f"worst of {worst_of} × {expression}"
    mean = f"≈ {float(found.mean):.3f}"
    if found.mean.denominator == 1:
        mean = str(found.mean)
    elif found.mean.denominator < _LONGEST_FRACTION:
        mean = f"{found.mean} {mean}"
    answer(f"{title}: {found.least} … {found.greatest}, expected {mean}")
    rows = _rows(found)
    highest = max(chance for _, chance in rows)
    width = max(len(label) for label, _ in rows)
    for label, chance in rows:
        bar = _bar(chance / highest * _BARS)
        answer(f"{label:>{width}} {percent(chance):>8} {bar}")
    for name, chance in facts.items():
        what = f"{name} than {versus}" if name in ("higher", "lower") else name
        what = f"equal to {versus}" if name == "equal" else what
        answer(f"{what}: {percent(chance)} = {chance}")


def _rows(found: Distribution) -> list[tuple[str, Fraction]]:
    """Every result, or equal ranges of results where there are too many to show."""
    results = range(found.least, found.greatest + 1)
    if len(results) <= _MOST_ROWS:
        return [(str(result), found.chance(result)) for result in results]
    step = -(-len(results) // (_MOST_ROWS // 3))
    rows = []
    for first in range(found.least, found.greatest + 1, step):
        last = min(first + step - 1, found.greatest)
        rows.append((f"{first}–{last}", found.at_most(last) - found.at_most(first - 1)))
    return rows


def _bar(length: Fraction) -> str:
    """A bar in eighths of a character."""
    eighths = round(length * 8)
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")


def _plot(found: Distribution, expression: str, path: Path) -> None:
    """A bar chart by matplotlib, an optional extra."""
    if path.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"--plot {path}: the name must end in .png or .svg")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("--plot needs matplotlib: pip install 'pnp-companion[plot]'") from None
    from companion.files.atomic import replacing

    mpl.rcParams["svg.hashsalt"] = "companion"
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.bar(list(found.weights), [float(found.chance(r)) * 100 for r in found.weights])
    axes.set(xlabel="result", ylabel="chance (%)", title=expression)
    kind = path.suffix.lower()[1:]
    try:
        with replacing(path) as stream:
            figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
    except OSError as error:
        raise PrintError(f"cannot write {path}: {error.strerror or error}") from None
