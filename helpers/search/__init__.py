"""Search over the docs: the fixed task, BM25, rankings fused, what a question gives away.

In: queries and passages. Out: scores (queries, passages) and ranks.
May import: everything below search in helpers/__init__.py.
"""

from helpers.search.bm25 import BM25
from helpers.search.fusion import fused, summed
from helpers.search.task import Task, docs_task
from helpers.words import stems

__all__ = ["BM25", "Task", "docs_task", "fused", "stems", "summed"]
