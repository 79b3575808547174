"""The kernel provisioner `bow2lora-warm`: a kernel by a fork where that can be, and a normal one where not."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Float

LAUNCHER = ["-m", "ipykernel_launcher"]


class WarmProvisioner(LocalProvisioner):
    """Starts kernels as forks of a template that has torch, NumPy, matplotlib, scikit-learn and helpers imported.

    It is no sandbox. Whatever hinders a warm start is said in the log, and the kernel starts the normal way.
    """

    idle_seconds = Float(600.0, help="Seconds without a kernel after which the template ends.").tag(config=True)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Launch the kernel process and return its connection information."""
        try:
            order = _order(cmd, self._scrub_kwargs(kwargs))
            from autograder.kernels import template_client

            self.process = await asyncio.to_thread(template_client.start, order, self.idle_seconds)
        except Exception as error:  # a kernel that starts slowly is better than none
            self.log.warning("bow2lora: no warm start (%s); the kernel starts the normal way", error or repr(error))
            return await super().launch_kernel(cmd, **kwargs)
        self.pid = self.pgid = self.process.pid
        self.cwd = kwargs.get("cwd") or Path.cwd()
        return self.connection_info


def _order(cmd: list[str], kwargs: dict[str, Any]):
    """Return what to ask the template for; ValueError if only a process of its own can do it."""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        raise ValueError("a process that has imported torch can be forked on Linux only")
    from autograder.kernels.template_client import Order

    kwargs = dict(kwargs)
    at = next((i for i in range(len(cmd)) if cmd[i : i + 2] == LAUNCHER), None)
    if at is None:
        raise ValueError(f"the kernelspec's command must hold: {' '.join(LAUNCHER)}")
    env, cwd = kwargs.pop("env", None) or dict(os.environ), kwargs.pop("cwd", None)
    out = [_descriptor(kwargs.pop(name, None), default) for name, default in (("stdout", 1), ("stderr", 2))]
    independent = bool(kwargs.pop("independent", False))
    if kwargs.pop("stdin", None) is not None or kwargs:
        raise ValueError("it was asked for with options of subprocess.Popen")
    cwd = os.path.abspath(cwd) if cwd else None  # noqa: PTH100  (as Popen takes it)
    if cwd and not Path(cwd).is_dir():
        raise ValueError(f"there is no folder {cwd}")
    return Order(cmd[:at], cmd[at + 2 :], dict(env), cwd or str(Path.cwd()), *out, independent)


def _descriptor(stream: Any, default: int) -> int:
    """Return the number of a stream's descriptor; ValueError for a pipe that Popen would have to make."""
    number = default if stream is None else stream if isinstance(stream, int) else stream.fileno()
    if number < 0:
        raise ValueError("its output was asked for as a pipe")
    return number
