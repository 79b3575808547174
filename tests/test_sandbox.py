"""The sandbox, by hostile snippets run in real runners: bubblewrap and plain namespaces, as this user and as nobody."""

import contextlib
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import paths
from autograder.linux import cgroup, seccomp
from autograder.linux.limits import ResourceLimits
from autograder.processes.framing import receive, send
from autograder.sandbox import choose, doctor, protections, start, view
from autograder.sandbox.start import Sandbox
from helpers.errors import CourseError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
LIMITS = ResourceLimits(memory_mb=100, processes=16, scratch_mb=8, file_mb=4, cpu_seconds=60)
SNIPPETS = "autograder.runner.snippet_runner:serve"
BACKENDS = [
    pytest.param("bubblewrap", marks=pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not there")),
    "namespaces",
]
NOBODY = 65534
AS_NOBODY = "BOW2LORA_TEST_AS_NOBODY"  # set in the inner run, which must not start another
TIMEOUT = 120.0  # a machine may be busy, and its cache cold


class Hostile:
    """One runner and its zygote: `ask` runs a snippet, `end` ends the runner and returns what its zygote says."""

    def __init__(self, zygote, seed=0):
        self.zygote, self.report = zygote, None
        self.ours, theirs = socket.socketpair()
        self.ours.settimeout(TIMEOUT)
        with theirs:
            zygote.submit({"seed": seed}, theirs)

    def ask(self, source):
        """Return what the snippet printed, or the name of its error and the message."""
        self.tell(source)
        answer = receive(self.ours)
        return answer["error"] or answer["printed"].strip()

    def tell(self, source):
        """Send a snippet and do not wait."""
        send(self.ours, {"source": source})

    def end(self):
        """End the runner; return the zygote's report."""
        self.zygote.end_job()
        return self.ended()

    def ended(self):
        """Wait for the runner's end; return the zygote's report."""
        self.report = self.report or self.zygote.hear(TIMEOUT)
        assert self.report["id"] == self.zygote.last
        return self.report


@pytest.fixture(scope="module", params=BACKENDS)
def zygote(request, tmp_path_factory):
    """A zygote that has imported nothing, with small limits."""
    os.environ["BOW2LORA_SECRET"] = "sesame"
    course = tmp_path_factory.mktemp("course")
    (course / "gradebook.db").write_text("sesame")
    server = Sandbox(request.param, LIMITS, (course,)).zygote(SNIPPETS, imports=())
    server.ready()
    server.course, server.backend = course, request.param
    yield server
    del os.environ["BOW2LORA_SECRET"]
    server.close()


@pytest.fixture
def runner(zygote):
    """A fresh runner; afterwards the zygote must serve the next one."""
    hostile = Hostile(zygote)
    yield hostile
    hostile.end()
    hostile.ours.close()
    after = Hostile(zygote)
    assert after.ask("print('well')") == "well"
    after.end()


def test_all_protections_hold(zygote):
    found = protections.protections(Sandbox(zygote.backend, hidden=(zygote.course,)))
    assert list(found) == list(doctor.MEANING)
    assert all(text.startswith("held: ") for text in found.values()), found


def test_without_a_sandbox_the_report_says_what_is_missing():
    found = protections.protections(Sandbox("none"))
    assert {"network", "files", "processes"} <= set(protections.essentials_missing(found))
    assert found["strays"].startswith("held")  # those that a runner leaves fall to the zygote, which ends them


# Network


def test_no_connection_leaves(runner):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        said = runner.ask(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)")
        assert "Error" in said
        listener.settimeout(0.1)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert (
        runner.ask("print(open('/proc/net/dev').read())").count(":") <= 3
    )  # lo, and what every namespace is born with


@pytest.mark.parametrize("family", ["AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"])
def test_no_other_family_of_sockets(runner, family):
    assert "Error" in runner.ask(f"import socket\nsocket.socket(socket.{family}, socket.SOCK_DGRAM)")


# Files


def test_nothing_of_the_course_is_in_sight(runner, zygote):
    walk = """
import os
skip = {"/proc", "/sys", "/usr", "/nix"}
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if os.path.join(folder, f) not in skip]
    for name in files:
        if name in ("gradebook.db", "01_spam.py", "01_spam.ipynb", "judge.py", "gradebook.py", "test_sandbox.py"):
            print(os.path.join(folder, name))
"""
    assert [p for p in runner.ask(walk).split() if "site-packages" not in p] == []
    for place in (paths.SOLUTIONS, paths.ROOT / "tests", zygote.course, Path("/etc/shadow"), Path("/var")):
        assert runner.ask(f"import os; print(os.path.exists({str(place)!r}))") == "False"


def test_the_home_folder_holds_only_what_leads_to_python(runner):
    home = Path.home()
    leads = {Path(p).relative_to(home).parts[0] for p in view._python() if Path(p).is_relative_to(home)}
    seen = runner.ask(f"import os; print(*os.listdir({str(home)!r}))")
    assert "No such file" in seen or set(seen.split()) <= leads


def test_helpers_and_data_can_be_read(runner):
    assert runner.ask("from helpers.data.registry import names; print('inbox' in names())") == "True"


@pytest.mark.parametrize(
    "place",
    ["/", "/usr", "/etc", "/dev", "/course", "/course/helpers", "/course/datasets", "/proc/sys/kernel", "<packages>"],
)
def test_nothing_but_scratch_can_be_written(runner, place):
    place = place.replace("<packages>", view._packages()[0])
    assert "Error" in runner.ask(f"open({place + '/x'!r}, 'w')")
    assert "Error" in runner.ask(f"import os; os.chmod({place!r}, 0o777)")


def test_scratch_is_the_current_folder_and_is_wiped(zygote):
    first = Hostile(zygote)
    in_tmp = any(str(Path(folder).resolve()).startswith("/tmp/") for folder in (sys.prefix, __file__))
    for place in (".", "/dev/shm", "~", *([] if in_tmp else ["/tmp"])):  # /tmp shows what lies there, read-only
        assert first.ask(f"import os; print(open(os.path.expanduser('{place}/left'), 'w').write('x'))") == "1"
    first.end()
    second = Hostile(zygote)
    assert (
        second.ask("import os; print(os.listdir('.'), os.listdir('/dev/shm'), os.path.exists('/tmp/left'))")
        == "[] [] False"
    )
    second.end()


@pytest.mark.parametrize("place", [".", "/dev/shm"])
def test_the_disk_cannot_be_filled(runner, place):
    fill = f"for n in range(99): open(f'{place}/{{n}}', 'wb').write(bytes(1_000_000))"
    assert "No space left" in runner.ask(fill)
    assert "No space left" in runner.ask("import os\nfor n in range(99_999): os.mknod(f'e{n}')")


def test_a_file_has_a_largest_size(runner):
    assert "too large" in runner.ask("open('large', 'wb').write(bytes(5_000_000))")


# Processes


def test_a_runner_is_alone(runner):
    assert runner.ask("import os; print([p for p in os.listdir('/proc') if p.isdecimal()], os.getppid())") == "['1'] 0"
    assert "No such process" in runner.ask(f"import os; os.kill({os.getpid()}, 9)")


def test_killing_everybody_kills_nobody_else(runner):
    runner.ask("import os\ntry: os.kill(-1, 9)\nexcept OSError: pass")
    assert runner.zygote.process.poll() is None


@pytest.mark.parametrize("number", [2, 9])
def test_a_signal_to_its_own_group_reaches_nobody_else(runner, number):
    runner.ask(f"import os, signal; signal.signal(2, signal.SIG_IGN); os.kill(0, {number})")
    assert runner.zygote.process.poll() is None
    assert runner.ask("print('still here')") == "still here"


def test_a_name_that_is_no_text_ends_nobody(runner):
    runner.ask("import ctypes, time; ctypes.CDLL(None).prctl(15, b'\\xff\\n:\\xfe', 0, 0, 0); time.sleep(0.3)")
    assert runner.ask("print('still here')") == "still here"


def test_a_runner_that_kills_itself_is_reported(zygote):
    runner = Hostile(zygote)
    runner.tell("import os; os._exit(7)")
    assert runner.ended()["exit"] == 7


def test_a_crash_is_reported(zygote):
    runner = Hostile(zygote)
    runner.tell("import ctypes; ctypes.string_at(0)")
    assert runner.ended()["exit"] == -11


REACHING = ["ptrace", "process_vm_readv", "unshare", "mount", "keyctl", "bpf", "io_uring_setup", "syslog", "syncfs"]


@pytest.mark.parametrize("call", REACHING)
def test_system_calls_that_reach_around_are_refused(runner, call):
    number = seccomp.REFUSED[call][seccomp.ARCHITECTURES[os.uname().machine][0]]
    source = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall({number}, 0x10000000, 0, 0, 0, 0, 0), ctypes.get_errno())
"""
    assert runner.ask(source) == "-1 1"  # EPERM


IN_MEMORY = {
    "fadvise64": "{fd}, 0, 0, 4",
    "readahead": "{fd}, 0, 4096",
    "mincore": "buffer, 1, buffer",
    "cachestat": "{fd}, buffer, buffer, 0",
    "preadv2": "{fd}, buffer, 0, 0, 0, 8",
    "pwritev2": "{fd}, buffer, 0, 0, 0, 2",
    "madvise": "buffer, 4096, 21",
}


@pytest.mark.parametrize("call", IN_MEMORY)
def test_which_files_lie_in_memory_is_neither_asked_nor_changed_at_will(runner, call):
    """One runner can leave word for the next one so: 1,151 bits came out of a grading."""
    calls = seccomp.REFUSED | dict(zip(("preadv2", "pwritev2"), seccomp.WITH_FLAGS, strict=True))
    number = (calls | {"madvise": seccomp.MADVISE})[call][seccomp.ARCHITECTURES[os.uname().machine][0]]
    source = f"""
import ctypes, mmap, os, sys
libc = ctypes.CDLL(None, use_errno=True)
file = os.open(sys.executable, os.O_RDONLY)
memory = mmap.mmap(-1, 8192, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
buffer = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
print(libc.syscall({number}, {IN_MEMORY[call].format(fd="file")}), os.strerror(ctypes.get_errno()))
"""
    assert runner.ask(source) in ("-1 Operation not permitted", "-1 Operation not supported", "-1 Invalid argument")


LOCKED = """
import fcntl, os, struct
file = os.open(os.__file__, os.O_RDONLY)
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.fcntl(file, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 77, 1, 0))
print("locked")
"""
HEARD = {
    "a lock": "import fcntl; fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "a range": "fcntl.fcntl(file, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 77, 1, 0))",
    "a range of an open file": "fcntl.fcntl(file, 36, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 77, 1, 0))",
    "reading": "fcntl.fcntl(os.open(os.path.dirname(os.__file__), os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)",
    "a lease": "fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "a hint": "fcntl.fcntl(file, 1036, struct.pack('Q', 3))",
}


@pytest.mark.parametrize("what", HEARD)
def test_files_that_all_runners_have_carry_no_word_between_two_at_work(runner, what):
    child = f"""
child = os.fork()
if child == 0:
    try:
        {HEARD[what]}
        os._exit(7)
    except OSError:
        os._exit(3)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    assert runner.ask(LOCKED) == "locked"
    assert runner.ask(child) == ("7" if what == "a lock" else "3")  # a lock is taken, for nobody holds one


def test_locks_of_ones_own_go_on(runner):
    source = """
import fcntl, sqlite3
with open("mine", "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX), fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
with sqlite3.connect("own.db") as kept:
    kept.execute("CREATE TABLE words (word TEXT)")
    kept.execute("INSERT INTO words VALUES ('free')")
print(sqlite3.connect("own.db").execute("SELECT word FROM words").fetchone()[0])
"""
    assert runner.ask(source) == "free"


def test_reading_and_giving_memory_back_go_on(runner):
    source = """
import mmap, os, sys
file = os.open(sys.executable, os.O_RDONLY)
memory = mmap.mmap(-1, 1 << 22, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_HUGEPAGE), memory.madvise(mmap.MADV_DONTNEED)
print(os.preadv(file, [bytearray(4)], 0), len(os.pread(file, 9, 4)), os.posix_fallocate is not None)
"""
    assert runner.ask(source) == "4 9 True"


@pytest.mark.parametrize("name", ["stat", "vmstat", "loadavg", "diskstats"])
def test_counters_of_the_whole_machine_are_empty(runner, name):
    assert runner.ask(f"print(open('/proc/{name}').read())") == ""
    assert runner.ask("import os; print(os.listdir('/proc/sys/fs'), os.listdir('/proc/pressure'))") == "[] []"


def test_what_processors_have_done_is_not_told(runner):
    source = """
from pathlib import Path
places = [p for name in ("time", "usage", "runtime_active_time") for p in Path("/sys").rglob(name)]
print(len(places), Path("/sys/devices/system/cpu/online").read_text() > "")
"""
    assert runner.ask(source) == "0 True"


def test_a_limit_on_processor_time_is_not_lowered_and_others_are(runner):
    """The kernel kills who is over it: a failure of the grader's own, so that what was earned before would stay."""
    source = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
try:
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
except (OSError, ValueError) as error:
    print(type(error).__name__, resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    assert runner.ask(source) in ("PermissionError (100, 100)", "ValueError (100, 100)")


@pytest.mark.parametrize(
    "source",
    [
        "import ctypes; print(ctypes.CDLL(None).umount2(b'/proc/stat', 2), open('/proc/stat').read())",
        "print(-1, open('/proc/self/root/proc/stat').read())",
        "import ctypes, os; print(ctypes.CDLL(None).setns(os.open('/proc/1/ns/mnt', 0), 0), open('/proc/stat').read())",
    ],
)
def test_what_covers_the_counters_stays(runner, source):
    assert runner.ask(source).strip() == "-1"


def test_what_a_process_may_know_of_itself_is_there(runner):
    source = "print(int(open('/proc/self/stat').read().split()[0]), bool(open('/proc/cpuinfo').read()))"
    assert runner.ask(source) == "1 True"
    assert runner.ask("import os; print(os.cpu_count() > 0, bool(open('/proc/meminfo').read()))") == "True True"


def test_a_session_of_ones_own_has_no_share_of_the_processors_of_its_own(runner):
    child = """
import os
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    os.write(write, b'%d' % os.getsid(0))
    os._exit(0)
print(os.read(read, 9).decode() == str(os.getsid(0)))
"""
    assert runner.ask(child) == "True"
    twin = "import subprocess; print(subprocess.run(['echo', 'x'], start_new_session=True, capture_output=True).stdout)"
    assert runner.ask(twin) == "b'x\\n'"  # whoever asks for one without need goes on


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of packages with the wheel for self-study in it, which the sandbox shows."""
    packages = tmp_path / "lib" / "site-packages"
    (packages / "helpers/_answers").mkdir(parents=True)
    (packages / "helpers/_answers/01_spam.json").write_text('{"tf": "the answer"}', encoding="utf-8")
    (packages / "helpers/words.py").write_text("", encoding="utf-8")
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        with contextlib.suppress(PermissionError):  # one of root's, which is open already
            folder.chmod(folder.stat().st_mode | 0o755)
    monkeypatch.setattr(view, "_packages", lambda: [str(packages)])
    return packages / "helpers"


def test_model_answers_of_an_installed_wheel_are_not_in_sight(installed):
    steps = view.view().steps
    assert ("mask", "", str(installed / "_answers")) in steps
    assert ("bind", str(installed.parent), str(installed.parent)) in steps  # the twin: the packages are


@pytest.mark.parametrize("masked", [True, False])
def test_doctor_says_where_model_answers_can_be_read(installed, monkeypatch, masked):
    if not masked:
        steps = tuple(step for step in view.view().steps if step[0] != "mask" or not step[2].endswith("_answers"))
        monkeypatch.setattr("autograder.sandbox.start.view", lambda _: view.View(steps))
    found = protections.protections(Sandbox("namespaces"))["files"]
    assert found.startswith("held" if masked else f"missing: {installed / '_answers/01_spam.json'} can be read")


def test_memory_that_no_limit_counts_is_refused(runner):
    assert "Error" in runner.ask("import os; os.memfd_create('hoard')")
    assert runner.ask("import ctypes; print(ctypes.CDLL(None).shmget(0, 4096, 0o1600))") == "-1"
    assert "Cannot allocate" in runner.ask("import mmap; mmap.mmap(-1, 4096)")  # shared, with no file behind it
    assert "Error" in runner.ask("open('/dev/zero')")  # mapped as shared, it would be the same
    assert runner.ask("print(len(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE)))") == "4096"
    assert (
        runner.ask("import tempfile; f = tempfile.TemporaryFile(); f.truncate(9); print(len(mmap.mmap(f.fileno(), 9)))")
        == "9"
    )


def test_watches_on_files_are_refused(runner):
    assert runner.ask("import ctypes; print(ctypes.CDLL(None).inotify_init1(0))") == "-1"


def test_no_rights_and_none_to_be_had(runner):
    status = "print([l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd', 'NoNew'))])"
    assert runner.ask(status) == "['0000000000000000', '0000000000000000', '1']"
    assert "Error" in runner.ask("import os; os.setuid(0 if os.getuid() else 1)")
    assert "Error" in runner.ask("import os; os.chroot('.')")


def test_each_zygote_of_a_root_has_a_user_of_its_own():
    if os.getuid() != 0:
        pytest.skip("not root")
    shown = view.view()
    assert len({view.runner_user(shown) for _ in range(9)}) == 9
    assert view.FIRST_FREE_USER + 4_194_304 * view.MAX_ZYGOTES <= 2**31  # Linux numbers no process higher


def test_root_is_somebody_else_inside(runner):
    if os.getuid() != 0:
        pytest.skip("not root")
    assert int(runner.ask("import os; print(os.getuid())")) >= view.FIRST_FREE_USER


def test_a_detached_process_ends_with_the_runner(runner):
    detach = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)  # holds the socket open
    os._exit(0)
"""
    runner.ask(detach)
    runner.end()
    assert runner.ours.recv(1) == b""


def test_a_fork_bomb_ends(runner):
    runner.tell("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass")
    time.sleep(0.5)
    started = time.monotonic()
    assert runner.end()["exit"] == -9
    assert time.monotonic() - started < TIMEOUT / 2


def test_a_runner_may_start_a_few_processes(runner):
    assert runner.ask("import subprocess; print(subprocess.run(['echo', 'hello'], capture_output=True).stdout)") == (
        "b'hello\\n'"
    )


# Memory, time, what is shared


def test_too_much_memory_is_an_error_in_the_runner(runner):
    assert runner.ask("x = bytearray(150_000_000)") == "MemoryError: "
    assert runner.ask("x = bytearray(50_000_000); print(len(x))") == "50000000"


TAKE = "import os, time\nheld = []\ndef take(mb): held.append(b'x' * mb * 10**6)\n"
CHILD = "x = b'x' * 60_000_000; import time; time.sleep(60)"
CROWDS = {
    "forked": "for _ in range(6):\n  if os.fork() == 0: break\ntake(60)\ntime.sleep(60)",
    "started anew, so that they share nothing with the zygote": f"""
import subprocess, sys
for _ in range(6): subprocess.Popen([sys.executable, '-S', '-c', {CHILD!r}])
time.sleep(60)""",
    "in the buffers of sockets": """
import socket
for _ in range(2): os.fork()
try:
  while True:
    held.append(socket.socketpair())
    for end in held[-1]: end.setblocking(False)
    try:
      while held[-1][0].send(b'x' * 50_000): pass
    except BlockingIOError: pass
except OSError: time.sleep(60)""",
}


@pytest.mark.parametrize("how", CROWDS)
def test_the_memory_of_all_processes_counts_together(zygote, how):
    runner = Hostile(zygote)
    runner.tell(TAKE + CROWDS[how])
    assert runner.ended()["killed"] == "memory"


def test_memory_that_forked_processes_share_counts_once(zygote):
    """The honest twin: workers that read what their parent made."""
    runner = Hostile(zygote)
    source = (
        "take(60)\nfor _ in range(6):\n  if os.fork() == 0:\n    sum(held[0][:1000])\n    time.sleep(60)\ntime.sleep(1)"
    )
    assert runner.ask(TAKE + source + "\nprint(len(held[0]))") == "60000000"
    runner.end()


TAKES = {"x = b'x' * 150_000_000": -9, "x = b'x' * 15_000_000": 0}
FORKS = "import os, time\nfor _ in range({}):\n  if os.fork() == 0:\n    time.sleep(0.5)\n    os._exit(0)"


def test_a_control_group_holds_memory_and_processes():
    group = cgroup.make(80_000_000, 20)
    if group is None:
        pytest.skip("no control group can be made here")
    for text, code in (TAKES | {FORKS.format(5): 0, FORKS.format(40): 1}).items():
        done = subprocess.run(group.enter([sys.executable, "-S", "-c", text]), stderr=subprocess.DEVNULL)
        assert done.returncode == code
    group.cleanup()
    assert not any(folder.exists() for folder in group.folders)


def test_a_control_group_of_version_2_is_made_beside_ones_own(tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup, "_own", lambda: {"": "user/app.scope"})
    (tmp_path / "user" / "app.scope").mkdir(parents=True)
    assert cgroup.make(7, 3, tmp_path) is None
    for folder, handed_on in (("user", "cpu memory pids"), ("user/app.scope", "")):
        (tmp_path / folder / "cgroup.subtree_control").write_text(handed_on)
    group = cgroup.make(7, 3, tmp_path)
    assert [f.parent for f in group.folders] == [tmp_path / "user"]
    assert [(group.folders[0] / name).read_text() for name in ("memory.max", "pids.max")] == ["7", "3"]


def test_memory_lent_to_a_pipe_and_larger_buffers_are_refused(runner):
    number = seccomp.REFUSED["vmsplice"][seccomp.ARCHITECTURES[os.uname().machine][0]]
    assert runner.ask(f"import ctypes; print(ctypes.CDLL(None).syscall({number}, 1, 0, 0, 0))") == "-1"
    enlarge = "import socket\none, other = socket.socketpair()\none.setsockopt(socket.SOL_SOCKET, socket.{}, 10**7)"
    for option in ("SO_SNDBUF", "SO_RCVBUF"):
        assert "not permitted" in runner.ask(enlarge.format(option))
    honest = "one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1); one.send(b'well'); print(other.recv(9))"
    assert runner.ask(f"import socket\none, other = socket.socketpair()\n{honest}") == "b'well'"


def test_the_peak_of_memory_is_reported(runner):
    runner.ask("x = bytearray(b'x') * 50_000_000")
    runner.zygote.end_job()
    assert 50 < runner.ended()["memory_mb"] < 150


def test_cpu_seconds_are_limited(zygote):
    short = replace(LIMITS, cpu_seconds=3)
    server = Sandbox(zygote.backend, short, (zygote.course,)).zygote(SNIPPETS, imports=())
    server.ready()
    runner = Hostile(server)
    runner.tell("while True: pass")
    assert runner.ended()["exit"] == -9
    server.close()


def test_the_environment_holds_no_secret(runner):
    assert runner.ask("import os; print('sesame' in str(os.environ))") == "False"
    assert runner.ask("print('sesame' in open('/proc/self/environ').read())") != "True"


def test_each_runner_draws_the_numbers_of_its_seed(zygote):
    drawn = []
    for seed in (1, 2, 1):
        runner = Hostile(zygote, seed)
        drawn.append(runner.ask("import random; print(random.random())"))
        runner.end()
    assert drawn[0] == drawn[2] != drawn[1]


def test_what_one_runner_changes_the_next_does_not_see(zygote):
    first = Hostile(zygote)
    first.ask("import builtins, sys; builtins.max = None; sys.modules['helpers'] = None")
    first.end()
    second = Hostile(zygote)
    assert second.ask("import helpers; print(max(1, 3))") == "3"
    second.end()


def test_what_a_runner_writes_past_python_goes_nowhere(runner):
    assert runner.ask("import os; os.write(1, b'x' * 9_000_000); os.write(2, b'y' * 9_000_000)") == ""
    assert runner.zygote.last_words() == ""


# What is seen


def test_a_hidden_folder_inside_a_shown_one_is_empty(tmp_path, monkeypatch):
    packages = tmp_path / "site-packages"
    (packages / "course").mkdir(parents=True)
    (packages / "course" / "gradebook.db").touch()
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])
    steps = view.view([packages / "course"]).steps
    assert steps.index(("bind", str(packages), str(packages))) < steps.index(("mask", "", str(packages / "course")))


def test_packages_that_are_links_to_a_store_are_shown(tmp_path):
    store, packages = tmp_path / "store" / "abc", tmp_path / "site-packages"
    for folder in (store / "thing", packages / "thing"):
        folder.mkdir(parents=True)
    (store / "thing" / "__init__.py").touch()
    (packages / "thing" / "__init__.py").symlink_to(store / "thing" / "__init__.py")
    (packages / "whole").symlink_to(store / "thing")
    assert view._linked(str(packages)) == {str(store), str(store / "thing")}


def test_what_others_cannot_read_is_run_as_its_owner(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    open_, closed = tmp_path / "open", tmp_path / "closed"
    open_.mkdir(mode=0o755)
    closed.mkdir(mode=0o700)
    assert view.runner_user(view.View((("bind", str(open_), "/a"),))) >= view.FIRST_FREE_USER
    owner = stat.S_ISDIR(closed.stat().st_mode) and closed.stat().st_uid
    assert view.runner_user(view.View((("bind", str(closed), "/a"),))) == (owner or None)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_virtual_environment_of_links_to_another_python(backend, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--symlinks", tmp_path / "venv"], check=True)
    packages = next((tmp_path / "venv" / "lib").glob("python*")) / "site-packages"
    (packages / "more.pth").write_text("\n".join(view._packages()))
    script = f"""
import sys
sys.path.insert(0, {str(paths.ROOT)!r})
from autograder.sandbox.protections import essentials_missing, protections
from autograder.sandbox.start import Sandbox
print(essentials_missing(protections(Sandbox({backend!r}))))
"""
    line = [tmp_path / "venv" / "bin" / "python", "-c", script]
    done = subprocess.run(line, capture_output=True, text=True, cwd="/")
    assert (done.stdout, done.stderr) == ("[]\n", "")


# The choice


@pytest.fixture
def machine(monkeypatch):
    """A machine of which a test says what it has: machine["programs"], and machine["works"] (backends)."""
    has = {"programs": {"bwrap"}, "works": {"bubblewrap", "namespaces"}}

    def tried(sandbox):
        state = "held: x" if sandbox.backend in has["works"] else "missing: not here"
        return Sandbox(sandbox.backend, protections=dict.fromkeys(protections.ESSENTIAL, state))

    monkeypatch.setattr(choose, "tried", tried)
    monkeypatch.setattr(choose.shutil, "which", lambda name: name if name in has["programs"] else None)
    return has


def test_bubblewrap_is_taken_then_namespaces(machine):
    assert choose.ensure().backend == "bubblewrap"
    machine["works"] = {"namespaces"}
    assert choose.ensure().backend == "namespaces"


def test_nothing_is_installed(machine):
    machine["programs"] = {"apt-get"}
    assert choose.ensure().backend == "namespaces"


def test_without_a_sandbox_it_refuses_in_one_line(machine):
    machine["works"] = set()
    with pytest.raises(CourseError, match=r"no sandbox on this machine.*apt install bubblewrap") as caught:
        choose.ensure()
    assert "\n" not in str(caught.value)
    said = []
    assert choose.ensure(no_sandbox=True, say=said.append).backend == "none"
    assert "WITHOUT a sandbox" in said[0]


def test_a_zygote_that_does_not_start_says_why():
    with pytest.raises(CourseError, match="No module named 'no_such_module'"):
        Sandbox("namespaces").zygote(SNIPPETS, imports=["no_such_module"]).ready()


def test_a_library_that_starts_a_thread_is_refused(monkeypatch, tmp_path):
    (tmp_path / "starter.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=[9], daemon=True).start()"
    )
    monkeypatch.setattr(start, "PACKAGE_FOLDER", f"{start.PACKAGE_FOLDER}:{tmp_path}")
    with pytest.raises(CourseError, match="importing starter starts a thread"):
        Sandbox("none").zygote(SNIPPETS, imports=["starter"]).ready()


def test_doctor_prints_the_table_and_exits_0():
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "doctor"], cwd=paths.ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("holds") == len(doctor.MEANING)


def test_one_protection_that_is_missing_is_seen():
    sandbox = Sandbox("none", protections={"network": "held: x", "files": "missing: [y]"})
    assert not doctor.all_hold(sandbox)
    assert doctor.table(sandbox).row_count == 2


# As nobody


@pytest.fixture
def open_folder():
    """A folder that others can enter; pytest's own cannot be entered."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.getuid() != 0 or AS_NOBODY in os.environ, reason="only root can become nobody")
def test_all_of_this_holds_for_an_ordinary_user(open_folder):
    own, keep = open_folder / "own", open_folder / "keep"
    for folder in (own, keep):
        folder.mkdir()
    os.chown(own, NOBODY, NOBODY)
    top, first = Path(*Path(sys.base_prefix).parts[:2]), Path(*Path(sys.base_prefix).parts[:3])
    become = f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {sys.executable}"
    script = f"""
set -e
if ! {become} -c "import sys; assert sys.base_prefix == '{sys.base_prefix}'" 2>/dev/null; then
    mount --bind {first} {keep}  # Python lies in a home that others cannot enter: here they can
    mount -t tmpfs -o mode=755 none {top}
    mkdir {first}
    mount --move {keep} {first}
fi
exec {become} -m pytest -q -x -p no:cacheprovider --basetemp={own}/base -k 'not processor and not doctor' {__file__}
"""
    done = subprocess.run(
        ["unshare", "-m", "--propagation", "private", "sh", "-c", script],
        capture_output=True,
        text=True,
        cwd=paths.ROOT,
        env={**os.environ, AS_NOBODY: "1", "HOME": str(own), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
