"""Adopt: an nbgrader assignment that others wrote, its test cells tried on its own answers and on its stubs.

In: the folder of an assignment's source, as nbgrader has it. Out: the table of how each test cell is graded, and a copy
of the source in the newest format of nbgrader's marks; nothing of the source is changed.
May import: the ground floor, judge, execution, submissions, gradebook, helpers.
"""
