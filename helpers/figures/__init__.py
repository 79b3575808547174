"""The figures of single chapters, made of helpers.plots.

In: what helpers.experiments measured, or plain arrays. Out: a figure and its alt text, for `plots.show`.
May import: everything in helpers; nothing imports it.
"""
