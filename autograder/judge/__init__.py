"""The trusted side: what judges the data that a student's code gives back.

In: the cells of a rebuilt notebook and a channel to its runner. Out: a score and a report for each check.
A check cell's text is executed here, with proxies in the place of the student's names.
May import: the ground floor, ipc, linux, helpers; never runner.
"""
