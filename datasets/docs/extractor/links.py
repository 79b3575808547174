"""Names that a docstring mentions, resolved to documents of the corpus: the edges of its link graph."""

from collections.abc import Iterable

from helpers.data.docs.document import spelt_out


class Resolver:
    """Finds the document that a name means where it is written.

    aliases: {other name: name of the document that says the same}
    """

    def __init__(self, names: Iterable[str], aliases: dict[str, str]):
        self.known = {name: name for name in names} | aliases
        self.by_last: dict[tuple[str, str], list[str]] = {}
        for name in sorted(self.known):
            library, _, rest = name.partition(".")
            self.by_last.setdefault((library, rest.rpartition(".")[2]), []).append(name)

    def resolve(self, reference: str, origin: str) -> str:
        """Return the document's name, "" if there is none or the name could mean several.

        Tried in turn: the name as it stands, with its short form spelt out (np.dot), inside each class, module
        and package around `origin`, and, if it has a dot, as the ending of one single name of the same library.
        """
        name = spelt_out(reference.strip("`.() "))
        around = origin.split(".")
        for candidate in (name, *(".".join([*around[:i], name]) for i in range(len(around), 0, -1))):
            if candidate in self.known:
                return self.known[candidate]
        if "." not in name and not reference.startswith("."):
            return ""
        endings = self.by_last.get((around[0], name.rpartition(".")[2]), [])
        matches = {self.known[full] for full in endings if full.endswith(f".{name}")}
        return matches.pop() if len(matches) == 1 else ""

    def links(self, references: Iterable[str], origin: str) -> tuple[str, ...]:
        """Return the distinct documents that the references mean, in order, without the origin itself."""
        found = (self.resolve(reference, origin) for reference in references)
        return tuple(dict.fromkeys(name for name in found if name and name != origin))
