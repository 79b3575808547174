"""From a chapter's text to its notebooks, and what proves its checks.

In: solutions/ (story and checks) and tests/variants/. Out: the instructor's notebook, the student edition, the audit.
`importer` is the way back from an edited notebook; `measure` runs whole chapters.
May import: everything below grading.
"""
