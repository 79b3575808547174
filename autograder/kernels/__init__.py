"""Warm kernels for stock nbgrader and JupyterLab: forks of one process that has imported what chapters use.

    provisioner       jupyter_client's way in: asks for a kernel, or starts a normal one
    template_client   finds the template's socket, starts a template where there is none
    request           what the client asks for
    fork_template     the process that imports, runs nothing, and forks
    forked_kernel     what the fork becomes
    kernel_process    a kernel as its client sees it
    kernelspec        installed and removed by a command

This is speed, not a sandbox: a warm kernel runs a student's code with your rights, as any kernel does.
`python -m autograder grade` has the sandbox.
May import: the ground floor, ipc, linux, runner.
"""
