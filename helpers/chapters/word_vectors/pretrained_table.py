"""A pretrained table of word vectors: the first layer of the bundled MiniLM, of the pieces that are whole words."""

import json

from helpers.chapters.word_vectors.corpus import WORD
from helpers.data.registry import datasets_folder
from helpers.models.word_vectors import WordVectors
from helpers.pretrained import BUNDLED

TABLE = "embeddings.word_embeddings.weight"


def load() -> WordVectors:
    """Return the rows of MiniLM's first table whose piece is a whole word, 384 numbers each, in the table's order.

    Only this table is read: what the layers above make of it is chapter 05's matter.
    """
    from safetensors import safe_open

    folder = datasets_folder() / "artifacts" / BUNDLED
    with safe_open(folder / "model.safetensors", "pt") as file:
        table = file.get_tensor(TABLE).float().numpy()
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    words = {row: piece for piece, row in pieces.items() if WORD.fullmatch(piece)}
    rows = sorted(words)
    return WordVectors([words[row] for row in rows], table[rows])
