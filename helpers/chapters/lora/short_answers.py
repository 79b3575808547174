"""Short answers to questions about a passage: written greedily, and judged by the words they share with the right one.

Token F1 is that of SQuAD (Rajpurkar et al. 2016).
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from helpers.chapters.lora.adaptable_gpt import OpenGPT
from helpers.chapters.lora.instruction_data import Instruction
from helpers.experiments.token_rows import Tokens

MAX_ANSWER_TOKENS = 14  # tokens of an answer


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return re.findall(r"\w+", text.lower())


def token_f1(answer: str, reference: str) -> float:
    """Return the F1 of shared words, each counted as often as both have it."""
    given, wanted = words_of(answer), words_of(reference)
    shared = sum(min(given.count(word), wanted.count(word)) for word in set(given))
    return 2 * shared / (len(given) + len(wanted)) if shared else float(answer.strip() == reference.strip())


class Exam:
    """Questions about passages, put to models; prompts are made by a student's functions.

    few_shot(shots, passage, question) returns a prompt.
    """

    def __init__(
        self,
        tokens: Tokens,
        questions: Sequence[Instruction],
        solved: Sequence[Instruction],
        *,
        few_shot: Callable,
    ):
        """Ask `questions`, behind as many `solved` ones as one asks for."""
        self.tokens, self.questions, self.few_shot = tokens, questions, few_shot
        self.shots = [(item.passage, item.question, item.answer) for item in solved]
        self.said: dict[tuple[OpenGPT, int], list[str]] = {}

    def answer(self, model: OpenGPT, passage: str, question: str, shots: int = 0) -> str:
        """Return what a model answers behind so many shots, or as many of them as fit."""
        prompt = self.few_shot([], passage, question)
        for count in range(1, min(shots, len(self.shots)) + 1):
            longer = self.few_shot(self.shots[:count], passage, question)
            if len(self.tokens.encode(longer)) + MAX_ANSWER_TOKENS <= model.context_length:
                prompt = longer
        return written(model, self.tokens, prompt)

    def answers(self, model: OpenGPT, shots: int = 0) -> list[str]:
        """Return the answers to all questions; a model is asked once, and its answers are remembered."""
        if (model, shots) not in self.said:
            asked = [self.answer(model, item.passage, item.question, shots) for item in self.questions]
            self.said[model, shots] = asked
        return self.said[model, shots]

    def f1(self, model: OpenGPT, shots: int = 0) -> dict[str, list[float]]:
        """Ask all questions; returns the token F1 by kind of question."""
        found = {}
        for item, answer in zip(self.questions, self.answers(model, shots), strict=True):
            found.setdefault(item.kind, []).append(token_f1(answer, item.answer))
        return found

    def shown(self, model: OpenGPT, count: int) -> str:
        """Return the first questions, each with the right answer and the model's."""
        asked = zip(self.questions[:count], self.answers(model), strict=False)
        return "\n".join(f"\n{i.question}\n   right: {i.answer}\n   tuned: {said}" for i, said in asked)


def written(model: OpenGPT, tokens: Tokens, prompt: str) -> str:
    """Return what a model writes greedily behind a prompt, up to the end of the line or of the text."""
    device = model.token_embedding.weight.device
    new, caches, found = tokens.encode(prompt)[-model.context_length + MAX_ANSWER_TOKENS :], [], []
    for _ in range(MAX_ANSWER_TOKENS):
        new = [int(model.step(torch.tensor([new], device=device), caches).argmax())]
        if new[0] == tokens.end or "\n" in tokens.decode([*found, *new]).strip(" "):
            break
        found += new
    return tokens.decode(found).strip()


def best_constants(questions: Sequence[Instruction]) -> tuple[dict[str, str], dict[str, list[float]]]:
    """Return for each kind of question the one answer that does best when it is always given, and its token F1s.

    It is picked with the right answers in view: what is not above it may be a habit.
    """
    of_kind: dict[str, list[str]] = {}
    for item in questions:
        of_kind.setdefault(item.kind, []).append(item.answer)
    constants, found = {}, {}
    for kind, answers in of_kind.items():
        f1s = {}
        for said in sorted(set(answers)):
            f1s[said] = [token_f1(said, answer) for answer in answers]
        constants[kind] = max(f1s, key=lambda said: sum(f1s[said]))
        found[kind] = f1s[constants[kind]]
    return constants, found


def mean_f1(by_kind: Mapping[str, Sequence[float]]) -> float:
    """Return the mean over all questions, whatever their kind."""
    return float(np.mean([f1 for part in by_kind.values() for f1 in part]))


def f1_table(asked: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return a table with a line for each way of asking: the mean token F1 of all questions and of each kind."""
    kinds = sorted(next(iter(asked.values())))
    lines = [" ".join([f"{'':<20}{'all':>8}", *(f"{kind:>10}" for kind in kinds)])]
    for name, found in asked.items():
        means = (f"{np.mean(found[kind]):>10.3f}" for kind in kinds)
        lines.append(" ".join([f"{name:<20}{mean_f1(found):>8.3f}", *means]))
    return "\n".join(lines)


def measures_table(
    exam: Exam, models: Mapping[str, OpenGPT], loss: Callable, rouge_n: Callable, rouge_l: Callable
) -> str:
    """Return a table of perplexity, BLEU and ROUGE of what models answer in an exam.

    loss: model -> the mean loss of the right answers; rouge_n(words, words, n) and rouge_l(words, words): F1s
    """
    import sacrebleu

    by_model, references = {}, [item.answer for item in exam.questions]
    for name, model in models.items():
        answers = exam.answers(model)
        pairs = [(words_of(answer), words_of(reference)) for answer, reference in zip(answers, references, strict=True)]
        rouge = {}
        for n in (1, 2):
            rouge[f"ROUGE-{n}"] = np.mean([rouge_n(*pair, n) for pair in pairs])
        rouge["ROUGE-L"] = np.mean([rouge_l(*pair) for pair in pairs])
        bleu = sacrebleu.corpus_bleu(answers, [references]).score
        by_model[name] = {"perplexity of the answer": math.exp(loss(model)), "BLEU": bleu, **rouge}
    lines = []
    for measure in next(iter(by_model.values())):
        cells = " ".join(f"{name}: {scores[measure]:>8.2f}    " for name, scores in by_model.items())
        lines.append(f"{measure:<26} {cells}")
    return "\n".join(lines)
