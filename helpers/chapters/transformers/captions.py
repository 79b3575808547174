"""Captions of photographs, translated from English to German: Multi30k (Elliott et al. 2016), where it is at hand."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from helpers.chapters.transformers.plays import trained
from helpers.chapters.transformers.translator import LONGEST, PAD, Translator
from helpers.data import load
from helpers.data.translations import Translations
from helpers.device import seed_everything
from helpers.errors import DataError
from helpers.training import fit

PIECES = 6000  # of one vocabulary, which both languages share
BEGIN, END = 1, 2  # ids; those of the pieces come behind them
D_MODEL, LAYERS, HEADS = 192, 2, 4
ROWS, LR = 64, 1e-3
SHOWN, WIDTH, ALPHA = 6, 4, 0.7  # sentences that are printed; of beam search


class Captions:
    """Pairs to learn from as rows of ids, 0 is padding; and pairs that are unseen."""

    def __init__(self, data: Translations):
        self.unseen = data.test
        self.tokenizer = trained((line for pair in data.train for line in pair), PIECES)
        self.vocab_size = self.tokenizer.get_vocab_size() + END + 1
        self.sources = [self.ids(source) for source, _ in data.train]
        self.targets = [[BEGIN, *self.ids(target), END][:LONGEST] for _, target in data.train]

    def ids(self, text: str) -> list[int]:
        """Return the ids of a sentence."""
        return [i + END + 1 for i in self.tokenizer.encode(text, add_special_tokens=False).ids][:LONGEST]

    def text(self, ids: Sequence[int]) -> str:
        """Return the sentence of ids."""
        return self.tokenizer.decode([int(i) - END - 1 for i in ids if i > END])

    def batch(self, _step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return random pairs (source (64, S), target (64, T)), no wider than the longest of them."""
        rows = torch.randint(len(self.sources), (ROWS,)).tolist()
        sources = [self.sources[i] for i in rows]
        targets = [self.targets[i] for i in rows]
        return padded(sources), padded(targets)

    @torch.no_grad()
    def translate(self, model: Translator, text: str, beam_search: Callable) -> str:
        """Return the translation of a sentence that the student's beam search finds."""
        device = model.tokens.weight.device
        source = torch.tensor([self.ids(text)], device=device)

        def log_probs(ids: list[int]) -> torch.Tensor:
            return model(source, torch.tensor([[BEGIN, *ids]], device=device))[0, -1].cpu().log_softmax(-1)

        return self.text(beam_search(log_probs, WIDTH, LONGEST - 1, END, ALPHA))


def padded(rows: list[list[int]]) -> torch.Tensor:
    """Return rows of ids side by side, (B, longest), with 0 behind the shorter ones."""
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD)


def loss(model: Translator, pair: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of the next piece of the target, in nats."""
    source, target = (part.to(model.tokens.weight.device) for part in pair)
    logits = model(source, target[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)


def told(steps: int, encoder_block: Callable, decoder_layer: Callable, beam_search: Callable, seed: int) -> str:
    """Train a translator for so many steps and return six unseen sentences with their translations; or why not."""
    if not steps:
        return "nothing was trained, STEPS is 0."
    try:
        captions = Captions(load("multi30k"))
    except DataError as error:
        return str(error)
    seed_everything(seed)
    model = Translator(captions.vocab_size, D_MODEL, LAYERS, HEADS, encoder_block, decoder_layer)
    lines = [str(fit(model, captions.batch, loss, steps=steps, lr=LR))]
    for source, target in captions.unseen[:SHOWN]:
        found = captions.translate(model.eval(), source, beam_search)
        lines += [f"{source}\n  yours:  {found}\n  theirs: {target}"]
    return "\n".join(lines)
