"""Search over the docs: the fixed task, BM25, translation, vectors, documents as wholes.

In: queries and passages. Out: scores (queries, passages) and ranks.
May import: everything below search in helpers/__init__.py.
"""
