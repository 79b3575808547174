"""What a zygote sees: the system's libraries, this Python and its packages, the course's helpers; all read-only."""

import itertools
import os
import stat
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import helpers
from autograder import paths
from autograder.runner.confine import SCRATCH
from helpers.data.registry import datasets_folder

COURSE = "/course"  # where helpers, datasets, link and runner lie inside
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/fonts", "/sys/devices/system/cpu")
PARTS = ("bin", "lib", "lib32", "lib64", "include", "share", "pyvenv.cfg", "Python", "Resources")  # of a prefix
# The grader's own code that runners need.
GRADER: tuple[str, ...] = ("__init__.py", "cells.py", "cell_marks.py", "course_imports.py", "ipc", "linux", "runner")
GRADER += ("processes/__init__.py", "processes/fork_server.py", "processes/framing.py")
DEVICES = ("null", "random", "urandom")  # not zero: mapped as shared, it is memory that nothing counts
FIRST_FREE_USER = 1_879_048_192  # from here to 2**31 systemd's list of users and groups has nobody
ANSWERS = "_answers"  # in helpers/: the model answers of the wheel for self-study
MAX_ZYGOTES = 64  # at the same time in one process: each has a user's number of its own, by which processes are counted
_zygotes = itertools.count()


@dataclass(frozen=True)
class View:
    """A root file system: what to do, parents first.

    steps: (kind, source, target); kinds are "bind" (read-only) and "device", "link" with its text as the source, and
    without a source "mask" (an empty folder), "scratch" (one to write in) and "proc".
    """

    steps: tuple[tuple[str, str, str], ...]

    def sources(self) -> list[Path]:
        """The files and folders of the real system that are seen."""
        return [Path(source) for kind, source, _ in self.steps if kind == "bind"]


def view(hidden: Iterable[Path] = ()) -> View:
    """Return what a zygote sees. hidden: folders that no runner may see, wherever they lie; the checkout is one."""
    links = {name: os.readlink(name) for name in SYSTEM if Path(name).is_symlink()}  # noqa: PTH115
    shown = [*SYSTEM, *SETTINGS, *_python()]
    binds = {name: os.path.realpath(name) for name in shown if name not in links and Path(name).exists()}
    covered = [Path(__file__).resolve().parents[1], Path.home(), *answers(), *hidden]
    if paths.SOLUTIONS.is_dir():  # a checkout, not an installed package
        covered.append(paths.ROOT)
    masks = {os.path.realpath(path) for path in covered if Path(path).is_dir()}
    steps = [("link", text, name) for name, text in links.items()]
    steps += [("bind", source, target) for target, source in _needed(binds, masks).items()]
    steps += [("mask", "", path) for path in masks if _under(path, binds) and path not in binds]
    steps += [("bind", source, target) for target, source in _course().items()]
    if _own_answers().is_dir():
        steps.append(("mask", "", f"{COURSE}/helpers/{ANSWERS}"))
    steps += _standard(in_tmp=any(target.startswith("/tmp/") for _, _, target in steps))
    return View(tuple(sorted(steps, key=lambda step: (step[2].count("/"), step[2]))))


def answers() -> list[Path]:
    """Return the folders of model answers that an installed wheel carries: our own, and any among the packages."""
    found = [_own_answers(), *(Path(packages, "helpers", ANSWERS) for packages in _packages())]
    return [folder for folder in dict.fromkeys(found) if folder.is_dir()]


def _own_answers() -> Path:
    return Path(helpers.__file__).resolve().parent / ANSWERS


def _standard(in_tmp: bool) -> list[tuple[str, str, str]]:
    """What every view has. /tmp is the scratch folder, unless something that is seen lies there."""
    devices = [("device", f"/dev/{name}", f"/dev/{name}") for name in DEVICES if Path("/dev", name).exists()]
    steps = [("mask", "", "/dev"), ("mask", "", "/dev/shm"), ("proc", "", "/proc"), ("scratch", "", SCRATCH), *devices]
    return steps if in_tmp else [*steps, ("link", SCRATCH, "/tmp")]


def _course() -> dict[str, str]:
    """The course's own parts, at a place of their own: {where they are seen: where they lie}."""
    ours, grader = Path(helpers.__file__).resolve().parent, Path(__file__).resolve().parents[1]
    parts = {"helpers": ours, "datasets": datasets_folder().resolve()}
    parts |= {f"autograder/{name}": grader / name for name in GRADER}
    return {f"{COURSE}/{name}": str(path) for name, path in parts.items()}


def _python() -> list[str]:
    """The folders of this Python, of the one that it was made from, and of every symbolic link between."""
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    program = Path(sys.executable)
    for _ in range(40):  # the kernel follows no more
        prefixes.add(str(program.parent.parent))
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    prefixes |= {os.path.realpath(prefix) for prefix in prefixes}
    own = sorted(prefixes - {"/", "/usr"})
    found = [f"{prefix}/{part}" for prefix in own for part in PARTS]
    return found + [place for packages in _packages() for place in (packages, *_linked(packages))]


def _packages() -> list[str]:
    """The folders where installed packages lie."""
    found = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return sorted(found | {p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")})


def _linked(packages: str) -> set[str]:
    """Where the symbolic links among the packages lead: some installers link each file to their store."""
    found = set()
    for one in (*Path(packages).glob("*"), *Path(packages).glob("*/*")):
        if one.is_symlink():
            inner, target = str(one.relative_to(packages)), os.path.realpath(one)
            found.add(target.removesuffix(f"/{inner}") if target.endswith(f"/{inner}") else target)
    return found


def _needed(binds: dict[str, str], masks: set[str]) -> dict[str, str]:
    """Leave out what another bind shows already at the same place."""

    def shown(target: str) -> bool:
        above = _under(target, {t: s for t, s in binds.items() if t != target})
        return bool(above) and not any(_under(target, {mask: mask}) and _under(mask, {above: above}) for mask in masks)

    return {t: s for t, s in binds.items() if not (t == s and shown(t))}


def _under(path: str, places: Iterable[str]) -> str:
    """Return the place that a path lies in (or is), or nothing."""
    return next((p for p in places if path == p or path.startswith(f"{p}/")), "")


def runner_user(shown: View) -> int | None:
    """Return the number of a user that a root's runners become, None for nobody else than oneself.

    A number that no one has, unless what runners read is not readable by all: then the number of its owner.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    samples = [*shown.sources(), Path(helpers.__file__), Path(os.__file__), datasets_folder() / "registry.toml"]
    for sample in samples:
        found = sample.stat()
        wanted = stat.S_IROTH | (stat.S_IXOTH if sample.is_dir() else 0)
        if found.st_mode & wanted != wanted:
            return found.st_uid or None
    return FIRST_FREE_USER + os.getpid() * MAX_ZYGOTES + next(_zygotes) % MAX_ZYGOTES
