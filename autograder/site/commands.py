"""The command line's `site`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder import paths


def site_command(
    chapters: Annotated[
        list[str] | None,
        typer.Argument(help="Chapters: 01_spam, or 1 (default: all).", autocompletion=paths.completions),
    ] = None,
    to: Annotated[Path | None, typer.Option(help="The folder to write (default: build/site).")] = None,
    executed: Annotated[
        Path | None, typer.Option(help="The folder of executed notebooks, for their outputs (default: build/executed).")
    ] = None,
    solutions: Annotated[
        Literal["none", "fold"], typer.Option(help="Put the course's answers into closed folds, for self-study.")
    ] = "none",
    address: Annotated[str, typer.Option(help="Where the site will lie: https://...")] = "",
) -> None:
    """Write the course as a static site: chapters, pages, the reference of helpers, what was measured."""
    from autograder.site.build import build_site

    print(build_site(paths.asked(chapters), to, executed, solutions == "fold", address))
