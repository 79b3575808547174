"""Collect: the zips of Canvas, Moodle and Gradescope become submitted/<student>/<chapter>/, with their dates.

Nothing of a zip is opened here: a process of its own lists it and writes each student's part. collected.json, in the
course's folder, keeps where a submission came from: `return` needs the names, and the next `collect` what is newer.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from autograder.gradebook import late_work, students
from autograder.gradebook.late_work import Policy
from autograder.gradebook.teams import RECORD, read_record
from autograder.lms import canvas, moodle
from autograder.lms.archives import Unpacker
from autograder.lms.people import People
from autograder.processes.helper_process import Failed, HelperProcess
from autograder.report import safe_text
from autograder.submissions.files import place_of
from helpers.errors import CourseError
from helpers.files import write_whole

LIST_SECONDS, PLACE_SECONDS = 120, 60  # of CPU time


@dataclass
class Done:
    """What became of the submissions: ids of students by outcome, lines on what is to be known.

    left_out: a line on those works that are nobody's, for each reason.
    """

    by: dict[str, list[str]] = field(default_factory=lambda: {"new": [], "same": [], "left": [], "none": []})
    told: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def collect_zips(
    chapter: str, zips: Sequence[Path], course: Path, zone: tzinfo | None = None, replace: bool = False
) -> Done:
    """Collect a chapter's zips, one after the other.

    zone: of the clock that wrote Moodle's times (default: this machine's); replace: also where nothing says which of
    two submissions is the newer. Raises CourseError for a zip that is none, before anything of it is written.
    """
    rows = students.rows(course)
    if not rows:
        raise CourseError(
            f"{course / students.ROSTER}: there is no roster; make one first: bow2lora roster import FILE"
        )
    run = _Run(chapter, course, People(rows), late_work.read(course), zone, replace)
    try:
        for path in zips:
            run.collect(path)
            _write_record(course, run.record)  # what was collected before a zip that is none stays known
    finally:
        run.helper.close()
    return run.done


def origins(course: Path, chapter: str) -> dict[str, dict]:
    """Return where the submissions of a chapter came from, by student: {"system", "members", ...}."""
    return read_record(course).get(chapter, {})


class _Run:
    """One run of `collect` over the zips of a chapter."""

    def __init__(self, chapter, course: Path, people: People, policy: Policy, zone: tzinfo | None, replace: bool):
        self.chapter, self.course, self.people, self.policy = chapter, course, people, policy
        self.zone, self.replace, self.done = zone, replace, Done()
        self.record = read_record(course)
        self.mine = self.record.setdefault(chapter, {})
        self.helper = HelperProcess(Unpacker)

    def collect(self, path: Path) -> None:
        """Collect one zip."""
        question = {"zip": str(path.resolve()), "numbers": self.people.numbers("canvas")}
        try:
            listed = self.helper.ask({"list": question}, LIST_SECONDS)
        except Failed as reason:
            raise CourseError(f"{path}: {reason}") from None
        system, works = listed["system"], listed["works"]
        dates = self._dates(path.name, system, works)
        if listed["strays"]:
            self.done.left_out.append(self._strayed(path.name, system, listed["strays"]))
        for student, work in self._owned(path.name, system, works):
            self._place(path, system, student, work, dates.get(work["number"]))

    def _strayed(self, name: str, system: str, strays: list[str]) -> str:
        return (
            f"{name}: left out: {safe_text.names(strays)}: not named as {system.capitalize()} names a file that was "
            f"handed in; what is somebody's work put into submitted/<student>/{self.chapter}/ by hand"
        )

    def _owned(self, name: str, system: str, works: list[dict]) -> Iterator[tuple[str, dict]]:
        """Yield (student, work) of all whom the roster knows; two works of one student are neither's."""
        owned: dict[str, list[dict]] = {}
        unowned: dict[str, list[str]] = {}
        for work in works:
            for who in work["who"] or [{}]:
                owners = self.people.owners(system, who)
                if owners.why:
                    unowned.setdefault(owners.why, []).append(_called(who, work))
                for student in owners.students:
                    owned.setdefault(student, []).append(work | {"team": owners.team, "account": account(who)})
        self.done.told += _on_teams(name, owned)
        self.done.left_out += [f"{name}: left out: {safe_text.names(whose)}: {why}" for why, whose in unowned.items()]
        for student, mine in sorted(owned.items()):
            accounts = {work["account"] for work in mine}
            if len(mine) == 1 or (system == "gradescope" and len(accounts) == 1):
                yield student, max(mine, key=lambda work: work["order"])
            else:
                self.done.by["none"].append(student)
                said = safe_text.names([_said(work) for work in mine])
                self.done.told.append(
                    f"{student}: several submissions in {name}: {said}; none is taken, put the right one into "
                    f"{self._place_of(student)} by hand"
                )

    def _place_of(self, student: str) -> str:
        return place_of(student, self.chapter, self.course).relative_to(self.course).as_posix()

    def _dates(self, name: str, system: str, works: list[dict]) -> dict[str, datetime]:
        """Return when each work came, by its number, where the system says so."""
        found = {w["number"]: self._aware(w["when"]) for w in works if w["when"] and system != "canvas"}
        if system == "moodle" and moodle.are_of_the_download(found.values()):
            self.done.told.append(
                f"{name} has the time of its download only, so no submission in it has a date; "
                "write a timestamp.txt for whoever was late"
            )
            return {}
        if system == "canvas":
            return self._canvas_dates(name, works)
        return found

    def _canvas_dates(self, name: str, works: list[dict]) -> dict[str, datetime]:
        """Return a date for what Canvas calls late: the first moment that counts as such, for it does not say more."""
        late, due = [w["number"] for w in works if w["late"]], self.policy.due.get(self.chapter)
        if not late:
            return {}
        many = safe_text.count(len(late), "submission")
        if due is None:
            self.done.told.append(
                f"{name}: Canvas calls {many} late; without a due date in {late_work.FILE} this costs nothing; "
                "write one before you collect"
            )
            return {}
        self.done.told.append(
            f"{name}: Canvas calls {many} late and does not say by how much: counted as one day; "
            "write timestamp.txt for whom this is wrong"
        )
        return canvas.counted_late(late, due, self.policy.late.grace_minutes)

    def _aware(self, stated: str) -> datetime:
        when = datetime.fromisoformat(stated)
        if when.tzinfo is None:
            when = when.replace(tzinfo=self.zone) if self.zone else when.astimezone()
        return when.astimezone(UTC)

    def _place(self, path: Path, system: str, student: str, work: dict, when: datetime | None) -> None:
        """Let one student's part be written, and keep where it came from."""
        before, folder = self.mine.get(student, {}), place_of(student, self.chapter, self.course)
        new = {"system": system, "order": work["order"], "when": when.isoformat() if when else ""}
        new |= {"team": work["team"], "number": work["number"]}
        replace, reason = self._may_replace(before, new) if os.path.lexists(folder) else (True, "")
        stamp = f"{when:%Y-%m-%d %H:%M:%S} UTC" if when else ""
        question = {"zip": str(path.resolve()), "members": work["files"], "to": str(folder), "timestamp": stamp}
        question |= {"known": before.get("digest", ""), "replace": replace}
        try:
            answer = self.helper.ask({"place": question}, PLACE_SECONDS)
        except Failed as failed:
            answer = {"did": "none", "told": [f"reading it {failed}"], "digest": ""}
        self._note(path.name, student, work, answer, new, reason)

    def _note(self, name: str, student: str, work: dict, answer: dict, new: dict, reason: str) -> None:
        did = answer["did"]
        self.done.by[did].append(student)
        self.done.told += [f"{student}: {safe_text.line(line)}" for line in answer["told"]]
        if did == "left":
            self.done.told.append(f"{student}: {reason}; {self._place_of(student)} is left as it is")
        if did == "none":
            self.done.told.append(
                f"{student}: {name} has no file that can be read and could be the notebook; ask for it again"
            )
        if did == "new":
            names = [name for _, name, _ in work["files"]]
            self.mine[student] = new | {"digest": answer["digest"], "members": names}

    def _may_replace(self, before: dict, new: dict) -> tuple[bool, str]:
        """Whether a submission takes the place of what is there, and why not."""
        if not before:
            return False, "there is work that `collect` did not put there (take it away to have the zip's)"
        told = next((k for k in ("order", "when") if _tell(k, before, new)), None)
        if told is None:
            return self.replace, "nothing says which of the two is newer (--replace takes this one)"
        return new[told] > before[told], "what is there is newer"


def account(who: dict) -> str:
    """Return by what a system knows somebody: of one name there may be two."""
    return who.get("email") or who.get("sid") or who.get("id") or who.get("name", "")


def _tell(what: str, before: dict, new: dict) -> bool:
    """Whether two submissions can be put in order by their number or date."""
    same = what == "when" or before["system"] == new["system"]
    return bool(same and before[what] and new[what] and before[what] != new[what])


def _called(who: dict, work: dict) -> str:
    """Return what a system calls who handed in; a team's number or a participant's is part of it."""
    name = who.get("email") or who.get("name")
    number = who.get("id", "")
    if not name:
        return safe_text.name(work["number"])
    return safe_text.name(f"{name}_{number}" if number else name)


def _said(work: dict) -> str:
    """Return the name of the first file of a work, as the zip has it."""
    return safe_text.name(next((member for _, member, _ in work["files"]), work["number"]))


def _on_teams(name: str, owned: dict[str, list[dict]]) -> list[str]:
    """Return a line on each team whose work goes to all of it."""
    members: dict[str, list[str]] = {}
    for student, works in sorted(owned.items()):
        for work in works:
            if work["team"]:
                members.setdefault(work["team"], []).append(student)
    return [
        f"{name}: work of the group {safe_text.name(team)} for {safe_text.names(who)}" for team, who in members.items()
    ]


def _write_record(course: Path, record: dict) -> None:
    text = json.dumps(record, sort_keys=True, indent=1) + "\n"
    write_whole(course / RECORD, text.encode("utf-8"))
