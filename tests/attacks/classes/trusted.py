"""what the grader's own processes read, count and believe"""

import io
import zipfile
from pathlib import Path

from ..attack import Attack, Setting
from .handin import chapter
from .insider import INSIDE, LATE
from .kernel import LIBC, WORD

OTHERS = "no grade, a delay, or others without a grade"


def appended(text: str):
    """Return what puts a text behind the answer to the first exercise; it need not be Python that can be read."""

    def change(nb):
        for cell in nb["cells"]:
            if cell["id"] == "rules":
                cell["source"] += text

    return change


def member(name: str) -> zipfile.ZipInfo:
    """Return a file's entry in a zip, the same ones at any time."""
    return zipfile.ZipInfo(name, (2026, 1, 1, 12, 0, 0))


def nested_zips(folder: Path, _: Setting) -> None:
    """Twenty zips with twenty files each of 95 MB of brackets, packed to a hundred kilobytes, all called notebooks."""
    file = b'{"cells": [' + b"[],\n" * 24_000_000 + b"7]}"
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(member("01_spam.ipynb"), file, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(outer, "w") as archive:
        for number in range(20):
            archive.writestr(member(f"{number}/01_spam.zip"), inner.getvalue(), zipfile.ZIP_DEFLATED)
    for number in range(20):
        (chapter(folder) / f"{number}.zip").write_bytes(outer.getvalue())


def long_words(nb):
    """A kernel and a version of a megabyte."""
    long = "9" * 1_000_000
    nb["metadata"] = {"language_info": {"version": f"3.{long}"}, "kernelspec": {"name": long, "display_name": long}}
    nb["nbformat_minor"] = 10**400


ATTACKS = [
    Attack(
        "cell-too-deep",
        "Hands in a cell of 50,000 signs in a row, for which a parser has no memory, wherever it is read.",
        notebook=appended("\n\nx = " + "-" * 50_000 + "1\n"),
        shows=OTHERS,
    ),
    Attack(
        "cell-of-blank-lines",
        "Hands in a cell of half a million blank lines, each of which a pattern may try with all that follow.",
        notebook=appended("\n" * 500_000 + "x = 1\n"),
        shows=OTHERS,
    ),
    Attack(
        "cell-of-many-statements",
        "Hands in a cell of 390,000 statements, whose tree takes a thousand times the memory of its text.",
        notebook=appended("\n" + "x\n" * 390_000),
        shows=OTHERS,
    ),
    Attack(
        "own-limit",
        "Lowers its own limit on processor time, so that the kernel kills it as if the machine were short of memory.",
        """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
while True:
    pass""",
        shows="no grade, so that the points of the hand-in before stay",
    ),
    Attack(
        "changed-by-word",
        "Says after each call that it has emptied and turned round all arguments, so that nothing be expected of it.",
        INSIDE
        + """
changed = itertools.cycle([
    {"is": "list", "items": []}, False, {"is": "dict", "items": []}, {"is": "set", "items": []}, "", None])
def call(header, buffers, out):
    keys = [*range(len(header["args"])), *header["kwargs"], -1, 99, "nothing", "self"]
    return {"value": False, "error": None, "printed": "", "after": [[key, next(changed)] for key in keys]}
for one in loops():
    one.operations["call"] = call""",
    ),
    Attack(
        "goes-on-by-exec",
        "Becomes another program, which keeps the socket, knows no limit of the loop's, and answers everything.",
        INSIDE
        + """
program = '''
import itertools, json, socket, struct, sys
link = socket.socket(fileno=int(sys.argv[1]))
values = itertools.cycle([True, False, 6.0, 1])
function = {"is": "handle", "id": 1, "kind": "function", "type": "function", "parameters": ["x"]}
def read(size):
    data = b""
    while len(data) < size:
        part = link.recv(size - len(data))
        if not part:
            sys.exit()
        data += part
    return data

def send(header):
    body = json.dumps(header).encode()
    link.sendall(struct.pack("!II", len(body), 0) + body)

send({"ok": True, "error": None, "stdout": "", "missing": [], "seconds": 0.0})
while True:
    length, count = struct.unpack("!II", read(8))
    sizes = struct.unpack(f"!{count}Q", read(8 * count))
    header = json.loads(read(length))
    [read(size) for size in sizes]
    value = function if header["op"] in ("get", "attr", "iter") else next(values)
    send({"value": value, "error": None, "printed": "", "after": [], "ok": True, "stdout": "", "missing": []})
'''
for one in loops():
    link = one.channel.sock
    link.settimeout(None)
    os.set_inheritable(link.fileno(), True)
    os.execv(sys.executable, [sys.executable, "-S", "-c", program, str(link.fileno())])""",
    ),
    Attack(
        "deaf-to-the-given",
        "Puts a function of its own in the place of exec, by which given cells are made again.",
        """
import builtins
run = builtins.exec
builtins.exec = lambda code, *names: None if getattr(code, "co_filename", "") == "given" else run(code, *names)
get_ipython().user_ns.update(__builtins__=builtins, re=None, math=None)""",
        answers="half",
    ),
    Attack(
        "counters-of-processors",
        "Reads how long each processor has slept and worked, in which an earlier run may have left word.",
        LIBC
        + """
for place in pathlib.Path("/sys").rglob("*"):
    with contextlib.suppress(OSError):
        if place.is_file() and place.name in ("time", "usage", "rejected", "above", "runtime_active_time", "stat"):
            place.read_bytes() and reached("what processors have done since the machine began")
            break""",
        shows=WORD,
    ),
    Attack(
        "times-of-reading",
        "Reads files of the packages that nobody has read for long, to leave word in the times of their last reading.",
        LIBC
        + """
places = [p for p in pathlib.Path(os.__file__).parent.rglob("*.py") if p.stat().st_atime < time.time() - 86_400]
for place in places[:50]:
    before = place.stat().st_atime_ns
    place.read_bytes()
    with contextlib.suppress(OSError):
        os.utime(place)
    if place.stat().st_atime_ns != before:
        reached("the time at which a file of all was read")
        break""",
        shows=WORD,
    ),
    Attack(
        "names-in-order",
        "Asks the kernel for numbers that it gives in order to all: names of sockets, processes, devices, keys.",
        LIBC
        + """
def number():
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("")
        return int(one.getsockname()[1:], 16)

found = [number() for _ in range(5)]
if all(0 < after - before < 3 for before, after in zip(found, found[1:])):
    reached("names of sockets that count for the whole machine")
with contextlib.suppress(OSError):
    open("/proc/sys/kernel/ns_last_pid").read() and os.getpid() > 1000 and reached("numbers of processes of all")""",
        shows=WORD,
    ),
    Attack(
        "timers-and-queues",
        "Takes what the kernel has for each user and no limit of memory counts: timers, signals, descriptors.",
        LIBC
        + """
import select
taken = []
for _ in range(4):
    if os.fork() == 0:
        signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64))
        with contextlib.suppress(OSError):
            polls = [select.epoll() for _ in range(60)]
            pipes = [os.pipe() for _ in range(60)]
            [one.register(end, select.EPOLLIN) for one in polls for pair in pipes for end in pair]
        queued = 0
        while queued < 300_000 and libc.sigqueue(os.getpid(), 40, ctypes.c_void_p(7)) == 0:
            queued += 1
        timer, made = ctypes.c_void_p(), 0
        while made < 300_000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0:
            made += 1
        os._exit(77 if max(queued, made) >= 100_000 else 0)
codes = [os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(4)]
77 in codes and reached("a hundred thousand timers or signals")""",
        shows=WORD,
    ),
    Attack(
        "zips-in-zips",
        "Hands in four hundred notebooks of 95 MB, all brackets, in zips within zips of a hundred kilobytes.",
        after=nested_zips,
        shows=OTHERS,
    ),
    Attack(
        "words-of-a-megabyte",
        "Writes kernels and versions of a million digits, and a format of its own, into what describes the notebook.",
        notebook=long_words,
        answers="half",
        shows=OTHERS,
    ),
    Attack(
        "named-like-the-gradebook",
        "Takes a folder name that the grader has for a file of its own.",
        folder="gradebook.db",
        shows=OTHERS,
    ),
    Attack(
        "errors-of-errors",
        "Raises errors that hold one another two by two, 2,000 deep, with causes and long notes, in calls and cells.",
        """
def chain(depth):
    error = ValueError()
    for _ in range(depth):
        group = ExceptionGroup("", [error, error])
        group.__cause__ = group.__context__ = error
        group.__notes__ = ["x" * 1000] * 50
        error = group
    return error

"""
        + LATE.replace("act()", "(_ for _ in ()).throw(chain(2000))"),
        cells={"judge": "raise chain(40)"},
        shows=OTHERS,
    ),
]
