"""`bow2lora start`, used through one page of a real browser; waits for conditions, never for a time."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from autograder import paths

TIMEOUT = 120_000  # milliseconds; far from what a busy machine needs
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
NAMED = "BOW2LORA_CHROMIUM"  # names the browser where it is not on PATH
KEPT = "BOW2LORA_SCREENSHOTS"  # a folder to keep pictures in, to look at them
SETTINGS = {"apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}'}
CELL = "id => jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === id)"
SELECT = """async id => {
  const notebook = jupyterapp.shell.currentWidget.content;
  const index = notebook.widgets.findIndex(cell => cell.model.id === id);
  notebook.activeCellIndex = index;
  notebook.deselectAll();
  await notebook.scrollToItem(index, 'center');
  notebook.mode = 'command';
  notebook.node.focus();
}"""
READY = """path => {
  const shown = window.jupyterapp?.shell.currentWidget;
  return shown?.context?.path === path && shown.context.isReady && shown.content.widgets.length > 0
    && shown.sessionContext.session?.kernel?.status === 'idle';
}"""
DONE = """([id, before]) => {
  const cell = jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === id);
  return cell.model.executionCount !== null && cell.model.executionCount > before;
}"""
CUT = """() => [...jupyterapp.shell.currentWidget.node.querySelectorAll('.jp-CodeCell .cm-scroller')]
  .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"""
ALL_DONE = """() => jupyterapp.shell.currentWidget.content.widgets.every(
  cell => cell.model.type !== 'code' || !cell.model.sharedModel.getSource().trim() || cell.model.executionCount !== null
) && jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"""


def browser_program() -> str | None:
    """Return the browser that is named or found, None where there is none."""
    named = os.environ.get(NAMED, "")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextlib.contextmanager
def served(folder: Path, home: Path) -> Iterator[str]:
    """Run `bow2lora start` for a folder, with settings of its own in another; give the address of a file there."""
    port, token = _free_port(), secrets.token_hex(16)
    for name, text in SETTINGS.items():
        path = home / "config" / "lab" / "user-settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    own = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    own |= {"IPYTHONDIR": "ipython", "BOW2LORA_HOME": "own"}
    env = os.environ | {name: str(home / part) for name, part in own.items()} | {"PYTHONPATH": str(paths.ROOT)}
    options = {"port": port, "port_retries": 0, "open_browser": False, "allow_root": True}
    config = {"ServerApp": options, "IdentityProvider": {"token": token}, "LabApp": {"expose_app_in_browser": True}}
    (home / "config" / "jupyter_server_config.json").write_text(json.dumps(config), encoding="utf-8")
    line = [sys.executable, "-m", "autograder", "start", str(folder)]
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(line, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        _answers(f"http://127.0.0.1:{port}/api?token={token}", server, home / "server.log")
        yield f"http://127.0.0.1:{port}{{}}?reset&token={token}"
    finally:
        _end(server)


def _end(server: subprocess.Popen) -> None:
    """End the command and the JupyterLab that it started, which ends its kernels."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(60)
            return


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _answers(address: str, server: subprocess.Popen, log: Path) -> None:
    """Wait until the server answers; it closes connections while it starts."""
    for _ in range(TIMEOUT // 500):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=60):
                return
        except (urllib.error.URLError, ConnectionError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(0.5)
    raise AssertionError(f"JupyterLab does not answer: {log.read_text(errors='replace')[-2000:]}")


class Lab:
    """A notebook that is open in JupyterLab; cells are named by their ids."""

    def __init__(self, page, address: str):
        self.page, self.address, self.errors = page, address, []
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path: str) -> None:
        """Open a notebook and wait for its kernel."""
        self.page.goto(self.address.format(f"/lab/tree/{path}"))
        self.page.wait_for_function(READY, arg=path)

    def arrive(self) -> None:
        """Open what `bow2lora start` opens."""
        self.page.goto(self.address.format("/"))
        self.page.wait_for_function(READY, arg="START.ipynb")

    def write(self, cell: str, text: str) -> None:
        """Type into a cell in the place of what is there."""
        self.page.evaluate(SELECT, cell)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        written = f"([id, text]) => ({CELL})(id).model.sharedModel.getSource() === text"
        self.page.wait_for_function(written, arg=[cell, text])

    def run(self, cell: str) -> str:
        """Press Shift+Enter in a cell; return what is shown below it when it is done."""
        before = self.page.evaluate(f"id => ({CELL})(id).model.executionCount ?? 0", cell)
        self.page.evaluate(SELECT, cell)
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(DONE, arg=[cell, before])
        return self.shown(cell)

    def run_below(self, cell: str, code: str) -> str:
        """Add a cell below one, type code into it and run it; return what is shown below it."""
        self.page.evaluate(SELECT, cell)
        self.page.keyboard.press("b")
        new = self.page.evaluate("() => jupyterapp.shell.currentWidget.content.activeCell.model.id")
        self.write(new, code)
        return self.run(new)

    def run_all(self) -> None:
        """Run all cells from the menu."""
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        self.page.wait_for_function(ALL_DONE, timeout=5 * TIMEOUT)

    def end_kernel(self) -> None:
        """End the open notebook's kernel, which gives its memory back."""
        self.page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    def shown(self, cell: str) -> str:
        """Return the text that a cell's output shows."""
        self.page.evaluate(SELECT, cell)
        text = f"id => ({CELL})(id).node.querySelector('.jp-Cell-outputArea')?.innerText ?? ''"
        return self.page.evaluate(text, cell)

    def outputs(self) -> dict[str, list[dict]]:
        """Return all outputs of the notebook by the ids of their cells, as the document holds them."""
        cells = self.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON().cells")
        return {cell["id"]: cell.get("outputs", []) for cell in cells}

    def cut(self) -> list[str]:
        """Return the code of the cells that are wider than the page, of those that are drawn."""
        return self.page.evaluate(CUT)

    def picture(self, name: str) -> None:
        """Keep a picture of the page where somebody asked for them."""
        if folder := os.environ.get(KEPT):
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))
