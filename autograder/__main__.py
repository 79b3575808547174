"""The instructors' command line: python -m autograder --help."""

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from autograder import adopted_table, paths
from autograder.errors import in_a_line
from autograder.essays import commands as essays
from autograder.leaving import remove_command
from autograder.lms import commands as lms
from autograder.report import commands as report
from autograder.report import safe_text
from autograder.report.bars import Bars
from autograder.site.commands import site_command
from autograder.start import Start, start
from helpers.errors import CourseError

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
console = Console(highlight=False)
NAME = "bow2lora"  # the program that the package installs
Sandbox = Annotated[bool, typer.Option("--sandbox/--no-sandbox", help="Run students' code shut off from yours.")]
MAX_FAULTS = 20  # of an audit, named again at its end
Chapters = Annotated[
    list[str] | None,
    typer.Argument(help="Chapters: 01_spam, or 1 (default: all).", autocompletion=paths.completions),
]


def _say_version(asked: bool) -> None:
    if asked:
        print(f"bow2lora {paths.version()}")
        raise typer.Exit


@app.callback()
def common_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Build, hand out, audit and grade the course."""


@app.command("build")
def build_command(chapters: Chapters = None) -> None:
    """Build the instructor's notebooks in build/source from solutions/."""
    from autograder.authoring.build import build

    for chapter in paths.asked(chapters):
        console.print(f"built {_short(build(chapter))}")


@app.command("release")
def release_command(
    chapters: Chapters = None,
    check: Annotated[bool, typer.Option("--check", help="Fail if notebooks/ is not what comes out.")] = False,
    course: Annotated[Path | None, typer.Option(help="Generate for one course, in its folder, by course.toml.")] = None,
) -> None:
    """Build, and generate the student edition in notebooks/ with nbgrader."""
    if course is not None:
        from autograder.grading.graded_chapter import release_to

        for chapter in paths.asked(chapters):
            print(f"{release_to(chapter, course, _plain)}: written")
        return
    from autograder.authoring.build import fresh, release
    from autograder.authoring.pages import release_pages
    from autograder.authoring.readme import release_readme
    from autograder.grading.model_answers import faults

    stale, faulty = [] if release_readme(check) else ["README.md"], []
    for chapter in paths.asked(chapters):
        same = release(chapter, check)
        outcome = "unchanged"
        if not same:
            stale.append(chapter)
            outcome = "stale" if check else "written anew"
        console.print(f"{_short(paths.release_notebook(chapter))}: {outcome}")
        if not check:
            faulty += faults(chapter, fresh(chapter), any_environment=True, known_alone=same)
    stale += [page.name for page, same in release_pages(check).items() if not same]
    if check and stale:
        _fail(f"not what solutions/ generates: {', '.join(stale)}. Run make release and commit.")
    if faulty:
        _fail("\n".join(faulty))


@app.command("handout")
def handout_command(
    chapters: Chapters = None,
    to: Annotated[
        Path | None, typer.Option(help="The folder to write, or a file that ends in .zip (default: build/handout).")
    ] = None,
    git: Annotated[
        bool, typer.Option("--git", help="Make it a git repository of its own; commit and tag each release.")
    ] = False,
    url: Annotated[str, typer.Option(help="Where the zip will lie: a notebook opened alone installs it.")] = "",
    course: Annotated[
        Path, typer.Option(help="The folder whose course.toml drops, adds or weighs questions.")
    ] = Path(),
    ai: Annotated[
        bool,
        typer.Option(help="With AGENTS.md, which makes an AI assistant a tutor, and a page on how to learn with one."),
    ] = True,
) -> None:
    """Write the student edition as a tree of its own: no solutions, no hidden tests, no grading."""
    from autograder.handout.hand_out import hand_out

    print(hand_out(paths.asked(chapters), to, git, url, course, ai))


@app.command("import")
def import_command(
    notebook: Annotated[Path, typer.Argument(help="An edited notebook of build/source.")],
    to: Annotated[Path | None, typer.Option(help="The text file to write (default: the chapter's source).")] = None,
) -> None:
    """Write an edited .ipynb back to its text source: the story and the files of its checks."""
    from autograder.authoring.importer import import_notebook

    console.print(f"wrote {_short(import_notebook(notebook, to))}; now run: make release")


@app.command("audit")
def audit_command(
    chapters: Chapters = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this exercise (may be repeated).")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what every variant's author reads.")] = False,
    both: Annotated[bool, typer.Option(help="Judge as the grader does, too, and compare.")] = False,
    every: Annotated[int, typer.Option(min=1, help="Try one variant in so many; the sources decide which.")] = 1,
) -> None:
    """Try every wrong and right variant on the checks; fail on anything but all."""
    from autograder.authoring.audit import audits

    faults: list[str] = []
    for chapter, trials, short in audits(paths.asked(chapters), only, both, every):
        console.print(_audit_table(chapter, trials))
        for trial in trials:
            bad = not trial.as_it_must_be
            if verbose or bad:
                _print_trial(trial)
            faults += [f"{chapter}: {trial.variant.exercise}: {trial.variant.name}"] * bad
        for line in short:
            console.print(line)
        faults += [f"{chapter}: {line.splitlines()[0]}" for line in short]
    if faults:
        what = "the audit found checks that accept a wrong answer, reject a right one, or do not name the mistake:"
        _fail("\n  ".join([what, *faults[:MAX_FAULTS]]))


@app.command("mutants")
def mutants_command(
    chapters: Chapters = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this exercise (may be repeated).")] = None,
) -> None:
    """Put small faults into every solution; fail where the checks let one pass that nobody explained."""
    from autograder.authoring.mutants.report import survivors, table
    from autograder.authoring.mutants.trial import all_outcomes

    good = True
    for chapter, found in all_outcomes(paths.asked(chapters), only):
        console.print(table(chapter, found))
        for line in (lines := survivors(found)):
            print(line)
        good &= not lines
    if not good:
        _fail("a check lets faults pass: add a case, or say in checks/equivalents.toml why they are none")


@app.command("course")
def course_command(
    chapters: Chapters = None,
    seeds: Annotated[int, typer.Option(min=1, help="Seeds for which the chapters' claims are measured.")] = 5,
    small: Annotated[
        bool, typer.Option("--small", help="Run the sizes of the tests, for the site, and record nothing.")
    ] = False,
) -> None:
    """Run chapters from top to bottom; write minutes, memory, scores and claims to solutions/measured.json."""
    from autograder.authoring.measure import EXECUTED, SMALL, record, run_chapter

    if small:
        for chapter in paths.asked(chapters):
            minutes = run_chapter(chapter, budget=SMALL)["minutes"]
            console.print(f"{EXECUTED / SMALL / chapter}.ipynb: {minutes:.1f} minutes")
        return
    console.print(record(paths.asked(chapters), seeds).read_text(encoding="utf-8"))


@app.command("check")
def check_command(
    notebook: Annotated[Path, typer.Argument(help="A student's notebook, or a folder with what was handed in.")],
    chapter: Annotated[str, typer.Option(help="The chapter, where names and cells are not to tell: 01_spam.")] = "",
    sandbox: Annotated[
        bool | None,
        typer.Option(
            "--sandbox/--no-sandbox",
            help="Refuse without a sandbox, or take none (default: where there is one; files of results need one).",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result to this file, as the grader keeps it.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the result to this file as JUnit XML.")] = None,
    gradescope: Annotated[Path | None, typer.Option(help="Write the result to this file for Gradescope.")] = None,
) -> None:
    """Run all checks of one notebook and print what they say; exit code 0 only at full points."""
    from autograder.execution.dispatch import backend
    from autograder.grading.check_notebook import check
    from autograder.report.checked_notebook import lines, protections

    for_others = bool(json or junit or gradescope)
    make = backend(True if for_others and sandbox is None else sandbox, say=lambda line: print(f"note: {line}"))
    result = check(notebook, make, paths.chapter(chapter) if chapter else "")
    lms.write_check(result, json=json, junit=junit, gradescope=gradescope)
    for line in lines(result):
        print(line)
    if for_others or sandbox is not None:
        print(protections(result))
    full = all(c["score"] == c["points"] for c in result["checks"])
    raise typer.Exit(0 if full else 1)


@app.command("grade")
def grade_command(
    chapters: Annotated[
        list[str],
        typer.Argument(help="Chapters: 01_spam, or 1; adopted assignments.", autocompletion=report.completions),
    ],
    course: Annotated[Path, typer.Option(help="The folder with submitted/<student>/<chapter>/.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Grade all anew, not only what changed.")] = False,
    timeout: Annotated[int | None, typer.Option(min=1, help="Seconds of CPU time for one cell.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="Submissions graded at the same time (default: one a core, or as many as the cluster takes)."
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on a Dask cluster: its scheduler's address, such as tls://host:8786.")
    ] = None,
    trust_network: Annotated[
        bool, typer.Option("--trust-network", help="Nobody else reaches the scheduler: take tcp://, too.")
    ] = False,
    sandbox: Sandbox = True,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Grade a chapter whose own answers do not earn full points.")
    ] = False,
) -> None:
    """Grade the submissions of chapters; record the points, write feedback and CSV."""
    from autograder.grading.grade import grade
    from autograder.report import report

    try:
        with _backend(scheduler, sandbox, trust_network) as (backend, size):
            options = {"force": force, "timeout": timeout, "workers": workers or size or None, "backend": backend}
            options["own_answers"] = not anyway
            for chapter in adopted_table.asked(chapters, course):
                with Bars(console) as bars:
                    results = grade(chapter, course, say=_plain, progress=bars, **options)
                for part in report(results, chapter, console.width):
                    console.print(part)
    except KeyboardInterrupt:
        _fail("stopped; nothing is lost: the same command goes on from here", 130)


@contextlib.contextmanager
def _backend(scheduler: str | None, sandbox: bool, trust_network: bool) -> Iterator[tuple]:
    """Give what makes workers, here or in a cluster, and how many the cluster takes (0 for here)."""
    if scheduler is None:
        from autograder.execution.dispatch import backend

        yield backend(sandbox), 0
        return
    from autograder.execution.cluster import Cluster

    with Cluster(scheduler, sandbox, trust_network=trust_network) as cluster:
        yield cluster, cluster.size


@app.command("adopt")
def adopt_command(
    source: Annotated[Path, typer.Argument(help="The folder of an nbgrader assignment: source/ps1/.")],
    course: Annotated[Path, typer.Option(help="The folder with submitted/<student>/<assignment>/.")] = Path(),
    sandbox: Sandbox = True,
) -> None:
    """Take an nbgrader assignment that others wrote: try its test cells, and say how each will be graded."""
    from autograder.adopting.proofs import adopt
    from autograder.adopting.said import lines, table
    from autograder.execution.dispatch import backend

    found = adopt(source, course, backend(sandbox))
    console.print(table(found.table))
    for line in lines(found, course):
        _plain(line)


@app.command("doctor")
def doctor_command(
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help="Go on where there is no sandbox.")] = False,
) -> None:
    """Try what protects this machine from students' code; exit code 0 when all of it holds."""
    from autograder.sandbox.choose import ensure
    from autograder.sandbox.doctor import advice, all_hold, table

    try:
        sandbox = ensure(no_sandbox, say=_plain)
    except CourseError as error:
        _fail(str(error))
    console.print(table(sandbox))
    if words := advice(sandbox):
        _plain(words)
    raise typer.Exit(0 if all_hold(sandbox) else 1)


@app.command("demo")
def demo_command(sandbox: Sandbox = True) -> None:
    """Grade a sample class of chapter 01 and train its spam filter on real messages."""
    from autograder.execution.dispatch import backend
    from autograder.grading.demo import demo

    with Bars(console) as bars:
        demo(console.print, console.width, backend=backend(sandbox), progress=bars)


report.add(app)
lms.add(app)
app.command("start", cls=Start)(start)
app.command("site")(site_command)
app.add_typer(essays.app, name="essays")
app.add_typer(essays.asked, name="requests")
lms.roster.command("remove")(remove_command)


def _audit_table(chapter: str, trials: list) -> Table:
    """Return the counts of an audit by exercise, and the share of the points that wrong answers keep on average."""
    heads = ["exercise", "killed/wrong", "accepted/right", "diagnosed/wrong", "kept, ordinary", "kept, rare"]
    table = Table(*heads, title=f"Audit of {chapter}")
    names = list(dict.fromkeys(t.variant.exercise for t in trials))
    for name in [*names, "all"]:
        mine = [t for t in trials if name in ("all", t.variant.exercise)]
        right = [t for t in mine if t.variant.right]
        wrong = [t for t in mine if not t.variant.right]
        columns = [(wrong, "verdict_ok"), (right, "verdict_ok"), (wrong, "diagnosed")]
        ordinary = _kept([t for t in wrong if not t.rare])
        rare = _kept([t for t in wrong if t.rare])
        table.add_row(name, *(_share(part, what) for part, what in columns), ordinary, rare)
    return table


def _kept(trials: list) -> str:
    """Return the share of the points that answers keep on average, "" of none."""
    if not trials:
        return ""
    return f"{sum(trial.score / trial.points for trial in trials) / len(trials):.0%}"


def _share(trials: list, what: str) -> str:
    good = sum(getattr(trial, what) for trial in trials)
    return f"{good}/{len(trials)}"


def _print_trial(trial) -> None:
    kind = "right" if trial.variant.right else "wrong"
    mark = ""
    if not trial.verdict_ok:
        mark += "  <- the verdict is not as it must be"
    if not trial.diagnosed:
        mark += f"  <- the report does not say '{trial.variant.says}'"
    if not trial.seen:
        mark += "  <- breaks a clause of the text, and no visible case or no hidden one fails"
    print(f"\n{trial.variant.exercise}, {kind}: {trial.variant.name}: {trial.score:g}/{trial.points:g}{mark}")
    print(trial.text.rstrip())


def _plain(line: str) -> None:
    """Print a line as it is: square brackets in a name are no markup, and terminal codes do nothing."""
    console.print(safe_text.clean(line), markup=False)


def _short(path: Path) -> Path:
    return path.relative_to(paths.ROOT) if path.is_relative_to(paths.ROOT) else path


def _fail(message: str, code: int = 1) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(code)


def _hide_all_but(name: str) -> None:
    """Leave one command in the help: without solutions there is nothing to build or to grade."""
    for command in app.registered_commands:
        command.hidden = command.name != name
    for group in app.registered_groups:
        group.hidden = True
    if app.registered_callback:
        app.registered_callback.help = "The course in a folder of your own."


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a pipe's encoding may lack letters of a folder's name
    if not paths.has_solutions():
        _hide_all_but("start")
    try:
        app(prog_name=NAME)
    except (CourseError, OSError, ModuleNotFoundError) as error:
        print(f"error: {in_a_line(error, paths.has_solutions())}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
