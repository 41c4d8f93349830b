"""The `companion` command: its subcommands, and the mapping of errors to exit codes."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated, Any

import typer

from companion import __version__
from companion.cli.lazy import LazyGroup
from companion.cli.output import remark, show_problems
from companion.errors import CompanionError, ExitCode


class CompanionGroup(LazyGroup):
    """Turns every error into one clear message and its documented exit code."""

    lazy = {  # noqa: RUF012 (its type stands in LazyGroup)
        "list": "listing:list_all",
        "check": "check:check_deck",
        "print": "printing:print_deck",
        "preview": "previewing:preview",
        "export": "exporting:export",
        "diff": "exporting:diff",
        "new": "exporting:new",
        "calibrate": "calibrate:calibrate",
        "roll": "roll:roll",
        "odds": "odds:odds",
        "track": "track:app",
        "session": "session:app",
        "game-on": "game_on:app",
        "unlimited-nine": "unlimited_nine:app",
        "property-poker": "property_poker:app",
    }

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            if error.problems:
                show_problems(error.problems)
            else:
                remark(f"error: {error}")
            raise typer.Exit(int(error.exit_code)) from None
        except (KeyboardInterrupt, typer.Abort):
            remark("interrupted; no file is half-written")
            raise typer.Exit(int(ExitCode.INTERRUPTED)) from None
        except BrokenPipeError:
            # the reader of our output left: nobody to tell, and Python must not try again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(int(ExitCode.PRINT)) from None
        except (typer.Exit, typer.BadParameter):
            raise
        except OSError as error:
            remark(f"error: {error.filename or 'a file'}: {error.strerror or error}")
            raise typer.Exit(int(ExitCode.PRINT)) from None
        except UnicodeEncodeError:
            remark("error: a name or text holds bytes that are no UTF-8")
            raise typer.Exit(int(ExitCode.USAGE)) from None
        except Exception as error:
            if _is_usage(error) or os.environ.get("COMPANION_DEBUG"):
                raise
            if type(error).__module__ == "sqlite3":
                remark(f"error: the session file cannot be used: {error}; nothing was recorded")
                raise typer.Exit(int(ExitCode.SESSION)) from None
            remark(
                f"error: unexpected {type(error).__name__}: {error} "
                "(a fault of companion; COMPANION_DEBUG=1 shows where)"
            )
            raise typer.Exit(int(ExitCode.UNEXPECTED)) from None


def _is_usage(error: Exception) -> bool:
    """Whether Typer itself knows what to say about the error and which code to return."""
    return hasattr(error, "exit_code")


app = typer.Typer(
    name="companion",
    cls=CompanionGroup,
    help="Print your own board games, and help at the table.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"companion {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Print your own board games, and help at the table."""


def main() -> None:
    """The entry point."""
    # a print makes many small objects and hardly a cycle: collect rarely
    gc.set_threshold(100_000, 20, 20)
    app()
