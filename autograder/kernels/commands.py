"""The command line's `kernel install` and `kernel remove`."""

from pathlib import Path
from typing import Annotated

import typer

from helpers.errors import CourseError

app = typer.Typer(no_args_is_help=True, help="Warm kernels for stock nbgrader and formgrader. They are no sandbox.")


@app.command("install")
def install_command(
    user: Annotated[bool, typer.Option("--user", help="For this user, in all environments.")] = False,
    sys_prefix: Annotated[bool, typer.Option("--sys-prefix", help="For this environment (the default).")] = False,
    prefix: Annotated[Path | None, typer.Option(help="For the environment in this folder.")] = None,
) -> None:
    """Install the kernelspec bow2lora, which nbgrader_config.py then uses for autograde."""
    from autograder.kernels import kernelspec

    if sum((user, sys_prefix, prefix is not None)) > 1:
        raise CourseError("--user, --sys-prefix and --prefix exclude each other")
    where = kernelspec.install(user, str(prefix) if prefix else None)
    print(f"installed the kernel {kernelspec.NAME} in {where}; this course's autograde and formgrader now use it")


@app.command("remove")
def remove_command() -> None:
    """Remove the kernelspec bow2lora; nbgrader uses the notebooks' own kernel again."""
    from autograder.kernels import kernelspec

    print(f"removed the kernel {kernelspec.NAME} from {kernelspec.remove()}")
