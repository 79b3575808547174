"""What a chapter claims (this beats that), said where it is measured and kept where somebody asks for it."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

FILE = "BOW2LORA_CLAIMS"  # the file that `make course` reads; without it nothing is kept


def claim(what: str, better: float | Sequence[float], worse: float | Sequence[float]) -> None:
    """Print for how many seeds `better` is above `worse`, and keep the figures if BOW2LORA_CLAIMS names a file.

    Where that is so for none, as the small budget may have it, the line says so.

    better, worse: one figure, or one for each seed, in one order. The larger is the better: give minus a loss.
    """
    ahead, behind = (np.ravel(x).astype(float).tolist() for x in (better, worse))
    pairs = list(zip(ahead, behind, strict=True))
    won = sum(a > b for a, b in pairs)
    said = f"{ahead[0]:.3f} against {behind[0]:.3f}" if len(pairs) == 1 else f"{won} of {len(pairs)} seeds"
    print(f"{what}: {said}{'' if won else ' (not so in this run)'}")
    if os.environ.get(FILE):
        path = Path(os.environ[FILE])
        kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        path.write_text(json.dumps(kept | {what: {"better": ahead, "worse": behind}}), encoding="utf-8")
