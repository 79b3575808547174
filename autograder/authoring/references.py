"""The papers that the chapters link: one file, solutions/pages/references.toml, and the page that is made from it."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass

from autograder import paths

SOURCE = paths.SOLUTIONS / "pages" / "references.toml"
PAGE = "references.md"
HEAD = """# References

Every paper that a chapter links, by the year of the conference or journal (of the preprint, if it appeared nowhere
else), and within a year by the first author. The numbers in italics are the chapters that link it.
"""
LINK = re.compile(r"https?://[^\s)\]\"'<>`]+")
PARTICLES = ("van", "den", "de", "von")  # before a name, and not part of its place in the alphabet
PAPER = re.compile(r"https?://(arxiv\.org|doi\.org|aclanthology\.org|www\.jmlr\.org|cdn\.openai\.com)/")


@dataclass(frozen=True)
class Paper:
    """A paper: who wrote what when, and where it is: an arXiv id, a DOI or an address."""

    year: int
    authors: str
    title: str
    arxiv: str = ""
    doi: str = ""
    url: str = ""

    @property
    def surname(self) -> str:
        """Return the first author's last name, or what a team is called, in small letters without accents."""
        first = re.split(", | and ", self.authors)[0].replace("Team", " ")
        words = [word for word in first.split() if not (word.endswith(".") or word in PARTICLES)]
        return _plain(" ".join(words))

    @property
    def when(self) -> str:
        """Return the year, and that of the preprint where a chapter may name it by that: "2022, preprint 2021"."""
        first = 2000 + int(self.arxiv[:2]) if self.arxiv else self.year
        return str(self.year) if first == self.year else f"{self.year}, preprint {first}"

    @property
    def link(self) -> str:
        """Return the address that a chapter's link has."""
        if self.arxiv:
            return f"https://arxiv.org/abs/{self.arxiv}"
        return self.url or f"https://doi.org/{self.doi}"


def papers() -> list[Paper]:
    """Return all papers, by year, and within a year in the alphabet's order: first author, all authors, title."""
    tables = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["papers"]
    return sorted((Paper(**table) for table in tables), key=_place)


def _place(paper: Paper) -> tuple[int, str, str, str]:
    return paper.year, paper.surname, _plain(paper.authors), paper.title.lower()


def _plain(words: str) -> str:
    """Return words in small letters and without accents: as an index orders them."""
    return "".join(c for c in unicodedata.normalize("NFKD", words.lower()) if not unicodedata.combining(c))


def linked(chapter: str) -> set[str]:
    """Return the addresses of papers that a chapter links."""
    folder = paths.source_text(chapter).parent
    addresses: set[str] = set()
    for path in [paths.source_text(chapter), *folder.glob("*.md")]:
        links = LINK.findall(path.read_text(encoding="utf-8"))
        addresses.update(link.rstrip(".,;") for link in links)
    return {address for address in addresses if PAPER.match(address)}


def page() -> str:
    """Return the page: every paper, and the chapters that speak of it."""
    places = {name[:2]: linked(name) for name in paths.chapters()}
    lines = [HEAD]
    for paper in papers():
        chapters = ", ".join(number for number, links in places.items() if paper.link in links)
        lines.append(f"- {paper.authors} ({paper.when}). [{paper.title}]({paper.link}). *{chapters}*")
    return "\n".join(lines) + "\n"
