"""What `python -m autograder doctor` shows: each protection, whether it holds on this machine, and how."""

from rich.table import Table

from autograder.sandbox.start import Sandbox

MEANING = {
    "network": "connect anywhere",
    "files": "read solutions, tests, other submissions",
    "writes": "change the system, packages or helpers",
    "processes": "see or signal the grader",
    "privileges": "gain rights or mount",
    "system calls": "reach around the walls",
    "environment": "read the grader's environment",
    "memory limit": "take more memory than allowed",
    "process limit": "start ever more processes",
    "disk limit": "fill the disk",
    "strays": "leave a process behind",
    "memory of all": "take it with many processes",
}


def all_hold(sandbox: Sandbox) -> bool:
    """Whether every protection holds."""
    return bool(sandbox.protections) and all(text.startswith("held") for text in sandbox.protections.values())


def advice(sandbox: Sandbox) -> str:
    """Return what would make it better, "" if nothing would."""
    if sandbox.backend == "namespaces":
        return "Install bubblewrap (apt install bubblewrap), a sandbox of its own: it is taken where it is there."
    return ""


def table(sandbox: Sandbox) -> Table:
    """Return the table of protections, one row each."""
    shown = Table("a student's code cannot", "", "how, or why not", title=f"Sandbox: {sandbox.backend}")
    for name, text in sandbox.protections.items():
        state, _, how = text.partition(": ")
        mark = "[green]holds[/green]" if state == "held" else "[bold red]MISSING[/bold red]"
        shown.add_row(MEANING.get(name, name), mark, how.replace("[", r"\["))
    return shown
