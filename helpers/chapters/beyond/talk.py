"""A small model that looks at a digit, reads a question and writes an answer, in PaliGemma's layout."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.beyond.digit_views import pixels
from helpers.chapters.beyond.vision import Weights, blocks_of
from helpers.data import Images
from helpers.data.images import DIGITS
from helpers.device import SEED, seed_everything
from helpers.training import fit

PAD, IMAGE, BOS, SEP, EOS = SPECIAL = ("<pad>", "<image>", "<bos>", "<sep>", "<eos>")
PATCH, BATCH, LR, WIDTH, LAYERS, HEADS = 4, 64, 3e-3, 64, 2, 4
QUESTIONS: dict[str, Callable[[int], list[str]]] = {
    "which digit ?": lambda k: [DIGITS[k]],
    "is it even ?": lambda k: ["no" if k % 2 else "yes"],
    "is it above four ?": lambda k: ["yes" if k > 4 else "no"],
    "spell it": lambda k: list(DIGITS[k]),
    "count down": lambda k: list(DIGITS[k::-1]),
}
ALL = "all five questions"
WITHHELD = {"is it even ?": (2, 7)}  # digits of which a question is never asked in training
GREYS = {" ": 0.0, ".": 0.25, "+": 0.5, "*": 0.75, "#": 1.0} | {str(d): d / 9 for d in range(10)}


def _words_of(question: str) -> set[str]:
    """Return the words of a question and of its answers about the ten digits."""
    words = set(question.split())
    for digit in range(10):
        words.update(QUESTIONS[question](digit))
    return words


WORDS = set().union(*map(_words_of, QUESTIONS))
VOCABULARY = [*SPECIAL, *sorted(WORDS)]
NUMBER = {word: i for i, word in enumerate(VOCABULARY)}
PLACES = (8 // PATCH) ** 2


def prompt(question: str) -> list[str]:
    """Return the tokens before an answer: those of the picture, the question between its marks."""
    return [IMAGE] * PLACES + [BOS, *question.split(), SEP]


def drawn(pictures: Sequence[Sequence[str]]) -> torch.Tensor:
    """Return pictures of characters, eight lines of eight, as floats (n, 8, 8) from 0 to 1."""
    return torch.tensor([_greys(lines) for lines in pictures])


def _greys(lines: Sequence[str]) -> list[list[float]]:
    rows = []
    for line in lines:
        rows.append([GREYS[letter] for letter in line])
    return rows


class Model(nn.Module):
    """The weights of an image encoder, a linear map and a language model; what they compute is the reader's function.

    logits_of: a function (images (B, channels, H, W), token_ids (B, T), prefix (B,), lengths (B,), weights by name,
    image_id, num_layers, num_heads) -> logits (B, T, V).
    """

    def __init__(self, logits_of: Callable, length: int):
        super().__init__()
        self.logits_of = logits_of
        self.eye = Weights(patch=PATCH, d_model=WIDTH, num_layers=LAYERS, num_heads=HEADS)
        self.map = nn.Linear(WIDTH, WIDTH)  # from the vectors of patches to those of words
        self.tokens, self.positions = nn.Embedding(len(VOCABULARY), WIDTH), nn.Embedding(length, WIDTH)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.02)
        self.blocks, self.norm = blocks_of(WIDTH, LAYERS, HEADS), nn.LayerNorm(WIDTH)

    def forward(self, shown, token_ids, prefix, lengths) -> torch.Tensor:
        """Return logits (B, T, V) for images (B, 8, 8) and token_ids (B, T); prefix and lengths (B,)."""
        p, sizes = dict(self.named_parameters()), (NUMBER[IMAGE], LAYERS, HEADS)
        with torch.autocast(shown.device.type, enabled=False):  # vectors of patches and of words have one dtype
            return torch.as_tensor(self.logits_of(shown[:, None], token_ids, prefix, lengths, p, *sizes))


def _row(digit: int, question: str) -> tuple[list[int], int]:
    """Return the ids of a whole row, and how long its prefix is."""
    before, answer = prompt(question), [*QUESTIONS[question](digit), EOS]
    return [NUMBER[word] for word in before + answer], len(before)


TEXTS = {(digit, question): _row(digit, question) for digit in range(10) for question in QUESTIONS}
LENGTH = max(len(ids) for ids, _ in TEXTS.values())


def rows_of(pairs: Sequence[tuple[int, str]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return token ids (B, T) filled up with padding, prefixes and lengths (B,) of digits with questions."""
    rows = [TEXTS[pair] for pair in pairs]
    lengths = torch.tensor([len(ids) for ids, _ in rows])
    ids = nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids, _ in rows], True, NUMBER[PAD])
    return ids, torch.tensor([prefix for _, prefix in rows]), lengths


def mask_of(prefix_mask: Callable, digit: int, question: str) -> tuple[torch.Tensor, list[str], int]:
    """Return the mask (T, T) of a row, its words, and the length of its prefix."""
    ids, prefix, lengths = rows_of([(digit, question)])
    return prefix_mask(prefix, lengths, ids.shape[1])[0], [VOCABULARY[i] for i in ids[0]], int(prefix)


class Talker:
    """The reader's three functions, and what is made of them: a trained model and its answers."""

    def __init__(self, vlm_logits: Callable, greedy_answers: Callable, answer_labels: Callable):
        self.logits_of, self.answers, self.labels = vlm_logits, greedy_answers, answer_labels

    def train(self, images: Images, steps: int, seed: int) -> Model:
        """Return a model that has learned from questions about digits, but for those that are withheld."""
        seed_everything(seed)
        model = Model(self.logits_of, LENGTH)
        shown, labels = pixels(images.train), torch.from_numpy(images.train_labels)
        allowed = [_asked_in_training(digit) for digit in range(10)]

        def batch(_step):
            rows = torch.randint(len(labels), (BATCH,))
            chances = torch.rand(BATCH).tolist()
            pairs = []
            for digit, chance in zip(labels[rows].tolist(), chances, strict=True):
                questions = allowed[digit]
                pairs.append((digit, questions[int(chance * len(questions))]))
            return shown[rows], *rows_of(pairs)

        fit(model, batch, self.loss, steps=steps, lr=LR, progress=False)
        return model

    def loss(self, model: Model, batch) -> torch.Tensor:
        """Return the mean cross-entropy of the answers' tokens."""
        shown, ids, prefix, lengths = batch
        labels = torch.as_tensor(self.labels(ids.cpu(), prefix.cpu(), lengths.cpu())).to(ids.device)
        logits = model(shown, ids, prefix, lengths)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)

    @torch.no_grad()
    def ask(self, model: Model, shown: torch.Tensor, question: str) -> list[str]:
        """Return the answer to a question about each of the images (B, 8, 8)."""
        device, B = model.norm.weight.device, len(shown)
        start, shown = torch.tensor([NUMBER[word] for word in prompt(question)], device=device), shown.to(device)
        prefix = torch.full((B,), len(start), device=device)

        def logits_of(ids):
            return model(shown, ids, prefix, torch.full_like(prefix, ids.shape[1]))

        found = self.answers(logits_of, start.repeat(B, 1), NUMBER[EOS], LENGTH - len(start))
        return [_said(row) for row in found]


def _said(token_ids: Sequence[int]) -> str:
    return " ".join(VOCABULARY[int(i)] for i in token_ids)


def _asked_in_training(digit: int) -> list[str]:
    return [question for question in QUESTIONS if digit not in WITHHELD.get(question, ())]


def report(talker: Talker, model: Model, images: Images) -> dict[str, tuple[float, float]]:
    """Return for each question the share of right answers, and that with another picture; withheld digits apart.

    ALL is the mean of the questions, without the withheld digits.
    """
    shown, digits = pixels(images.test), images.test_labels.tolist()
    other = torch.randperm(len(shown), generator=torch.Generator().manual_seed(SEED))
    shares = {}
    for question, answer in QUESTIONS.items():
        right = [" ".join(answer(digit)) for digit in digits]
        own_hits = _hits(talker.ask(model, shown, question), right)
        other_hits = _hits(talker.ask(model, shown[other], question), right)
        for name, rows in _split(question, digits, WITHHELD.get(question, ())).items():
            shares[name] = _share(own_hits, rows), _share(other_hits, rows)
    own, others = zip(*(shares[question] for question in QUESTIONS), strict=True)
    return shares | {ALL: (fmean(own), fmean(others))}


def _hits(answers: Sequence[str], right: Sequence[str]) -> list[bool]:
    return [answer == expected for answer, expected in zip(answers, right, strict=True)]


def _share(hits: Sequence[bool], rows: Sequence[int]) -> float:
    """Return the share of hits among some of the rows."""
    return sum(hits[i] for i in rows) / len(rows)


def _split(question: str, digits: list[int], held: Sequence[int]) -> dict[str, list[int]]:
    """Return the rows of a question, those of the withheld digits under a name of their own."""
    parts = {question: [i for i, k in enumerate(digits) if k not in held]}
    if held:
        names = " and ".join(DIGITS[k] for k in held)
        parts[f"{question} ({names})"] = [i for i, k in enumerate(digits) if k in held]
    return parts


def table(found: Mapping[str, tuple[float, float]]) -> str:
    """Return a report as text, a line each."""
    rows = [f"{name:<34}{own:>8.3f}{other:>18.3f}" for name, (own, other) in sorted(found.items(), key=_withheld_last)]
    return "\n".join([f"{'right answers':<34}{'picture':>8}{'another picture':>18}", *rows])


def _withheld_last(item) -> bool:
    return "(" in item[0]
