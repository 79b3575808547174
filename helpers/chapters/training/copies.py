"""Near copies among the docs, and what a small model learns from a text with copies in it."""

import zlib
from collections.abc import Callable

import torch

from helpers.chapters.training.documents import Shelf
from helpers.chapters.training.packed_gpt import PackedGPT, batch_loss, mean_loss, on, share_of_rate
from helpers.device import best_device, seed_everything

LENGTH, ROWS, WIDTH, LAYERS, HEADS = 128, 4, 64, 2, 4
HELD_OUT = 120  # documents
RATE = 3e-3  # at its peak
DRAWN, COPIED, TIMES = 250, 40, 12  # documents, how many of them are copied, and how often
WORDS, LEFT_OUT = 150, 60  # of a document, and every how many words of a copy one is left out


def hash_of(seed: int, item: tuple[str, ...]) -> int:
    """Return a number from 0 to 2^32 - 1 that looks drawn by chance, the same for the same seed and words."""
    return zlib.crc32(f"{seed} {' '.join(item)}".encode())


def mixtures(shelf: Shelf, signature_of: Callable, keep_first: Callable) -> tuple[str, dict[str, list[list[int]]]]:
    """Return (what was found, in a sentence; the documents of three texts by name, as ids).

    signature_of: words -> a signature. keep_first: signatures -> the indices of the documents that stay.
    Each copy has one word in LEFT_OUT left out, and no two the same: no copy is exact.
    """
    words = [one[:WORDS] for one in shelf.words[:DRAWN]]
    clean = keep_first([signature_of(one) for one in words])
    with_copies = list(words)
    for i in range(COPIED):
        for turn in range(TIMES):
            with_copies.append([word for place, word in enumerate(words[i]) if place % LEFT_OUT != turn])
    kept = keep_first([signature_of(one) for one in with_copies])
    left = sum(i >= len(words) for i in kept)
    found = (
        f"{len(words) - len(clean)} of {len(words)} documents are near copies of earlier ones; "
        f"of {len(with_copies) - len(words)} copies made here {left} got past the filter"
    )
    texts = {
        "as it is": words,
        f"{COPIED} documents {TIMES} times more": with_copies,
        "the same, filtered": [with_copies[i] for i in kept],
    }
    ids = {}
    for name, some in texts.items():
        ids[name] = shelf.ids([" ".join(one) for one in some])
    return found, ids


def trained_on(
    texts: dict[str, list[list[int]]], shelf: Shelf, pack: Callable, packed_targets: Callable, steps: int, seed: int
) -> dict[str, float]:
    """Return the held-out loss of one model for each text, all with the same number of steps."""
    unread = pack(shelf.held_out[:HELD_OUT], LENGTH, shelf.end)
    held_out = unread[0], packed_targets(*unread)
    losses = {}
    for name, documents in texts.items():
        tokens, owners = pack(documents, LENGTH, shelf.end)
        losses[name] = _run((tokens, packed_targets(tokens, owners)), held_out, shelf.size, steps, seed)
    return losses


def _run(rows: tuple, held_out: tuple, vocabulary: int, steps: int, seed: int) -> float:
    seed_everything(seed)
    device = best_device()
    rows, held_out = (on(device, pair) for pair in (rows, held_out))
    model = PackedGPT(vocabulary, LENGTH, WIDTH, LAYERS, HEADS).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.1)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * share_of_rate(step / steps)
        drawn = torch.randint(len(rows[0]), (ROWS,), generator=generator).to(device)
        piece = rows[0][drawn], rows[1][drawn]
        optimizer.zero_grad()
        batch_loss(model, piece).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return mean_loss(model, held_out)
