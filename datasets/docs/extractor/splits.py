"""The fixed split of the corpus into train, valid and test, by groups of modules.

Documents of one module repeat each other's sentences (the parameters of fit, predict, score). So a module lies
on one side only, with the modules beside it: sklearn.linear_model, torch.nn, numpy.linalg; one stdlib package.
"""

from collections import Counter

from helpers.data.docs.corpus import SPLITS
from helpers.data.docs.document import Document

SHARES = dict(zip(SPLITS, (0.8, 0.1, 0.1), strict=True))


def group(document: Document) -> str:
    """Return the group that must stay together: two parts of the module's name, one in the standard library."""
    if document.kind == "topic":
        return document.name
    parts = document.module.split(".")
    return ".".join(parts[:1] if document.library == "python" else parts[:2])


def assign(documents: list[Document]) -> dict[str, str]:
    """Return {group: split}. In each library the groups, largest first, go to the split that lacks most.

    So every library is in every split, and the same documents are always split in the same way.
    """
    sizes = Counter((document.library, document.kind == "topic", group(document)) for document in documents)
    totals: Counter = Counter()
    for (library, topic, _), size in sizes.items():
        totals[library, topic] += size
    held: Counter = Counter()
    splits = {}
    for (library, topic, name), size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        whole = totals[library, topic]
        lacking = {split: share * whole - held[library, topic, split] for split, share in SHARES.items()}
        splits[name] = max(SHARES, key=lambda split: lacking[split])
        held[library, topic, splits[name]] += size
    return splits
