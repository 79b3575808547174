"""The Linux system calls that Python has no function for: namespaces, mounts, capabilities, prctl.

Numbers and structures: linux/sched.h, linux/mount.h, linux/prctl.h, linux/capability.h.
"""

import ctypes
import os

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 0x20
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
SYS_MOUNT_SETATTR, SYS_PIVOT_ROOT = 442, {"x86_64": 155, "aarch64": 41}
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, AT_RECURSIVE, AT_FDCWD = 1, 2, 4, 0x8000, -100
SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, CAPBSET_DROP, SET_SECUREBITS, SET_NO_NEW_PRIVS = 1, 4, 22, 24, 28, 38
SET_CHILD_SUBREAPER = 36
CAP_AMBIENT, AMBIENT_RAISE, AMBIENT_CLEAR = 47, 2, 4
SECUREBITS_LOCKED = 0x2F  # uid 0 is no privilege, and neither that nor keeping capabilities can be changed back
CAPABILITY_VERSION = 0x20080522
CAPABILITIES = {  # those that a zygote needs; the last to count its runners' memory exactly
    "CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7, "CAP_SETPCAP": 8, "CAP_SYS_ADMIN": 21, "CAP_SYS_PTRACE": 19,
}  # fmt: skip

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


class _Attributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns"))


def call(name: str, *arguments) -> int:
    """Call a function of the C library; a negative result is an OSError that names the function."""
    result = getattr(_libc, name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave the namespaces of these kinds for new ones (of pids: the children do)."""
    call("unshare", flags)


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """mount(2)."""
    call("mount", source.encode(), target.encode(), kind and kind.encode(), ctypes.c_ulong(flags), options.encode())


def read_only(path: str, extra: int = 0) -> None:
    """Make a mount and all below it read-only (mount_setattr, Linux 5.12)."""
    wanted = _Attributes(ATTR_RDONLY | extra, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    number = ctypes.c_long(SYS_MOUNT_SETATTR)
    call("syscall", number, AT_FDCWD, path.encode(), ctypes.c_uint(AT_RECURSIVE), ctypes.byref(wanted), size)


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root; the old one then lies at `old`."""
    number = SYS_PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(f"pivot_root: its number on {os.uname().machine} is not known here")
    call("syscall", ctypes.c_long(number), new.encode(), old.encode())


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """prctl(2)."""
    zero = ctypes.c_ulong(0)
    call("prctl", option, ctypes.c_ulong(value), ctypes.c_ulong(third), zero, zero)


def die_with_parent() -> None:
    """Be killed when the parent's thread ends that started this process."""
    prctl(SET_PDEATHSIG, 9)


def zygote_capabilities() -> dict[str, int]:
    """Return what a zygote needs, by name: for root as much of it as there is, in a user namespace all."""
    if os.geteuid() != 0:
        return CAPABILITIES
    with open("/proc/self/status", encoding="utf-8", errors="replace") as status:  # noqa: PTH123
        mine = next((int(line.split()[1], 16) for line in status if line.startswith("CapEff")), 0)
    return {name: number for name, number in CAPABILITIES.items() if mine >> number & 1}


def set_capabilities(*capabilities: int) -> None:
    """Keep only these capabilities, in all three sets."""
    low = sum(1 << c for c in capabilities)  # all that we name are below 32
    sets = (_Sets * 2)(_Sets(low, low, low), _Sets(0, 0, 0))
    call("capset", ctypes.byref(_Header(CAPABILITY_VERSION, 0)), ctypes.byref(sets))


def keep_over_exec(*capabilities: int) -> None:
    """Keep these capabilities and no others, also after an exec by a user who is not root.

    An exec that gave root more than it has would also make it forget that it dies with its parent.
    """
    _drop_bounds(keep=capabilities)
    set_capabilities(*capabilities)
    for capability in capabilities:
        prctl(CAP_AMBIENT, AMBIENT_RAISE, capability)


def forget_capabilities() -> None:
    """Make sure that no exec brings any capability back; the present ones are still there."""
    prctl(CAP_AMBIENT, AMBIENT_CLEAR)
    prctl(SET_SECUREBITS, SECUREBITS_LOCKED)
    _drop_bounds()


def _drop_bounds(keep: tuple[int, ...] = ()) -> None:
    for capability in range(64):
        try:
            if capability not in keep:
                prctl(CAPBSET_DROP, capability)
        except OSError:  # this kernel knows no more
            return
