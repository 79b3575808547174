"""The docs corpus: the documentation of the libraries that the course installs, read from their source files.

`sources` knows where the libraries lie, `extract` and `attached` read docstrings with `ast` (no library is imported),
`constants` puts together texts, `names` finds public names, `collect` does all that for a library, `parse` reads a
docstring, `links`, `near` and `splits` relate documents to one another, `build` makes them, `cache` keeps them.
"""

from helpers.data.docs.corpus import Docs, Pair, read_docs
from helpers.data.docs.document import Document
from helpers.data.docs.other_forms import read_docs_search, read_docs_text

__all__ = ["Docs", "Document", "Pair", "read_docs", "read_docs_search", "read_docs_text"]
