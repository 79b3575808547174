"""A small model that looks at a digit, reads a question and writes an answer, in PaliGemma's layout."""

from collections.abc import Callable, Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.beyond.digit_views import pixels
from helpers.chapters.beyond.vision import VisionTransformer, blocks_of, pre_norm_block
from helpers.data import Images
from helpers.data.images import DIGITS
from helpers.device import SEED, seed_everything
from helpers.models.functional import part
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
    """An eye, a linear map, and a language model; what is put where, and who sees whom, are the reader's functions."""

    def __init__(self, vit: Callable, put_images: Callable, prefix_mask: Callable, length: int):
        super().__init__()
        self.put_images, self.prefix_mask = put_images, prefix_mask
        self.eye = VisionTransformer(vit, patch=PATCH, d_model=WIDTH, outputs=1)
        self.eye.head = nn.Linear(WIDTH, WIDTH)  # in place of a head for classes: from the eye's space to the words'
        self.tokens, self.places = nn.Embedding(len(VOCABULARY), WIDTH), nn.Embedding(length, WIDTH)
        for table in (self.tokens, self.places):
            nn.init.normal_(table.weight, std=0.02)
        self.blocks, self.norm = blocks_of(WIDTH, LAYERS, HEADS), nn.LayerNorm(WIDTH)

    def forward(self, shown, token_ids, prefix, lengths) -> torch.Tensor:
        """Return logits (B, T, V) for images (B, 8, 8) and token_ids (B, T); prefix and lengths (B,)."""
        T, p = token_ids.shape[1], dict(self.blocks.named_parameters())
        seen = self.eye.head(self.eye.tokens(shown)[:, 1:])  # the patches: [CLS] is not needed
        words = self.tokens(token_ids)
        x = self.put_images(words, token_ids, seen.to(words.dtype), NUMBER[IMAGE]) + self.places.weight[:T]
        mask = torch.as_tensor(self.prefix_mask(prefix.cpu(), lengths.cpu(), T), dtype=torch.bool)
        mask = mask.to(x.device)[:, None]  # made on the CPU: a right answer need not know of devices
        for i in range(LAYERS):
            x = pre_norm_block(x, part(p, f"{i}."), HEADS, mask)
        return F.linear(self.norm(x), self.tokens.weight)


class Talker:
    """The reader's four functions, and what is made of them: rows of tokens, a trained model, answers."""

    def __init__(self, vit: Callable, put_images: Callable, prefix_mask: Callable, answer_labels: Callable):
        self.vit, self.put_images, self.prefix_mask, self.labels = vit, put_images, prefix_mask, answer_labels
        self.rows = {(k, q): self._row(k, q) for k in range(10) for q in QUESTIONS}
        self.length = max(len(ids) for ids, _ in self.rows.values())

    def _row(self, digit: int, question: str) -> tuple[list[int], int]:
        """Return the ids of a whole row, and how long its prefix is."""
        before, answer = prompt(question), [*QUESTIONS[question](digit), EOS]
        return [NUMBER[word] for word in before + answer], len(before)

    def batch(self, pairs: Sequence[tuple[int, str]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return token ids (B, T) filled up with padding, prefixes and lengths (B,) of digits with questions."""
        rows = [self.rows[pair] for pair in pairs]
        lengths = torch.tensor([len(ids) for ids, _ in rows])
        ids = nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids, _ in rows], True, NUMBER[PAD])
        return ids, torch.tensor([prefix for _, prefix in rows]), lengths

    def mask_of(self, digit: int, question: str) -> tuple[torch.Tensor, list[str], int]:
        """Return the mask (T, T) of a row, its words, and the length of its prefix."""
        ids, prefix, lengths = self.batch([(digit, question)])
        return self.prefix_mask(prefix, lengths, ids.shape[1])[0], [VOCABULARY[i] for i in ids[0]], int(prefix)

    def train(self, images: Images, steps: int, seed: int) -> Model:
        """Return a model that has learned from questions about digits, but for those that are withheld."""
        seed_everything(seed)
        model = Model(self.vit, self.put_images, self.prefix_mask, self.length)
        shown, labels = pixels(images.train), torch.from_numpy(images.train_labels)
        allowed = [_asked_in_training(digit) for digit in range(10)]

        def batch(_step):
            rows = torch.randint(len(labels), (BATCH,))
            chances = torch.rand(BATCH).tolist()
            pairs = []
            for digit, chance in zip(labels[rows].tolist(), chances, strict=True):
                questions = allowed[digit]
                pairs.append((digit, questions[int(chance * len(questions))]))
            return shown[rows], *self.batch(pairs)

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
        """Return the answer to a question about each of the images (B, 8, 8), written greedily."""
        device, B = model.norm.weight.device, len(shown)
        ids = torch.tensor([NUMBER[word] for word in prompt(question)], device=device).repeat(B, 1)
        start, shown = ids.shape[1], shown.to(device)
        prefix, done = torch.full((B,), start, device=device), torch.zeros(B, dtype=torch.bool, device=device)
        while ids.shape[1] < self.length and not done.all():
            logits = model(shown, ids, prefix, torch.full_like(prefix, ids.shape[1]))
            ids = torch.cat([ids, logits[:, -1:].argmax(dim=-1)], dim=1)
            done |= ids[:, -1] == NUMBER[EOS]
        answers = []
        for row in ids.tolist():
            words = [VOCABULARY[i] for i in row[start:]]
            answers.append(" ".join(_until_end(words)))
        return answers


def _asked_in_training(digit: int) -> list[str]:
    return [question for question in QUESTIONS if digit not in WITHHELD.get(question, ())]


def _until_end(words: list[str]) -> list[str]:
    return words[: words.index(EOS)] if EOS in words else words


def report(talker: Talker, model: Model, images: Images) -> dict[str, tuple[float, float]]:
    """Return for each question the share of right answers, and that with another picture; withheld digits apart."""
    shown, digits = pixels(images.test), images.test_labels.tolist()
    other = torch.randperm(len(shown), generator=torch.Generator().manual_seed(SEED))
    shares = {}
    for question, answer in QUESTIONS.items():
        right = [" ".join(answer(digit)) for digit in digits]
        own_hits = _hits(talker.ask(model, shown, question), right)
        other_hits = _hits(talker.ask(model, shown[other], question), right)
        for name, rows in _split(question, digits, WITHHELD.get(question, ())).items():
            shares[name] = _share(own_hits, rows), _share(other_hits, rows)
    return shares


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
