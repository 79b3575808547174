"""Lines for the system's shell in a notebook (`!ls`, `files = !ls`), run without a terminal and without a network."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile

SECONDS = 20.0  # by the clock, for one line
MAX_OUTPUT = 100_000  # bytes that are read of what a line prints
NOT_RUN = "not run while grading"

INSTALLERS = {
    "apt", "apt-get", "bower", "brew", "bun", "cargo", "conda", "dnf", "gem", "mamba", "micromamba", "npm", "npx",
    "pip", "pip3", "pipenv", "pipx", "pnpm", "poetry", "pyenv", "rustup", "snap", "uv", "yarn", "yum", "zypper",
}  # fmt: skip
NETWORK = {
    "aws", "az", "curl", "docker", "ftp", "gcloud", "gdown", "gh", "git", "gsutil", "hf", "huggingface-cli",
    "kaggle", "nc", "ollama", "ping", "podman", "rclone", "rsync", "scp", "sftp", "ssh", "telnet", "wandb", "wget",
}  # fmt: skip
TERMINAL = {
    "code", "emacs", "google-chrome", "htop", "jupyter", "jupyter-lab", "jupyter-notebook", "less", "man", "more",
    "nano", "nvim", "open", "tensorboard", "tmux", "top", "vi", "vim", "watch", "xdg-open",
}  # fmt: skip
OUTSIDE = INSTALLERS | NETWORK | TERMINAL  # programs that need a network, a terminal or a display
BETWEEN_COMMANDS = re.compile(r"[;&|\n(]+")
BEFORE_A_COMMAND = re.compile(r"(?:(?:sudo|time|env|nohup|exec)\s+|-\S+\s+|\w+=\S*\s+)*")
PYTHON_MODULE = re.compile(r"\S*python[\d.]*['\"]?\s+(?:-\w\s+)*-m\s+(\S+)")


def needs_outside(command: str) -> bool:
    """Whether a line holds a program that needs a network, a terminal or a display: `pip install x`, `git clone y`."""
    return any(_program(part) in OUTSIDE for part in BETWEEN_COMMANDS.split(command))


def _program(command: str) -> str:
    """Return the name of the program that a single command starts; for `python -m pip` that is pip."""
    command = command.strip()
    command = command[BEFORE_A_COMMAND.match(command).end() :]
    as_module = PYTHON_MODULE.match(command)
    if as_module:
        return as_module[1]
    words = command.split(maxsplit=1)
    return os.path.basename(words[0].strip("'\"")) if words else ""  # noqa: PTH119


def run(command: str) -> tuple[str, int]:
    """Run a line by /bin/sh (on Windows by cmd.exe); returns what it printed and its exit code.

    Nobody types anything, nothing is a terminal. TimeoutError where it does not end; OSError where it cannot start.
    """
    with tempfile.TemporaryFile() as printed:
        options = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": subprocess.STDOUT}
        with subprocess.Popen(command, shell=True, process_group=0, **options) as process:
            try:
                code = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                raise TimeoutError(f"ended after {SECONDS:g} s") from None
            finally:
                _end(process)
        printed.seek(0)
        return printed.read(MAX_OUTPUT).decode("utf-8", "replace"), code


def _end(process: subprocess.Popen) -> None:
    """End a process and what it has started, if it is still there."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            process.kill()
