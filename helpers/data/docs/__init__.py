"""The docs corpus: what six libraries say about their modules, classes and functions, as `datasets/docs` ships it.

`document` is one document, `corpus` reads and holds them all, `other_forms` gives them the form of other data sets.
"""

from helpers.data.docs.corpus import Docs, Pair, read_docs
from helpers.data.docs.document import Document
from helpers.data.docs.other_forms import read_docs_search, read_docs_text

__all__ = ["Docs", "Document", "Pair", "read_docs", "read_docs_search", "read_docs_text"]
