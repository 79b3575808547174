"""A course's secret, and what follows from it for one student."""

import contextlib
import hashlib
import hmac
import os
import secrets
import sys
from pathlib import Path

from helpers.errors import CourseError
from helpers.files import write_whole

SECRET = "secret"  # a file of the course, beside its gradebook; whoever has it can make the hidden inputs
ANEW = "it was missing, and a new one is made, so hidden inputs differ from earlier gradings; put the old file back"


def secret_of(course: Path) -> str:
    """Return what the seeds of hidden inputs depend on: BOW2LORA_SECRET, else the course's file, made if need be."""
    if given := os.environ.get("BOW2LORA_SECRET"):
        return given
    path = course / SECRET
    if not os.path.lexists(path):
        if (course / "autograded").is_dir():
            print(f"note: {path}: {ANEW} if you have it", file=sys.stderr)
        write_whole(path, f"{secrets.token_hex(16)}\n".encode())
        path.chmod(0o600)
    return _read(path)


def _read(path: Path) -> str:
    """Return the secret in a file; CourseError where it holds none, since everybody could compute hidden inputs."""
    secret = ""
    if path.is_file():  # reading a pipe would wait for ever
        with contextlib.suppress(UnicodeDecodeError):
            secret = path.read_text(encoding="utf-8").strip()
    if not secret:
        again = "put back the one that this course was graded with, or delete the file, and a new one is made"
        raise CourseError(f"{path}: it holds no secret; {again}")
    return secret


def secret_for(secret: str, student: str) -> str:
    """Return a student's own secret: whoever learns it learns neither the course's nor another student's."""
    return hmac.new(secret.encode(), f"student\0{student}".encode(), hashlib.sha256).hexdigest()
