"""Train the reference tokenizer on the docs and measure it: `python datasets/reference/tokenizer.py` (a minute)."""

import tokenizers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from helpers.course import artifacts
from helpers.course.artifacts import SPECIAL_TOKENS, Artifact
from helpers.data import load
from helpers.data.registry import datasets_folder

SIZE = 8192
OTHER_SIZES = (2048, 4096, 16384, 32768)  # measured for the card
WIDTH = 256  # of the embedding that the card counts

CARD = """\
# docs-tokenizer: byte-level BPE of the docs

**What.** {size:,} tokens: {special} special ones, the 256 bytes, and {merges:,} merges. Any text comes back as it was.
The special ones: {names}.

**How trained.** Byte pair encoding (Sennrich, Haddow, Birch 2016) on bytes, words cut as GPT-2 cuts them (Radford et
al. 2019), by the library tokenizers {version}: `python datasets/reference/tokenizer.py`. The same text gives the same
file.

**On what.** The train split of the set `docs`, {documents:,} documents, {bytes:,} bytes:
{versions}.

**Scores.** On the test split, {test_documents:,} documents, {test_bytes:,} bytes, words between white space:

| tokens | bytes per token | tokens per word | weights of an embedding of width {width} |
|---|---|---|---|
{rows}
"""


def train(texts: list[str], size: int = SIZE) -> Tokenizer:
    """Train a byte-level BPE with `size` tokens in all, the special ones first."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.encode_special_tokens = True  # while measuring, too, text cannot forge them
    return tokenizer


def measure(tokenizer: Tokenizer, texts: list[str]) -> tuple[float, float]:
    """Return bytes per token and tokens per word."""
    tokens = sum(len(encoding.ids) for encoding in tokenizer.encode_batch_fast(texts))
    return sum(len(text.encode()) for text in texts) / tokens, tokens / sum(len(text.split()) for text in texts)


def row(tokenizer: Tokenizer, texts: list[str]) -> str:
    """Return the size's line of the card's table."""
    size = tokenizer.get_vocab_size()
    per_token, per_word = measure(tokenizer, texts)
    cells = f"{size:,} | {per_token:.3f} | {per_word:.3f} | {size * WIDTH:,}"
    return f"| {cells.replace(' | ', '** | **').join(['**', '**']) if size == SIZE else cells} |"


def main() -> None:
    docs = load("docs")
    texts, test = ([document.text for document in docs.split(name)] for name in ("train", "test"))
    tokenizer = train(texts)
    others = {size: train(texts, size) for size in OTHER_SIZES}
    card = CARD.format(
        size=SIZE,
        special=len(SPECIAL_TOKENS),
        names=" ".join(f"`{token}`" for token in SPECIAL_TOKENS),
        merges=SIZE - 256 - len(SPECIAL_TOKENS),
        version=tokenizers.__version__,
        documents=len(texts),
        bytes=sum(len(text.encode()) for text in texts),
        versions=docs.read_from,
        test_documents=len(test),
        test_bytes=sum(len(text.encode()) for text in test),
        width=WIDTH,
        rows="\n".join(row(one, test) for _, one in sorted({**others, SIZE: tokenizer}.items())),
    )
    folder = datasets_folder() / "artifacts" / "docs-tokenizer"
    folder.parent.mkdir(exist_ok=True)
    text = tokenizer.to_str() + "\n"
    artifacts.save(Artifact("docs-tokenizer", tokenizer=text, card=card), folder)
    print(card)


if __name__ == "__main__":
    main()
