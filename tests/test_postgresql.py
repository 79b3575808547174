"""The gradebook on a PostgreSQL server that the test starts, where PostgreSQL is installed."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook, SubmittedAssignment
from quick_course import CHAPTER, TOTALS, run, runs

from autograder.gradebook import recorder
from helpers.errors import CourseError
from tests.attacks import backends, campaign, corpus, evidence
from tests.attacks.listener import Listener

psycopg2 = pytest.importorskip("psycopg2", reason="psycopg2 is not installed: the extra postgresql")
pytestmark = pytest.mark.usefixtures("quick_pages")
TIMEOUT = 120.0
ATTACKED = list(corpus.CLASSES) if os.environ.get("BOW2LORA_ATTACKS") else ["writing"]  # classes of attacks
URL = "postgresql://grader:not-a-secret@127.0.0.1"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    return Path(found).parent if found else folders[-1] if folders else None


def free_port() -> int:
    """Return the number of a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """A PostgreSQL server with a folder and a port of its own; as root it runs as another user, for it must."""

    def __init__(self, folder: Path):
        self.folder, self.port, self.process = folder, free_port(), None
        self.user = None if os.geteuid() else next(u for u in ("postgres", "nobody") if _exists(u))
        if self.user:
            shutil.chown(folder, self.user)
        (folder / "password").write_text("not-a-secret")
        made = ["-D", "data", "-U", "grader", "-A", "scram-sha-256", "--pwfile", "password", "-N"]
        subprocess.run(self.command("initdb", *made), cwd=folder, check=True, capture_output=True)

    def command(self, program: str, *words: str) -> list[str]:
        """Return the command line of one of PostgreSQL's programs."""
        become = ["setpriv", "--reuid", self.user, "--regid", _group(self.user), "--clear-groups"] if self.user else []
        return [*become, str(programs() / program), *words]

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ["-D", "data", "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-k", str(self.folder)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(self.command("postgres", *options, "-F"), cwd=self.folder, **quiet)
        until = time.monotonic() + TIMEOUT
        while True:
            try:
                return self.execute("SELECT 1")
            except psycopg2.OperationalError:
                assert time.monotonic() < until and self.process.poll() is None, "the server does not start"
                time.sleep(0.1)

    def execute(self, statement: str) -> None:
        """Execute one statement, outside of any transaction."""
        with contextlib.closing(psycopg2.connect(f"{URL}:{self.port}/postgres")) as connection:
            connection.autocommit = True
            connection.cursor().execute(statement)

    def stop(self) -> None:
        """End the server and its connections at once, as a crash would."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def database(self, name: str) -> str:
        """Make a database; returns its address."""
        self.execute(f"CREATE DATABASE {name}")
        return f"{URL.replace('postgresql', 'postgresql+psycopg2')}:{self.port}/{name}"


def _exists(user: str) -> bool:
    import pwd

    with contextlib.suppress(KeyError):
        return bool(pwd.getpwnam(user))
    return False


def _group(user: str) -> str:
    import pwd

    return str(pwd.getpwnam(user).pw_gid)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if programs() is None:
        pytest.skip("no PostgreSQL server is installed here")
    folder = Path(tempfile.mkdtemp(prefix="bow2lora-pg-", dir="/tmp"))  # where another user may look, too
    own = Server(folder)
    try:
        own.start()
        yield own
    finally:
        own.stop()
        shutil.rmtree(folder)


def on_server(course: Path, url: str) -> None:
    """Let a course have its gradebook on a server."""
    (course / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.db_url = {url!r}\n")
    (course / "gradebook.db").unlink(missing_ok=True)


def scores(url: str) -> dict[str, float]:
    """Return everybody's points as the gradebook has them."""
    with Gradebook(url, "bow2lora") as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(CHAPTER)}


def test_grading_into_a_postgresql_gradebook(course, server):
    url = server.database("grades")
    on_server(course, url)
    assert run(course)[0] == TOTALS
    assert run(course)[1] == [f"{CHAPTER}: 4 submissions, 0 of them new or changed"]
    assert run(course, force=True)[0] == TOTALS
    assert scores(url) == TOTALS
    assert not (course / "gradebook.db").exists()


def test_a_postgresql_server_that_ends_in_the_middle_is_one_line_and_the_next_run_finishes(course, server, monkeypatch):
    url = server.database("broken")
    on_server(course, url)
    recorded = recorder.Recorder._record

    def ends(self, student, *rest):
        if student == "cleo-half":
            server.stop()
        return recorded(self, student, *rest)

    monkeypatch.setattr(recorder.Recorder, "_record", ends)
    with pytest.raises(CourseError, match=r"Nothing is lost: run the same command again.$") as told:
        run(course, workers=1)
    assert len(str(told.value).splitlines()) == 1 and "not-a-secret" not in str(told.value)
    monkeypatch.setattr(recorder.Recorder, "_record", recorded)
    server.start()
    assert run(course, workers=1)[0] == TOTALS == scores(url)
    assert len(set(runs(course))) == len(runs(course)) == 3  # nothing was run twice


@pytest.mark.parametrize("kind", ATTACKED)
def test_attacks_gain_nothing_where_the_gradebook_is_on_a_server(kind, server, tmp_path, monkeypatch):
    make, addresses = campaign.make, {}

    def make_on_server(setting, attacks):
        made = make(setting, attacks)
        addresses[setting.course] = server.database(f"{kind}{len(addresses)}")
        on_server(setting.course, addresses[setting.course])
        return made

    def points(course):
        with Gradebook(addresses[course], "bow2lora") as gradebook:
            return {s.student_id: float(s.score) for s in gradebook.db.query(SubmittedAssignment)}

    monkeypatch.setattr(campaign, "make", make_on_server)
    monkeypatch.setattr(evidence, "scores", points)
    with Listener() as listener:
        attacked = campaign.Campaign(
            backends.present(),
            tmp_path,
            listener,
            classes=corpus.spread(2),
            timeout=campaign.TIMEOUT * campaign.BUSY,
        )
        verdicts = [verdict for found in attacked.run([kind]) for verdict in found]
    assert verdicts and not [verdict for verdict in verdicts if verdict.findings]
