"""What students must not see, looked for in every byte of the student edition.

Compared are runs of lines: from each line on, as many as make thirty characters. So a distinctive line is found alone,
and short ones where several follow one another. White space, comment signs and quotes do not matter; packed files are
opened, and notebooks read as their text.
"""

import gzip
import io
import json
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder import cell_marks, paths
from autograder.authoring.adapted import Change, added, change_of
from autograder.authoring.source import notes, read
from helpers.errors import CourseError

LEAST = 30  # characters of a run
MAX_LINES = 4  # of a run
REGION = re.compile(r"(?ms)^[^\n]*### BEGIN (SOLUTION|MISTAKES|HIDDEN TESTS|MARK SCHEME).*?### END \1[^\n]*\n?")
MARK = re.compile(r"(?m)^[^\n]*### (BEGIN|END) (SOLUTION|MISTAKES|HIDDEN TESTS|MARK SCHEME)[^\n]*\n?")
SECRET = {"exercise": "solution", "check": "hidden cases", "essay": "mark scheme"}  # of a cell of this kind
DEEPEST = 3  # packed files in packed files
SHOWN = 5  # leaks in the message

# Documentation of libraries, as it was published: the lines that it shares with solutions come from there.
PUBLISHED = {"datasets/docs/docs.jsonl.gz"}
# Runs of library code that are allowed, with the number of places: one more is a leak.
ALLOWED = {
    # The library's counts of chapter 01, which its hidden cases and helpers import alike.
    "from sklearn.feature_extraction.text import CountVectorizer": 5,
    # The libraries' tokenizers, likewise.
    "from helpers.chapters.tokenizers import byte_level_bpe": 2,
    "from tokenizers import Regex, pre_tokenizers": 1,
    # The docs-gpt of chapters 05 to 09 is the library's edition of chapter 05's GPT; it keeps keys and values, too.
    "if cache is not None:\nkey, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)": 2,
    "key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)": 2,
    "n, length = query.shape[2], key.shape[2]": 1,
    # So are its parts, which `module` of chapter 05 puts together.
    "super().__init__()\nself.context_length, self.num_heads = context_length, num_heads": 1,
    "self.context_length, self.num_heads = context_length, num_heads": 1,
    "self.token_embedding = nn.Embedding(vocab_size, d_model)": 1,
    "self.position_embedding = nn.Embedding(context_length, d_model)": 1,
    "self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers))": 1,
    "for name, weight in self.named_parameters():": 1,
    # The block of today that chapter 05 compares is a module; `modern` of chapter 11 asks for it as one function.
    "query, key = rotated(query), rotated(key)": 2,  # and the layer of attention that the look-up of 11 compares
    "z = F.scaled_dot_product_attention(query, key, value, is_causal=True)": 1,
    "T, half = x.shape[2], x.shape[3] // 2": 1,
    # Idioms that say nothing of an exercise: words of a text, rows that add up to 1, NumPy's and Python's errors.
    "return WORD.findall(text.lower())": 2,
    'with np.errstate(all="ignore"):': 1,
    "keep = torch.zeros_like(logits, dtype=torch.bool)": 1,
    "return torch.where(keep, logits, -torch.inf)": 1,
    # And of a training loop: a generator of its own, the rate of all groups, all weights by name, dropout.
    "generator = torch.Generator().manual_seed(0)": 2,
    "for group in optimizer.param_groups:": 3,
    "for name, p in model.named_parameters():": 1,
    "self.dropout = nn.Dropout(dropout)": 1,
    # Muon moves the matrices of chapter 05's GPT, by a step of the library; chapter 12 asks for it.
    "mean = torch.zeros_like(grad) if state is None else state": 1,
}


@dataclass(frozen=True)
class Leak:
    """A run of a secret in a file; of a packed one, the file in it."""

    file: str
    line: int
    secret: str
    run: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} holds a line of the {self.secret}"


def secrets(course: Path | None = None) -> dict[str, str]:
    """Return {run: whose it is, such as "solution of 01_spam/tf"} of all chapters; what students see is none.

    course: the folder whose course.toml adds questions, and gives the answers to what it drops. A run may begin in what
    students see and end in what they do not: so a solution of one short line has one, too.
    """
    found: dict[str, str] = {}
    public: set[str] = set()
    for chapter in paths.chapters():
        change = change_of(course, chapter) if course else Change()
        for cell in (*read(paths.source_text(chapter)), *(c for path in change.add for c in added(path))):
            seen = cell_marks.MISTAKES.sub(cell_marks.FRAME, cell.source)
            public |= runs(REGION.sub("", seen)).keys()
            if cell.kind == "exercise" and cell.name in change.drop:
                public |= runs(MARK.sub("", cell.source)).keys()
            if cell.kind in SECRET:
                whose = f"{SECRET[cell.kind]} of {chapter}/{cell.name}"
                found = dict.fromkeys(runs(MARK.sub("", cell.source)), whose) | found  # a check may repeat a solution
        for exercise, text in notes(paths.source_text(chapter)).items():
            found = dict.fromkeys(runs(text), f"note of {chapter}/{exercise}") | found
    return {run: whose for run, whose in found.items() if run not in public}


def runs(text: str) -> dict[str, int]:
    """Return {run: the number of its first line}: from each line on, those that make LEAST characters together."""
    lines = enumerate(re.split(r"\r\n|\n|\r", text), 1)
    kept = [(number, plain) for number, line in lines if (plain := _plain(line))]
    found: dict[str, int] = {}
    for i, (number, _) in enumerate(kept):
        run = ""
        for _, text in kept[i : i + MAX_LINES]:
            run = f"{run}\n{text}".strip()
            if len(run) >= LEAST:
                found.setdefault(run, number)
                break
    return found


def _plain(line: str) -> str:
    """Return a line without what differs between a program, a comment and a string in a list."""
    return " ".join(line.split()).strip("#> \"',`|")


def leaks(files: Mapping[str, bytes], secret: Mapping[str, str]) -> list[Leak]:
    """Return where a secret stands in {path: content}, but for what is allowed."""
    found = places(files, secret)
    count = Counter(leak.run for leak in found)
    return [leak for leak in found if count[leak.run] > ALLOWED.get(leak.run, 0)]


def places(files: Mapping[str, bytes], secret: Mapping[str, str]) -> list[Leak]:
    """Return where a secret stands in {path: content}, allowed or not."""
    found: dict[tuple, Leak] = {}  # a text and the strings in it may say the same twice
    for name, content in files.items():
        if name in PUBLISHED:
            continue
        for inner, text in texts(name, content):
            here = runs(text)
            found |= {(inner, run): Leak(inner, here[run], secret[run], run) for run in here.keys() & secret.keys()}
    return sorted(found.values(), key=lambda leak: (leak.file, leak.line))


def texts(name: str, content: bytes, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of a file, and of the files that are packed in it; JSON also as the strings that it means."""
    text = content.decode("utf-8", "replace")
    yield name, text
    yield from ((name, said) for said in _strings(text))
    if depth < DEEPEST:
        for inner, part in _packed(name, content):
            yield from texts(inner, part, depth + 1)


def _strings(text: str) -> Iterator[str]:
    """Yield the strings of a JSON text, and of a text in which strings are written with escapes, their lines."""
    try:
        pending = [json.loads(text)]
    except (ValueError, RecursionError):
        if "\\n" in text:
            yield text.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
        return
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            yield "".join(value)
        elif isinstance(value, list | dict):
            pending += value.values() if isinstance(value, dict) else value


def _packed(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files in a gzip, zip or tar; what is damaged holds none."""
    try:
        if content[:2] == b"\x1f\x8b":
            yield f"{name} (unpacked)", gzip.decompress(content)
        elif content[:4] == b"PK\x03\x04":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from ((f"{name}/{member}", archive.read(member)) for member in archive.namelist())
        elif content[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                for member in archive:
                    file = archive.extractfile(member) if member.isfile() else None
                    if file is not None:
                        yield f"{name}/{member.name}", file.read()
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, tarfile.TarError, zlib.error, RuntimeError):
        return


def ensure_none(files: Mapping[str, bytes], course: Path | None = None) -> None:
    """Raise CourseError, which names files and exercises, if anything secret stands in the student edition."""
    found = leaks(files, secrets(course))
    if found:
        more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise CourseError(f"nothing was handed out: {'; '.join(map(str, found[:SHOWN]))}{more}")
