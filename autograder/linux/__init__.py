"""What Linux offers to bind a process: system calls without a function in Python, limits, a seccomp filter.

In: numbers and descriptors. Out: a process that may do less than before.
Used on both sides, by runners and by judges.
May import: nothing of the grader.
"""
