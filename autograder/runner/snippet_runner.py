"""The smallest runner: it executes snippets and says what they printed. The protections are tried with it."""

import contextlib
import io
import socket

from autograder.processes.framing import receive, send


def serve(sock: socket.socket) -> None:
    """Answer {"source": text} with {"printed": text, "error": "ValueError: ..." or ""} until the other end is gone."""
    names: dict = {}
    while True:
        try:
            source = receive(sock)["source"]
        except EOFError:
            return
        printed, error = io.StringIO(), ""
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(source, "<snippet>", "exec"), names)
        except BaseException as problem:  # whatever it is, it is the answer
            error = f"{type(problem).__name__}: {problem}"
        send(sock, {"printed": printed.getvalue(), "error": error})
