"""The untrusted side: what runs a student's code.

In: cells and calls, over a socket. Out: data, printed text, errors; nothing that it says is believed.
`zygote` forks a runner for each submission, `confine` shuts it off, `answer_loop` is what it does then.
May import: the ground floor, ipc, linux, helpers; never judge or anything that holds hidden tests.
"""
