"""`companion unlimited-nine`: the at-bat resolver, a game on the session store, the simulation."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.cli import nine_game, nine_simulate
from companion.cli.nine_game import diamond
from companion.cli.options import JsonOption, StoreOption
from companion.cli.output import answer, answer_json, plural
from companion.errors import UsageError

app = typer.Typer(
    help="Unlimited Nine: resolve at-bats, keep a game, simulate.", no_args_is_help=True
)


@app.callback()
def root() -> None:
    """Unlimited Nine: resolve at-bats, keep a game, simulate."""


def _number(metavar: str, help: str, least: int = 0, most: int = 99) -> Any:
    return typer.Option(metavar=metavar, help=help, min=least, max=most, show_default=False)


@app.command("at-bat")
def at_bat(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game; without one the figures are given."),
    ] = None,
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
    ability: Annotated[
        list[str],
        typer.Option(
            metavar="WHO",
            help="In a game: who uses an ability: batter, first, pitcher, SS, an id or name.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    bonus: Annotated[
        int, typer.Option(metavar="N", min=0, max=42, help="Cards discarded for the fielder.")
    ] = 0,
    walk: Annotated[bool, typer.Option("--walk", help="The batter is walked.")] = False,
    redraw: Annotated[
        bool, typer.Option("--redraw", help="In a game: after the walk two cards are changed.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="In a game: what it would come to; nothing is recorded."),
    ] = False,
    margin: Annotated[
        int | None, _number("N", "The margin, instead of --bat and --pitch.", -99)
    ] = None,
    zero_row: Annotated[
        bool, typer.Option("--zero-row", help="This batter hits at margin 0 too.")
    ] = False,
    batting: Annotated[int | None, _number("N", "The batter's batting.")] = None,
    fielding: Annotated[int | None, _number("N", "The fielder's fielding.")] = None,
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
    bases: Annotated[
        str | None,
        typer.Option(metavar="1-0-1", help="Runners on first, second, third.", show_default=False),
    ] = None,
    outs: Annotated[int | None, _number("N", "Outs before it.", 0, 2)] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resolve one at-bat: duel, catch, advance; or a walk. In a game, or with figures given."""
    if walk and (bat is not None or pitch is not None):
        raise UsageError("--walk stands without cards: there is no duel (UN-5)")
    figures = {
        "--margin": margin,
        "--batting": batting,
        "--fielding": fielding,
        "--hit-bases": hit_bases,
        "--bases": bases,
        "--outs": outs,
        "--zero-row": zero_row or None,
        "--student": student or None,
        "--extra": extra or None,
    }
    if name is not None:
        given = [option for option, value in figures.items() if value is not None]
        if given:
            raise UsageError(f"the game '{name}' knows the figures itself: leave out {given[0]}")
        nine_game.at_bat(name, bat, pitch, ability, bonus, walk, redraw, dry_run, store, as_json)
        return
    if ability or redraw or dry_run:
        raise UsageError("--ability, --redraw and --dry-run are for a game: name it first")
    runners = bases or "0-0-0"
    if walk:
        if (
            any(v is not None for k, v in figures.items() if k not in ("--bases", "--outs"))
            or bonus
        ):
            raise UsageError("--walk needs only --bases: there is no duel (UN-5)")
        _walk(runners, outs or 0, as_json)
        return
    steps: list[str] = []
    gap = _margin(bat, pitch, margin, steps)
    result = _result(gap, zero_row, batting, fielding, bonus, student, steps)
    _advance(runners, gap, result, hit_bases, _extra(extra), outs or 0, steps, as_json)


def _walk(runners: str, outs: int, as_json: bool) -> None:
    from companion.games.unlimited_nine import at_bat as rules

    after, home = rules.walk(rules.parse_bases(runners), rules.BATTER)
    steps = ["walk: only forced runners move (UN-5)"]
    _say(None, "walk", after, len(home), outs, steps, as_json)


def _advance(
    runners: str,
    gap: int,
    result: str,
    hit_bases: int | None,
    extra: dict[str, int],
    outs: int,
    steps: list[str],
    as_json: bool,
) -> None:
    from companion.games.unlimited_nine import at_bat as rules

    after, runs = rules.parse_bases(runners), 0
    nobody = [who for who in extra if who != rules.BATTER and who not in after]
    if nobody:
        raise UsageError(f"--extra {nobody[0]}: nobody is there (--bases {runners})")
    if result == "hit":
        if hit_bases is None:
            raise UsageError("the ball is hit: --hit-bases says how far (UN-7)")
        after, home = rules.advance(after, rules.BATTER, hit_bases, extra)
        runs = len(home)
        steps.append(f"{hit_bases}-base hit (UN-9)")
    _say(gap, result, after, runs, outs + (result != "hit"), steps, as_json)


def _say(
    gap: int | None,
    result: str,
    after: Any,
    runs: int,
    outs: int,
    steps: list[str],
    as_json: bool,
) -> None:
    from companion.games.unlimited_nine import at_bat as rules

    left = 0
    if outs == rules.OUTS:
        left, after = sum(runner is not None for runner in after), rules.EMPTY
        steps.append(f"three outs: the half is over, {left} left on base (UN-3)")
    if as_json:
        answer_json(
            {
                "margin": gap,
                "result": result,
                "runs": runs,
                "bases": rules.bases_text(after),
                "outs": outs,
                "half_over": outs == rules.OUTS,
                "left_on_base": left,
                "steps": steps,
            }
        )
        return
    for line in (*steps, *diamond(after)):
        answer(line)
    answer(f"{plural(runs, 'run')}, {plural(outs, 'out')}, bases {rules.bases_text(after)}")


def _margin(bat: str | None, pitch: str | None, margin: int | None, steps: list[str]) -> int:
    """The margin as given, or from the cards of both sides (UN-6)."""
    from companion.games.unlimited_nine.at_bat import margin_of, parse_cards, same_colour

    if margin is not None:
        if bat is not None or pitch is not None:
            raise UsageError("--margin stands instead of --bat and --pitch")
        steps.append(f"margin {margin}")
        return margin
    if bat is None or pitch is None:
        raise UsageError("the duel needs --bat and --pitch (none is no card), or --margin (UN-6)")
    ours, theirs = parse_cards(bat), parse_cards(pitch)
    gap = margin_of(ours, theirs)
    why = "; the same colour: the pitcher's power is 0" if same_colour(ours, theirs) else ""
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
        if bonus:
            raise UsageError("--bonus: an ordinary student never catches (UN-8)")
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


def _extra(texts: list[str]) -> dict[str, int]:
    """`first:2` → {"first": 2}. Raises UsageError."""
    from companion.games.unlimited_nine.at_bat import BATTER, RUNNERS

    found: dict[str, int] = {}
    for text in texts:
        name, _, count = text.partition(":")
        if name not in (BATTER, *RUNNERS) or count not in ("1", "2", "3") or name in found:
            raise UsageError(
                f"--extra {text}: write batter, first, second or third, once, and :1 to :3"
            )
        found[name] = int(count)
    return found


for _name, _command in nine_game.COMMANDS.items():
    app.command(_name)(_command)
app.command("simulate")(nine_simulate.simulate)
