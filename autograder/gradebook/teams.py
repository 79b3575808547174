"""Teams: students who hand in together, and which of what they handed in counts for all of them.

[teams]                 # in course.toml, by chapter: the groups that hand in together; * stands for any letters
"01_spam" = ["Team *"]

Besides, who got one work out of a zip of Moodle, Canvas or Gradescope is a team for that chapter (collected.json).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from autograder import course_file
from autograder.gradebook import late_work, students
from autograder.spelling import alike
from autograder.submissions.collect import gradebook_name, student_id
from autograder.terminal import one_line
from helpers.errors import CourseError

RECORD = "collected.json"  # in the course's folder: where a submission came from
Dates = Callable[[Sequence[Path]], Mapping[Path, str | None]]


@dataclass(frozen=True)
class Team:
    """Students who hand in together; name: "" where nobody gave them one."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class Work:
    """What lies in a folder and whose it is; team: of whom, where it is a team's."""

    folder: Path
    students: tuple[str, ...]
    team: str | None = None

    @property
    def is_teams(self) -> bool:
        """Whether several handed it in together."""
        return self.team is not None

    @property
    def holder(self) -> str:
        """The student, or the team, in whose folder it lies."""
        return student_id(self.folder)


def works(
    chapter: str, course: Path, folders: Sequence[Path], seen: Mapping[Path, str], dates: Dates
) -> tuple[list[Work], list[str]]:
    """Return what is graded, each work once, and lines on what is to be known of teams.

    seen: a digest of what lies in each folder, "" where that cannot be told; dates: when the work in folders came.
    """
    stated, told = declared(chapter, course)
    found: list[Work] = []
    taken: set[Path] = set()
    for team in stated:
        mine = _folders_of(team, folders, course)
        work, lines = _one_of(team, mine, seen, dates)
        found += work
        told += lines
        taken.update(folder for who, folder in mine.items() if work or who == team.name)
    for team in collected(chapter, course):
        mine = {member: f for member, f in _folders_of(team, folders, course).items() if f not in taken}
        for same in _equal(mine, seen):
            found.append(Work(mine[same[0]], tuple(same), team.name))
            taken.update(mine[member] for member in same)
    alone = [Work(folder, (student_id(folder),)) for folder in folders if folder not in taken]
    place = {folder: i for i, folder in enumerate(folders)}
    return sorted([*found, *alone], key=lambda work: place[work.folder]), told


def declared(chapter: str, course: Path) -> tuple[list[Team], list[str]]:
    """Return the teams that course.toml names for a chapter, and a line on each student who can be in none.

    Raises CourseError for a name that is no group's.
    """
    path = course / course_file.FILE
    patterns = course_file.by_chapter(path, course_file.read(course).teams).get(chapter, [])
    groups = late_work.read(course).groups
    named: dict[str, tuple[str, ...]] = {}
    for pattern in patterns:
        fitting = {name: tuple(dict.fromkeys(who)) for name, who in groups.items() if fnmatchcase(name, pattern)}
        if not fitting:
            raise CourseError(f"{path}: [teams] {chapter}: no group is called '{one_line(pattern)}'")
        named |= fitting
    found, told = _each_in_one(named)
    return _still_here(found, course, told), told


def _each_in_one(named: Mapping[str, tuple[str, ...]]) -> tuple[list[Team], list[str]]:
    """Return the teams without those who are in two of them, and a line on each of these."""
    teams: dict[str, list[str]] = {}
    for name, members in named.items():
        for member in members:
            teams.setdefault(member, []).append(name)
    told = [
        f"{who} is in several teams, {' and '.join(names)}, and graded alone until only one has this member"
        for who, names in teams.items()
        if len(names) > 1
    ]
    found = []
    for name, members in named.items():
        found.append(Team(name, tuple(member for member in members if len(teams[member]) == 1)))
    return found, told


def _still_here(teams: Sequence[Team], course: Path, told: list[str]) -> list[Team]:
    """Return the teams with those alone whom roster.csv has, if there is one; of the others a line is told."""
    known = {alike(row["id"]) for row in students.rows(course)}
    if not known:
        return list(teams)
    found = []
    for team in teams:
        gone = [member for member in team.members if alike(member) not in known]
        told += [f"{member}: in the group {team.name} of course.toml, and not in roster.csv" for member in gone]
        found.append(Team(team.name, tuple(member for member in team.members if member not in gone)))
    return found


def collected(chapter: str, course: Path) -> list[Team]:
    """Return those who got one work out of a zip together."""
    together: dict[tuple[str, str, str], list[str]] = {}
    for student, origin in read_record(course).get(chapter, {}).items():
        number, team = origin.get("number", ""), origin.get("team", "")
        if number or team:
            together.setdefault((origin.get("system", ""), number, team), []).append(student)
    return [Team(name, tuple(sorted(who))) for (_, _, name), who in together.items() if len(who) > 1]


def read_record(course: Path) -> dict:
    """Return where submissions came from: {chapter: {student: {"system", "number", "team", "members", ...}}}."""
    try:
        found = json.loads((course / RECORD).read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError:
        raise CourseError(f"{course / RECORD}: damaged, it is no JSON; put an older copy in its place") from None
    return found if isinstance(found, dict) else {}


def _folders_of(team: Team, folders: Sequence[Path], course: Path) -> dict[str, Path]:
    """Return the folders of a team by whose they are: its members', and the one with the team's own name."""
    by_name = {alike(student_id(folder)): folder for folder in folders}
    own = {member: by_name[alike(member)] for member in team.members if alike(member) in by_name}
    students_ids = {alike(row["id"]) for row in students.rows(course)}
    if team.name and alike(team.name) in by_name and alike(team.name) not in students_ids:
        own[team.name] = by_name[alike(team.name)]
    return own


def _one_of(
    team: Team, mine: Mapping[str, Path], seen: Mapping[Path, str], dates: Dates
) -> tuple[list[Work], list[str]]:
    """Return the one work of a team, the newest of several; none, where no date says which that is."""
    if not mine:
        return [], []
    if not team.members:
        return [], [f"team {team.name}: nobody is in it, so its work is nobody's"]
    everybody = tuple(_called(member, mine) for member in team.members)
    if len(_equal(mine, seen)) == 1:
        return [Work(next(iter(mine.values())), everybody, team.name)], []
    came = dates(list(mine.values()))
    last = max((came[folder] or "" for folder in mine.values()), default="")
    newest = [who for who, folder in mine.items() if came[folder] == last]
    if not all(came[folder] for folder in mine.values()) or len(newest) > 1:
        names = ", ".join(sorted(mine))
        return [], [f"team {team.name}: different work of {names}, and no date says which is newer: each has their own"]
    others = ", ".join(sorted(set(mine) - set(newest)))
    return [Work(mine[newest[0]], everybody, team.name)], [
        f"team {team.name}: what {newest[0]} handed in last counts for all, not the work of {others}"
    ]


def _called(member: str, mine: Mapping[str, Path]) -> str:
    """Return what the gradebook calls a member: as the folder in submitted/, if there is one."""
    return student_id(mine[member]) if member in mine else gradebook_name(member)


def _equal(mine: Mapping[str, Path], seen: Mapping[Path, str]) -> list[list[str]]:
    """Return those whose folders hold the same, together; what cannot be told is like nothing else."""
    same: dict[str, list[str]] = {}
    for who, folder in mine.items():
        same.setdefault(seen.get(folder) or str(folder), []).append(who)
    return list(same.values())


def policy_for(policy: late_work.Policy, found: Sequence[Work]) -> late_work.Policy:
    """Return a policy in which a team has one date: the latest of its own and of all its members'."""
    mates: dict[str, tuple[str, ...]] = {}
    for work in found:
        if work.is_teams:
            mates |= dict.fromkeys(work.students, work.students)
    return replace(policy, mates=mates)
