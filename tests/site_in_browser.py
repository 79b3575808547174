"""Pages of the built site in a real browser: what they say, load, set, show on a phone; axe-core's findings."""

import contextlib
import functools
import http.server
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lab_in_browser import KEPT, TIMEOUT, browser_program

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SERIOUS = ("serious", "critical")
SET = "window.MathJax?.startup?.promise.then(() => true)"
LEFT = r"""() => {
  const found = [], words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const {data, parentElement} = words.currentNode;
    if (!parentElement.closest('code, pre, script, style, mjx-container') && /\\[a-zA-Z([]|\$[^\s$][^$]*\$/.test(data))
      found.push(data.trim());
  }
  const formulas = [...document.querySelectorAll('.math, mjx-container')];
  const failed = formulas.filter(each => each.querySelector('[data-mml-node="merror"], [fill="red"]')
    || !(each.matches('mjx-container') || each.querySelector('mjx-container')));
  return found.concat(failed.map(each => `not set: ${each.textContent}`));
}"""
FORMULAS = "document.querySelectorAll('mjx-container svg').length"
UNTOLD = (
    """[...document.images].filter(image => !image.naturalWidth || !image.alt).map(image => image.src.slice(0, 99))"""
)
CUT = """[...document.querySelectorAll('div.cell_input pre')].filter(each => each.scrollWidth > each.clientWidth)
.map(each => each.textContent)"""
SMALL = """[...document.querySelectorAll('article img')].filter(each => each.src.endsWith('.svg')
&& each.getBoundingClientRect().width < 600).map(each => each.src)"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@dataclass(frozen=True)
class Seen:
    """What a page did and showed: each list names faults and is empty where there is none."""

    said: list[str]  # errors and warnings of the console, exceptions of scripts
    elsewhere: list[str]  # what it asked other hosts for
    missing: list[str]  # what the site does not have
    left: list[str]  # formulas that are not set
    untold: list[str]  # pictures that do not show, or have no alternative text
    cut: list[str]  # cells of code that a phone does not show whole
    small: list[str]  # drawings that a phone shows too small to read
    wider: int  # pixels by which the page scrolls sideways on a phone
    formulas: int  # that are set


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; give its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_):
        """Leave out the line for each request."""


class Reader:
    """One page of a browser, on a site that is served."""

    def __init__(self, page, address: str):
        self.page, self.address = page, address
        self._said, self._elsewhere, self._missing = [], [], []
        page.set_default_timeout(TIMEOUT)
        page.on("console", lambda m: self._said.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._said.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith((address, "data:")) else self._elsewhere.append(r.url))
        page.on("response", lambda r: self._missing.append(r.url) if r.status >= 400 else None)

    def open(self, name: str, scheme: str = "light") -> None:
        """Open a page at a desk, by day or by night, and wait until its formulas are set."""
        self.page.set_viewport_size(DESK)
        self.page.emulate_media(color_scheme=scheme)
        self.page.goto(self.address + name)
        self.page.evaluate(SET)

    def see(self, name: str) -> Seen:
        """Open a page at a desk, then hold it as a phone."""
        for kept in (faults := (self._said, self._elsewhere, self._missing)):
            kept.clear()
        self.open(name)
        left, untold, formulas = map(self.page.evaluate, (LEFT, UNTOLD, FORMULAS))
        self.page.set_viewport_size(PHONE)
        cut, small, wider = map(self.page.evaluate, (CUT, SMALL, WIDER))
        return Seen(*map(list, faults), left, untold, cut, small, wider, formulas)

    def findings(self, name: str, scheme: str) -> list[str]:
        """Return what axe-core finds serious on a page: the rule and the first place."""
        reason = "axe-playwright-python is not installed: make install"
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=reason)
        self.open(name, scheme)
        rules = {} if scheme == "light" else {"runOnly": ["color-contrast"]}  # nothing else depends on the scheme
        found = axe.Axe().run(self.page, options={"resultTypes": ["violations"], **rules}).response["violations"]
        return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found if v["impact"] in SERIOUS]

    def picture(self, name: str) -> None:
        """Keep a picture of what the window shows where somebody asked for pictures."""
        if folder := os.environ.get(KEPT):
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))


@contextlib.contextmanager
def reader(site: Path) -> Iterator[Reader]:
    """Open a browser on a site."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make install")
    with served(site) as address, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        yield Reader(browser.new_page(), address)
        browser.close()
