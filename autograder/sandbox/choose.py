"""Choose the best sandbox of this machine, or say in one line what to do."""

import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.linux.limits import ResourceLimits
from autograder.sandbox.protections import essentials_missing, tried
from autograder.sandbox.start import Sandbox
from helpers.errors import CourseError


def ensure(
    no_sandbox: bool = False,
    *,
    limits: ResourceLimits | None = None,
    hidden: Iterable[Path] = (),
    say: Callable[[str], None] = print,
) -> Sandbox:
    """Return a sandbox whose protections were tried: bubblewrap, else plain namespaces.

    no_sandbox: take none where none holds. hidden: folders that no runner may see. say: gets a line where there is
    none. Raises CourseError with what to do where there is no sandbox and one is wanted.
    """
    bounds, unseen = limits or ResourceLimits(), tuple(hidden)
    why = {}
    for backend in _candidates():
        sandbox = tried(Sandbox(backend, bounds, unseen))
        missing = essentials_missing(sandbox.protections)
        if not missing:
            return sandbox
        why[backend] = f"{missing[0]}: {sandbox.protections[missing[0]].removeprefix('missing: ')}"
    reason = "; ".join(f"{name} ({text})" for name, text in why.items()) or f"{sys.platform} has no namespaces"
    if not no_sandbox:
        raise CourseError(f"There is no sandbox on this machine: {reason}. {_remedy()}")
    say(f"Grading WITHOUT a sandbox: students' code runs as you. {reason}.")
    return tried(Sandbox("none", bounds, unseen))


def _candidates() -> list[str]:
    """The backends worth trying, best first."""
    if sys.platform != "linux":
        return []
    return ["bubblewrap", "namespaces"] if shutil.which("bwrap") else ["namespaces"]


def _remedy() -> str:
    if sys.platform != "linux":
        return "Grade on Linux (WSL, too), or with --no-sandbox if you trust everybody whose code you run."
    return (
        "Install bubblewrap (apt install bubblewrap), allow user namespaces (sysctl user.max_user_namespaces=10000 "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container: --privileged), or take --no-sandbox "
        "if you trust everybody whose code you run."
    )
