"""resources"""

from ..attack import Attack
from .reading import LATER

WORD = "its own word that it could"

EATER = "x = bytearray(b'x') * 200_000_000; import time; time.sleep(15)"

ATTACKS = [
    Attack(
        "memory-of-many",
        "Starts 19 programs of 200 MB each, none of them above the limit.",
        f"""
eaters = [subprocess.Popen([sys.executable, "-S", "-c", {EATER!r}]) for _ in range(19)]
time.sleep(8)
if sum(one.poll() is None for one in eaters) > 15:
    print(f"REACHED {{TOKEN}}: 3 GB of memory in many processes.")""",
        shows=WORD,
    ),
    Attack(
        "memory-in-sockets",
        "Fills the buffers of as many sockets as 16 processes may open.",
        """
for _ in range(4):
    os.fork()
kept, done = [], 0
with contextlib.suppress(OSError):
    while True:
        kept.append(socket.socketpair())
        kept[-1][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_000_000)
        kept[-1][0].setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while done < 200_000_000:
                done += kept[-1][0].send(b"x" * 60_000)
time.sleep(5)
if done > 190_000_000:
    print(f"REACHED {TOKEN}: 3 GB in the buffers of sockets.")""",
        shows=WORD,
    ),
    Attack(
        "memory",
        "Takes 3 GB of memory.",
        """
blocks = []
for _ in range(30):
    blocks.append(bytearray(os.urandom(1000)) * 100_000)
print(f"REACHED {TOKEN}: 3 GB of memory.")
del blocks""",
        shows=WORD,
    ),
    Attack(
        "processes",
        "Starts 200 processes that sleep.",
        """
for number in range(200):
    if os.fork() == 0:
        time.sleep(15)
        os._exit(0)
print(f"REACHED {TOKEN}: 200 processes.")""",
        shows=WORD,
    ),
    Attack(
        "threads",
        "Starts 1000 threads.",
        """
for number in range(1000):
    threading.Thread(target=time.sleep, args=(15,), daemon=True).start()
print(f"REACHED {TOKEN}: 1000 threads.")""",
        shows=WORD,
    ),
    Attack(
        "one-large-file",
        "Writes one file of 1 GB.",
        """
with open("large", "wb") as file:
    for _ in range(64):
        file.write(b"x" * 2**24)
os.remove("large")
print(f"REACHED {TOKEN}: a file of 1 GB.")""",
        shows=WORD,
    ),
    Attack(
        "many-files",
        "Writes 1 GB in 256 files.",
        """
for number in range(256):
    pathlib.Path(f"many-{number}").write_bytes(b"x" * 2**22)
for number in range(256):
    os.remove(f"many-{number}")
print(f"REACHED {TOKEN}: 1 GB in many files.")""",
        shows=WORD,
    ),
    Attack(
        "long-output",
        "Prints 30 MB in one cell.",
        "for _ in range(3000):\n    print('x' * 10_000)",
        shows="large files",
    ),
    Attack(
        "many-outputs",
        "Shows 5,000 separate outputs in one cell.",
        """
from IPython.display import display
for number in range(5000):
    display({"text/plain": f"{number} " + "y" * 2000}, raw=True)""",
        shows="large files",
    ),
    Attack(
        "endless-cell",
        "Never ends and swallows what would stop it.",
        """
end = time.time() + 30
while time.time() < end:
    try:
        while time.time() < end:
            pass
    except BaseException:
        pass""",
        shows="a delay",
    ),
    Attack(
        "not-to-be-stopped",
        "Blocks the signals that would stop it and sleeps for 30 s in C.",
        """
signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
ctypes.CDLL(None).sleep(30)""",
        shows="a delay",
    ),
    Attack(
        "slow-calls",
        "Sleeps within every call of its functions, a little less than a call may take.",
        """
def names_medicine(text, medicines):
    time.sleep(1.5)

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
        shows="a delay",
    ),
    Attack(
        "slow-cells",
        "Sleeps in every cell, each time less than a cell may take.",
        "time.sleep(2)",
        cells=dict.fromkeys(LATER, "import time\ntime.sleep(2)"),
        shows="a delay",
    ),
    Attack(
        "busy-processes",
        "Keeps all cores busy with 16 processes for 15 s.",
        """
for number in range(16):
    if os.fork() == 0:
        end = time.time() + 15
        while time.time() < end:
            pass
        os._exit(0)""",
        shows="a delay",
    ),
    Attack(
        "deep-recursion",
        "Lifts the limit of recursion and overflows the stack.",
        """
sys.setrecursionlimit(10**8)

def names_medicine(text, medicines):
    return names_medicine(text, medicines)

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
    ),
    Attack(
        "open-files-limit",
        "Opens files until no more can be opened.",
        """
kept = []
with contextlib.suppress(OSError):
    while len(kept) < 20_000:
        kept.append(open("/dev/null"))""",
    ),
]
