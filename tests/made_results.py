"""Made-up results of the grader for the tests of the reports: whole classes, and students who attack the reader."""

import random

POINTS = {"rules": 6, "judge": 6, "vocabulary": 7, "bag": 6, "ngrams": 6, "tf": 7, "idf": 7, "tfidf": 7}
POINTS |= {"logistic": 8, "naive-bayes": 7, "curves": 6, "bm25": 7}
LIKELY = {
    "tf": ["this is ln(1 + c); the table says 1 + ln c", "the counts were divided by the size of the vocabulary"],
    "idf": ["the logarithm has base 10", "documents without the word were not counted"],
    "ngrams": ["the last n-gram is missing"],
    "judge": ["F1 is the harmonic mean; this is the arithmetic one", "the denominator is 0"],
    "bm25": ["the length was not divided by the mean length"],
}
HELD = {
    "network": "held: network namespace",
    "files": "held: read-only system, scratch folder wiped",
    "processes": "held: pid namespace, at most 64",
    "memory": "held: 4096 MB",
    "time": "held: 60 s a cell, 600 s in all",
    "privileges": "held: no capabilities, no_new_privs",
    "system calls": "missing: seccomp is not used",
}
FIRST = ["Ada", "Ben", "Cai", "Dora", "Emre", "Fatima", "Goran", "Hanna", "Ines", "Jon", "Kira", "Lena"]
LAST = ["Adler", "Brandt", "Chen", "Demir", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanova", "Jensen"]
UNICODE = [
    "Đặng Thị Hồng",
    "Иван Петров",
    "王小明",
    "أحمد الهاشمي",
    "નરેન્દ્ર પટેલ",
    "மீனாட்சி",
    "Þórdís Ægisdóttir",
    "José-María Ñúñez",
]
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("http://evil","click")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1+1)*cmd",
    "\u202eadA\u202c",
    "\x1b[31mred\x1b[0m\x07",
    "\x1b]8;;http://evil\x07link\x1b]8;;\x07",
    "[bold red]ada[/bold red]",
    "{{ 7 * 7 }}{% raw %}",
    "../../etc/passwd",
    "a;=1+1;b",
    "line\nbreak\r\nand\ttab",
    "z" * 5000,
    "Z̷̡̛̛" + "\u0335" * 300 + "algo",
    "nul\x00byte\ud800",
    "    Points Possible",
    "\u2028\u2066isolate",
    "]]>&amp;<!--",
    "",
]
OUTPUT = "<script>alert('out')</script>\x1b[2J\x1b]0;title\x07 \u202egnp.exe {{ 7 * 7 }} [red]x[/red] " + "\U000e0041"


def made(student: str, seed: int = 0, skill: float = 0.7) -> dict:
    """Return one believable result."""
    rng = random.Random(f"{seed} {student!r}")
    checks = [_check(name, points, rng, skill) for name, points in POINTS.items()]
    cells = [_cell(c, rng) for c in checks]
    stopped = next((c for c in cells if c["status"] in ("died", "timeout")), None)
    return {
        "format": 1,
        "chapter": "01_spam",
        "student": student,
        "hash": f"{rng.getrandbits(64):016x}",
        "cells": cells,
        "checks": checks,
        "notes": [f"{stopped['id']}: stopped after 60 s"] if stopped else [],
        "repairs": ["cell tf was copied; the first copy counts"] if rng.random() < 0.1 else [],
        "missing": [],
        "protections": dict(HELD),
        "seconds": round(sum(c["seconds"] for c in cells) + 0.1, 2),
        "memory_mb": round(rng.uniform(250, 420), 1),
        "failure": "",
    }


def _check(name: str, points: float, rng: random.Random, skill: float) -> dict:
    luck = rng.random()
    share = 1.0 if luck < skill else rng.choice([0.0, 0.5, 0.8333])
    likely = [] if share == 1 or name not in LIKELY else [rng.choice(LIKELY[name])]
    return {
        "id": f"check-{name}",
        "exercise": name,
        "points": float(points),
        "score": round(points * share, 2),
        "status": "judged",
        "reason": "",
        "report": _report(name, points, share, likely),
        "likely": likely,
        "seconds": round(rng.uniform(0.001, 0.2), 3),
    }


def _report(name: str, points: float, share: float, likely: list[str]) -> str:
    if share == 1:
        return f"{name}: all 6 cases pass, {points:g} of {points:g} points"
    rows = [
        f"{name}: {round(6 * share)} of 6 cases pass, {round(points * share, 2):g} of {points:g} points",
        "  case 6",
    ]
    rows += ["    input     term_frequency(['to', 'be', 'or', 'not', 'to', 'be'], ['to', 'or', 'sea'], kind='log')"]
    rows += ["    expected  [1.69315, 1, 0]", "    got       [1.0986, 0.6931, 0.    ]  (array, shape (3,), float64)"]
    return "\n".join(rows + [f"    likely    {words}" for words in likely])


def _cell(check: dict, rng: random.Random) -> dict:
    cell = {"id": check["exercise"], "kind": "exercise", "status": "ok", "stdout": "", "error": None}
    cell["seconds"] = round(rng.expovariate(10) + 0.001, 3)
    if check["score"] == 0 and rng.random() < 0.5:
        error = {"name": "NameError", "message": "name 'np' is not defined", "line": 3, "text": "return np.log(x)"}
        cell |= {"status": "error", "error": error}
    elif check["score"] == 0 and rng.random() < 0.1:
        cell |= {"status": "timeout", "seconds": 60.0}
        check |= {"status": "no score", "reason": "the cell above it did not end within 60 s", "report": ""}
    return cell


def failed(student: str, why: str = "the file is empty") -> dict:
    """Return the result of a submission that could not be run at all."""
    result = made(student, skill=0.0)
    nothing = {"score": 0.0, "status": "no score", "report": "", "likely": []}
    for check in result["checks"]:
        check |= nothing | {"reason": "the submission could not be run"}
    return result | {"cells": [], "failure": why, "seconds": 0.0}


def hostile(student: str) -> dict:
    """Return a result whose every text is made to harm a reader, with scores that must not count."""
    result = made(student, skill=0.3)
    for check, score in zip(result["checks"], [float("nan"), float("inf"), -1.0, 1e9, "6", None, True], strict=False):
        check["score"] = score
    for check in result["checks"]:
        check |= {"report": OUTPUT * 400, "reason": OUTPUT, "likely": [OUTPUT, "x" * 3000]}
    for cell in result["cells"]:
        error = {"name": "<b>Error</b>", "message": OUTPUT * 50, "line": 3, "text": OUTPUT}
        cell |= {"status": "error", "stdout": OUTPUT * 900, "error": error}
    said = {"notes": [OUTPUT], "repairs": [OUTPUT + "\nsecond line"], "failure": OUTPUT}
    return result | said | {"protections": {OUTPUT: OUTPUT, "network": "held: network namespace"}}


def many(count: int) -> list[dict]:
    """Return a believable class of this size, a few Unicode names and failures among them."""
    rng = random.Random(count)
    names = [f"{rng.choice(FIRST)}.{rng.choice(LAST)}.{i:03d}".lower() for i in range(count)]
    names = [UNICODE[i // 7 % len(UNICODE)] + f" {i}" if i % 7 == 6 else name for i, name in enumerate(names)]
    found = [made(name, i, min(max(rng.gauss(0.75, 0.2), 0.0), 1.0)) for i, name in enumerate(names)]
    return [failed(r["student"]) if i % 40 == 39 else r for i, r in enumerate(found)]


def attackers() -> list[dict]:
    """Return a class of nothing but hostile names and texts."""
    return [hostile(name) for name in HOSTILE]
