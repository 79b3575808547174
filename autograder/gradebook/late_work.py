"""Due dates, extensions and what late work costs: course.toml in the course's folder.

[due]
"01_spam" = 2026-10-01T23:59:00+02:00

[late]                  # in percent of the points earned; without it, late work costs nothing
per_day = 10            # for each day that has begun
cap = 50                # at most
grace_minutes = 15      # not counted
undated = "late"        # work that says no time costs as much as the latest; without it, it counts as on time

[groups]                # besides those of roster.csv
lab2 = ["ada", "bob"]

[extensions."01_spam"]  # a student's, or a group's; the latest date counts
lab2 = 2026-10-08T23:59:00+02:00
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from autograder import course_file
from autograder.course_file import FILE, Late
from autograder.gradebook import students
from autograder.spelling import alike
from helpers.errors import CourseError


@dataclass(frozen=True)
class Policy:
    """When chapters are due, and for whom later; what a day costs, in percent of the points earned.

    mates: of each student in a team all of it; a team hands in once, so it has one date; roster: ids of roster.csv.
    """

    due: Mapping[str, datetime] = field(default_factory=dict)
    late: Late = field(default_factory=Late)
    groups: Mapping[str, list[str]] = field(default_factory=dict)
    extensions: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)
    mates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roster: tuple[str, ...] = ()

    def due_of(self, chapter: str, student: str) -> datetime:
        """Return when a chapter is due for a student: the latest of the date for all and the extensions.

        Those are the student's own, of the groups, and of all in the team. A hub's login has no capitals where the
        roster may have some.
        """
        more, team = self.extensions.get(chapter, {}), set(map(alike, self.mates.get(student, (student,))))
        mine = {*team, *(alike(name) for name, members in self.groups.items() if team & set(map(alike, members)))}
        return max([self.due[chapter], *(when for who, when in more.items() if alike(who) in mine)])

    def days_late(self, chapter: str, student: str, when: datetime | None) -> int:
        """Return how many days have begun since it was due, 0 within the grace.

        Without a time it is 0, or with `undated = "late"` as many as cost the most.
        """
        if when is None:
            return self.most_days if self.late.undated == "late" else 0
        late = when - self.due_of(chapter, student)
        return 0 if late <= timedelta(minutes=self.late.grace_minutes) else math.ceil(late / timedelta(days=1))

    def without_anybody(self, chapter: str) -> list[str]:
        """Return who has an extension of a chapter and is neither in the roster, if there is one, nor a group."""
        if not self.roster:
            return []
        named = set(map(alike, [*self.roster, *self.groups]))
        return [who for who in self.extensions.get(chapter, {}) if alike(who) not in named]

    @property
    def most_days(self) -> int:
        """The days from which on no further one costs anything."""
        return math.ceil(self.late.cap / self.late.per_day) if self.late.per_day else 0

    def share(self, days: int) -> float:
        """Return the share of the points that so many days cost."""
        return min(days * self.late.per_day, self.late.cap) / 100


def read(course: Path) -> Policy:
    """Return a course's policy, an empty one without the file; raises CourseError, which names what is wrong."""
    path, file = course / FILE, course_file.read(course)
    due = course_file.by_chapter(path, file.due)
    extensions = course_file.by_chapter(path, file.extensions)
    for name in extensions.keys() - due.keys():
        raise CourseError(f"{path}: extensions of {name}, which has no date in [due]")
    groups = _with_roster(file.groups, students.groups(course))
    roster = tuple(row["id"] for row in students.rows(course))
    return Policy(due, file.late, groups, extensions, roster=roster)


def _with_roster(groups: Mapping[str, list[str]], more: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: [*groups.get(name, []), *more.get(name, [])] for name in {**groups, **more}}
