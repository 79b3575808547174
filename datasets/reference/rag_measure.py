"""Ask chapter 08's assistant all test questions: `python datasets/reference/rag_measure.py` (10 minutes on two cores).

The chapter asks a part of them, to save time. Here its own cells run, with the course's answers in the exercises, until
the assistant is there; then it is asked everything, and what it says goes to helpers/chapters/rag/recorded.json, which
the chapter opens with.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from autograder import cell_marks, paths
from autograder.authoring.source import read
from autograder.cells import new_shell, run
from helpers.chapters.rag import opening, poisoning
from helpers.experiments.rankings import bootstrap_draws
from helpers.experiments.reading import Answered, answers, anybody, judged

CHAPTER = "08_rag"
NEEDED = (  # words of the show cells that build the assistant
    "PART = 1",
    "import Corpus",
    "SIZE = 120",
    "index = build_index(corpus.words)",
    "encoder = load_encoder()",
    "first_search = partial(",
    "candidates = Candidates(",
    "reranked = Cross(",
    "prompt, used = build_prompt(example",
    "sentence_reader = SentenceReader()",
    "reader.threshold = choose_threshold(",
)


def chapter_names() -> dict:
    """Run the chapter's cells that build its assistant, and return the names that they leave."""
    shell = new_shell()
    for cell in read(paths.source_text(CHAPTER)):
        needed = cell.kind == "show" and any(words in cell.source for words in NEEDED)
        if needed or cell.kind in ("given", "exercise"):
            source, _ = cell_marks.without_sizes(cell_marks.CLAIMS.sub("", cell.source))
            print(source.strip().splitlines()[0], flush=True)
            outcome = run(shell, source)
            if outcome.error is not None:
                raise outcome.error
            if "def clean(" in source:
                shell.user_ns["defences"] = poisoning.defences(shell.user_ns["clean"], shell.user_ns["corpus"])
    last = next(c for c in read(paths.source_text(CHAPTER)) if "def reply(" in c.source)
    run(shell, last.source)
    return shell.user_ns


def figure(values: Sequence[float], names: Mapping) -> list[float]:
    """Return the mean of some values and the ends of its interval, by the chapter's bootstrap."""
    ends = names["interval"](np.asarray(values, dtype=float), bootstrap_draws(len(values)))
    return [round(float(x), 4) for x in (np.mean(values), *ends)]


def main() -> None:
    """Ask all test questions, print what came and record it."""
    names = chapter_names()
    measures = {name: names[name] for name in ("token_f1", "exact_match", "supported")}

    def ask_all(read) -> list[Answered]:
        def one(q):
            top, budget = names["TOP"], names["BUDGET"]
            return names["ask"](q.question, names["reranked"], names["chunks"], read, anybody, top, budget)

        return answers(names["questions"].splits["test"], one)

    found = judged(ask_all(names["reader"]), **measures)
    simple = judged(ask_all(names["sentence_reader"]), **measures)
    figures = {
        "right: the assistant": figure(found["right"], names),
        "right: the best sentence of the same passages": figure(simple["right"], names),
        "silent, of those that the docs do not answer": figure(found["silent"], names),
    }
    opening.record(names["reply"], len(found["right"]), figures)
    print(f"threshold {names['reader'].threshold}\n{opening.headline()}")


if __name__ == "__main__":
    main()
