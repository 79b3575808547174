"""The date in a timestamp.txt, as nbgrader's exchange writes it and people do, in UTC.

The exchange writes the letters of the zone that its configuration names: `2026-10-01 23:59:00.000000 CEST`. Those of
which all zones of the world mean the same count, and of the others what the machine's own zone means by them.
"""

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from autograder.course_file import YEARS
from autograder.submissions.files import Unreadable

DAY, TIME, ZONE = r"\d{4}-\d\d-\d\d", r"[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?", r"Z|[A-Z]{3,5}|[+-][01]\d:?[0-5]\d"
DATE = re.compile(rf"(?P<day>{DAY})((?P<time>{TIME})(?P<zone> ?({ZONE}))?)?", re.ASCII)
HALVES = ((1, 1), (7, 1))  # a day of winter and one of summer: each zone has one of its names at each
NO_DATE = "not a date as 2026-10-01 23:59 UTC"


def read(text: str) -> datetime:
    """Return the time that a text says, in UTC and without a zone; without one it is UTC, as nbgrader takes it.

    Raises Unreadable, with the reason.
    """
    found = DATE.fullmatch(text)
    if not found:
        raise Unreadable(NO_DATE)
    try:
        when = datetime.fromisoformat(found["day"] + (found["time"] or ""))
    except ValueError:
        raise Unreadable(NO_DATE) from None
    if when.year not in YEARS:
        raise Unreadable(NO_DATE)
    return when - _offset((found["zone"] or "UTC").strip(), when)


def _offset(zone: str, when: datetime) -> timedelta:
    """Return by how much the clocks of a zone are ahead of UTC; raises Unreadable where that cannot be told."""
    if zone in ("Z", "UTC", "GMT"):
        return timedelta()
    if not zone.isalpha():
        return datetime.strptime(zone, "%z").utcoffset() or timedelta()
    meant = _zones(when.year).get(zone, set())
    if len(meant) > 1:
        meant = {offset for offset in meant if _is_of_this_machine(zone, offset, when)}
    if len(meant) != 1:
        raise Unreadable(f"which zone {zone} is cannot be told, write as 2026-10-01 23:59 +02:00")
    return next(iter(meant))


@cache
def _zones(year: int) -> dict[str, set[timedelta]]:
    """Return {letters of a zone: what it may be ahead of UTC in a year}."""
    found: dict[str, set[timedelta]] = defaultdict(set)
    for name in available_timezones():
        for month, day in HALVES:
            then = datetime(year, month, day, tzinfo=ZoneInfo(name))
            found[then.tzname() or ""].add(then.utcoffset() or timedelta())
    return found


def _is_of_this_machine(zone: str, offset: timedelta, when: datetime) -> bool:
    """Whether the machine's own clock is called so at a time, and goes so."""
    here = (when - offset).replace(tzinfo=UTC).astimezone()
    return here.tzname() == zone and here.utcoffset() == offset
