"""One document of the docs corpus: what the documentation says about one module, class, function or topic."""

import re
from dataclasses import dataclass
from functools import lru_cache

SHORT = {"np": "numpy", "plt": "matplotlib.pyplot", "sp": "scipy", "mpl": "matplotlib", "nn": "torch.nn"}


@dataclass(frozen=True, slots=True)
class Document:
    """What a library says about one thing.

    library:    "python", "numpy", "scipy", "sklearn", "torch" or "matplotlib"
    name:       public qualified name, as "torch.nn.Linear.forward"; a topic is "topics.lambda"
    kind:       "module", "class", "function", "method", "property" or "topic"
    module:     the public module that the name belongs to, as "torch.nn"
    signature:  "(x, *, dim: int = 0) -> Tensor", "" where none is known
    summary:    first sentence, on one line
    body:       the whole text, summary included, signature not
    parameters: {name: "(type) description"}
    returns:    "(type) description", "" where the text does not say
    see_also:   names of other documents that this one refers to
    split:      "train", "valid" or "test", the same for all documents of a module group
    near_copy:  whether another document says nearly the same (5-gram Jaccard similarity of at least 0.8)
    """

    library: str
    name: str
    kind: str
    module: str
    signature: str
    summary: str
    body: str
    parameters: dict[str, str]
    returns: str
    see_also: tuple[str, ...] = ()
    split: str = ""
    near_copy: bool = False

    @property
    def text(self) -> str:
        """Name and signature on the first line, then the body."""
        return f"{self.name}{self.signature}\n\n{self.body}"

    @property
    def query(self) -> str:
        """Name and summary, then the signature: what a reader knows before the text is found."""
        asked = f"{self.name}: {self.summary}" if self.summary else self.name
        return f"{asked}\n{self.signature}" if self.signature else asked

    @property
    def rest(self) -> str:
        """The body without its summary."""
        return without(self.body, self.summary)


@lru_cache(maxsize=1 << 14)  # all documents: several data sets are made of them
def without(body: str, summary: str) -> str:
    """Return the body without the first place where the words of the summary stand, whatever the line breaks."""
    start = body.find(summary) if summary else -1
    end = start + len(summary)
    if start < 0 and summary and (place := re.search(r"\s+".join(map(re.escape, summary.split())), body)):
        start, end = place.span()
    return (body[:start].rstrip() + "\n" + body[end:]).strip() if start >= 0 else body.strip()


def spelt_out(name: str) -> str:
    """Return "numpy.dot" for "np.dot", and other names as they are."""
    head, dot, rest = name.partition(".")
    return f"{SHORT[head]}.{rest}" if head in SHORT and dot else name
