"""output forging"""

from ..attack import Attack

SEND = """
def send(kind, content):
    kernel = get_ipython().kernel
    parent = kernel.get_parent() if hasattr(kernel, "get_parent") else kernel._parent_header
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent)

"""
RESULT = """{"format": 1, "checks": [{"id": "check-rules", "points": 6.0, "score": 6.0, "status": "judged"}]}"""

ATTACKS = [
    Attack(
        "printed-score",
        "Prints full marks from within the functions that the checks call.",
        """
def names_medicine(text, medicines):
    print("rules: all 32 cases pass, 6 of 6 points")
    print("6.0")
    sys.stdout.write("Out[1]: 6.0\\n")

mostly_capitals = promises_money = names_medicine""",
    ),
    Attack(
        "published-result",
        "Publishes a result on the kernel's channel from within a function.",
        SEND
        + """
def names_medicine(text, medicines):
    send("execute_result", {"execution_count": 1, "data": {"text/plain": "6.0"}, "metadata": {}})

mostly_capitals = promises_money = lambda text: names_medicine(text, None)""",
    ),
    Attack(
        "publishing-thread",
        "Lets a thread publish full results again and again while the checks run.",
        SEND
        + """
def publish():
    for _ in range(1500):
        with contextlib.suppress(Exception):
            send("execute_result", {"execution_count": 1, "data": {"text/plain": "4.0"}, "metadata": {}})
        time.sleep(0.01)

threading.Thread(target=publish, daemon=True).start()""",
    ),
    Attack(
        "cleared-output",
        "Clears the output of each check when it has ended: no output was full points.",
        SEND
        + """
get_ipython().events.register("post_run_cell", lambda _: send("clear_output", {"wait": False}))""",
    ),
    Attack(
        "result-on-stdout",
        "Writes a grader's result as JSON to the process's own stdout and stderr.",
        f"""
for fd in (1, 2):
    with contextlib.suppress(OSError):
        os.write(fd, b'''\\n{RESULT}\\n''')
print('''{RESULT}''')""",
    ),
    Attack(
        "result-file",
        "Leaves result files with full scores in its working folder.",
        f"""
for name in ("result.json", "results.json", "scores.json", "score", "../result.json", "01_spam.json", "report.xml"):
    with contextlib.suppress(OSError):
        pathlib.Path(name).write_text('''{RESULT}''')""",
    ),
    Attack(
        "own-notebook",
        "Overwrites the notebook in its working folder with one that has full scores in its outputs.",
        """
for path in pathlib.Path().rglob("*.ipynb"):
    nb = json.loads(path.read_text())
    for cell in nb["cells"]:
        points = cell["metadata"].get("nbgrader", {}).get("points")
        if points and cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "execute_result", "execution_count": 1, "metadata": {},
                                "data": {"text/plain": str(float(points))}}]
    path.write_text(json.dumps(nb))""",
    ),
]
