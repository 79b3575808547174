"""The documents of the corpus: collected, sifted, parsed, linked and split."""

import contextlib
import dataclasses
import gc
import re
import sys
from collections.abc import Iterable, Iterator

from extractor.collect import Raw, collect, topics
from extractor.links import Resolver
from extractor.near import near_copies
from extractor.parse import parse, split_signature, summarise
from extractor.sources import LIBRARIES, Library
from extractor.splits import assign, group
from helpers.data.docs.corpus import SHORTEST
from helpers.data.docs.document import Document

FEWEST_WORDS = 8
LEGAL = re.compile(r"copyright \(c\)|all rights reserved|permission is hereby granted|redistribution and use", re.I)


def build(libraries: Iterable[Library] = LIBRARIES) -> list[Document]:
    """Read the installed libraries (about half a minute) and return their documents, by library and name."""
    with _no_collector():
        kept, aliases = sift(_collected(list(libraries)))
        documents = _linked([_parsed(raw) for raw in _bar(kept, "parsing", "docstrings")], aliases)
    return split(documents)


@contextlib.contextmanager
def _no_collector() -> Iterator[None]:
    """Syntax trees are many and have no cycles: the collector would go through them for half of the time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()


def _collected(libraries: list[Library]) -> list[Raw]:
    """Return all docstrings of the libraries, and Python's help topics if Python is one of them."""
    found = list(topics()) if any(not library.package for library in libraries) else []
    with _bar(None, "reading", "files", total=sum(1 for library in libraries for _ in library.files())) as bar:
        for library in libraries:
            found += collect(library, bar.update)
    return found


def _bar(items: Iterable | None, what: str, unit: str, total: int | None = None):
    """A tqdm on stdout, as a notebook paints stderr red."""
    from tqdm import tqdm

    return tqdm(items, desc=what, total=total, unit=f" {unit}", file=sys.stdout, mininterval=0.5)


def sift(raws: Iterable[Raw]) -> tuple[list[Raw], dict[str, str]]:
    """Return the docstrings to keep, and {name of an exact repeat: name that is kept}.

    Of one name the longest text is kept; of one text, whatever its line breaks, the name with the fewest parts.
    """
    order = {library.name: i for i, library in enumerate(LIBRARIES)}
    by_name: dict[str, Raw] = {}
    for raw in map(_with_signature, raws):
        other = by_name.get(raw.name)
        if other is None or len(raw.text) > len(other.text):
            by_name[raw.name] = raw
    first: dict[str, Raw] = {}
    aliases: dict[str, str] = {}
    for raw in sorted(by_name.values(), key=lambda raw: (order.get(raw.library, 99), raw.name.count("."), raw.name)):
        if is_worth_keeping(raw.text):
            known = first.setdefault(" ".join(raw.text.lower().split()), raw)
            if known is not raw:
                aliases[raw.name] = known.name
    kept = sorted(first.values(), key=lambda raw: (order.get(raw.library, 99), raw.kind == "topic", raw.name))
    return kept, aliases


def _with_signature(raw: Raw) -> Raw:
    """Take the signature from the text's first line where it stands there."""
    stated, text = split_signature(raw.text, raw.name)
    return raw._replace(signature=raw.signature or stated, text=text)


def is_worth_keeping(text: str) -> bool:
    """Whether a text says something: not too short, not code alone, no licence."""
    if len(text) < SHORTEST or LEGAL.search(text):
        return False
    prose = " ".join(line for line in text.splitlines() if not line.lstrip().startswith((">>>", "...")))
    return len(re.findall(r"[A-Za-z]{2,}", prose)) >= FEWEST_WORDS


def _parsed(raw: Raw) -> tuple[Document, list[str]]:
    """Return the document and the names that it refers to."""
    found = parse(raw.text) if raw.kind != "topic" else None
    document = Document(
        library=raw.library,
        name=raw.name,
        kind=raw.kind,
        module=raw.module,
        signature=raw.signature,
        summary=summarise(raw.text),
        body=raw.text,
        parameters=found.parameters if found else {},
        returns=found.returns if found else "",
    )
    return document, found.references if found else []


def _linked(parsed: list[tuple[Document, list[str]]], aliases: dict[str, str]) -> list[Document]:
    resolver = Resolver((document.name for document, _ in parsed), aliases)
    return [dataclasses.replace(d, see_also=resolver.links(references, d.name)) for d, references in parsed]


def split(documents: list[Document]) -> list[Document]:
    """Give every document its split, and mark near copies (of two the one with more parts in its name)."""
    sides = assign(documents)
    order = sorted(range(len(documents)), key=lambda i: (documents[i].name.count("."), i))
    copies = dict(zip(order, near_copies([_compared(documents[i]) for i in order]), strict=True))
    return [
        dataclasses.replace(document, split=sides[group(document)], near_copy=copies[i])
        for i, document in enumerate(documents)
    ]


def _compared(document: Document) -> str:
    """Return what decides whether a document is a near copy: its body without the summary, if that says enough."""
    rest = document.rest
    return rest if len(rest) >= SHORTEST else document.body
