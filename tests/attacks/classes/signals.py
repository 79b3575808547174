"""signals and ptrace at the parents and the judge"""

from ..attack import Attack
from .reading import MEMORY

ATTACKS = [
    Attack(
        "kill-parent",
        "Kills the process that started it.",
        "for pid in ancestors()[:1]:\n    os.kill(pid, signal.SIGKILL)",
        shows="others without a grade",
        alone=True,
    ),
    Attack(
        "kill-all",
        "Kills every process of the grader that it can see.",
        """
seen = [int(p.name) for p in pathlib.Path("/proc").glob("[0-9]*")]
for pid in seen:
    if pid != os.getpid() and ours(pid):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)""",
        shows="others without a grade",
        alone=True,
    ),
    Attack(
        "stop-parents",
        "Stops its ancestors, which then wait for ever.",
        "for pid in ancestors():\n    os.kill(pid, signal.SIGSTOP)",
        shows="a delay",
        alone=True,
    ),
    Attack(
        "ptrace",
        "Attaches to its parent as a debugger would.",
        """
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
for pid in ancestors()[:1]:
    if libc.ptrace(16, pid, None, None) == 0:
        time.sleep(0.2)
        libc.ptrace(17, pid, None, None)
        print(f"REACHED {TOKEN}: attached to the parent.")""",
        shows="its own word that it could",
    ),
    Attack(
        "memory-of-parents",
        "Searches the memory of its ancestors for hidden text.",
        MEMORY
        + """
for pid in ancestors():
    for text in list(search(pid))[:20]:
        print("STOLEN", text)""",
        shows="hidden text in an output",
    ),
    Attack(
        "memory-written",
        "Opens the memory of its parent for writing.",
        """
for pid in ancestors()[:1]:
    with open(f"/proc/{pid}/mem", "r+b", 0):
        print(f"REACHED {TOKEN}: may write the parent's memory.")""",
        shows="its own word that it could",
    ),
    Attack(
        "limits-of-parents",
        "Lowers the number of files that its parent may open.",
        """
import resource
for pid in ancestors()[:1]:
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    print(f"REACHED {TOKEN}: may set the parent's limits.")""",
        shows="its own word that it could",
    ),
    Attack(
        "ends-itself",
        "Ends its process at once, with exit code 0, in the hope that silence is success.",
        "os._exit(0)",
    ),
    Attack(
        "goes-on-as-child",
        "Forks and ends the parent; the child goes on answering.",
        "if os.fork():\n    os._exit(0)",
    ),
    Attack(
        "crashes",
        "Reads address zero, so that the process ends with a segmentation fault.",
        "ctypes.string_at(0)",
    ),
]
