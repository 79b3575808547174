"""The full tables: what the world does to a notebook, to an answer, to a value, one row each.

`make world` runs them and writes what came of it to tests/world/results/; `make test` takes one row of each kind.
"""
