"""What a search costs: milliseconds of a stage, megabytes of an index."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

BySize = Mapping[str, Mapping[int, float]]  # {name: {number of chunks: ms or MB}}


class Laps:
    """A stop-watch for stages: laps("read", reader, prompt) calls reader(prompt) and keeps its seconds."""

    def __init__(self):
        self.seconds: dict[str, float] = {}

    def __call__(self, stage: str, action: Callable, *args):
        """Return what the action returns."""
        start = time.perf_counter()
        found = action(*args)
        self.seconds[stage] = time.perf_counter() - start
        return found


def median_ms(action: Callable, inputs: Sequence[tuple], before: Callable[[], object] | None = None) -> float:
    """Return the median time of an action over inputs, in milliseconds; `before` is called before each, untimed."""
    seconds = []
    for given in inputs:
        if before:
            before()
        laps = Laps()
        laps("", action, *given)
        seconds.append(laps.seconds[""])
    return 1000 * float(np.median(seconds))


def megabytes(index: Mapping) -> float:
    """Return the size of an inverted index {word: (numbers, weights)} as arrays."""
    return sum(np.asarray(part).nbytes for pair in index.values() for part in pair) / 1e6


def growth(
    searches: Mapping[str, Callable], indexes: Mapping[int, Mapping], vectors: np.ndarray, questions: Sequence[str]
) -> tuple[BySize, BySize]:
    """Return the median milliseconds of searches and the megabytes held, {name: {number of chunks: value}} each.

    indexes: {number of chunks: inverted index}; searches: {name: search(index, number of chunks, question)}.
    """
    ms: dict[str, dict[int, float]] = {name: {} for name in searches}
    for size, index in indexes.items():
        for name, search in searches.items():
            ms[name][size] = median_ms(search, [(index, size, question) for question in questions])
    postings = {n: megabytes(index) for n, index in indexes.items()}
    return ms, {"postings": postings, "vectors": {n: vectors[:n].nbytes / 1e6 for n in indexes}}


def stages_ms(
    grown: BySize, later: Mapping[str, Callable], questions: Sequence[str], before: Callable[[], object]
) -> dict[str, float]:
    """Return the median milliseconds of each stage, {stage: ms}, first of the searches at their largest size.

    later: {stage: stage(question, what the stage before gave)}. The first of them searches once more, and that time is
    taken off. `before` empties caches, before each question of each stage.
    """
    ms = {name: values[max(values)] for name, values in grown.items()}
    searched, given = sum(ms.values()), [None] * len(questions)
    for i, (name, stage) in enumerate(later.items()):
        inputs = list(zip(questions, given, strict=True))
        ms[name] = median_ms(stage, inputs, before) - (searched if i == 0 else 0)
        given = [stage(*each) for each in inputs]
    return ms


def cost_table(ms: BySize, mb: BySize, stages: Mapping[str, float]) -> str:
    """Return the time of each search and the memory at each number of chunks, and the time of later stages, as text."""
    lines = []
    for name, by_size in ms.items():
        times = "   ".join(f"{n:,} chunks: {value:.2f} ms" for n, value in by_size.items())
        lines.append(f"{name:<8} {times}")
    for name, by_size in mb.items():
        megabytes = "   ".join(f"{n:,} chunks: {value:.0f} MB" for n, value in by_size.items())
        lines.append(f"{name:<8} {megabytes}")
    later = "; ".join(f"{name} {value:.1f} ms" for name, value in stages.items() if name not in ms)
    return "\n".join([*lines, later])
