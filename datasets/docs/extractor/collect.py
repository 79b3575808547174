"""All public docstrings of a library, with their public names, before they are parsed."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from extractor.attached import attached
from extractor.extract import Source, parse, read_source
from extractor.names import PublicNames
from extractor.parse import RULE
from extractor.sources import Library, topics_file

# A line of "%(params)s" or "{params}" alone is filled in when the library is imported; here it is dropped.
PLACEHOLDER = re.compile(r"^[ \t]*(?:%\([\w:]+\)[sd]|\{\w+\})[ \t]*(?:\n|$)", re.M)


class Raw(NamedTuple):
    """A docstring as it stands in the source, cleaned of its indentation."""

    library: str
    name: str
    kind: str
    module: str
    signature: str
    text: str


def collect(library: Library, tick: Callable[[], object] = lambda: None) -> Iterator[Raw]:
    """Yield the docstrings of the library's public objects; `tick` is called after each file."""
    sources: dict[str, Source] = {}
    for module, path in library.files():
        source = read_source(module, path)
        if source is not None:
            sources[module] = source
        tick()
    compiled = [row for source in sources.values() for row in attached(source, sources)]
    names = PublicNames(sources)
    for source in sources.values():
        for definition in source.definitions:
            name = names.of(definition) if definition.text else ""
            if name:
                inside = definition.name.count(".") + 1 if definition.name else 0
                module = name.rsplit(".", inside)[0] if inside else name
                yield Raw(library.name, name, definition.kind, module, definition.signature, clean(definition.text))
    classes = {name.rpartition(".")[0] for name, kind, _ in compiled if kind == "method"}
    for name, kind, text in compiled:
        module = name.rsplit(".", 1 + (kind == "method"))[0]
        yield Raw(library.name, name, "class" if name in classes else kind, module, "", clean(text))


def topics() -> Iterator[Raw]:
    """Yield Python's help topics: the dict of texts in pydoc_data/topics.py, none where there is no such file."""
    tree = parse(topics_file()) if topics_file().is_file() else None
    for node in tree.body if tree else ():
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(value, ast.Dict):
            for key, text in ast.literal_eval(value).items():
                lines = [line for line in clean(text).splitlines() if not RULE.fullmatch(line.strip())]
                yield Raw("python", f"topics.{key}", "topic", "topics", "", "\n".join(lines).strip())


def clean(text: str) -> str:
    """Return the text without common indentation, trailing blanks and lines that only hold a place for others."""
    text = PLACEHOLDER.sub("", inspect.cleandoc(text))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip()
