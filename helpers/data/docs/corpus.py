"""The docs corpus as a data set: documents by number and by name, running text, and pairs for retrieval."""

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from helpers.data.archives import read_bytes
from helpers.data.dataset import Card, Dataset
from helpers.data.docs.document import Document, spelt_out
from helpers.errors import DataError

SPLITS = ("train", "valid", "test")
SHORTEST = 60  # characters of a body; a shorter one says no more than the name: "Return the backend."
SHORTEST_SUMMARY = 12  # characters; shorter ones ("value.", "interact") ask for nothing


class Pair(NamedTuple):
    """What is asked for and the text that answers it: the query holds name, summary and signature of a document."""

    name: str
    query: str
    body: str


@dataclass(frozen=True, repr=False, eq=False)
class Docs(Dataset):
    """The documents, sorted by library and name; `docs[7]`, `docs[3:5]` and `docs["torch.abs"]` take some out.

    versions: {library: the version that the documents were read from}
    """

    documents: Sequence[Document]
    card: Card
    versions: dict[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, place: int | slice | str) -> "Document | list[Document]":
        return self.find(place) if isinstance(place, str) else self.documents[place]

    def rows(self) -> str:
        counts = Counter(document.library for document in self.documents)
        size = sum(len(document.body.encode()) for document in self.documents)
        parts = ", ".join(f"{name} {count:,}" for name, count in counts.items())
        return f"{len(self):,} documents, {size / 1e6:.0f} MB: {parts}"

    @property
    def read_from(self) -> str:
        """The versions that the documents were read from, in a line: "python 3.11.7, numpy 2.4.6, ..."."""
        return ", ".join(f"{library} {version}" for library, version in self.versions.items())

    @cached_property
    def _by_name(self) -> dict[str, Document]:
        return {document.name: document for document in self.documents}

    def find(self, name: str) -> Document:
        """Return the document of this name: "torch.nn.Linear", "np.dot", or an ending that only one has.

        Raises:
            DataError: there is none, or the ending is that of several; the message names the nearest.
        """
        wanted = spelt_out(name)
        if wanted in self._by_name:
            return self._by_name[wanted]
        endings = [known for known in self._by_name if known.endswith(f".{name}")]
        if len(endings) == 1:
            return self._by_name[endings[0]]
        near = sorted(endings or self._namesakes(wanted), key=len)[:3] or self._near(wanted)
        hint = f"Did you mean {' or '.join(near)}?" if near else "Names are like torch.nn.Linear or topics.lambda."
        raise DataError(f'There is no document "{name}".', hint)

    def _namesakes(self, name: str) -> list[str]:
        """Return the names of the same library with the same last part: "matplotlib.axes.Axes.plot" for plt.plot."""
        library, _, rest = name.partition(".")
        last = rest.rpartition(".")[2]
        return [known for known in self._by_name if known.startswith(f"{library}.") and known.endswith(f".{last}")]

    def _near(self, name: str) -> list[str]:
        """Return up to three names spelt almost so: whole names, then names that end almost so."""
        lasts: dict[str, str] = {}
        for known in sorted(self._by_name, key=lambda known: (known.count("."), known)):
            lasts.setdefault(known.rpartition(".")[2], known)
        whole = difflib.get_close_matches(name, self._by_name, n=3, cutoff=0.8)
        return whole or [lasts[last] for last in difflib.get_close_matches(name.rpartition(".")[2], lasts, cutoff=0.7)]

    def library(self, name: str) -> "Docs":
        """Return the documents of one library, as "torch"; raises DataError if there is none of this name."""
        chosen = [document for document in self.documents if document.library == name]
        if not chosen:
            there = ", ".join(dict.fromkeys(document.library for document in self.documents))
            raise DataError(f'The docs corpus has no library "{name}".', f"There are: {there}.")
        return Docs(chosen, self.card, self.versions)

    def split(self, name: str) -> "Docs":
        """Return the documents of "train", "valid" or "test", the last two without near copies of other documents."""
        if name not in SPLITS:
            raise DataError(f'The docs corpus has no split "{name}".', f"There are: {', '.join(SPLITS)}.")
        chosen = [d for d in self.documents if d.split == name and (name == "train" or not d.near_copy)]
        return Docs(chosen, self.card, self.versions)

    def text(self) -> str:
        """Return the running text of all documents: name and signature, body, two blank lines, and so on."""
        return "\n\n\n".join(document.text for document in self.documents)

    def pairs(self) -> dict[str, list[Pair]]:
        """Return {"train", "valid", "test": pairs}; query and body are never empty, no name occurs twice.

        Left out: near copies, documents that say no more than their summary, and those that repeat it.
        """
        found: dict[str, list[Pair]] = {split: [] for split in SPLITS}
        for document in self.documents:
            rest = document.rest
            telling = len(document.summary) >= SHORTEST_SUMMARY and len(rest) >= SHORTEST
            if telling and not document.near_copy and document.summary not in rest:
                found[document.split].append(Pair(document.name, document.query, rest))
        return found


def read_docs(paths: list[Path], card: Card) -> Docs:
    """Read the file that datasets/docs/make_docs.py writes: JSON lines, first the versions, then a document each."""
    first, *lines = read_bytes(paths[0]).splitlines()
    return Docs([_document(line) for line in lines], card, json.loads(first))


def _document(line: bytes) -> Document:
    fields = json.loads(line)
    return Document(**{**fields, "see_also": tuple(fields["see_also"])})
