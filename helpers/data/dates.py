"""Dates as people write them, and their ISO form: a translation task made from Babel's CLDR, without limit."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from helpers.data.dataset import Card
from helpers.data.translations import Translations
from helpers.errors import DataError

# A hundred years, so that two digits name one year: 50 to 99 are 1950 to 1999, 00 to 49 are 2000 to 2049.
FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)
# Language -> the CLDR locales whose customs it follows: Arabic as in Egypt, since that has its own digits.
LOCALES = {
    "ar": ("ar_EG",),
    "de": ("de_DE",),
    "en": ("en_US", "en_GB"),
    "es": ("es_ES",),
    "fr": ("fr_FR",),
    "gu": ("gu_IN",),
    "hi": ("hi_IN",),
    "it": ("it_IT",),
    "mr": ("mr_IN",),
    "pt": ("pt_BR",),
    "ru": ("ru_RU",),
    "ta": ("ta_IN",),
    "te": ("te_IN",),
    "tr": ("tr_TR",),
    "ur": ("ur_PK",),
    "zh": ("zh_CN",),
}
LANGUAGES = tuple(LOCALES)
NAMED = ("full", "long", "medium", "short")
SKELETONS = ("yMMMMEEEEd", "yMMMEd", "yMMMMd", "yMMMd", "yMEd", "yMd")  # CLDR's: E weekday, M month, d day, y year
ZEROS = {"arab": "٠", "deva": "०"}  # CLDR's name of a set of digits -> its zero; Babel writes Latin digits only
# No-break spaces become spaces, and marks of direction go: they steer the display and say nothing.
SPACES = {0x00A0: " ", 0x202F: " ", 0x200E: None, 0x200F: None}
# The days are dealt out once and for all, so that no day lies in two splits.
SHARES = {"train": (0.0, 0.8), "valid": (0.8, 0.9), "test": (0.9, 1.0)}
SIZES = {"train": 20_000, "valid": 1_000, "test": 1_000}


class Style(NamedTuple):
    """One way to write a date: a CLDR pattern such as "EEEE d MMMM y", its locale, its digits."""

    pattern: str
    locale: "babel.Locale"  # noqa: F821
    digits: dict[int, int | str | None]

    def write(self, day: date) -> str:
        """Return the day in this style."""
        from babel.dates import format_date

        return format_date(day, self.pattern, locale=self.locale).translate(self.digits)


@dataclass(frozen=True)
class Dates:
    """A maker of (source, target) pairs: ("mardi 3 février 2015", "2015-02-03").

    split: "train", "valid" or "test"; the days of one split never occur in another.

    Every source has one target. Names of months and weekdays, order, punctuation and digits are those of the
    Unicode Common Locale Data Repository (CLDR), read with Babel.
    """

    split: str = "train"

    def __post_init__(self):
        if self.split not in SHARES:
            raise DataError(f'There is no split "{self.split}" of dates.', f"Choose one of: {', '.join(SHARES)}.")

    def stream(self, seed: int, languages: Sequence[str] | None = None) -> Iterator[tuple[str, str]]:
        """Yield pairs without end, the same ones for the same seed; each language is equally likely.

        languages: some of `LANGUAGES`, by default all. A pair may come twice.
        """
        known, days, draw = _styles_of(languages), _days(self.split), random.Random(seed)
        return _pairs(known, days, draw)

    def sample(self, n: int, seed: int, languages: Sequence[str] | None = None) -> list[tuple[str, str]]:
        """Return the first n different pairs of the stream.

        Raises:
            DataError: n is more than half of all pairs that there are.
        """
        limit = sum(map(len, _styles_of(languages))) * len(_days(self.split)) // 2
        if not 0 <= n <= limit:
            raise DataError(f"dates: {n:,} pairs cannot be drawn.", f"Ask for 0 to {limit:,}, or add languages.")
        chosen: dict[str, str] = {}
        stream = self.stream(seed, languages)
        while len(chosen) < n:
            chosen.update(islice(stream, n - len(chosen)))
        return list(chosen.items())

    def series(
        self, n: int, seed: int, counts: Sequence[int] = (1, 2, 3), languages: Sequence[str] | None = None
    ) -> list[tuple[str, str]]:
        """Return n pairs of several dates each: sources joined by "; ", targets by a space.

        counts: how many dates a pair may have, each equally likely: the longer the source, the more it says.
        """
        stream, draw = self.stream(seed, languages), random.Random(seed)
        series = []
        for _ in range(n):
            pairs = list(islice(stream, draw.choice(counts)))
            source = "; ".join(text for text, _ in pairs)
            target = " ".join(iso for _, iso in pairs)
            series.append((source, target))
        return series


def _pairs(known: list[list[Style]], days: list[date], draw: random.Random) -> Iterator[tuple[str, str]]:
    while True:
        day = draw.choice(days)
        yield draw.choice(draw.choice(known)).write(day), day.isoformat()


def _styles_of(languages: Sequence[str] | None) -> list[list[Style]]:
    chosen = LANGUAGES if languages is None else tuple(dict.fromkeys(languages))  # each once
    for language in chosen:
        if language not in LOCALES:
            raise DataError(f'There are no dates in the language "{language}".', f"There are: {', '.join(LANGUAGES)}.")
    if not chosen:
        raise DataError("dates: no language was named.", "Leave `languages` out to have all.")
    return [styles(language) for language in chosen]


@cache
def styles(language: str) -> list[Style]:
    """All ways to write a date in a language that read one way only."""
    from babel import Locale

    by_text: dict[str, Style] = {}
    for locale in map(Locale.parse, LOCALES[language]):
        named = [locale.date_formats[name].pattern for name in NAMED]
        short = [locale.datetime_skeletons[name].pattern for name in SKELETONS if name in locale.datetime_skeletons]
        for pattern in filter(reads_one_way, named + short):
            style = Style(pattern, locale, _digits(locale))
            # Two patterns may write the same: Urdu does not shorten the names of months.
            by_text.setdefault("; ".join(style.write(date(2005, month, month)) for month in range(1, 13)), style)
    return list(by_text.values())


def reads_one_way(pattern: str) -> bool:
    """Whether the order of day, month and year is plain from the text.

    02/03/2015 is the 2nd of March nearly everywhere and the 3rd of February in the United States, so a month in
    digits before the day is taken only where the year with four digits leads; with two digits, the year is last.
    """
    fields = re.findall("d+|[ML]+|y+", re.sub("'[^']*'", "", pattern))
    order = "".join(field[0] for field in fields).replace("L", "M")
    in_digits = all(len(field) <= 2 for field in fields if field[0] in "ML")
    return (order != "Mdy" or not in_digits) and (order != "yMd" or "yy" not in fields)


def _digits(locale: "babel.Locale") -> dict[int, int | str | None]:  # noqa: F821
    """For str.translate: the ten digits of the locale, and plain spaces."""
    zero = ZEROS.get(locale.default_numbering_system, "0")
    return SPACES | {ord("0") + i: ord(zero) + i for i in range(10)}


@cache
def _days(split: str) -> list[date]:
    """The days of a split, in the order of one fixed shuffle of all."""
    days = [date.fromordinal(n) for n in range(FIRST.toordinal(), LAST.toordinal() + 1)]
    random.Random(0).shuffle(days)
    start, end = (round(len(days) * share) for share in SHARES[split])
    return days[start:end]


def read_dates(paths: list[Path], card: Card) -> Translations:
    """Make the set `dates`: 20,000 / 1,000 / 1,000 pairs of all languages; there is no file to read."""
    lines = {}
    for seed, (split, size) in enumerate(SIZES.items()):
        texts, isos = zip(*Dates(split).sample(size, seed), strict=True)
        lines[split] = {"text": list(texts), "iso": list(isos)}
    return Translations(lines, "text", "iso", card)
