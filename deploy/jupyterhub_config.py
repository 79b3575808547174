"""JupyterHub for one course on one machine: the instructor and the students are system users.

`start.py` makes the folders and sets BOW2LORA_HUB_*, which say who, where and by which ports;
docs/instructors/jupyterhub.md tells the rest. Students' servers come from an environment of their own, which holds the
student edition: the checkout, with the solutions and the hidden tests, is the instructor's alone.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821


def said(name: str, default: str = "") -> str:
    """Return what start.py says."""
    return os.environ.get(f"BOW2LORA_HUB_{name}", default)


ROOT, INSTRUCTOR, STUDENTS = Path(said("ROOT")), said("INSTRUCTOR"), said("STUDENTS")
PYTHON = {"instructor": sys.executable, "student": str(Path(said("STUDENT_ENV"), "bin", "python"))}
FOLDER = {"instructor": str(ROOT / "course"), "student": "~"}
THREADS = {"instructor": {}, "student": {"OMP_NUM_THREADS": "2"}}  # a class shares the cores


def by_role(spawner) -> None:
    """Give the instructor the course's folder with formgrader, a student their home and the student edition."""
    role = "instructor" if spawner.user.name == INSTRUCTOR else "student"
    programs = os.pathsep.join([str(Path(PYTHON[role]).parent), os.environ["PATH"]])
    spawner.cmd = [PYTHON[role], "-m", "jupyterhub.singleuser"]
    spawner.notebook_dir = FOLDER[role]
    spawner.environment |= {"PATH": programs, "JUPYTER_CONFIG_PATH": str(ROOT / "config" / role)} | THREADS[role]
    if role == "instructor" and "PYTHONPATH" in os.environ:
        spawner.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]


c.JupyterHub.bind_url = said("ADDRESS", "http://127.0.0.1:8000")
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{said('PORT', '8081')}"
c.JupyterHub.db_url = said("DB", f"sqlite:///{ROOT / 'state' / 'jupyterhub.sqlite'}")
c.JupyterHub.cookie_secret_file = str(ROOT / "state" / "cookie_secret")
c.JupyterHub.concurrent_spawn_limit = 20  # at the beginning of a lecture all come at once
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{said('PROXY_PORT', '8001')}"
c.ConfigurableHTTPProxy.command = said("PROXY", "configurable-http-proxy").split()
c.ConfigurableHTTPProxy.pid_file = str(ROOT / "state" / "proxy.pid")

c.JupyterHub.authenticator_class = "pam"  # the machine's own accounts and passwords
c.Authenticator.allowed_users = {INSTRUCTOR}
c.PAMAuthenticator.allowed_groups = {STUDENTS}
c.PAMAuthenticator.open_sessions = False

c.Spawner.pre_spawn_hook = by_role
c.Spawner.env_keep = ["LANG", "LC_ALL"]  # nothing else of the hub's own environment, no PYTHONPATH above all
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
