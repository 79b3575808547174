"""Grade a chapter's submissions: rebuild, hand out the work, record, feedback, CSV.

    <course>/submitted/<student>/<chapter>/   what students handed in
    <course>/gradebook.db, autograded/, feedback/, grades.csv, questions.csv   what comes out
    <course>/nbgrader_config.py               the first time: what formgrader needs to list the chapter
    <course>/build/                           what lies between: results, notes on students, the log

No student's code runs in this process. What comes of a submission is kept before it is recorded, and noted after, so a
run that is ended at any moment is finished by the same command, with nothing lost and nothing graded twice.
"""

import contextlib
import copy
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from autograder.adopted_table import hand_graded, unproved
from autograder.execution import dispatch, result_cache, results
from autograder.execution.dispatch import Backend
from autograder.execution.result_cache import Keeping
from autograder.execution.results import Row
from autograder.execution.time_limits import CELL_SECONDS, TOTAL_SECONDS
from autograder.gradebook import feedback_pages, graded_notebook, late_work, teams
from autograder.gradebook.nbgrader_course import grading_config
from autograder.gradebook.recorder import Recorder
from autograder.gradebook.teams import Work
from autograder.grading import changes
from autograder.grading.course_folder import write_config
from autograder.grading.graded_assignment import graded
from autograder.grading.graded_chapter import Chapter
from autograder.jobs import Job, JobLimits
from autograder.linux.limits import ResourceLimits
from autograder.report import classroom, csvs, safe_text
from autograder.report.standing import standings
from autograder.submissions.collect import Collected, all_differ, student_id, uncollected
from autograder.submissions.files import submissions, twins
from autograder.submissions.reading_process import Intake
from autograder.terminal import one_line
from helpers.errors import CourseError

MB_EACH = ResourceLimits().memory_mb + 512  # memory for one submission: its runner, and the judge beside it
LOCK = Path("build/grade.lock")
MAX_CHANGES = 20  # lines on who changes that are printed
Say = Callable[[str], None]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Options:
    """How one run grades: see `grade`."""

    workers: int
    backend: Backend
    force: bool
    timeout: float
    say: Say
    progress: Progress
    own_answers: bool


def grade(
    chapter: str,
    course: Path,
    *,
    workers: int | None = None,
    backend: Backend | None = None,
    force: bool = False,
    timeout: float | None = None,
    say: Say = print,
    progress: Progress = lambda *_: None,
    own_answers: bool = False,
) -> list[Row]:
    """Grade what is new or changed (all with `force`) and return everybody's points, by name.

    workers: submissions at the same time (default: see `max_workers`);
    backend: makes a worker (default: the sandboxed one); timeout: seconds for one cell; say: gets one line for each
    student; progress: gets (what is being done, how many are done, of how many); own_answers: try the
    chapter's own answers first.
    Raises CourseError if there is nothing to grade, if the gradebook does not take the chapter, or if its own answers
    do not earn full points.
    """
    course = course.resolve()
    folders = submissions(chapter, course)  # without any, nothing is made in the folder
    all_differ(folders)
    options = Options(
        workers or max_workers(), backend or dispatch.backend(), force, float(timeout or CELL_SECONDS), say, progress,
        own_answers,
    )  # fmt: skip
    with course_lock(course):
        write_config(course)
        return _grade(chapter, course, folders, options)


@contextlib.contextmanager
def course_lock(course: Path) -> Iterator[None]:
    """Keep other runs of `grade` off a course; the system gives it back however this one ends."""
    (course / LOCK).parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(course / LOCK, blocking=False):
            yield
    except Timeout:
        raise CourseError(f"{course}: another run of grade is at work here; wait for its end, or end it") from None


def _grade(chapter: str, course: Path, folders: list[Path], options: Options) -> list[Row]:
    limits = JobLimits(options.timeout, float(TOTAL_SECONDS))
    policy = late_work.read(course)
    work = graded(chapter, course, limits, options.backend)
    if options.own_answers:
        work.ensure_full_points(options.say)
    store = result_cache.Store(course, chapter)
    jobs_per_worker = getattr(options.backend, "jobs_per_worker", 1)
    crew = dispatch.Crew(lambda: Keeping(options.backend(), store), options.workers, jobs_per_worker, options.say)
    with crew:
        crew.start(sum(not store.note(student_id(f)) for f in folders))  # those who were never graded
        with Recorder(grading_config(course), chapter, options.say, policy) as recorder:
            work.release(recorder)
            grading = Grading(work, store, recorder, options)
            grading.grade(folders, crew)
            grading.charge_late_days()
            students = grading.recorded()
            if not students:
                raise CourseError(f"{chapter}: the grader failed at every submission, as said above")
            grading.write_tables(students)
            return grading.rows(students)


def max_workers() -> int:
    """Return how many submissions this machine grades at the same time: one a core, and memory for each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, psutil.virtual_memory().total // (MB_EACH * 10**6)))


class Grading:
    """One run over a chapter's submissions."""

    def __init__(self, work: Chapter, store: result_cache.Store, recorder: Recorder, options: Options):
        self.work, self.store, self.recorder = work, store, recorder
        self.say, self.progress, self.force = options.say, options.progress, options.force
        self.by_hand = hand_graded(work.course, work.name)
        self.unproved = frozenset(i.removeprefix("check-") for i in unproved(work.course, work.name))
        self.changes: list[str] = []
        self.running: set[str] = set()  # hashes of jobs that were handed out
        self.works: list[Work] = []
        self.teams: dict[str, Work] = {}  # of those who handed in together

    def grade(self, folders: list[Path], crew: dispatch.Crew) -> None:
        """Grade the folders that are new or changed, then write the feedback pages that are not there yet."""
        with Intake(self.work.template) as intake:
            seen = dict(intake.fingerprints(folders))
            self.works, lines = teams.works(
                self.work.name, self.work.course, folders, seen, lambda some: dict(intake.dates(some))
            )
            for work in filter(lambda one: one.is_teams, self.works):
                self.teams |= dict.fromkeys(work.students, work)
            self.recorder.policy = teams.policy_for(self.recorder.policy, self.works)
            new = self._new(seen)
            self.say(f"{self.work.name}: {len(self.works)} submissions, {len(new)} of them new or changed")
            for line in [*twins(self.work.name, self.work.course), *lines, *self._forget()]:
                self.say(f"  {line}")
            told = dispatch.outcomes(self._items(new, intake), crew)
            lost: list[tuple[Collected, Job]] = []
            many = sum(len(work.students) for work in self.works if work.folder in new)
            for done, (one, job, result) in enumerate(told, 1):
                if results.graders_own(result):
                    self.running.discard(job.hash)
                    lost.append((one, job))
                    continue
                self.say(self._line(self._finish(one, new[one.folder], job, result)))
                self.progress("grading", done, many)
            again = ((one, job, None) for one, job in lost)
            for one, job, result in dispatch.outcomes(again, crew):
                self._second_try(one, new[one.folder], job, result)
        self._say_changes()
        crew.close()  # writing pages needs the processors
        self.recorder.share_marks(self._teams_essays())
        self._feedback(self.recorded(), crew.count)

    def _second_try(self, one: Collected, seen: str, job: Job, result: dict) -> None:
        """Write what came of one whose grading the grader itself had failed; nothing, if it has failed again."""
        if results.graders_own(result):
            self.say(f"  {one.student}: {result['failure']}; nothing is recorded, the same command tries again")
        else:
            self.say(self._line(self._finish(one, seen, job, result)))

    def recorded(self) -> list[str]:
        """Return the students who handed in and of whom there is a record, now or from an earlier run."""
        known, mine = self.recorder.students(), [student for work in self.works for student in work.students]
        return [student for student in mine if student in known]

    def _new(self, found: dict[Path, str]) -> dict[Path, str]:
        """Return the folders to be graded, with what was seen in them. found: a digest of what lies in each folder."""
        recorded, new = self.recorder.students(), {}
        for work in self.works:
            seen = self._seen(work, found.get(work.folder, ""))
            if self.force or not all(self._known(student, seen, recorded) for student in work.students):
                new[work.folder] = seen
        return new

    def _seen(self, work: Work, found: str) -> str:
        """Return a digest of all that a student's graded notebook depends on, "" where that cannot be told."""
        together = [work.team, *work.students] if work.is_teams else []
        return result_cache.digest([found, self.work.basis, *together]) if found else ""

    def _forget(self) -> Iterator[str]:
        """Forget those who had a share of a team's work and have none any more; yield a line on each."""
        here = {student for work in self.works for student in work.students}
        for student in self.store.teams():
            if student not in here:
                self.store.forget(student)
                yield f"{student}: in no team that handed in any more, and without work of their own: not counted"

    def _teams_essays(self) -> list[tuple[str, list[str]]]:
        """Return (essay's id, the members) of all that teams wrote: one text, whoever's notebook it is read in."""
        together = [list(work.students) for work in self.works if work.is_teams]
        return [(essay, members) for members in together for essay in self.work.essay_ids]

    def _known(self, student: str, seen: str, recorded: set[str]) -> bool:
        """Whether this was graded, recorded and written, and all that reports need of it is there."""
        note = self.store.note(student)
        there = bool(seen) and note.get("seen") == seen and self.store.of(note) is not None
        written = graded_notebook.is_whole(self.work.autograded(student), self.work.notebooks)
        return there and student in recorded and written

    def _items(self, new: dict[Path, str], intake: Intake) -> Iterator[tuple | None]:
        """Yield (submission, job, the result if there is one), or None to wait for somebody with the same answers."""
        works = {work.folder: work for work in self.works}
        twins: dict[Path, list[str]] = {}
        for folder, one in intake.collected(new):
            for mine in _of_each(one, works[folder], works[folder].students):
                item = self._item(mine)
                if item is None:
                    twins.setdefault(folder, []).append(mine.student)
                else:
                    yield item
        for folder, one in intake.collected(twins):
            for mine in _of_each(one, works[folder], twins[folder]):
                while (item := self._item(mine)) is None:
                    yield None
                yield item

    def _item(self, one: Collected) -> tuple | None:
        """Return (submission, job, the result if there is one); None while such answers are being graded."""
        job = self._job(one)
        if one.failure:
            return one, job, results.new(job, failure=one.failure)
        if job.hash in self.running and not self.force:
            return None
        known = None if self.force else self.store.result(job.hash)
        if known is None:
            self.running.add(job.hash)
        return one, job, known

    def _job(self, one: Collected) -> Job:
        """Return the work that one submission is; a team's has the same hidden inputs for all of it."""
        team = self.teams.get(one.student)
        return self.work.job(one, f"{results.TEAMS}{team.team or team.holder}" if team else one.student)

    def _finish(self, one: Collected, seen: str, job: Job, result: dict) -> dict:
        """Write and record what came of one submission, or that this could not be done; returns the student's note."""
        if not one.failure:
            self.running.discard(job.hash)
        try:
            return self._write(one, seen, job, result)
        except (CourseError, OSError):  # the gradebook or the disk: everybody's
            raise
        except Exception as error:
            reason = f"could not be recorded: {type(error).__name__}: {error}"
            blank = replace(uncollected(one.folder, self.work.template, one_line(reason)), owner=one.student)
            job = self._job(blank)
            return self._write(blank, "", job, results.new(job, failure=blank.failure))

    def _write(self, one: Collected, seen: str, job: Job, result: dict) -> dict:
        result = results.checked(result, job) | {"student": one.student, "repairs": list(one.repairs)}
        before = self.store.note(one.student)
        empty, essays = graded_notebook.empty_essays(one.notebook), self._essays(one)
        scores = {check["id"]: check["score"] for check in result["checks"]}
        scores |= {i: 0.0 if i in empty else None for i in essays}
        changed = {i for i, text in essays.items() if before.get("essays", {}).get(i) != text}
        untouched = self.work.untouched(one.notebook) | empty
        made = graded_notebook.autograded(one.notebook, result, self.work.schemes, one.shown, one.outputs)
        graded_notebook.write(made, self.work.autograded(one.student), one.timestamp, one.secret)
        self.recorder.record(one.student, one.timestamp, scores, untouched, changed)
        note = self._note(one, job, result, essays, "" if result["failure"] else seen)
        if line := changes.change(before, note):
            self.changes.append(line)
        self.store.write_note(note)
        return note

    def _essays(self, one: Collected) -> dict[str, str]:
        """Return digests of what a person gives points for, by cell."""
        digests = {}
        for name, cells in graded_notebook.grounds(one.notebook, self.work.essay_ids).items():
            digests[name] = result_cache.digest("\n\n".join(cell.source for cell in cells))
        return digests

    def _note(self, one: Collected, job: Job, result: dict, essays: dict, seen: str) -> dict:
        """Return what is to be known of a student; one whose grading failed was not seen, and is graded again."""
        kept = {"student": one.student, "hash": result["hash"], "repairs": list(one.repairs), "seen": seen}
        if result["failure"]:
            kept["failed"] = result
        kept |= {"scores": {c["id"]: c["score"] for c in result["checks"]}, "essays": essays}
        team = self.teams.get(one.student)
        if team is not None:
            kept["team"] = {"name": team.team or "", "folder": team.holder}
        fingerprint = result_cache.fingerprint(job, self.work.backend_name)
        return kept | {"fingerprint": fingerprint, "notes": list(results.notes(result)), "seconds": result["seconds"]}

    def _line(self, note: dict) -> str:
        total = round(sum(note["scores"].values()), 2)
        return f"  {note['student']:<24}{total:>6g} of {sum(self.work.points.values()):g}{note['seconds']:>8.1f} s"

    def _say_changes(self) -> None:
        """Say who has other points than before, by how much and why."""
        if self.changes:
            self.say(f"{len(self.changes)} of those graded before have other points now:")
            more = len(self.changes) - MAX_CHANGES
            for line in [*self.changes[:MAX_CHANGES], *([f"and {more} more"] if more > 0 else [])]:
                self.say(f"  {line}")

    def _feedback(self, students: list[str], workers: int) -> None:
        """Write the pages of those whose notebook, points or comments are not what their page was made of."""
        grades, comments = self.recorder.grades(), self.recorder.comments()
        now = {s: result_cache.digest([self._outcome(s), grades.get(s), comments.get(s)]) for s in students}
        stale = [s for s in students if self.store.note(s).get("page") != now[s] or not self._has_pages(s)]
        told = feedback_pages.write_pages(self.work.name, self.work.course, stale, min(workers, os.cpu_count() or 1))
        for done, (student, reason) in enumerate(told, 1):
            note = self.store.note(student)
            self.store.write_note(note | {"page": "" if reason else now[student]})
            self.progress("feedback", done, len(stale))
            if reason:
                self.say(f"  {student}: there is no feedback page: {reason}")

    def _has_pages(self, student: str) -> bool:
        return all(page.is_file() for page in feedback_pages.pages(self.work.name, self.work.course, student))

    def _outcome(self, student: str) -> list:
        note = self.store.note(student)
        return [note.get("seen"), note.get("hash"), note.get("notes")]

    def charge_late_days(self) -> None:
        """Take off what late work costs, also of those whose answers are as before; say who."""
        charged, undated = self.recorder.charge_late_days(), self.recorder.undated()
        for student, days, taken in charged:
            cost = f"{taken:g} points off" if taken else "which costs nothing"
            when = "undated" if student in undated else f"{safe_text.count(days, 'day')} late"
            self.say(f"  {student:<24}{when}, {cost}")
        if undated:
            counted = self.recorder.policy.late.undated.replace("-", " ")
            self.say(f"  handed in without a date, counted as {counted}: {safe_text.names(undated)}")
        nobody = self.recorder.policy.without_anybody(self.work.name)
        if nobody:
            self.say(f"  an extension in course.toml, and neither a student nor a group: {safe_text.names(nobody)}")

    def write_tables(self, students: list[str]) -> None:
        """Write the CSV files, as `export` writes them; name the packages that the grader lacked."""
        essays = {self.by_hand.name(i): points for i, points in self.work.essay_ids.items()}
        found = map(results.without_text, self.store.all(students))
        class_ = standings(found, self.recorder.ledger())
        csvs.save_class(class_, self.work.name, essays, self.work.course)
        for package, whose in classroom.missing_packages(class_):
            told = results.NO_PACKAGE.format(package)
            self.say(f"  {told}: {safe_text.names(whose)}; the handbook says how to add it")

    def rows(self, students: list[str]) -> list[Row]:
        """Return everybody's points as the gradebook has them."""
        grades = self.recorder.grades()
        return [self._row(student, grades[student], self.store.note(student)) for student in students]

    def _row(self, student: str, grades: dict[str, tuple], note: dict) -> Row:
        scores = {i.removeprefix("check-"): grades[i][0] or 0.0 for i in self.work.points}
        points = {i.removeprefix("check-"): p for i, p in self.work.points.items()}
        essays = {self.by_hand.name(i): _by_hand(*grades[i]) for i in self.work.essay_ids}
        return Row(student, scores, points, essays, tuple(note["notes"]), note["seconds"], self.unproved)


def _by_hand(auto: float | None, manual: float | None, extra: float | None, needs: bool) -> float | None:
    """Return the points of an essay: None until a person has graded it, 0 if it was left empty."""
    if needs and manual is None:
        return None
    return (auto or 0.0 if manual is None else manual) + (extra or 0.0)


def _of_each(one: Collected, work: Work, students: Sequence[str]) -> Iterator[Collected]:
    """Yield a submission as each of these students' own: each has a notebook of their own to write points into."""
    if not work.is_teams:
        yield one
        return
    said = f"{results.TEAMS}{work.team}" if work.team else f"{results.TEAMS}of {', '.join(work.students)}"
    for student in students:
        own = replace(one, notebook=copy.deepcopy(one.notebook), owner=student, repairs=(one_line(said), *one.repairs))
        yield own if student == work.holder else replace(own, secret=None)  # the exchange's way back is the holder's
