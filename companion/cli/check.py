"""`companion check`: everything that print would refuse, without printing."""

from __future__ import annotations

import typer

from companion.cli.options import DeckArgument, JsonOption, LanguageOption, OverflowOption
from companion.cli.output import answer, answer_json, plural, problem_json, show_problems
from companion.errors import ExitCode


def check_deck(
    deck: DeckArgument,
    lang: LanguageOption = None,
    overflow: OverflowOption = "error",
    as_json: JsonOption = False,
) -> None:
    """Find what is wrong with a deck before paper is wasted."""
    from companion.job import check_job, load_job
    from companion.rosters import note_figures

    job = load_job(deck, lang, overflow)  # type: ignore[arg-type]
    note_figures(job)
    code = check_job(job)
    problems = job.problems.items
    if as_json:
        answer_json(
            {
                "deck": job.deck.name,
                "ok": code is ExitCode.OK,
                "cards": len(job.run),
                "problems": [problem_json(problem) for problem in problems],
            }
        )
    else:
        show_problems(problems)
        faults = plural(len(job.problems.errors), "error")
        verdict = "ready to print" if code is ExitCode.OK else f"{faults}; nothing was printed"
        answer(f"{job.deck.shown}: {plural(len(job.run), 'card')}, {verdict}")
    if code is not ExitCode.OK:
        raise typer.Exit(int(code))
