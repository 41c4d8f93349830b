"""`companion unlimited-nine`: the at-bat resolver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import JsonOption
from companion.cli.output import answer, answer_json, plural
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.games.unlimited_nine.at_bat import Bases

app = typer.Typer(help="Unlimited Nine: the at-bat resolver.", no_args_is_help=True)


@app.callback()
def root() -> None:
    """Unlimited Nine: the at-bat resolver."""


def _number(metavar: str, help: str, least: int = 0, most: int = 99) -> Any:
    return typer.Option(metavar=metavar, help=help, min=least, max=most, show_default=False)


@app.command("at-bat")
def at_bat(
    bat: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="The batter's cards: hot-blood*4, 熱血*4.", show_default=False
        ),
    ] = None,
    pitch: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="The pitcher's cards: technique*2, none.", show_default=False
        ),
    ] = None,
    margin: Annotated[
        int | None, _number("N", "The margin, instead of --bat and --pitch.", -99)
    ] = None,
    zero_row: Annotated[
        bool, typer.Option("--zero-row", help="This batter hits at margin 0 too.")
    ] = False,
    batting: Annotated[int | None, _number("N", "The batter's batting.")] = None,
    fielding: Annotated[int | None, _number("N", "The fielder's fielding.")] = None,
    bonus: Annotated[
        int, typer.Option(metavar="N", min=0, max=42, help="Cards discarded for the fielder.")
    ] = 0,
    student: Annotated[
        bool, typer.Option("--student", help="The fielder is an ordinary student: no catch.")
    ] = False,
    hit_bases: Annotated[int | None, _number("N", "Bases of the batting table.", 1, 4)] = None,
    extra: Annotated[
        list[str],
        typer.Option(
            metavar="FROM:N",
            help="An ability adds N bases to the runner from batter, first, second or third.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    walk: Annotated[bool, typer.Option("--walk", help="The batter is walked.")] = False,
    bases: Annotated[
        str, typer.Option(metavar="1-0-1", help="Runners on first, second, third.")
    ] = "0-0-0",
    outs: Annotated[int, typer.Option(metavar="N", min=0, max=2, help="Outs before it.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Resolve one at-bat: duel, catch, advance; or a walk."""
    from companion.games.unlimited_nine import at_bat as rules

    runners = rules.parse_bases(bases)
    steps: list[str] = []
    gap: int | None = None
    if walk:
        if any(v is not None for v in (bat, pitch, margin, batting, fielding, hit_bases)) or extra:
            raise UsageError("--walk needs only --bases: there is no duel (UN-5)")
        result, (after, runs) = "walk", rules.walk(runners)
        steps.append("walk: only forced runners move (UN-5)")
    else:
        gap = _margin(bat, pitch, margin, steps)
        result = _result(gap, zero_row, batting, fielding, bonus, student, steps)
        after, runs = runners, 0
        if result == "hit":
            if hit_bases is None:
                raise UsageError("the ball is hit: --hit-bases says how far (UN-7)")
            after, runs = rules.advance(runners, hit_bases, _extra(extra))
            steps.append(f"{hit_bases}-base hit (UN-9)")
    now_out = outs + (result in ("out", "caught"))
    left = 0
    if now_out == rules.OUTS:
        left, after = sum(after), (False, False, False)
        steps.append(f"three outs: the half is over, {left} left on base (UN-3)")
    if as_json:
        answer_json(
            {
                "margin": gap,
                "result": result,
                "runs": runs,
                "bases": rules.bases_text(after),
                "outs": now_out,
                "half_over": now_out == rules.OUTS,
                "left_on_base": left,
                "steps": steps,
            }
        )
        return
    for step in steps:
        answer(step)
    for line in _diamond(after):
        answer(line)
    answer(f"{plural(runs, 'run')}, {plural(now_out, 'out')}, bases {rules.bases_text(after)}")


def _margin(bat: str | None, pitch: str | None, margin: int | None, steps: list[str]) -> int:
    """The margin as given, or from the cards of both sides (UN-6)."""
    from companion.games.unlimited_nine.at_bat import margin_of, parse_cards

    if margin is not None:
        if bat is not None or pitch is not None:
            raise UsageError("--margin stands instead of --bat and --pitch")
        steps.append(f"margin {margin}")
        return margin
    if bat is None or pitch is None:
        raise UsageError("the duel needs --bat and --pitch (none is no card), or --margin (UN-6)")
    ours, theirs = parse_cards(bat), parse_cards(pitch)
    gap = margin_of(ours, theirs)
    same = ours.power is not None and ours.power is theirs.power
    why = "; the same colour: the pitcher's power is 0" if same else ""
    steps.append(f"batter {ours}, pitcher {theirs}{why}: margin {gap} (UN-6)")
    return gap


def _result(
    margin: int,
    zero_row: bool,
    batting: int | None,
    fielding: int | None,
    bonus: int,
    student: bool,
    steps: list[str],
) -> str:
    """`out`, `caught` or `hit`; says why."""
    from companion.games.unlimited_nine.at_bat import is_caught

    if margin < (0 if zero_row else 1):
        steps.append("the batter is out (UN-6)")
        return "out"
    if student:
        steps.append("an ordinary student never catches (UN-8)")
        return "hit"
    if batting is None or fielding is None:
        raise UsageError("the ball flies: the catch needs --batting and --fielding, or --student")
    caught = is_caught(batting, margin, fielding, bonus)
    with_bonus = f" + {bonus}" if bonus else ""
    sign = "≤" if caught else ">"
    word = "caught" if caught else "not caught"
    steps.append(f"{batting} + {margin} {sign} {fielding}{with_bonus}: {word} (UN-8)")
    return "caught" if caught else "hit"


def _extra(texts: list[str]) -> dict[int, int]:
    """`first:2` → {1: 2}. Raises UsageError."""
    places = {"batter": 0, "first": 1, "second": 2, "third": 3}
    found: dict[int, int] = {}
    for text in texts:
        name, _, count = text.partition(":")
        if name not in places or count not in ("1", "2", "3") or places[name] in found:
            raise UsageError(
                f"--extra {text}: write batter, first, second or third, once, and :1 to :3"
            )
        found[places[name]] = int(count)
    return found


def _diamond(bases: Bases) -> list[str]:
    """The field with its runners: filled is a runner, and the base's number stands beside it."""
    first, second, third = ("◆" if base else "◇" for base in bases)
    return [f"      {second} 2", f"  3 {third}     {first} 1", "      ⌂"]
