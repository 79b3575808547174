"""What two processes of the grader say to one another: messages over a socket, and values as plain data.

In: dicts and values of a short list of types. Out: a JSON header and raw buffers, each size and each wait bounded.
May import: the ground floor (paths, cell_marks, syntax, cells) and helpers.
"""
