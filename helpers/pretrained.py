"""Pretrained models by name: the one that the course bundles, or any that transformers can read.

`load("minilm").encode(texts)` needs no network. Another name is looked for in this order: a folder, the Hugging Face
cache, the hub (never while grading). Weights are read from safetensors only; nothing is unpickled and no code is run.
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers.data.registry import datasets_folder
from helpers.device import grading
from helpers.errors import CourseError
from helpers.installed import broken_companion

BUNDLED = "minilm"
NAMES = (BUNDLED, "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")  # and its published names
TASKS = {"encode": "an encoder", "generate": "a causal model"}
DTYPES = ("float32", "bfloat16", "float16", "auto")
WANTED = ("*.json", "*.txt", "*.model", "*.jinja", "*.safetensors")  # what is downloaded
TWICE = ("onnx/*", "openvino/*", "original/*", "consolidated*")  # the same weights once more
SECONDS = 5  # until the hub counts as not there
MAX_TOKENS = 512  # tokens that an encoder reads of a text, where its authors did not set fewer


@dataclass
class Pretrained:
    """A model and its tokenizer, both of transformers; `source` is the line that `load` printed.

    length:  tokens that `encode` reads of a text
    pooling: "mean" of the tokens' vectors, or the first one, "cls"
    """

    tokenizer: "transformers.PreTrainedTokenizerBase"  # noqa: F821
    model: "transformers.PreTrainedModel"  # noqa: F821
    source: str
    length: int
    pooling: str = "mean"

    def encode(self, texts: Sequence[str], batch_size: int = 32, normalise: bool = True) -> np.ndarray:
        """Return one vector per text, (n, C) float32 of length 1 (as it comes with normalise=False).

        Texts of like length share a batch. With mean pooling this is Sentence-BERT (Reimers and Gurevych 2019).
        """
        import torch

        texts = [texts] if isinstance(texts, str) else list(texts)
        order = np.argsort([len(text) for text in texts], kind="stable")
        embeddings = np.zeros((len(texts), self.model.config.hidden_size), dtype=np.float32)
        with torch.no_grad(), _evaluating(self.model):
            for start in range(0, len(texts), batch_size):
                rows = order[start : start + batch_size]
                vectors = self.pooled([texts[i] for i in rows])
                vectors = torch.nn.functional.normalize(vectors, dim=-1) if normalise else vectors
                embeddings[rows] = vectors.float().cpu().numpy()
        return embeddings

    def pooled(self, texts: Sequence[str]) -> "torch.Tensor":  # noqa: F821
        """Return one vector per text (B, C) in one pass through which gradients flow: what fine-tuning needs."""
        options = {"padding": True, "truncation": True, "max_length": self.length, "return_tensors": "pt"}
        batch = self.tokenizer(list(texts), **options).to(self.model.device)
        hidden = self.model(**batch).last_hidden_state  # (B, T, C)
        if self.pooling == "cls":
            return hidden[:, 0]
        mask = batch["attention_mask"][..., None].to(hidden.dtype)  # (B, T, 1)
        return (hidden * mask).sum(1) / mask.sum(1).clamp(min=1)

    def similarity(self, queries: Sequence[str], passages: Sequence[str]) -> np.ndarray:
        """Return the cosine of each query with each passage, (queries, passages)."""
        return self.encode(queries) @ self.encode(passages).T


def load(name: str = BUNDLED, task: str = "encode", device: str = "cpu", dtype: str = "float32") -> Pretrained:
    """Load a pretrained model and say in one line what was taken, and from where.

    Args:
        name: "minilm" (bundled), a folder, or a name on the hub such as "BAAI/bge-small-en-v1.5".
        task: "encode" for an encoder, "generate" for a causal model.
        device: "cpu", or for example `helpers.device.best_device()`.
        dtype: "float32", "bfloat16", "float16", or "auto" for that of the file.

    Raises:
        CourseError: unknown task, dtype or device; or there is no such model here; or it cannot be read.
    """
    _refuse_wrong(task, device, dtype)
    if folder := _folder(name):
        origin = "bundled with the course" if name in NAMES else "from this folder"
        return _read(name, folder, origin, task, device, dtype)
    with contextlib.suppress(CourseError):  # what is not whole in the cache
        if folder := _cached(name):
            return _read(name, folder, "from the Hugging Face cache", task, device, dtype)
    if why := _no_hub():
        places = "not bundled, no folder with a config.json, not (or not whole) in the Hugging Face cache"
        raise CourseError(f"{name!r} cannot be loaded as {TASKS[task]}: {places}, and {why}.")
    return _read(name, _download(name), "downloaded from the Hugging Face hub", task, device, dtype)


def files_of(name: str, files: Sequence[str]) -> Path:
    """Return a folder with these files of a model on the hub, from the cache or downloaded; raises CourseError."""
    from huggingface_hub import snapshot_download

    with contextlib.suppress(OSError, ValueError):
        folder = Path(snapshot_download(name, local_files_only=True, allow_patterns=list(files)))
        if all((folder / file).is_file() for file in files):
            return folder
    if why := _no_hub():
        raise CourseError(f"it is not in the Hugging Face cache, and {why}.")
    try:
        return Path(snapshot_download(name, allow_patterns=list(files)))
    except Exception as error:  # unknown, gated, broken off, no room on the disk
        raise CourseError(f"it cannot be downloaded from the hub ({_first_line(error)}).") from error


def _refuse_wrong(task: str, device: str, dtype: str) -> None:
    import torch

    if task not in TASKS or dtype not in DTYPES:
        raise CourseError(f"task can be {', '.join(TASKS)}, dtype {', '.join(DTYPES)}; not {task!r}, {dtype!r}.")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise CourseError(f"There is no device {device!r} here; helpers.device.best_device() finds one.") from error


def _folder(name: str) -> Path | None:
    """Return the folder of a bundled or local model."""
    folder = datasets_folder() / "artifacts" / BUNDLED if name in NAMES else Path(name).expanduser()
    return folder if (folder / "config.json").is_file() else None


def _cached(name: str) -> Path | None:
    """Return the folder of a model in the Hugging Face cache; asks nothing of the network."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):  # not there; no possible name of a model
        return None


def _download(name: str) -> Path:
    """Bring a model into the Hugging Face cache: safetensors, settings, the tokenizer's files; no programs."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=WANTED, ignore_patterns=TWICE))
    except Exception as error:  # unknown, gated, broken off, no room on the disk
        raise CourseError(f"{name!r} cannot be downloaded from the hub ({_first_line(error)}).") from error


def _no_hub() -> str:
    """Return why the hub is not asked, or an empty string; asked once here, as its own client waits for a minute."""
    if grading():
        return "nothing is downloaded while grading"
    import requests
    from huggingface_hub.constants import ENDPOINT

    try:
        requests.head(ENDPOINT, timeout=SECONDS)
    except requests.RequestException:
        return f"{ENDPOINT} does not answer"
    return ""


def _read(name: str, folder: Path, origin: str, task: str, device: str, dtype: str) -> Pretrained:
    """Read tokenizer, model and the settings beside them, and say so."""
    import transformers

    kind = {"encode": transformers.AutoModel, "generate": transformers.AutoModelForCausalLM}[task]
    options = {"dtype": dtype, "use_safetensors": True, "output_loading_info": True, "local_files_only": True}
    try:
        with quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, report = kind.from_pretrained(folder, **options)
        model = model.to(device).eval()
        length = _length(tokenizer, model, _settings(folder / "sentence_bert_config.json"))
        pooling = _pooling(_settings(folder / "1_Pooling" / "config.json"))
    except Exception as error:  # files of other people: anything can be wrong with them
        why = broken_companion() or _first_line(error)
        raise CourseError(f"{name!r} cannot be loaded as {TASKS[task]} ({why}).") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    line = f"{name}: {origin}, {_describe(model, report)}"
    print(line)
    return Pretrained(tokenizer, model, line, length, pooling)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def _describe(model, report: dict) -> str:
    """Return "22,713,216 weights, float32 on cpu", and what is random because the file does not hold it."""
    random = [key for key in report["missing_keys"] if not key.startswith("pooler.")]
    weights = f"{model.num_parameters():,} weights, {str(model.dtype).removeprefix('torch.')} on {model.device}"
    return f"{weights}; {len(random)} tensors are not in its file and are random" if random else weights


def _settings(path: Path) -> dict:
    """Return what a JSON file beside the weights says; empty where there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _length(tokenizer, model, limits: dict) -> int:
    places = getattr(model.config, "max_position_embeddings", None) or MAX_TOKENS
    return limits.get("max_seq_length") or min(tokenizer.model_max_length, places, MAX_TOKENS)


def _pooling(settings: dict) -> str:
    first = settings.get("pooling_mode_cls_token") or settings.get("pooling_mode") == "cls"
    return "cls" if first else "mean"


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let transformers print errors only, and no progress bars, while this runs; then as before."""
    from transformers.utils import logging

    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


@contextlib.contextmanager
def _evaluating(model) -> Iterator[None]:
    training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(training)
