"""Processes of the grader: started, given work and time, heard, ended.

In: a command line or a function, jobs as JSON. Out: what each says, or in a few words why it says nothing.
`framing` is how they speak to one another (what a runner says goes over autograder.ipc), `lifetime` ends them with who
started them; `child_process` and `fork_server` are the two ends of a judge server or zygote, `helper_process` answers
one question at a time.
May import: the ground floor, linux and helpers.
"""
