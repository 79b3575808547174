"""What chapters measure and compare: batches, training runs, evaluations, tables.

In: the student's functions and models, as arguments. Out: numbers, tables and figures.
May import: everything below experiments in helpers/__init__.py.
"""
