"""What more than one chapter measures: searches and readers, rows of tokens, windows, changed weights.

In: the student's functions and models, as arguments. Out: numbers, tables and figures.
May import: everything below experiments in helpers/__init__.py.
"""
