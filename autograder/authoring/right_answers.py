"""A chapter with other right answers than the course's own: the k-th right variant of each exercise, all at once.

What a check accepts, the cells below it must be able to use.
"""

from autograder import paths
from autograder.authoring.source import digest
from autograder.authoring.variants import variants


def sets(chapter: str) -> list[dict[str, str]]:
    """Return the sets of answers of a chapter, {exercise: code} each, as many as an exercise has right variants.

    An exercise with fewer variants begins again with its first.
    """
    by_exercise: dict[str, list[str]] = {}
    for variant in variants(chapter):
        if variant.right:
            by_exercise.setdefault(variant.exercise, []).append(variant.source)
    max_variants = max(map(len, by_exercise.values()))
    return [_taken(by_exercise, place) for place in range(max_variants)]


def _taken(by_exercise: dict[str, list[str]], place: int) -> dict[str, str]:
    return {exercise: sources[place % len(sources)] for exercise, sources in by_exercise.items()}


def chosen(chapter: str) -> int:
    """Return the number of one set, from 1, by a digest of the chapter's sources: another state, another set."""
    return int(state(chapter), 16) % len(sets(chapter)) + 1


def state(chapter: str) -> str:
    """Return a digest of a chapter's sources and of its variants, in hexadecimal digits."""
    folders = paths.SOLUTIONS / chapter, paths.VARIANTS / chapter
    return "".join(digest(folder, folder.rglob("*.py")) for folder in folders)
