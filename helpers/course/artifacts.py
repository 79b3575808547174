"""What one chapter saves and a later one loads: tokenizer, word vectors, date translator, docs-gpt ...

An artifact is a folder: `weights.safetensors`, `config.json`, `tokenizer.json` (each where it applies) and `card.md`.
The student's own lies under BOW2LORA_HOME (or the user's data folder), the reference under datasets/artifacts.
Nothing is ever unpickled.
"""

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from helpers.data.registry import datasets_folder
from helpers.device import grading
from helpers.errors import CourseError

NAMES = (
    "docs-tokenizer",
    "docs-vectors",
    "docs-gpt",
    "docs-encoder",
    "docs-reader",
    "docs-adapter",
    "inbox-bert",
    "date-translator",
)
WEIGHTS, CONFIG, TOKENIZER, CARD = "weights.safetensors", "config.json", "tokenizer.json", "card.md"

# Of docs-tokenizer, numbered from 0: the end of a text and padding; for an encoder; for a conversation.
CONVERSATION = ("<|system|>", "<|user|>", "<|assistant|>", "<|passage|>")
SPECIAL_TOKENS = ("<|endoftext|>", "<|pad|>", "[CLS]", "[SEP]", "[MASK]", *CONVERSATION)


@dataclass(frozen=True, repr=False)
class Artifact:
    """One artifact.

    weights:   name -> float32 tensor (stored as float16)
    config:    what is needed to build the model again, in plain values
    tokenizer: the JSON text of a `tokenizers.Tokenizer`, or ""
    card:      how it was made, on what, and how good it is
    own:       whether it is the student's own and not the reference
    """

    name: str
    weights: dict[str, "torch.Tensor"] = field(default_factory=dict)  # noqa: F821
    config: dict = field(default_factory=dict)
    tokenizer: str = ""
    card: str = ""
    own: bool = False

    def __repr__(self) -> str:
        numbers = sum(t.numel() for t in self.weights.values())
        return (
            f"{self.name} ({'your own' if self.own else 'the reference'}, {numbers:,} weights)\n\n{self.card}".rstrip()
        )


def load(name: str, own: bool | None = None) -> Artifact:
    """Load an artifact: the student's own if there is one, else the reference; print it to see its card.

    Args:
        name: one of NAMES.
        own: True or False asks for that one. While grading it is the reference that counts.

    Raises:
        CourseError: unknown name; or there is none.
    """
    mine, reference = _own_folder(name), _reference_folder(name)
    if own or (own is None and mine.is_dir() and not grading()):
        try:
            return _read(name, mine, own=True)
        except CourseError as error:
            if own:
                raise
            print(f"{error} Using the reference instead.")
    return _read(name, reference, own=False)


def load_tokenizer(own: bool | None = None) -> "tokenizers.Tokenizer":  # noqa: F821
    """Load the artifact docs-tokenizer, ready to use.

    Special tokens come from `token_to_id("<|endoftext|>")` only: in a text, "<|endoftext|>" is plain characters, so
    that no text can forge one (set `encode_special_tokens` to False to change that).
    """
    return ready(load("docs-tokenizer", own).tokenizer)


def ready(text: str) -> "tokenizers.Tokenizer":  # noqa: F821
    """Return the tokenizer of an artifact's text; special tokens in a text are plain characters to it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(text)
    tokenizer.encode_special_tokens = True
    return tokenizer


def save(artifact: Artifact, folder: Path | None = None) -> Path:
    """Save an artifact as the student's own (or into `folder`), in half precision; returns its folder.

    Raises:
        CourseError: a weight is not finite in float16; or the folder cannot be written.
    """
    folder = folder or _own_folder(artifact.name)
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for file, content in _files(artifact).items():
            (part / file).write_bytes(content)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except OSError as error:
        raise CourseError(f"{folder} cannot be written ({error.strerror or error}); set BOW2LORA_HOME.") from error
    return folder


def _files(artifact: Artifact) -> dict[str, bytes]:
    texts = {CONFIG: _json(artifact.config), TOKENIZER: artifact.tokenizer, CARD: artifact.card.rstrip() + "\n"}
    files = {name: text.encode() for name, text in texts.items() if text}
    return {**files, WEIGHTS: _packed(artifact)} if artifact.weights else files


def _packed(artifact: Artifact) -> bytes:
    import torch
    from safetensors.torch import save as pack

    halves = {name: t.detach().to("cpu", torch.float16).contiguous() for name, t in sorted(artifact.weights.items())}
    for name, half in halves.items():
        if not torch.isfinite(half).all():
            raise CourseError(f"{artifact.name}: {name} is not finite in float16; scale it or train with less.")
    return pack(halves)


def _read(name: str, folder: Path, own: bool) -> Artifact:
    if not (folder / CARD).is_file():
        raise CourseError(f"There is no artifact {name} in {folder}; run the chapter that saves it, or make reference.")
    try:
        config = json.loads(_text(folder / CONFIG) or "{}")
        return Artifact(name, _weights(folder / WEIGHTS), config, _text(folder / TOKENIZER), _text(folder / CARD), own)
    except (OSError, ValueError, _damaged()) as error:
        raise CourseError(f"The artifact in {folder} is damaged ({error}); delete the folder.") from error


def _damaged() -> type[Exception]:
    from safetensors import SafetensorError

    return SafetensorError


def _weights(path: Path) -> dict:
    from safetensors.torch import load_file

    if not path.is_file():
        return {}
    return {name: t.float() for name, t in load_file(path).items()}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _json(config: dict) -> str:
    return json.dumps(config, ensure_ascii=False, indent=1) + "\n" if config else ""


def _own_folder(name: str) -> Path:
    home = os.environ.get("BOW2LORA_HOME") or platformdirs.user_data_dir("bow2lora")
    return Path(home).expanduser() / "artifacts" / _known(name)


def _reference_folder(name: str) -> Path:
    return datasets_folder() / "artifacts" / _known(name)


def _known(name: str) -> str:
    if name not in NAMES:
        raise CourseError(f'There is no artifact "{name}"; there are: {", ".join(NAMES)}.')
    return name
