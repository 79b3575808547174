"""Who answers: something that takes a prompt and returns a text, the bundled reader or any causal model.

A prompt is what chapter 08 builds: an instruction, passages "[1] title" with their text, the question. The readers
here read it back from there, so that all of them, large and small, stand behind the same call.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from helpers.errors import CourseError
from helpers.models.docs_reader import NOTHING, Span, load_reader
from helpers.words import FREQUENT

UNKNOWN = "I do not know."
WORD = re.compile(r"[a-z0-9_]+")
BLOCK = re.compile(r"^\[(\d+)\] ", re.M)
ASKED = "\n\nQuestion: "
Generator = Callable[[str], str]


def parts(prompt: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the question and the passages [(number, title and text), ...] of a prompt."""
    before, _, rest = prompt.rpartition(ASKED)
    found = BLOCK.split(before)[1:]
    passages = [(int(number), text.strip()) for number, text in zip(found[::2], found[1::2], strict=True)]
    return rest.removesuffix("Answer:").strip(), passages


class Said(NamedTuple):
    """What the docs-reader says of a prompt.

    answer: "words [number]", or UNKNOWN
    mark:   (number of the passage, start, end) of the words there, title and text in one; None if it is silent
    why:    why it is silent, "" if it is not
    """

    answer: str
    mark: tuple[int, int, int] | None
    why: str


class CopyReader:
    """The docs-reader: it points at words of one passage, or says that it does not know.

    threshold: the score from which on it answers; None takes the artifact's.
    """

    def __init__(self, threshold: float | None = None):
        self.reader = load_reader()
        self.threshold = self.reader.threshold if threshold is None else threshold

    def __call__(self, prompt: str) -> str:
        """Return "words [number]", the words cut out of that passage, or UNKNOWN."""
        return self.said(prompt).answer

    def said(self, prompt: str) -> Said:
        """Return the answer with its place in the passage, or with the reason of its silence."""
        number, span = self._best(prompt)
        if span.text and span.score >= self.threshold:
            return Said(f"{span.text} [{number}]", (number, span.start, span.start + len(span.text)), "")
        words = " ".join(span.text.split())
        best = f"; the best are {words!r} in [{number}] with {span.score:.2f}" if words else ""
        return Said(UNKNOWN, None, f"No passage has words that score above {self.threshold:.2f}{best}.")

    def best(self, prompt: str) -> tuple[str, int, float]:
        """Return (words, number of their passage, score) of the best span in the prompt, whatever the threshold."""
        number, span = self._best(prompt)
        return span.text, number, span.score

    def _best(self, prompt: str) -> tuple[int, Span]:
        question, passages = parts(prompt)
        spans = self.reader.read(question, [text for _, text in passages])
        found = [(number, span) for (number, _), span in zip(passages, spans, strict=True)]
        return max(found, key=lambda each: each[1].score, default=(0, NOTHING))


class SentenceReader:
    """The baseline: the sentence that shares most words with the question; it never learned anything.

    least: the share of the question's words that the sentence must have, else it does not know.
    """

    def __init__(self, least: float = 0.0):
        self.least = least

    def __call__(self, prompt: str) -> str:
        """Return "sentence [number]" or UNKNOWN."""
        question, passages = parts(prompt)
        asked = set(WORD.findall(question.lower())) - FREQUENT
        best, answer = self.least, UNKNOWN
        for number, text in passages:
            for sentence in re.split(r"(?<=[.;:])\s+|\n\s*\n", text.partition("\n")[2]):
                share = len(asked & set(WORD.findall(sentence.lower()))) / max(1, len(asked))
                if sentence.strip() and share > best:
                    best, answer = share, f"{' '.join(sentence.split())} [{number}]"
        return answer


class CausalModel:
    """Any causal language model of transformers: greedy, the first line of what it writes."""

    def __init__(self, name: str, most: int = 64):
        try:
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise CourseError("Models by name need transformers: pip install transformers.") from error
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(name)
            self.model = AutoModelForCausalLM.from_pretrained(name, use_safetensors=True).eval()
        except (OSError, ValueError) as error:
            raise CourseError(f"There is no causal model {name!r} here ({str(error).splitlines()[0]}).") from error
        self.most = most

    def __call__(self, prompt: str) -> str:
        """Return the first line that the model writes behind the prompt."""
        import torch

        given = self.tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
        room = getattr(self.model.config, "max_position_embeddings", None) or 10**9
        given = {key: value[:, -max(1, room - self.most) :] for key, value in given.items()}
        pad = self.tokenizer.pad_token_id
        options = {"max_new_tokens": self.most, "do_sample": False, "pad_token_id": 0 if pad is None else pad}
        with torch.no_grad():
            ids = self.model.generate(**given, **options)[0, given["input_ids"].shape[1] :]
        return (self.tokenizer.decode(ids, skip_special_tokens=True).strip().splitlines() or [""])[0]


def load_generator(name: str = "docs-reader") -> Generator:
    """Return what answers: "docs-reader" (bundled), "sentence" (the baseline), or a name or folder of transformers."""
    known = {"docs-reader": CopyReader, "sentence": SentenceReader}
    return known[name]() if name in known else CausalModel(name)
