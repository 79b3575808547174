"""A machine for a class: JupyterHub as `deploy/start.py` starts it, with users that exist nowhere else.

It runs in a mount namespace of its own, in which /etc/passwd, group and shadow are copies with three people more: the
machine's own accounts stay as they are. Root alone can make one.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil
from lab_in_browser import NAMED, browser_program

from autograder import paths

PROXY = "BOW2LORA_PROXY"  # names configurable-http-proxy where it is not on PATH
PASSWORD = "correct horse"
HASH = "$6$bow2lora$rppnVHvm59gaQyNfdvQbpdqsPs/5fM18IpxNp/rZdLBm7N5hNh8G1JL4Qc6CgLcYsy/IKYlTwHpG3b1GCqn7y1"
PEOPLE = {"prof": 61001, "ada": 61002, "ben": 61003}
GROUP, GROUP_ID = "students", 61100
TIMEOUT = 180  # seconds
COPIED = ("autograder", "helpers", "datasets", "solutions/01_spam", "notebooks/01_spam", "deploy")
FILES = ("pyproject.toml", "nbgrader_config.py", "requirements.lock", "LICENSE", "LICENSE-TEXT")
SETTINGS = '{"LabApp": {"expose_app_in_browser": true}}'
QUIET = '{"fetchNews": "false", "checkForUpdates": false}'
# A Python in a home that only root may enter (pyenv's, say) is put where the others can reach it, too.
ENTER = """set -e
for name in passwd group shadow; do mount --bind "$1/etc/$name" "/etc/$name"; done
home=$(cd ~root && pwd)
case "$2" in "$home"/*)
  if [ "$(stat -c %a "$home")" != 755 ]; then
    mount --bind "$2" "$1/python"; mount -t tmpfs -o mode=755 none "$home"
    mkdir -p "$2"; mount --bind "$1/python" "$2"
  fi;;
esac
shift 2
exec "$@"
"""


def missing() -> str:
    """Return all that the tests of the hub need and this machine lacks, in a line; nothing where they can run."""
    is_root = os.name == "posix" and os.geteuid() == 0
    there = {
        "JupyterHub (pip install -e '.[hub]')": find_spec("jupyterhub"),
        "playwright (make install)": find_spec("playwright"),
        f"a browser (chromium on PATH, or named in {NAMED})": browser_program(),
        f"the hub's proxy (npm install -g configurable-http-proxy, or named in {PROXY})": proxy(),
        "root": is_root,
        "mount namespaces": is_root and not subprocess.run(["unshare", "--mount", "true"], check=False).returncode,
    }
    return ", ".join(needed for needed, found in there.items() if not found)


def proxy() -> str | None:
    """Return the proxy that is named or found, None where there is none."""
    return shutil.which(os.environ.get(PROXY, "") or "configurable-http-proxy")


class Machine:
    """The folders of the machine, and where its hub answers."""

    def __init__(self, folder: Path):
        self.folder, self.hub = folder, folder / "hub"
        self.checkout, self.edition, self.environment = (folder / n for n in ("checkout", "edition", "student_env"))
        self.ports = free_ports(3)
        self.address = f"http://127.0.0.1:{self.ports[0]}"
        self.log = folder / "hub.log"

    def home(self, who: str) -> Path:
        """Return somebody's home."""
        return self.folder / "home" / who

    def prepare(self) -> None:
        """Make the instructor's checkout, the student edition and its environment, homes and accounts."""
        self._copy()
        line = [sys.executable, "-m", "autograder", "handout", "01_spam", "--to", str(self.edition)]
        subprocess.run(line, check=True, capture_output=True, cwd=paths.ROOT, env=with_path(paths.ROOT))
        self._student_environment()
        (self.folder / "python").mkdir()
        for who, number in PEOPLE.items():
            self._home(who, number)
        self._accounts()

    def _copy(self) -> None:
        """Give the instructor a checkout that nobody else may enter."""
        ignore = shutil.ignore_patterns("__pycache__")
        for name in COPIED:
            shutil.copytree(paths.ROOT / name, self.checkout / name, ignore=ignore)
        for name in FILES:
            shutil.copy(paths.ROOT / name, self.checkout)
        own(self.checkout, PEOPLE["prof"])
        self.checkout.chmod(0o700)

    def _student_environment(self) -> None:
        """Make an environment that finds the edition first, and the libraries where this one has them."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(self.environment)], check=True)
        (packages,) = self.environment.glob("lib/python*/site-packages")
        found = [str(self.edition), *(p for p in sys.path if p.endswith("site-packages"))]
        (packages / "course.pth").write_text("\n".join(found) + "\n", encoding="utf-8")
        for name in ("share", "etc"):
            (self.environment / name).symlink_to(Path(sys.prefix, name).resolve())

    def _home(self, who: str, number: int) -> None:
        settings = self.home(who) / ".jupyter"
        news = settings / "lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
        news.parent.mkdir(parents=True)
        news.write_text(QUIET, encoding="utf-8")
        (settings / "jupyter_server_config.json").write_text(SETTINGS, encoding="utf-8")
        own(self.home(who), number)
        self.home(who).chmod(0o700)

    def _accounts(self) -> None:
        """Write copies of the machine's accounts, with the people of the class."""
        (self.folder / "etc").mkdir(mode=0o755)
        homes = {who: self.home(who) for who in PEOPLE}
        more = {
            "passwd": [f"{who}:x:{i}:{i}:{who}:{homes[who]}:/bin/bash" for who, i in PEOPLE.items()],
            "group": [f"{who}:x:{i}:" for who, i in PEOPLE.items()] + [f"{GROUP}:x:{GROUP_ID}:ada,ben"],
            "shadow": [f"{who}:{HASH}:20000:0:99999:7:::" for who in PEOPLE],
        }
        for name, lines in more.items():
            path = self.folder / "etc" / name
            shutil.copy2(f"/etc/{name}", path)
            with path.open("a", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")

    def start(self) -> subprocess.Popen:
        """Start the hub by the course's own script."""
        _, port, other = self.ports
        script = [str(self.checkout / "deploy/start.py"), str(self.hub), "--instructor", "prof", "--students", GROUP]
        script += ["--student-env", str(self.environment), "--address", self.address, "--proxy", proxy()]
        script += ["--port", str(port), "--proxy-port", str(other)]
        enter = ["unshare", "--mount", "bash", "-c", ENTER, "enter", str(self.folder), sys.base_prefix]
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [*enter, sys.executable, *script], stdout=log, stderr=log, env=with_path(self.checkout),
                start_new_session=True,
            )  # fmt: skip


def with_path(root: Path) -> dict[str, str]:
    """Return an environment in which the modules of a checkout are found."""
    return os.environ | {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}


def own(folder: Path, number: int) -> None:
    """Give a folder and all in it to somebody."""
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, number, number, follow_symlinks=False)


def free_ports(count: int) -> list[int]:
    """Return ports that nobody uses."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in found]


@contextlib.contextmanager
def machine() -> Iterator[Machine]:
    """Give a machine whose hub answers; all of it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="class-"))
    folder.chmod(0o755)
    made = Machine(folder)
    try:
        made.prepare()
        hub = made.start()
        try:
            answers(made, hub)
            yield made
        finally:
            end(hub)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answers(made: Machine, hub: subprocess.Popen) -> None:
    """Wait until the hub answers."""
    for _ in range(2 * TIMEOUT):
        if hub.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{made.address}/hub/login", timeout=60):
                return
        except (urllib.error.URLError, ConnectionError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                hub.wait(0.5)
    raise AssertionError(f"the hub does not answer: {made.log.read_text(errors='replace')[-3000:]}")


def end(hub: subprocess.Popen) -> None:
    """End the hub, which ends its proxy and everybody's servers, and whatever the people of the class still run."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(hub.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            hub.wait(TIMEOUT)
            break
    for process in psutil.process_iter(["uids"]):
        if process.info["uids"] and process.info["uids"].real in PEOPLE.values():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
