"""Mutants on the checks: which are noticed, which are explained, which survive."""

import multiprocessing as mp
import os
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from autograder import cell_marks, paths
from autograder.authoring.audit import tried
from autograder.authoring.mutants.mutation import Mutant, mutants
from autograder.authoring.source import SourceError, read
from autograder.authoring.variants import Variant

EXPLAINED = "checks/equivalents.toml"


@dataclass(frozen=True)
class Outcome:
    """What became of an exercise's mutants: how many there are, those with full points that nobody explained."""

    exercise: str
    mutants: int
    explained: int
    survivors: list[Mutant]
    stale: list[str]  # explanations of mutants that are not there, or that a check notices

    @property
    def killed(self) -> int:
        """How many did not get full points."""
        return self.mutants - self.explained - len(self.survivors)


def outcomes(chapter: str, only: list[str] | None = None) -> list[Outcome]:
    """Try all mutants of a chapter's solutions; returns an Outcome for each exercise."""
    cells = [c for c in read(paths.source_text(chapter)) if c.kind == "exercise" and c.name in (only or [c.name])]
    by_exercise = {cell.name: mutants(cell.source) for cell in cells}
    answers = []
    for name, faulty in by_exercise.items():
        for mutant in faulty:
            source = cell_marks.SOLUTION.sub("", mutant.source)
            answers.append(Variant(name, mutant.change, False, "", source))
    trials = tried(chapter, answers, only, limited=True)
    full = {(t.variant.exercise, t.variant.name) for t in trials if not t.verdict_ok}
    reasons = explanations(chapter)
    return [_outcome(name, faulty, full, reasons.get(name, [])) for name, faulty in by_exercise.items()]


def all_outcomes(chapters: list[str], only: list[str] | None) -> Iterator[tuple[str, list[Outcome]]]:
    """Try the mutants of chapters side by side; yields each chapter's outcomes, in order."""
    with ProcessPoolExecutor(min(len(chapters), os.cpu_count() or 1), mp.get_context("spawn")) as pool:
        yield from zip(chapters, pool.map(outcomes, chapters, [only] * len(chapters)), strict=True)


def explanations(chapter: str) -> dict[str, list[dict[str, str]]]:
    """Return {exercise: [{"change" or "kind", "why"}, ...]}; raises SourceError for an entry that is none."""
    path: Path = paths.source_text(chapter).parent / EXPLAINED
    if not path.is_file():
        return {}
    try:
        entries_of = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"{path}: {error}") from None
    for name, entries in entries_of.items():
        for entry in entries:
            if not entry.get("why") or not set(entry) - {"why"} <= {"change", "kind", "function"} or len(entry) < 2:
                raise SourceError(f"{path}: {name}: an entry needs change, or kind (and function), and why: {entry}")
    return entries_of


def _outcome(name: str, faulty: list[Mutant], full: set[tuple[str, str]], reasons: list[dict[str, str]]) -> Outcome:
    alive = [mutant for mutant in faulty if (name, mutant.change) in full]
    survivors = [mutant for mutant in alive if not _explained(mutant, reasons)]
    stale = [str(entry) for entry in reasons if not _explains_any(entry, alive)]
    return Outcome(name, len(faulty), len(alive) - len(survivors), survivors, stale)


def _explained(mutant: Mutant, reasons: list[dict[str, str]]) -> bool:
    return any(_fits(entry, mutant) for entry in reasons)


def _explains_any(entry: dict[str, str], alive: list[Mutant]) -> bool:
    return any(_fits(entry, mutant) for mutant in alive)


def _fits(entry: dict[str, str], mutant: Mutant) -> bool:
    """Whether an explanation is of this mutant: of its change, or of its kind (in one function)."""
    if "change" in entry:
        return entry["change"] == mutant.change
    return entry["kind"] == mutant.kind and mutant.change.startswith(entry.get("function", ""))
