"""Let a class of attacks loose on a grader, and judge each one."""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from helpers.errors import CourseError

from . import evidence
from .attack import Attack, Setting
from .backends import Backend, Ran, alive, end
from .build import BYSTANDERS, make, twin
from .corpus import CLASSES
from .listener import Listener

SETTLE = 7.0  # seconds that what was left behind has for its work
TIMEOUT = 90.0  # seconds that one submission may take in all, on a machine that does nothing else
BUSY = 4.0  # times as long, beside other tests
FULL = 12.0  # points of a bystander


@dataclass
class Verdict:
    """What came of one attack: it succeeded if there are findings."""

    kind: str
    name: str
    score: float | None = None
    twin: float | None = None
    findings: list[str] = field(default_factory=list)
    seconds: float | None = None


class Campaign:
    """Runs classes of attacks in `where`, a temporary folder; `say` gets one line for each class.

    classes: the attacks by class (default: all of them); timeout: seconds that one submission may take in all.
    """

    def __init__(
        self, backend: Backend, where: Path, listener: Listener, say=print, classes=CLASSES, timeout: float = TIMEOUT
    ):
        self.timeout = timeout
        self.backend, self.where, self.listener, self.say, self.classes = backend, where, listener, say, classes
        self.session = os.getsid(0) if hasattr(os, "getsid") else 0
        self.namespace = str(Path("/proc/self/ns/pid").readlink()) if Path("/proc/self/ns/pid").is_symlink() else ""

    def run(self, kinds: list[str], jobs: int = 1) -> Iterator[list[Verdict]]:
        """Yield the verdicts of each class in turn; CourseError if the grader fails without any attack."""
        before = Course(self, "before", [])
        before.remove()
        if not before.whole:
            raise CourseError(f"{self.backend.name} fails without any attack ({'; '.join(before.lost())})")
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(self.run_class, kinds)

    def run_class(self, kind: str) -> list[Verdict]:
        """Grade a class together, but for those that go alone; those by whom others lose anything are searched for."""
        started, attacks = time.monotonic(), self.classes[kind]
        found = self._together(kind, [a for a in attacks if not a.alone])
        for attack in attacks:
            found |= {} if attack.name in found else self._together(kind, [attack])
        verdicts = [found[a.name] for a in attacks]
        won = sum(bool(v.findings) for v in verdicts)
        self.say(f"  {kind:<10}{won:>3} of {len(verdicts)} succeed{time.monotonic() - started:>7.0f} s")
        return verdicts

    def _together(self, kind: str, attacks: list[Attack]) -> dict[str, Verdict]:
        """Grade attacks in one course; if others lost anything by it, each half in one of its own, and so on."""
        if not attacks:
            return {}
        course = Course(self, f"{kind}-{attacks[0].name}-{len(attacks)}", attacks)
        found = {v.name: v for v in course.judge(kind)} if len(attacks) == 1 or course.whole else {}
        course.remove()
        if found:
            return found
        self.say(f"  {kind:<10}{len(attacks)} together: {'; '.join(course.lost())}; halved")
        half = len(attacks) // 2
        return self._together(kind, attacks[:half]) | self._together(kind, attacks[half:])


class Course:
    """A course of some attacks, their twins and bystanders, graded once."""

    def __init__(self, campaign: Campaign, name: str, attacks: list[Attack]):
        self.attacks, self.campaign = attacks, campaign
        self.setting = Setting(campaign.where / name, campaign.listener.port, campaign.namespace, campaign.session)
        self.setting.course.mkdir(parents=True)
        campaign.listener.add_file(self.setting.root / "service")
        make(self.setting, attacks)
        limit = campaign.timeout * (len(attacks) + 2)
        self.ran: Ran = campaign.backend.grade(self.setting, limit)
        self.left = self._settle()
        self.scores = evidence.scores(self.setting.course)

    def _settle(self) -> str:
        """Give what was left behind time to act, then end it; returns the command lines."""
        deadline = time.monotonic() + SETTLE
        left = alive(self.setting)
        while alive(self.setting) and time.monotonic() < deadline:
            time.sleep(0.2)
        end(alive(self.setting))
        return "\n".join(left.values())

    def remove(self) -> None:
        """Remove the folder, and what was left elsewhere."""
        for attack in self.attacks:
            for path in evidence.outside_files(attack.token):
                path.unlink(missing_ok=True)
        shutil.rmtree(self.setting.root, ignore_errors=True)

    @property
    def whole(self) -> bool:
        """Whether bystanders and twins have what is theirs."""
        return not self.lost()

    def lost(self) -> list[str]:
        """Return what happened to those who did nothing."""
        twins = {twin(a) for a in self.attacks}
        missing = [name for name in (*BYSTANDERS, *twins) if name not in self.scores]
        other = [name for name in BYSTANDERS if self.scores.get(name, FULL) != FULL]
        other += [name for name in {"twin-none"} & twins if self.scores.get(name, 0.0) != 0.0]
        found = ["the batch had to be stopped"] if self.ran.code is None else []
        found += [f"no grade for {', '.join(missing)}"] if missing else []
        found += [f"other points for {', '.join(other)}"] if other else []
        if found and self.ran.code:
            last = "; ".join(self.ran.text.strip().splitlines()[-2:])
            found.append(f"the grader ended with code {self.ran.code}: {last}")
        return found

    def judge(self, kind: str) -> list[Verdict]:
        """Return a verdict on each attack."""
        return [self._judge(kind, attack) for attack in self.attacks]

    def _judge(self, kind: str, attack: Attack) -> Verdict:
        name = evidence.known_as(attack.student, self.scores)
        verdict = Verdict(kind, attack.name, self.scores.get(name), self.scores.get(twin(attack)))
        verdict.seconds = self._seconds(attack, name)
        add = verdict.findings.append
        if (verdict.score or 0.0) > (verdict.twin or 0.0):
            add(f"points: {verdict.score:g} instead of {verdict.twin or 0:g}")
        for finding in [*self._shown(attack, name), *self._elsewhere(attack), *self._others(attack)]:
            add(finding)
        if verdict.score is None and verdict.twin is not None:
            add("ungraded: it has no grade")
        if verdict.seconds and verdict.seconds > self.campaign.timeout:
            add(f"delay: {verdict.seconds:.0f} s")
        return verdict

    def _typed(self, attack: Attack) -> set[str]:
        """Return the hidden lines and inputs that a submission itself holds: an error quotes its own line."""
        typed: set[str] = set()
        hidden = evidence.hidden_lines() | evidence.hidden_inputs()
        for path in (self.setting.course / "submitted" / attack.student).rglob("*.ipynb"):
            readable = path.is_file() and path.stat().st_size < evidence.MAX_BYTES  # no FIFO, no terabyte of holes
            text = path.read_text(encoding="utf-8", errors="replace") if readable else ""
            typed |= {line for line in hidden if json.dumps(line)[1:-1] in text}
        return typed

    def _shown(self, attack: Attack, name: str):
        """Yield what the grader's files of this student show that they should not."""
        course, files = self.setting.course, evidence.own_files(self.setting.course, name)
        honest = evidence.texts(evidence.own_files(course, twin(attack)))
        texts = evidence.texts(files)
        stolen = {found for kind in texts for found in evidence.leaks(texts[kind]) - evidence.leaks(honest[kind])}
        stolen -= self._typed(attack)
        text = " ".join(texts.values())
        if stolen:
            yield f"hidden: {len(stolen)} lines or inputs, such as {min(stolen)[:60]!r}"
        yield from (f"limits: {what}" for what in set(re.findall(rf"REACHED {attack.token}: ([\w' ]+)\.", text)))
        if any(p.stat().st_size > evidence.LARGE for p in files):
            yield f"output: a file of {max(p.stat().st_size for p in files) / 1e6:.0f} MB"
        yield from (f"markup: {what}" for what in set(evidence.live_markup(course, files, attack.token)))

    def _elsewhere(self, attack: Attack):
        """Yield traces outside the student's own files: files, messages, processes, the terminal, tables."""
        places = list(evidence.touched(self.setting, attack))
        yield from [f"outside: {', '.join(places[:3])}{' ...' if len(places) > 3 else ''}"] if places else []
        if attack.token.encode() in self.campaign.listener.heard:
            yield "network: a message arrived"
        if str(self.setting.canary(attack)) in self.left:
            yield "left behind: a process"
        alone = len(self.attacks) == 1
        terminal = [line for _, line in self.ran.lines if "\x1b" in line or "\x07" in line]
        if any(attack.token in line or alone for line in terminal):
            yield "markup: escape sequences on the terminal"
        if any(cell.startswith(attack.student[:20]) for cell in evidence.formulas(self.setting.course)):
            yield "markup: a formula in a CSV file"

    def _others(self, attack: Attack):
        """Yield what others lost, where the attack was alone with them."""
        if len(self.attacks) == 1:
            yield from (f"others: {what}" for what in self.lost())

    def _seconds(self, attack: Attack, name: str) -> float | None:
        """Return how long a submission took: as the grader says, or the time to the next line about another one."""
        said = re.search(rf"^ *{re.escape(name)} .*?([\d.]+) s *$", self.ran.text, re.MULTILINE)
        if said:
            return float(said[1])
        begins = [(t, line) for t, line in self.ran.lines if "Converting notebook" in line and "/submitted/" in line]
        times = [t for t, _ in begins] + [self.ran.lines[-1][0] if self.ran.lines else 0.0]
        spans = [times[i + 1] - t for i, (t, line) in enumerate(begins) if f"/submitted/{attack.student}/" in line]
        return round(max(spans), 1) if spans else None
