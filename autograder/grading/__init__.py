"""A class graded from end to end, or one notebook checked: the coordinator.

In: a course folder. Out: grades, feedback, CSV, and a line on whoever changed.
`grade` is the whole, `graded_chapter` what all submissions share, `sample_class` the invented students of the demo.
May import: everything above it in autograder/__init__.py.
"""
