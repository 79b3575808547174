"""detached processes that act later"""

from ..attack import Attack

ATTACKS = [
    Attack(
        "later-points",
        "Leaves a process behind that gives it full points when the gradebook is written.",
        """
detach('''
import sqlite3
own = "later-points"
for _ in range(40):
    time.sleep(0.5)
    try:
        db = sqlite3.connect(COURSE / "gradebook.db", timeout=1)
        db.execute("update grade set auto_score = 6, needs_manual_grade = 0 where notebook_id in (select n.id from"
                   " submitted_notebook n join submitted_assignment a on a.id = n.assignment_id"
                   " where a.student_id = ?)", (own,))
        db.commit()
        db.close()
    except sqlite3.Error:
        pass
''')""",
    ),
    Attack(
        "later-file",
        "Leaves a process in a session of its own that writes a file 4 s later.",
        "detach('time.sleep(4); CANARY.parent.mkdir(exist_ok=True); CANARY.write_text(TOKEN)')",
        shows="the canary",
    ),
    Attack(
        "orphan",
        "Forks twice, so that init adopts the process, and ignores every signal it may.",
        """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(5)
        with contextlib.suppress(OSError):
            touch()
    os._exit(0)""",
        shows="the canary",
    ),
    Attack(
        "held-pipes",
        "Leaves a process that holds all pipes open for 20 s: who waits for their end waits long.",
        """
if os.fork() == 0:
    os.setsid()
    time.sleep(20)
    os._exit(0)
os._exit(0)""",
        shows="a delay",
        alone=True,
    ),
    Attack(
        "at-exit",
        "Writes a file while its process ends.",
        """
import atexit
atexit.register(touch)
threading._register_atexit(touch)""",
        shows="the canary",
    ),
    Attack(
        "later-feedback",
        "Leaves a process behind that writes beside the feedback and notebooks of all others.",
        """
detach('''
for _ in range(40):
    time.sleep(0.5)
    for path in [*COURSE.glob("feedback/*/*/*.html"), *COURSE.glob("autograded/*/*/*.ipynb")]:
        (path.parent / "left.txt").write_text(TOKEN)
''')""",
        shows="the token in the folders of others",
    ),
    Attack(
        "patching-thread",
        "Lets a thread patch the checks again and again while they run.",
        """
def patch():
    for _ in range(3000):
        checks = sys.modules.get("helpers.checks.scoring")
        if checks:
            checks.Check._score = lambda self: self.points
        time.sleep(0.005)

threading.Thread(target=patch, daemon=True).start()""",
    ),
]
