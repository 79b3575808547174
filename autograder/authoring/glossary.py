"""The terms of the course: one file, solutions/pages/glossary.toml, and the page that is made from it."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from autograder import paths
from autograder.authoring.source import read

SOURCE = paths.SOLUTIONS / "pages" / "glossary.toml"
PAGE = "glossary.md"
FURTHER = "further"  # reading lists use no term
REGION = re.compile(r"(?s)### BEGIN (\w[\w ]*)\n.*?### END \1")
HEAD = """# Glossary

Each term in a line, with the chapter where you meet it first, and in brackets the one that makes or explains it,
where that comes later.

| term | what it is | chapter |
|---|---|---|"""
NO_PROSE = re.compile(r"(?s)```.*?```|<code>.*?</code>|`[^`\n]+`|\]\([^)]*\)|<[^>]*>")


@dataclass(frozen=True)
class Term:
    """A word of the field: the chapter that first uses it, the later one that builds it, what it means in a line."""

    term: str
    meaning: str
    first: str
    built: str = ""

    def stands_in(self, text: str) -> bool:
        """Say whether a text uses the term, or its plural; capitals count where the term has some."""
        words = re.escape(self.term).replace(r"\ ", r"[\s-]+")
        flags = re.IGNORECASE if self.term.islower() else 0
        return re.search(rf"(?<!\w){words}s?(?!\w)", text, flags) is not None


def terms() -> list[Term]:
    """Return all terms in the order of the alphabet."""
    tables = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["terms"]
    return sorted((Term(**table) for table in tables), key=lambda term: term.term.lower())


@cache
def prose(chapter: str) -> str:
    """Return what a student reads in a chapter, without code, targets of links and reading lists."""
    cells = read(paths.source_text(chapter))
    texts = (REGION.sub("", c.source) for c in cells if c.cell_type == "markdown" and c.name != FURTHER)
    return NO_PROSE.sub(" ", "\n\n".join(texts))


def page() -> str:
    """Return the page: each term, its meaning, the chapter that uses it first and the one that builds it."""
    names = {name[:2]: name for name in paths.chapters()}
    lines = [HEAD]
    for term in terms():
        place = f"[{term.first}]({names[term.first]}/{names[term.first]}.ipynb)"
        if term.built:
            place += f" ({term.built})"
        lines.append(f"| {term.term} | {term.meaning} | {place} |")
    return "\n".join(lines) + "\n"
