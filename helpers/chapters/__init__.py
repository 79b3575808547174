"""What one chapter alone uses, a folder for each: its models, its experiments, and `figures.py`, what it draws.

A module that a second chapter needs moves down to a room of the library; tests/test_architecture.py holds both.

In: the student's functions and models, as arguments. Out: numbers, tables, and figures with their alt text.
May import: everything in helpers but another chapter's folder; nothing outside the folder imports it.
"""
