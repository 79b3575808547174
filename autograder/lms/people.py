"""Whose a work in a zip is: the student's, all of a team's, or nobody's, with the reason and what to do about it.

A number alone says nothing: a team's in Moodle may be another student's own. It counts where the name is that
student's, too, and where Moodle writes the word Participant for the name (blind marking).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.lms import canvas, moodle
from autograder.lms import roster as rosters
from autograder.report import safe_text
from autograder.spelling import alike, letters

STRANGER = (
    "in roster.csv neither a student nor a group (a section is none); "
    "import a newer roster, or write the team into the column group of its members, then collect again"
)
SEVERAL = "more than one in roster.csv; import Canvas's gradebook or this assignment's grading worksheet of Moodle"
OTHER_NUMBER = (
    "the one of this name in roster.csv has another number in Canvas; import a newer roster, then collect again"
)
OTHER_ADDRESS = (
    "the one of this name in roster.csv has another address, and anybody can take a name; "
    "put the work into submitted/ by hand, for whose it is"
)
TEAMS = "more than one group of roster.csv, but for capitals and signs; name them apart there, then collect again"
BOTH = "a student and a group of roster.csv are called so; rename the group there, then collect again"
ANONYMOUS = (
    "Canvas names nobody in a zip of anonymous grading; switch it off in the assignment, or post the grades, "
    "then download and collect again"
)
BLIND = (
    "Moodle names nobody in a zip of blind marking, and roster.csv has no such number; reveal the students' identities "
    "in the assignment, then download and collect again"
)
DEFAULT_TEAM = (
    "Moodle's name for all who are in no team, or in several; put the work into submitted/ by hand, for whose it is"
)


@dataclass(frozen=True)
class Owners:
    """Whose a work is: a student, or the members of a team; nobody, and why."""

    students: tuple[str, ...] = ()
    team: str = ""
    why: str = ""


class People:
    """The course's roster, to find those whom a zip of submissions names."""

    def __init__(self, rows: Sequence[Mapping[str, str]]):
        self.by: dict[str, dict[str, set[str]]] = {"canvas": {}, "moodle": {}, "id": {}, "name": {}}
        self.teams: dict[str, dict[str, list[str]]] = {}  # by the letters of the name, then by the name
        self.spelled: dict[str, list[list[str]]] = {}  # the letters of each student's names, sorted
        self.addresses: dict[str, set[str]] = {}  # of each student
        for row in rows:
            self._add("canvas", row.get("lms_user_id", ""), row["id"])
            self._add("moodle", moodle.participant(row), row["id"])
            for key in rosters.KEYS:
                self._add("id", alike(row.get(key, "")), row["id"])
            keys = {alike(row.get(key, "")) for key in rosters.KEYS}
            self.addresses[row["id"]] = {key for key in keys if "@" in key}
            self.spelled[row["id"]] = [sorted(name) for name in _spelled(row)]
            for name in _spelled(row):
                self._add("name", name, row["id"])
            for team in filter(letters, rosters.teams(row)):
                self.teams.setdefault(letters(team), {}).setdefault(team, []).append(row["id"])

    def _add(self, how: str, what: str, student: str) -> None:
        if what:
            self.by[how].setdefault(what, set()).add(student)

    def known(self, keys: Sequence[str]) -> str | None:
        """Return the id of the one student who is called any of these."""
        found = set().union(*(self.by["id"].get(alike(k), set()) for k in keys if k))
        return next(iter(found)) if len(found) == 1 else None

    def numbers(self, system: str) -> list[str]:
        """Return the numbers that students of the roster have in a system."""
        return sorted(self.by.get(system, {}))

    def owners(self, system: str, who: Mapping[str, str]) -> Owners:
        """Return whose a work is, by what a system says of who handed it in."""
        if system == "gradescope":
            return self._addressed(who)
        if who.get("anonymous"):
            return Owners(why=ANONYMOUS)
        name, number = who.get("name", ""), who.get("id", "")
        if system == "moodle" and letters(name) == moodle.BLIND:
            return _one(self.by["moodle"].get(number, set()), BLIND)
        if system == "moodle" and not number:
            return Owners(why=DEFAULT_TEAM)
        return self._named(system, name, number)

    def _addressed(self, who: Mapping[str, str]) -> Owners:
        """Return the student of an address, a student ID or a name, the first that anybody has.

        Anybody can make an account of any name: it says nothing where the roster has another address.
        """
        asked = [alike(who.get(key, "")) for key in ("email", "sid")]
        found = next(filter(None, (self.by["id"].get(what, set()) for what in asked if what)), set())
        if found:
            return _one(found)
        named = self.by["name"].get(letters(who.get("name", "")), set())
        if asked[0] and any(self.addresses[student] for student in named):
            return Owners(why=OTHER_ADDRESS)
        return _one(named)

    def _named(self, system: str, name: str, number: str) -> Owners:
        """Return the student or the team of a name; a number that says otherwise makes it nobody's."""
        plain, numbered = letters(name), self.by[system].get(number, set())
        named, team = self.by["name"].get(plain, set()), self._team(name)
        agreed = {student for student in numbered if sorted(plain) in self.spelled[student]}  # its parts in any order
        if agreed:
            return _one(agreed)
        if named and team:
            return Owners(why=BOTH)
        if team:
            return self._of_team(team, numbered if system == "canvas" else set())
        if numbered:
            return Owners(why=_of_another(numbered, "neither theirs nor a group's"))
        if system == "canvas" and named:
            free = named - set().union(*self.by["canvas"].values())
            return _one(free, OTHER_NUMBER)
        return _one(named)

    def _team(self, name: str) -> dict[str, list[str]]:
        """Return the teams of a name with their members: the one that is written so, else those of the same letters."""
        found = self.teams.get(letters(name), {})
        exact = {team: members for team, members in found.items() if alike(team) == alike(name)}
        return exact or found

    def _of_team(self, team: Mapping[str, list[str]], representatives: set[str]) -> Owners:
        """Return a team's members; representatives: those whose number Canvas gives the team's work."""
        if len(team) > 1:
            return Owners(why=TEAMS)
        (name, members), *_ = team.items()
        if not representatives <= set(members):
            return Owners(why=_of_another(representatives, "that of a group in which roster.csv does not have them"))
        return Owners(tuple(sorted(members)), name)


def _one(found: set[str], why: str = STRANGER) -> Owners:
    """Return the only one of those found; of none the reason is `why`."""
    if len(found) > 1:
        return Owners(why=SEVERAL)
    return Owners(tuple(found)) if found else Owners(why=why)


def _of_another(numbered: set[str], name: str) -> str:
    whose = ", ".join(map(safe_text.name, sorted(numbered)))
    return (
        f"the number is that of {whose} in roster.csv, the name is {name}; import a newer roster, or write the team "
        "into the column group of its members, then collect again"
    )


def _spelled(row: Mapping[str, str]) -> set[str]:
    """Return the ways in which the systems write a person's name, by their letters."""
    first, last = row.get("first_name", ""), row.get("last_name", "")
    ways = (first + last, last + first, row.get(canvas.STUDENT, ""), row.get("full name", ""))
    return {letters(way) for way in ways} - {""}
