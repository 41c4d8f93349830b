"""`companion preview`: contact sheet and gallery, once or at every change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import DeckArgument, JsonOption, LanguageOption
from companion.cli.output import answer, answer_json, plural, problem_json, remark, show_problems
from companion.errors import PrintError, UsageError

if TYPE_CHECKING:
    from companion.errors import CompanionError
    from companion.preview import Preview


def preview(
    deck: DeckArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to.")] = Path(
        "output/preview"
    ),
    lang: LanguageOption = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Build again at every change, until Ctrl-C.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a contact sheet PNG and an HTML gallery of every distinct face."""
    from companion.preview import build
    from companion.preview import watch as keep_watching

    if watch and as_json:
        raise UsageError("--watch answers at every change; it takes no --json")
    try:
        if watch:
            remark("watching; Ctrl-C ends it")
            keep_watching(deck, lang, out, _told)
            return
        made = build(deck, lang, out)
    except OSError as error:
        raise PrintError(f"cannot write into {out}: {error.strerror or error}") from None
    if as_json:
        answer_json(
            {
                "sheet": str(made.sheet),
                "gallery": str(made.gallery),
                "faces": made.faces,
                "problems": [problem_json(problem) for problem in made.problems],
            }
        )
    else:
        _told(made)


def _told(result: Preview | CompanionError) -> None:
    from companion.preview import Preview

    if isinstance(result, Preview):
        show_problems(p for p in result.problems if p.level != "note")
        answer(f"{plural(result.faces, 'face')} → {result.gallery} and {result.sheet}")
    else:
        show_problems(result.problems)
        remark("the gallery shows the last good version and these problems")
