"""`companion game-on`: score calculator and advice."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import game_on_match
from companion.cli.dice_input import AskOption, DiceOption, SeedOption, dice_source, finish
from companion.cli.options import JsonOption
from companion.cli.output import answer, answer_json, fraction_json, percent
from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.games.game_on.plans import AttackPlan
    from companion.games.game_on.resolver import Attempt, Result

app = typer.Typer(help="Game On 籃球: score calculator, advice, matches.", no_args_is_help=True)
advise_app = typer.Typer(
    help="What should I play? Every legal play, best first.", no_args_is_help=True
)
app.add_typer(advise_app, name="advise")
app.add_typer(game_on_match.app, name="match")

AttackOption = Annotated[
    list[str],
    typer.Option(
        "--attack",
        metavar="CARD:VALUE",
        help="An attack card with its printed value, once a card: three-pointer:45, 三分跳投:45.",
        show_default=False,
    ),
]
SkillOption = Annotated[
    list[str],
    typer.Option("--skill", metavar="CARD", help="An attack skill.", show_default=False),
]
DefenceOption = Annotated[
    list[str],
    typer.Option(
        "--defence",
        metavar="PLAN",
        help="A defender's plan: shot-defence, ultimate-defence*2, paint-defence+eraser, "
        "shot-defence+versatile:3; shot-defence@2 names the second try.",
        show_default=False,
    ),
]
HouseOption = Annotated[
    list[str],
    typer.Option("--house", metavar="KEY=VALUE", help="A house rule (GO-14).", show_default=False),
]


@app.command("attack")
def attack(
    attack: AttackOption,
    skill: SkillOption = [],  # noqa: B006
    defence: DefenceOption = [],  # noqa: B006
    foul: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            max=100,
            help="A personal foul with this number.",
            show_default=False,
        ),
    ] = None,
    foul_by: Annotated[
        str | None,
        typer.Option(
            metavar="attacker|defender",
            help="Who played it. Default: the attacker if a defence was played.",
            show_default=False,
        ),
    ] = None,
    roll: Annotated[bool, typer.Option("--roll", help="Roll the dice.")] = False,
    dice: DiceOption = None,
    ask: AskOption = False,
    seed: SeedOption = None,
    house: HouseOption = [],  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """Calculate an attack: value of each try, exact chance, reasons; with dice its result."""
    from companion.games.game_on.house import parse_house
    from companion.games.game_on.plans import Foul, parse_attack, parse_defence
    from companion.games.game_on.resolver import play, resolve

    rules = parse_house(house)
    plan = parse_attack(attack, skill)
    defences = [parse_defence(text) for text in defence]
    if foul_by not in (None, "attacker", "defender") or (foul_by and foul is None):
        raise UsageError("--foul-by attacker|defender goes with --foul NUMBER")
    by_attacker = foul_by == "attacker" if foul_by else bool(defences)
    called = Foul(foul, by_attacker) if foul is not None else None
    attempt = resolve(plan, defences, called, rules)
    result = None
    if roll or dice is not None or ask or seed is not None:
        source = dice_source(dice, ask, seed)
        result = play(attempt, source)
        finish(source)
    if as_json:
        answer_json(attempt_json(attempt, result))
        return
    for step in attempt.steps:
        answer(step)
    if result:
        for sentence in result.sentences:
            answer(sentence)


def attempt_json(attempt: Attempt, result: Result | None) -> dict[str, Any]:
    """The calculator's answer as JSON data."""
    return {
        "values": list(attempt.values),
        "tries": len(attempt.values),
        "rolls_per_try": attempt.rolls_per_try,
        "before": [
            {"name": h.name, "survives": fraction_json(h.chance), "value": h.value}
            for h in attempt.hurdles
        ],
        "chance": fraction_json(attempt.chance),
        "steps": list(attempt.steps),
        "outcome": None
        if result is None
        else {
            "scored": result.scored,
            "points": result.points,
            "void": result.void,
            "free_throws": result.free_throws,
            "free_throw_value": result.free_throw_value,
            "reactions": list(result.reactions),
            "rolls": list(result.rolls),
            "steps": list(result.sentences),
        },
    }


HandOption = Annotated[
    str,
    typer.Option("--hand", metavar="CARDS", help="The hand: dunk:70,dunk:65,block,eraser."),
]


@advise_app.command("attack")
def advise_attack(
    hand: HandOption,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="A defender's hand: show its worst reply.", show_default=False
        ),
    ] = None,
    house: HouseOption = [],  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """List every legal attack of a hand, most expected points first."""
    from companion.games.game_on import advise as advice
    from companion.games.game_on.house import parse_house

    rules = parse_house(house)
    other = advice.parse_hand(against) if against else None
    found = advice.advise_attack(advice.parse_hand(hand), other, rules)
    if as_json:
        rows = [
            {
                "attack": _attack_names(entry.plan),
                "skills": [skill.id for skill in entry.plan.skills],
                "points": entry.plan.card.points,
                "chance": fraction_json(entry.chance),
                "reply": str(entry.reply) if entry.reply else None,
                "reply_chance": fraction_json(entry.reply_chance),
                "expected": fraction_json(entry.expected),
            }
            for entry in found
        ]
        answer_json({"plays": rows})
        return
    if not found:
        answer("no legal attack: an attack card needs its printed value, such as dunk:70")
    for entry in found:
        names = " + ".join([*_attack_names(entry.plan), *(s.id for s in entry.plan.skills)])
        line = f"{percent(entry.chance):>7}  {entry.plan.card.points} points  {names}"
        if entry.reply:
            line += f"   worst reply {entry.reply}: {percent(entry.reply_chance)}"
        answer(line)


@advise_app.command("defence")
def advise_defence(
    attack: AttackOption,
    hand: HandOption,
    skill: SkillOption = [],  # noqa: B006
    defence: DefenceOption = [],  # noqa: B006
    house: HouseOption = [],  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """List every legal defence of a hand, lowest chance first, with the stamina it burns."""
    from companion.games.game_on import advise as advice
    from companion.games.game_on.house import parse_house
    from companion.games.game_on.plans import parse_attack, parse_defence
    from companion.games.game_on.resolver import resolve

    rules = parse_house(house)
    plan = parse_attack(attack, skill)
    others = [parse_defence(text) for text in defence]
    alone: Fraction = resolve(plan, others, None, rules).chance
    found = advice.advise_defence(advice.parse_hand(hand), plan, others, rules)
    if as_json:
        rows = [
            {
                "plan": str(entry.plan),
                "chance": fraction_json(entry.chance),
                "paid_with": list(entry.paid_with),
                "stamina": entry.burnt,
            }
            for entry in found
        ]
        answer_json({"without": fraction_json(alone), "plays": rows})
        return
    for entry in found:
        paid = f"   paid with {', '.join(entry.paid_with)}" if entry.paid_with else ""
        answer(f"{percent(entry.chance):>7}  {entry.plan}   burns {entry.burnt} stamina{paid}")
    answer(f"{percent(alone):>7}  nothing")


def _attack_names(plan: AttackPlan) -> list[str]:
    return [f"{plan.card.id}:{value}" for value in plan.values]
