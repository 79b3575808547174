"""The course as a static site, to be read without Python: chapters, pages, the reference of helpers, what was measured.

In: notebooks/ as released, outputs of executed notebooks where there are any, pages, docstrings. Out: a folder of HTML
that loads nothing from elsewhere, looked through for solutions and hidden cases before it is written.
May import: everything below grading.
"""
