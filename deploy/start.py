"""Start JupyterHub for one course on this machine: make its folders, write nbgrader's settings, run the hub.

    python deploy/start.py /srv/bow2lora --instructor prof --students students --student-env /opt/students

The folder holds course/ (the instructor's alone), exchange/ (nbgrader's, for all), config/ (read by every server) and
state/ (the hub's own). The same command starts it again. Exit code 2: something is missing, in a line.
"""

import argparse
import grp
import json
import os
import pwd
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

COURSE = "bow2lora"
NBGRADER = """c = get_config()
c.CourseDirectory.course_id = {course!r}
c.Exchange.root = {exchange!r}
"""
INSTRUCTOR = """load_subconfig("nbgrader_config.py", path={course!r})  # the course's own
"""
OFF = {  # nbgrader's parts that a student's server does without
    "page": ["formgrader", "course-list", "create-assignment"],
    "server": ["formgrader", "course_list"],
}
SHELL = {"shell_command": ["bash"]}  # no login shell: it would put the environment's programs off PATH
IDLE = {"kernel": 3600, "server": 7200}  # seconds until what nobody uses ends and gives its memory back


def main() -> int:
    """Check, prepare, and become the hub."""
    given = options().parse_args()
    if fault := missing(given):
        print(f"error: {fault}", file=sys.stderr)
        return 2
    root = given.folder.resolve()
    instructor = pwd.getpwnam(given.instructor)
    if fault := taken(root, instructor):
        print(f"error: {fault}", file=sys.stderr)
        return 2
    make_folders(root, instructor)
    write_config(root)
    os.environ.update(settings(given, root))
    hub = [sys.executable, "-m", "jupyterhub", "--config", str(Path(__file__).with_name("jupyterhub_config.py"))]
    os.chdir(root / "state")
    os.execv(sys.executable, hub)


def options() -> argparse.ArgumentParser:
    """Return what the command line takes."""
    found = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    found.add_argument("folder", type=Path, help="where course, exchange and settings lie, such as /srv/bow2lora")
    found.add_argument("--instructor", required=True, help="a system user: has formgrader and the course's folder")
    found.add_argument("--students", required=True, help="a system group: its members may log in")
    found.add_argument("--student-env", type=Path, required=True, help="the environment with the student edition")
    found.add_argument("--address", default="http://127.0.0.1:8000", help="where browsers find it")
    found.add_argument("--port", default="8081", help="the hub's own port, on this machine only")
    found.add_argument("--proxy-port", default="8001", help="the proxy's own port, on this machine only")
    found.add_argument("--proxy", default="configurable-http-proxy", help="the proxy's command")
    found.add_argument("--db", default="", help="the hub's database, such as postgresql://... (default: a file)")
    return found


def missing(given: argparse.Namespace) -> str:
    """Return what this machine lacks, in a line, or nothing."""
    python = given.student_env / "bin" / "python"
    checks = {
        "only root can start servers for other users: run it with sudo": os.geteuid() == 0,
        "jupyterhub is not installed: pip install '.[hub]'": find_spec("jupyterhub"),
        f"{given.proxy}: not found: npm install -g configurable-http-proxy": shutil.which(given.proxy.split()[0]),
        f"there is no user {given.instructor}: useradd --create-home {given.instructor}": user(given.instructor),
        f"there is no group {given.students}: groupadd {given.students}": group(given.students),
        f"{python}: not found; make the students' environment first": python.exists(),
    }
    return next((fault for fault, there in checks.items() if not there), "")


def user(name: str) -> bool:
    """Whether there is such a user."""
    return name in {entry.pw_name for entry in pwd.getpwall()}


def group(name: str) -> bool:
    """Whether there is such a group."""
    return name in {entry.gr_name for entry in grp.getgrall()}


def taken(root: Path, instructor: pwd.struct_passwd) -> str:
    """Return a line where the course's place in the exchange is somebody else's, from a time when all could make it."""
    place = root / "exchange" / COURSE
    if not os.path.lexists(place) or (place.lstat().st_uid == instructor.pw_uid and not place.is_symlink()):
        return ""
    return f"{place}: it is not {instructor.pw_name}'s; look at what is in it, then move it away and start again"


def make_folders(root: Path, instructor: pwd.struct_passwd) -> None:
    """Make what is not there; the modes are set each time: what students may read must not depend on a umask.

    Students write into the exchange, so it is sticky: nobody renames what is another's. The course's own place in it
    is there, and the instructor's, before anybody could make it.
    """
    from autograder.grading.course_folder import write_config as write_course_config

    modes = {".": 0o755, "course": 0o700, "exchange": 0o1777, "config": 0o755, "state": 0o700}
    modes[f"exchange/{COURSE}"] = 0o755
    for name in modes:
        (root / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    write_course_config(root / "course")  # formgrader reads it when the instructor's server starts
    for path in (root / "course", root / "course" / "nbgrader_config.py", root / "exchange" / COURSE):
        os.chown(path, instructor.pw_uid, instructor.pw_gid)
    for name, mode in modes.items():
        (root / name).chmod(mode)


def write_config(root: Path) -> None:
    """Write what Jupyter and nbgrader read in the servers of the instructor and of the students."""
    text = NBGRADER.format(course=COURSE, exchange=str(root / "exchange"))
    culled = {"cull_idle_timeout": IDLE["kernel"], "cull_connected": True}
    off = {f"nbgrader.server_extensions.{name}": False for name in OFF["server"]}
    server = {"jpserver_extensions": off, "shutdown_no_activity_timeout": IDLE["server"]}
    server |= {"terminado_settings": SHELL}
    page = {"disabledExtensions": {f"@jupyter/nbgrader:{name}": True for name in OFF["page"]}}
    student = {"ServerApp": server, "MappingKernelManager": culled}
    own = INSTRUCTOR.format(course=str(root / "course"))
    write(root / "config/student/nbgrader_config.py", text)
    write(root / "config/instructor/nbgrader_config.py", f"{text}{own}")
    instructor = {"ServerApp": {"terminado_settings": SHELL}}
    write(root / "config/instructor/jupyter_server_config.json", json.dumps(instructor, indent=1))
    write(root / "config/student/jupyter_server_config.json", json.dumps(student, indent=1))
    write(root / "config/student/labconfig/page_config.json", json.dumps(page, indent=1))


def write(path: Path, text: str) -> None:
    """Write a file that everybody may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    for part in (path.parent, path.parent.parent):
        part.chmod(0o755)
    path.chmod(0o644)


def settings(given: argparse.Namespace, root: Path) -> dict[str, str]:
    """Return what jupyterhub_config.py reads from the environment."""
    found = {"ROOT": root, "INSTRUCTOR": given.instructor, "STUDENTS": given.students, "ADDRESS": given.address}
    found |= {"STUDENT_ENV": given.student_env.absolute(), "PORT": given.port, "PROXY_PORT": given.proxy_port}
    found |= {"PROXY": given.proxy} | ({"DB": given.db} if given.db else {})
    return {f"BOW2LORA_HUB_{name}": str(value) for name, value in found.items()}


if __name__ == "__main__":
    sys.exit(main())
