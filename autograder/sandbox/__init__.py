"""How a zygote is put into a sandbox, what that protects, and whether it holds on this machine.

In: what a runner needs to see (`view`) and its limits. Out: a started zygote, or one line that says what is missing.
bubblewrap where it is installed, else the same by namespaces.
May import: the ground floor, ipc, linux, runner.
"""
