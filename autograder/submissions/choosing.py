"""Which of several notebooks counts: the one with answers, whatever it is called. One rule for all ways of grading."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nbformat import NotebookNode

from autograder.submissions import files
from autograder.submissions.matching import Matching, pieces
from autograder.submissions.notebooks import MAX_FILES, Candidate, candidates, is_zip, says_notebook, tried

SUFFIXES = (".zip", ".py", ".json")  # besides everything with .ipynb in its name
OTHER_CHAPTER = re.compile(r"\d\d_\w+")  # the form of a chapter's name
NAMED = 3  # so many of the notebooks that do not count are named in a line


@dataclass(frozen=True)
class Weighed:
    """A candidate, how many of the chapter's exercises it has cells for, and its answers by exercise and essay."""

    candidate: Candidate
    cells: int
    answers: dict[str, str]
    rank: tuple


@dataclass(frozen=True)
class Choice:
    """The notebook that counts, None with the reason if there is none; passed_over: a line on others with answers."""

    candidate: Candidate | None
    reason: str = ""
    passed_over: tuple[str, ...] = ()


def candidates_in(folder: Path, chapter: str) -> Iterator[Candidate]:
    """Yield what may be the notebook of a chapter in a student's folder."""
    for name in names(folder, chapter):
        yield from candidates(folder / name, name, chapter)


def names(folder: Path, chapter: str) -> list[str]:
    """Return the files that may be the notebook, the likeliest first, no more than are looked into."""
    right = f"{chapter}.ipynb"
    found = {n for n in files.names(folder) if says_notebook(n) or n.casefold().endswith(SUFFIXES)}
    if files.is_file(folder / right):  # however many others there are
        found.add(right)

    def unlikely(name: str) -> tuple:
        last = _last(name).casefold()
        return name != right, chapter not in last, not last.endswith(".ipynb"), ".ipynb" not in last, name

    return sorted(found, key=unlikely)[:MAX_FILES]


def choose(found: Iterable[Candidate], chapter: str, template: NotebookNode) -> Choice:
    """Return the one with most answers; of as many the one called like the chapter, then the newest, then the first."""
    best, others = None, []
    for candidate in found:
        one = weighed(candidate, chapter, template)
        if not one.cells and not (says_notebook(candidate.name) or is_zip(candidate.name)):
            continue  # a text or an archive that is no notebook says nothing about one
        if best is None or one.rank > best.rank:
            best, one = one, best
        if one is not None:  # the notebook itself may be large
            others.append(replace(one, candidate=replace(one.candidate, content=None)))
    if best is None:
        return Choice(None, "no notebook was handed in")
    name = best.candidate.name
    if best.candidate.content is None:
        return Choice(None, f"{name}: {best.candidate.reason}")
    if not best.cells:
        return Choice(None, f"{name}: holds no cell of {chapter}")
    return Choice(best.candidate, passed_over=tuple(_passed_over(best, others, f"{chapter}.ipynb")))


def weighed(candidate: Candidate, chapter: str, template: NotebookNode) -> Weighed:
    """Return a candidate with what it holds of a chapter; one that cannot be taken apart is one that cannot be read."""
    held = "" if candidate.content is None else tried(_held, candidate.content, template)
    if isinstance(held, str):
        candidate = replace(candidate, content=None, reason=held or candidate.reason)
        held = 0, 0, {}
    cells, possible, answers = held
    name, last = candidate.name, _last(candidate.name).casefold()
    right, likely = f"{chapter}.ipynb", chapter in last
    foreign = bool(OTHER_CHAPTER.match(last)) and not likely and 2 * cells < possible
    called = (name == right, last == right, likely, last.endswith(".ipynb"), says_notebook(name))
    return Weighed(candidate, cells, answers, (cells > 0, not foreign, len(answers), *called, candidate.written, cells))


def _held(content: dict, template: NotebookNode) -> tuple[int, int, dict[str, str]]:
    """Return for how many exercises there are cells, how many there are, and the answers."""
    matching = Matching(template, pieces(content))
    return _cells(matching), len(matching.stubs), matching.answers()


def cells_of(content: dict, template: NotebookNode) -> int:
    """Count the exercises of the chapter that a notebook holds, by label or by the names of the functions."""
    return _cells(Matching(template, pieces(content)))


def _cells(matching: Matching) -> int:
    """Count the exercises that there are cells for; where a notebook has none, as with answers in words, all cells."""
    if not matching.stubs:
        return len({piece.stands_for for piece in matching.pieces if piece.stands_for})
    named = {matching.exercise_of.get(name) for p in matching.pieces for name in p.functions or {}}
    return sum(i in named or bool(matching.all_for(i)) for i in matching.stubs)


def _passed_over(best: Weighed, others: list[Weighed], right: str) -> Iterator[str]:
    """Yield a line on other notebooks of the chapter: with other answers, or with the right name and none."""
    name = best.candidate.name
    rivals = [o for o in others if o.rank[:2] == best.rank[:2] and o.candidate.name != name]
    rivals = [o for o in rivals if o.answers != best.answers and (o.answers or o.candidate.name == right)]
    if rivals:
        said = ", ".join(f"{o.candidate.name} ({len(o.answers)})" for o in rivals[:NAMED])
        more = f" and {len(rivals) - NAMED} more" if len(rivals) > NAMED else ""
        yield f"several notebooks: {name} counts (answers: {len(best.answers)}), not {said}{more}"


def _last(name: str) -> str:
    return name.rpartition("/")[2]
