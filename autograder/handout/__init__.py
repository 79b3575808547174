"""The student edition as a tree of its own: what it holds, what it must not hold, how it is written.

In: notebooks as `release` generates them, helpers, datasets, the pins; solutions/, to look for leaks. Out: a folder,
a zip, or a git repository with a tag for each release.
May import: everything below grading.
"""
