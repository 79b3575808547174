"""Jobs and workers: how a submission gets run and judged, here or on many machines.

In: jobs (autograder.jobs). Out: results, as `results` describes them, kept by `result_cache`.
`dispatch` hands out; workers are sandboxed, unconfined, in one process or a cluster's; `time_limits` holds the seconds.
May import: all of the rooms above it in autograder/__init__.py.
"""
