"""How far a student has come: one readable file of their own, written by each check and sent nowhere."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout

from helpers.checks import cell
from helpers.checks.scoring import Check
from helpers.course import leaderboard, model_answers
from helpers.files import write_whole

PATIENCE = 5  # seconds that a notebook waits for another one that writes
BENCHMARKS = {"sms_spam": "spam, F1", "clinc150": "150 intents, accuracy"}


def path() -> Path:
    """Return the file: in BOW2LORA_HOME if set, else in the user's data folder."""
    return Path(os.environ.get("BOW2LORA_HOME") or platformdirs.user_data_dir("bow2lora")) / "progress.json"


def records() -> dict[str, dict[str, dict]]:
    """Return {chapter: {exercise: what is known of it}}; nothing where the file is not there or not readable."""
    try:
        stored = json.loads(path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    by_chapter = _dicts_of(stored)
    return {chapter: _dicts_of(done) for chapter, done in by_chapter.items()}


def _dicts_of(stored: object) -> dict[str, dict]:
    """Return the values of a dict that are dicts; nothing of what is no dict."""
    if not isinstance(stored, dict):
        return {}
    return {name: value for name, value in stored.items() if isinstance(value, dict)}


def note(chapter: str, exercise: str, **news) -> None:
    """Write down something about an exercise; what cannot be written is not worth an error."""
    _change(chapter, exercise, lambda known: known.update(news))


def _change(chapter: str, exercise: str, change: Callable[[dict], None]) -> None:
    """Change what is known of an exercise; no other notebook that is open writes in between."""
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        with _alone():
            _keep_damaged()
            by_chapter = records()
            change(by_chapter.setdefault(chapter, {}).setdefault(exercise, {}))
            write_whole(path(), (json.dumps(by_chapter, indent=1, sort_keys=True) + "\n").encode())
    except Timeout:
        print(f"Your progress could not be kept (another program holds {path()}.lock).")
    except OSError as error:
        print(f"Your progress could not be kept ({error.strerror}: {path()}).")


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other notebook writes; a file system without locks has none."""
    lock = FileLock(f"{path()}.lock", timeout=PATIENCE)
    try:
        lock.acquire()
    except NotImplementedError:
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _keep_damaged() -> None:
    """Move a file that holds no progress aside, before a new one takes its place."""
    try:
        content = path().read_bytes()
    except FileNotFoundError:
        return
    if _is_progress(content):
        return
    names = (path().with_name(f"progress.damaged{n or ''}.json") for n in count())
    aside = next(name for name in names if not name.exists())
    path().replace(aside)
    print(f"The file with your progress was damaged; a new one begins, and the old one is kept as {aside}.")


def _is_progress(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


def note_check(chapter: str, check: Check, own: bool = True) -> str:
    """Write down how a check came out; returns a quiet line on the chapter, "" outside of one.

    own: whether the answer is the student's, and not the reference.
    """
    if not chapter:
        return ""
    text = hashlib.sha256(check.text().encode()).hexdigest()[:12]
    honest = not check.passed and not check.stopped and not all(case.not_started for case in check.shown())

    def change(known: dict) -> None:
        tries = list(known.get("tries", []))
        if honest and text not in tries:
            tries.append(text)
        known.update(passed=check.passed, points=check.points, tries=tries)
        if check.passed and own:
            known.pop("reference", None)

    _change(chapter, check.exercise, change)
    done = records().get(chapter, {})
    passed = [name for name in exercises(chapter) if done.get(name, {}).get("passed")]
    what = "" if model_answers.has_whole_checks() else " their visible cases"
    return f"{len(passed)} of {len(exercises(chapter))} exercises of {chapter} pass{what}"


def solved(chapter: str) -> set[str]:
    """Return the exercises of a chapter whose checks have passed, or whose model answer was put in place."""
    done = records().get(chapter, {})
    return {name for name, known in done.items() if known.get("passed") or known.get("reference")}


def exercises(chapter: str) -> list[str]:
    """Return the names of a chapter's exercises in the order of its notebook; none where the course is not at hand."""
    ids = (str(c.get("id", "")) for c in cell.notebook_cells(chapter))
    return [name.removeprefix("check-") for name in ids if name.startswith("check-")]


def chapters() -> list[str]:
    """Return the chapters that are installed or lie in the checkout."""
    shipped = [folder for folder in cell.SHIPPED if folder.is_dir()]
    folders = [folder for parent in shipped for folder in parent.iterdir()]
    return sorted({folder.name for folder in folders if (folder / f"{folder.name}.ipynb").is_file()})


def progress() -> None:
    """Print a line for each chapter, what comes next, and the best rows of one's own on the two benchmarks."""
    by_chapter = records()
    print(f"{'chapter':<20}{'exercises':>10}{'points':>8}   next")
    for chapter in chapters():
        done, names = by_chapter.get(chapter, {}), exercises(chapter)
        passed = [name for name in names if done.get(name, {}).get("passed")]
        points = sum(float(done[name].get("points", 0)) for name in passed)
        left = next((name for name in names if name not in passed), "done")
        given = sum(bool(done.get(name, {}).get("reference")) for name in names)
        if given:
            left += f"   ({given} by use_reference)"
        print(f"{chapter:<20}{f'{len(passed)} of {len(names)}':>10}{points:>8g}   {left}")
    for data, words in BENCHMARKS.items():
        rows = leaderboard.rows(data)
        if rows:
            best = max(rows, key=lambda row: row.score)
            print(f"best of your own, {words}: {best.score:.3f}, {best.model} (chapter {best.chapter})")
    if not model_answers.has_whole_checks():
        print("Points are those of the visible cases; when graded, hidden ones decide.")
