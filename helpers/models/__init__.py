"""Models that more than one chapter is given, or that the reference artifacts hold.

In: an artifact, or sizes. Out: torch modules and what encodes and decodes text for them.
May import: everything below models in helpers/__init__.py.
"""
