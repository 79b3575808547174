"""Warm kernels for stock nbgrader and JupyterLab: forks of one process that has imported what chapters use.

    provisioner   jupyter_client's way in: asks for a kernel, or starts a normal one
    runtime       the client: finds the template's socket, starts a template where there is none
    template      the process that imports, runs nothing, and forks
    kernel        what the fork becomes
    process       a kernel as its client sees it
    spec          the kernelspec, installed and removed by a command

This is speed, not a sandbox: a warm kernel runs a student's code with your rights, as any kernel does.
`python -m autograder grade` has the sandbox.
"""
