"""The student edition as a git repository of its own, with a tag for each release and none of the course's history."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from helpers.errors import CourseError

TAG = "release-"
# The course speaks for itself: no identity, signature, hook or line ending of the user's own settings.
SETTINGS = {
    "user.name": "bow2lora",
    "user.email": "bow2lora@localhost",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "core.hooksPath": "/dev/null",
    "core.autocrlf": "false",
    "init.defaultBranch": "main",
}


def release(folder: Path, names: Sequence[str]) -> str:
    """Commit the named files, of which some may be gone, and tag them; returns the tag, "" if nothing changed.

    Other files in the folder are neither added nor committed.
    """
    if shutil.which("git") is None:
        raise CourseError("--git needs git on PATH")
    if not (folder / ".git").exists():
        _git(folder, "init", "--quiet")
    known = _git(folder, "ls-files", "-z").split("\0")
    ours = "\0".join(name for name in names if name in known or (folder / name).is_file())
    _git(folder, "add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul", given=ours)
    staged = _git(folder, "diff", "--cached", "--name-only", "-z").split("\0")
    if not {*names}.intersection(staged) and _tags(folder):
        return ""
    tag = f"{TAG}{max(_tags(folder), default=0) + 1}"
    only = ("--only", "--pathspec-from-file=-", "--pathspec-file-nul")
    _git(folder, "commit", "--quiet", "--allow-empty", "--message", tag, *only, given=ours)
    _git(folder, "tag", "--annotate", tag, "--message", tag)
    return tag


def _tags(folder: Path) -> list[int]:
    found = (re.fullmatch(rf"{TAG}(\d+)", line) for line in _git(folder, "tag", "--list").splitlines())
    return [int(match[1]) for match in found if match]


def _git(folder: Path, *words: str, given: str = "") -> str:
    """Run git in the folder and return what it prints; CourseError with its last line if it fails."""
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    line = ["git", "--literal-pathspecs", *settings, *words]
    done = subprocess.run(line, cwd=folder, input=given, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise CourseError(f"{folder}: git {words[0]} failed: {said}")
    return done.stdout
