"""The kernelspec `bow2lora`: installed and removed by a command, and found by nbgrader_config.py."""

import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager

from helpers.errors import CourseError

NAME, DISPLAY_NAME = "bow2lora", "bow2lora (warm)"
PROVISIONER, GROUP = "bow2lora-warm", "jupyter_client.kernel_provisioners"


def kernel_json() -> dict:
    """Return the kernelspec: ipykernel's own, with the provisioner's name in it."""
    from ipykernel.kernelspec import get_kernel_dict

    spec = get_kernel_dict(python_arguments=["-Xfrozen_modules=off"])  # as ipykernel's own, for the debugger
    return spec | {
        "display_name": DISPLAY_NAME,
        "metadata": spec["metadata"] | {"kernel_provisioner": {"provisioner_name": PROVISIONER}},
    }


def install(user: bool = False, prefix: str | None = None) -> str:
    """Install the kernelspec for this Python; returns its folder.

    user: for this user, for all environments; prefix: for an environment (default: this one).
    """
    if not registered():
        raise CourseError(f"the provisioner {PROVISIONER} is not registered; install the course anew: make install")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.json"
        path.write_text(json.dumps(kernel_json(), indent=1), encoding="utf-8")
        where = None if user else prefix or sys.prefix
        return KernelSpecManager().install_kernel_spec(folder, NAME, user=user, prefix=where)


def remove() -> str:
    """Remove the kernelspec, wherever it is; returns the folder that it was in."""
    try:
        return KernelSpecManager(ensure_native_kernel=False).remove_kernel_spec(NAME)
    except KeyError:
        raise CourseError(f"there is no kernelspec {NAME} to remove") from None


def warm_kernel() -> str:
    """Return what c.Execute.kernel_name shall be: the kernelspec's name if it is installed, else "", the notebook's."""
    return NAME if registered() and NAME in KernelSpecManager().find_kernel_specs() else ""


def registered() -> bool:
    """Return whether Jupyter in this environment knows the provisioner."""
    return bool(importlib.metadata.entry_points(group=GROUP, name=PROVISIONER))
