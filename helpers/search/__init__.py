"""Search over the docs: the fixed task, BM25, translation, vectors, documents as wholes.

In: queries and passages. Out: scores (queries, passages) and ranks.
May import: everything below search in helpers/__init__.py.
"""

from helpers.models.mean_encoder import load_encoder
from helpers.search.bm25 import BM25
from helpers.search.fusion import fused, summed
from helpers.search.task import Task, docs_task
from helpers.search.vector_store import VectorStore
from helpers.words import stems

__all__ = ["BM25", "Task", "VectorStore", "docs_task", "fused", "load_encoder", "stems", "summed"]
