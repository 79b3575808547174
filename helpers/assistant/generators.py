"""Who answers: something that takes a prompt and returns a text, the bundled reader or any causal model.

A prompt is what chapter 08 builds: an instruction, passages "[1] title" with their text, the question. The readers
here read it back from there, so that all of them, large and small, stand behind the same call.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from helpers import pretrained
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


class ReaderAnswer(NamedTuple):
    """What the docs-reader says of a prompt.

    answer: "words [number]", or UNKNOWN
    mark:   (number of the passage, start, end) of the words there, title and text in one; None if it is silent
    why:    why it is silent, "" if it is not
    """

    answer: str
    mark: tuple[int, int, int] | None
    why: str


def reader_answer(number: int, span: Span, score: float, threshold: float) -> ReaderAnswer:
    """Return the words of the best span as the answer, or why there is none: no words, or a score below the threshold.

    number: of the span's passage
    """
    if span.text and score >= threshold:
        return ReaderAnswer(f"{span.text} [{number}]", (number, span.start, span.start + len(span.text)), "")
    words = " ".join(span.text.split())
    best = f"; the best are {words!r} in [{number}] with {score:.2f}" if words else ""
    return ReaderAnswer(UNKNOWN, None, f"No passage has words that score above {threshold:.2f}{best}.")


class CopyReader:
    """The docs-reader: it points at words of one passage, or says that it does not know.

    threshold: the score from which on it answers; None takes the artifact's.
    kept:      {(question, passage): its best span}, since the same passages come again
    """

    def __init__(self, threshold: float | None = None):
        self.reader, self.kept = load_reader(), {}
        self.threshold = self.reader.threshold if threshold is None else threshold

    def __call__(self, prompt: str) -> str:
        """Return "words [number]", the words cut out of that passage, or UNKNOWN."""
        return self.answer_with_place(prompt).answer

    def answer_with_place(self, prompt: str) -> ReaderAnswer:
        """Return the answer with its place in the passage, or with the reason of its silence."""
        number, span = self._best(prompt)
        return reader_answer(number, span, span.score, self.threshold)

    def best(self, prompt: str) -> tuple[str, int, float]:
        """Return (words, number of their passage, score) of the best span in the prompt, whatever the threshold."""
        number, span = self._best(prompt)
        return span.text, number, span.score

    def _best(self, prompt: str) -> tuple[int, Span]:
        question, passages = parts(prompt)
        new = list(dict.fromkeys(text for _, text in passages if (question, text) not in self.kept))
        self.kept |= {(question, text): span for text, span in zip(new, self.reader.read(question, new), strict=True)}
        found = [(number, self.kept[question, text]) for number, text in passages]
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
    """Any causal language model, greedy: `answers(prompt)` is a text, `answers(prompt, show)` shows it as it comes.

    name, device, dtype: as `helpers.pretrained.load` takes them
    max_new_tokens: tokens that it writes at most
    stop:     texts or special tokens that end the answer, beside the model's own end. None: the end of the first line,
              and nothing where the tokenizer has a chat template
    template: more variables for the chat template, such as {"enable_thinking": False}
    """

    def __init__(
        self,
        name: str,
        max_new_tokens: int = 64,
        device: str = "cpu",
        dtype: str = "float32",
        stop: Sequence[str] | None = None,
        template: dict | None = None,
    ):
        loaded = pretrained.load(name, "generate", device, dtype)
        self.tokenizer, self.model, self.max_new_tokens = loaded.tokenizer, loaded.model, max_new_tokens
        self.chat, self.template = bool(self.tokenizer.chat_template), template or {}
        if stop is None:
            stop = [] if self.chat else ["\n"]
        special = self.tokenizer.get_added_vocab()
        self.ends = [special[text] for text in stop if text in special]
        self.stop = [text for text in stop if text not in special]

    def __call__(self, prompt: str, show: Callable[[str], None] | None = None) -> str:
        """Return what the model writes behind the prompt; show(piece) is called with each piece while it writes."""
        import torch

        given, shown = self._given(prompt), ""
        start = given["input_ids"].shape[1]

        def after_each_token(ids, scores):
            nonlocal shown
            text, stopped = self._text(ids[0, start:])
            if show and len(text) > len(shown) and not text.endswith("\ufffd"):  # half a character waits
                show(text[len(shown) :])
                shown = text
            return torch.tensor([stopped], device=ids.device)

        with torch.no_grad(), pretrained.quiet():
            ids = self.model.generate(**given, **self._options(), stopping_criteria=[after_each_token])
        return self._text(ids[0, start:])[0].strip()

    def _given(self, prompt: str) -> dict:
        """Return the prompt's ids and mask (1, T), in the chat template if there is one; its end if it is too long."""
        options = {"return_tensors": "pt", "return_dict": True}
        if self.chat:
            messages = [{"role": "user", "content": prompt}]
            given = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, **options, **self.template)
        else:
            given = self.tokenizer(prompt, return_tensors="pt")
        room = getattr(self.model.config, "max_position_embeddings", None) or 10**9
        names = ("input_ids", "attention_mask")
        return {name: given[name][:, -max(1, room - self.max_new_tokens) :].to(self.model.device) for name in names}

    def _options(self) -> dict:
        """Return what `generate` is asked for: greedy, and the ends of the model with those of `stop`."""
        own = self.model.generation_config.eos_token_id
        if own is None:
            own = []
        elif isinstance(own, int):
            own = [own]
        ends = [*self.ends, *own]
        pad = self.tokenizer.pad_token_id
        options = {"max_new_tokens": self.max_new_tokens, "do_sample": False, "pad_token_id": 0 if pad is None else pad}
        if ends:
            options["eos_token_id"] = ends
        return options

    def _text(self, ids) -> tuple[str, bool]:
        """Return what the new ids (n,) say up to the first stop, and whether there was one."""
        text = self.tokenizer.decode(ids, skip_special_tokens=True).lstrip()
        places = [place for place in map(text.find, self.stop) if place >= 0]
        return (text[: min(places)], True) if places else (text, False)


def load_generator(name: str = "docs-reader", **options) -> Generator:
    """Return what answers: "docs-reader" (bundled), "sentence" (the baseline), or a name or folder of transformers.

    options: those of CausalModel, such as device="cuda", dtype="bfloat16", max_new_tokens=200, stop=["Question:"].
    """
    known = {"docs-reader": CopyReader, "sentence": SentenceReader}
    return known[name]() if name in known else CausalModel(name, **options)
