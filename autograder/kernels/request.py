"""What the client of a warm kernel asks the template for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """What a client wants: ipykernel's arguments, the folder and environment to run in, where output goes.

    client: a descriptor of the client's process, None where the kernel shall outlive it; client_pid: 0 there.
    """

    argv: list[str]
    cwd: str | None
    env: dict[str, str]
    stdout: int
    stderr: int
    client: int | None
    client_pid: int
