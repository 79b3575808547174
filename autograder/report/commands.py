"""The command line's `report`: pages to read again. Exit codes: 0 done; 2 wrong input."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder import paths
from autograder.adopted_table import adopted
from autograder.report import safe_text
from helpers.errors import CourseError
from helpers.files import write_whole


def completions(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the chapters, and the adopted assignments, that a word on the command line may become."""
    mine = adopted(Path(ctx.params.get("course") or ""))
    return [*paths.completions(incomplete), *(name for name in mine if name.startswith(incomplete))]


Chapter = Annotated[
    str,
    typer.Argument(
        help="A chapter: 01_spam, or 1; or an assignment that was adopted.",
        callback=paths.chapter,
        autocompletion=completions,
        show_default=False,
    ),
]
Course = Annotated[Path, typer.Option(help="The folder of the course, in which `grade` was run.")]


def say_gone(students: list[str]) -> None:
    if students:
        print(f"not counted, for their work is no longer in submitted/: {safe_text.names(students)}")


def report_command(
    chapter: Chapter,
    course: Course = Path(),
    to: Annotated[Path | None, typer.Option(help="The folder to write (default: reports/<chapter>).")] = None,
    student: Annotated[str, typer.Option(help="Write this student's page alone.")] = "",
    before: Annotated[
        Path | None,
        typer.Option(
            help="Earlier results, as a course's folder or as a folder of them: print who changes, how much, and why."
        ),
    ] = None,
) -> None:
    """Write pages to read in a browser: one for each student, and one for the class."""
    from autograder.execution.result_cache import Store
    from autograder.report import likeness, load, page, regrade
    from autograder.report.standing import standings

    everybody, marks = load.results(course, chapter), load.marks(course, chapter)
    results, gone = load.present(everybody, course, chapter)
    class_ = standings(results, marks)
    folder, title = to or course / "reports" / chapter, load.title(chapter, course)
    if student:
        all_ = standings(everybody, marks)
        chosen = [s for s in all_ if s.student == student]
        if not chosen:
            raise CourseError(f"{chapter}: there is no result of '{safe_text.name(student)}'")
        target = folder / "students" / page.file_names([s.student for s in all_])[student]
        write_whole(target, page.student_page(chosen[0], title).encode("utf-8"))
    else:
        here = {s.student for s in class_}
        teams = Store(course, chapter).teams()
        first = {teams.get(who, who): who for who in sorted(here, reverse=True)}  # of a team one: it is alike
        given = {who: mine for who, mine in likeness.answers(course, chapter).items() if who in first.values()}
        target = page.write_pages(class_, title, folder, likeness.pairs(given, likeness.models(chapter, course)))
    print(f"wrote {target}")
    say_gone([] if student else gone)
    if before is not None:
        old = load.earlier(before, chapter)
        found = regrade.changes((r for r in old if r["student"] not in gone), results)
        print(regrade.summary(found, len(class_)))
        if found:
            Console(highlight=False).print(regrade.table(found))


def add(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("report")(report_command)
