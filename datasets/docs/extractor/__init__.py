"""Reads the documents of the corpus from the source files of the libraries that are installed.

`sources` knows where the libraries lie, `extract` and `attached` read docstrings with `ast` (no library is imported),
`constants` puts together texts, `names` finds public names, `collect` does all that for a library, `parse` reads a
docstring, `links`, `near` and `splits` relate documents to one another, `build` makes them.
"""
