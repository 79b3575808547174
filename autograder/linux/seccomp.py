"""A short seccomp filter: system calls that no answer needs and that reach around namespaces and memory limits.

Sockets other than Unix ones fail (AF_VSOCK knows no network namespace); new namespaces, mounts, tracing, keyrings,
io_uring, bpf, watches on files (few for each user) and System V memory (which outlives its process and no rlimit
counts) are refused. So is shared memory without a file: given back with madvise, it is held and counted nowhere. So are
larger buffers of sockets, and memory lent to a pipe, which keeps it when the process has given it back.
Which files lie in memory is the same for all runners of a machine, so one could leave word in it for the next: what
asks for that (mincore, cachestat, reads that do not wait) or changes it at will (fadvise, readahead, some advice on
memory) is refused. A clock still tells what lay in memory from what did not (SECURITY.md).
Locks and watches lie with a file, which is the same one for all runners: who holds a lock, leases a file or is told
that somebody reads it, hears of a runner that is at work beside him. So flock does nothing and says that it did, and
fcntl neither tells of locks nor leases nor watches; a lock of one's own on a range (SQLite's) goes on.
A limit of one's own on processor time would end a runner by SIGKILL, as a machine does that is short of memory, and the
grader takes that for a failure of its own: such limits are refused.
A new session would have a share of the processors of its own (sched_autogroup), as large as that of the judges: setsid
does nothing and says that it did, for programs that ask for one without need.
Structures: linux/filter.h, linux/seccomp.h; numbers: asm/unistd_64.h, asm-generic/unistd.h.
"""

import ctypes
import errno
import os
import struct

from autograder.linux import syscalls

# name: (x86_64, aarch64)
REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "vmsplice": (278, 75),
    "io_setup": (206, 0),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "open_by_handle_at": (304, 265),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "inotify_init": (253, 26),  # aarch64 has inotify_init1 only
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "syslog": (103, 116),  # where all may read it, a crash leaves its process's name there
    "sync": (162, 81),  # writes out what others have written, and lasts as long
    "syncfs": (306, 267),
}
PRETENDED = {"setsid": (112, 157), "flock": (73, 32)}  # they do nothing and say that they did
SOCKET, SOCKETPAIR, CLONE, CLONE3, MMAP, SETSOCKOPT = (41, 198), (53, 199), (56, 220), (435, 435), (9, 222), (54, 208)
MADVISE, WITH_FLAGS = (28, 233), ((327, 286), (328, 287))  # preadv2, pwritev2
FCNTL = (72, 25)
SETRLIMIT, PRLIMIT = (160, 164), (302, 261)
PROCESSOR_TIME = (0,)  # RLIMIT_CPU
# F_GETLK, F_OFD_GETLK, F_SETLEASE, F_GETLEASE, F_NOTIFY, and hints on how long what is written lives
OF_OTHERS = (5, 36, 1024, 1025, 1026, 1035, 1036, 1037, 1038)
ADVICE = (20, 21, 25)  # MADV_COLD, MADV_PAGEOUT, MADV_COLLAPSE: of pages that others may have, too
BUFFERS = (7, 8, 32, 33)  # options of setsockopt: SO_SNDBUF, SO_RCVBUF, and the same by force
SHARED, ANONYMOUS = 0x01, 0x20  # flags of mmap; MAP_SHARED_VALIDATE has the first bit, too
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, AUDIT_ARCH
NAMESPACES = 0x7E020080  # every CLONE_NEW* flag of clone
X32 = 0x40000000  # x86_64's second numbering of the same calls
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF: ld abs, jeq, jge, jset, ret
NUMBER_AT, ARCHITECTURE_AT = 0, 4  # in struct seccomp_data
FIRST_ARGUMENT_AT, SECOND_ARGUMENT_AT, THIRD_ARGUMENT_AT, FOURTH_ARGUMENT_AT, SIXTH_ARGUMENT_AT = 16, 24, 32, 40, 56
FILTER = 2  # SECCOMP_MODE_FILTER


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def apply() -> None:
    """Bind this process and its children by the filter, for good; needs no_new_privs. OSError where there is none."""
    code = program(os.uname().machine)
    wanted = _Program(len(code) // 8, code)
    syscalls.prctl(syscalls.SET_SECCOMP, FILTER, ctypes.addressof(wanted))


def program(machine: str) -> bytes:
    """Return the filter as BPF instructions of 8 bytes each."""
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"seccomp: the numbers of system calls on {machine} are not known here")
    column, architecture = ARCHITECTURES[machine]
    steps = [_step(LOAD, ARCHITECTURE_AT), _step(EQUAL, architecture, 1, 0), _refuse(errno.EPERM)]
    steps += [_step(LOAD, NUMBER_AT), _step(AT_LEAST, X32, 0, 1), _refuse(errno.EPERM)]
    for numbers in REFUSED.values():
        steps += [_step(EQUAL, numbers[column], 0, 1), _refuse(errno.EPERM)]
    for numbers in PRETENDED.values():
        steps += [_step(EQUAL, numbers[column], 0, 1), _refuse(0)]
    steps += [_step(EQUAL, CLONE3[column], 0, 1), _refuse(errno.ENOSYS)]  # the C library then takes clone
    for numbers in (SOCKET, SOCKETPAIR):
        steps += _on_argument(numbers[column], _step(EQUAL, 1, 1, 0), errno.EAFNOSUPPORT)  # AF_UNIX is 1
    steps += _no_shared_memory(MMAP[column])
    steps += _not_with(SETSOCKOPT[column], BUFFERS, errno.EPERM) + _not_with(MADVISE[column], ADVICE, errno.EINVAL)
    steps += _not_with(FCNTL[column], OF_OTHERS, errno.EINVAL, SECOND_ARGUMENT_AT)
    steps += _not_with(SETRLIMIT[column], PROCESSOR_TIME, errno.EPERM, FIRST_ARGUMENT_AT)
    steps += _not_with(PRLIMIT[column], PROCESSOR_TIME, errno.EPERM, SECOND_ARGUMENT_AT)
    for numbers in WITH_FLAGS:
        test = _step(EQUAL, 0, 1, 0)
        steps += _on_argument(numbers[column], test, errno.EOPNOTSUPP, SIXTH_ARGUMENT_AT)
    steps += _on_argument(CLONE[column], _step(ANY_BIT, NAMESPACES, 0, 1), errno.EPERM)
    return b"".join([*steps, _step(RETURN, ALLOW)])


def _on_argument(number: int, test: bytes, error: int, at: int = FIRST_ARGUMENT_AT) -> list[bytes]:
    """Five steps for one call: look at an argument; the test skips the refusal or falls into it."""
    return [_step(EQUAL, number, 0, 4), _step(LOAD, at), test, _refuse(error), _step(RETURN, ALLOW)]


def _no_shared_memory(number: int) -> list[bytes]:
    """Six steps for mmap: refused if it is to be both shared and without a file."""
    steps = [_step(EQUAL, number, 0, 5), _step(LOAD, FOURTH_ARGUMENT_AT), _step(ANY_BIT, SHARED, 0, 2)]
    return [*steps, _step(ANY_BIT, ANONYMOUS, 0, 1), _refuse(errno.ENOMEM), _step(RETURN, ALLOW)]


def _not_with(number: int, values: tuple[int, ...], error: int, at: int = THIRD_ARGUMENT_AT) -> list[bytes]:
    """Steps for a call that is refused where an argument, the third or the one named, is one of these values."""
    tests = [_step(EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)]
    inner = [_step(LOAD, at), *tests, _step(RETURN, ALLOW), _refuse(error)]
    return [_step(EQUAL, number, 0, len(inner)), *inner]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _step(RETURN, REFUSE | error)
