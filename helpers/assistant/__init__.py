"""The documentation assistant: what searches, reads and answers, or stays silent.

In: a question and what a search found. Out: an answer with its passage, or silence and the reason.
May import: everything below assistant in helpers/__init__.py.
"""
