"""A pretrained encoder adapted to few labels: LoRA in its upper layers, while the lower ones read each text once."""

import copy
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.lora import adapters
from helpers.device import seed_everything
from helpers.models.top_layers import padded
from helpers.pretrained import Pretrained
from helpers.search.task import Task
from helpers.training import fit

LINEAR = ("query", "key", "value", "dense")  # the linear layers of a BERT, as transformers names them
LOWER = 3  # layers that stay as they are
LENGTH = 48  # tokens that are read of a text
BATCH = 64
PASSES = 8  # over the texts, at most
LR = 5e-3
SCALE = 10.0  # what cosines are multiplied by, so that a softmax of them can be sure
State = tuple[torch.Tensor, torch.Tensor]  # what the lower layers make of a text (T, C), its vector as it comes (C,)


class Upper(nn.Module):
    """The upper layers of an encoder, and the mean of what they make of a text's tokens."""

    def __init__(self, layers: nn.ModuleList):
        super().__init__()
        self.layers = layers

    def forward(self, states: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
        """Return vectors (B, C) of length 1 for the tokens' states (B, T, C); present (B, T): False at padding."""
        for layer in self.layers:
            states = layer(states, present[:, None, None])
        mask = present[..., None].to(states.dtype)
        return F.normalize((states * mask).sum(1) / mask.sum(1), dim=-1)


class Classifier(nn.Module):
    """A body and a vector for each class, which begins at the mean of its texts: logits are cosines times SCALE."""

    def __init__(self, body: nn.Module, means: torch.Tensor):
        super().__init__()
        self.body, self.head = body, nn.Parameter(means)

    def forward(self, states: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
        """Return logits (B, classes)."""
        return SCALE * self.body(states, present) @ F.normalize(self.head, dim=-1).T


def frozen(body: nn.Module) -> nn.Module:
    """Return the module with nothing in it to train: in the place of `put_lora`, it leaves the head alone to learn."""
    return body.requires_grad_(False)


class Adapted:
    """A model for the course's benchmarks (`helpers.course.benchmarks`): an encoder with LoRA, trained on few labels.

    put_lora:   takes a module and returns it with LoRA beside its LINEAR layers, everything else frozen
    steps:      of the training, 64 texts each; fewer where they would be more than PASSES over the texts
    max_texts:  texts that are learned from, at most
    model, parameters: what was trained last, and how many numbers of it were
    """

    def __init__(
        self, encoder: Pretrained, put_lora: Callable[[nn.Module], nn.Module], steps: int, max_texts: int = 10_000
    ):
        self.encoder, self.put_lora = encoder, put_lora
        self.steps, self.max_texts, self.parameters = steps, max_texts, 0
        self.upper = Upper(encoder.model.encoder.layer[LOWER:]).eval()
        self.read: dict[str, State] = {}
        self.model: Classifier | None = None

    def __call__(self, texts: list[str], labels: np.ndarray, questions: list[str], seed: int) -> np.ndarray:
        """Return the labels of the questions (M,)."""
        return self.classify(self.train(texts, labels, seed), questions)

    def train(self, texts: list[str], labels: np.ndarray, seed: int) -> Classifier:
        """Learn from the labels (N,) of `max_texts` texts, drawn by the seed; labels are 0, 1, ..., all there."""
        seed_everything(seed)
        drawn = np.random.default_rng(seed).permutation(len(texts))[: self.max_texts]
        texts, labels = [texts[i] for i in drawn], torch.tensor(labels[drawn])
        vectors = torch.from_numpy(self.encode(texts))
        means = torch.stack([vectors[labels == c].mean(0) for c in range(int(labels.max()) + 1)])
        self.model = Classifier(self.put_lora(copy.deepcopy(self.upper)), means)
        states = [state for state, _ in self.states(texts)]
        rows = by_length(torch.tensor([len(state) for state in states]), self.steps)
        batches = lambda step: (*padded([states[i] for i in rows[step]]), labels[rows[step]])  # noqa: E731
        fit(self.model, batches, loss, steps=len(rows), lr=LR, weight_decay=0.0, progress=False)
        self.parameters = sum(p.numel() for p in self.model.parameters() if p.requires_grad)
        return self.model

    def encode(self, texts: list[str], body: nn.Module | None = None) -> np.ndarray:
        """Return vectors (n, C) of length 1, by the encoder as it comes or by a body of its upper layers."""
        if body is None:
            return torch.stack([vector for _, vector in self.states(texts)]).numpy()
        return self._through(body, texts).numpy()

    def classify(self, model: Classifier, texts: list[str]) -> np.ndarray:
        """Return the likeliest class of each text (n,)."""
        return self._through(model, texts).argmax(1).numpy()

    @torch.no_grad()
    def states(self, texts: Sequence[str]) -> list[State]:
        """Return what the lower layers make of each text, and its vector; a text is read once and then remembered."""
        new = sorted({*texts} - self.read.keys(), key=lambda text: (len(text), text))
        for start in range(0, len(new), BATCH):
            part = new[start : start + BATCH]
            lower, present = self._lower(part)
            vectors = self.upper(lower, present)
            for text, state, there, vector in zip(part, lower, present, vectors, strict=True):
                self.read[text] = state[there].clone(), vector
        return [self.read[text] for text in texts]

    def _lower(self, texts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (states (B, T, C), which of them are no padding (B, T)) after the lower layers."""
        options = {"padding": True, "truncation": True, "max_length": LENGTH, "return_tensors": "pt"}
        batch, model = self.encoder.tokenizer(texts, **options), self.encoder.model
        present, states = batch["attention_mask"].bool(), model.embeddings(input_ids=batch["input_ids"])
        for layer in model.encoder.layer[:LOWER]:
            states = layer(states, present[:, None, None])
        return states, present

    @torch.no_grad()
    def _through(self, module: nn.Module, texts: list[str]) -> torch.Tensor:
        """Return what a module makes of the texts, a row for each, texts of like length side by side."""
        states = [state for state, _ in self.states(texts)]
        order = torch.tensor([len(state) for state in states]).argsort(stable=True)
        device = next(module.parameters()).device
        module.eval()
        outputs = []
        for rows in order.split(BATCH):
            batch = padded([states[i] for i in rows])
            outputs.append(module(*(part.to(device) for part in batch)))
        return torch.cat(outputs).cpu()[order.argsort()]


def by_length(lengths: torch.Tensor, steps: int, batch: int = BATCH) -> list[torch.Tensor]:
    """Return the rows of each step, at most `batch`: all in turn, in an order by chance, like lengths side by side.

    There are `steps` of them, or fewer after PASSES over all.
    """
    found = []
    for _ in range(PASSES):
        some = [rows[lengths[rows].argsort(stable=True)] for rows in torch.randperm(len(lengths)).split(8 * batch)]
        batches = [part for rows in some for part in rows.split(batch)]
        found += [batches[i] for i in torch.randperm(len(batches))]
    return found[:steps]


def loss(model: Classifier, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of states (B, T, C), present (B, T) and labels (B,)."""
    states, present, labels = (part.to(model.head.device) for part in batch)
    return F.cross_entropy(model(states, present), labels)


def forgetting(adapted: Adapted, task: Task, kind: type, merge: Callable, unmerge: Callable) -> str:
    """Return lines: how an encoder searches as it comes, with the adapter trained last, and when that is off again.

    kind: the class of the LoRA layers; merge, unmerge: put the update of one into its weight, and take it out
    """
    body = adapted.model.body
    layers = {name: layer for name, layer in body.named_modules() if isinstance(layer, kind)}
    off = adapters.exchange(copy.deepcopy(body), layers, lambda layer: layer.base)
    before, again, beside = (adapted.encode(task.queries, part) for part in (adapted.upper, off, body))
    lines = {"as it comes": _recall(adapted, task), "with the adapter": _recall(adapted, task, body)}
    for layer in layers.values():
        merge(layer)
    merged = adapted.encode(task.queries, body)
    for layer in layers.values():
        unmerge(layer)
    apart = [np.abs(a - b).max() for a, b in ((merged, beside), (adapted.encode(task.queries, body), beside))]
    said = [f"recall@10, {name}: {recall:.3f}" for name, recall in lines.items()]
    said.append(f"adapter taken off: every number of every vector as before is {np.array_equal(before, again)}")
    return "\n".join([*said, f"merged: vectors differ by {apart[0]:.0e} at most; unmerged: by {apart[1]:.0e}"])


def _recall(adapted: Adapted, task: Task, body: nn.Module | None = None) -> float:
    queries, passages = (adapted.encode(texts, body) for texts in (task.queries, task.passages))
    return task.measure(queries @ passages.T)[0]
