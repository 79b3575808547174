"""JUnit XML, which GitHub Actions, GitLab, Jenkins and others show: a suite for each student, a case for each check."""

from collections.abc import Sequence
from xml.etree import ElementTree as xml

from autograder.adopted_table import WHY_UNPROVED
from autograder.report import safe_text
from autograder.report.standing import Check, Standing


def junit(class_: Sequence[Standing], chapter: str) -> bytes:
    """Return the XML of a class, or of one student.

    A check without full points is a failure, with its report; one that could not be judged is an error, with the
    reason; an essay that waits for a person is skipped. What is unproved says so in what it printed.
    Source: the JUnit 10 schema (Boissinot, 2014; MIT), which Jenkins's xUnit plugin publishes.
    """
    root = xml.Element("testsuites", name=chapter)
    suites = [_suite(s, chapter) for s in class_]
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.set("time", _seconds(sum(float(suite.get("time", "0")) for suite in suites)))
    root.extend(suites)
    xml.indent(root)
    return xml.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _suite(standing: Standing, chapter: str) -> xml.Element:
    cases = [_case(check, chapter) for check in standing.checks]
    cases += [_essay(essay, chapter) for essay in standing.open]
    if not standing.checks:
        cases = [_unchecked(standing, chapter)]
    suite = xml.Element("testsuite", name=safe_text.name(standing.student), tests=str(len(cases)))
    for key, tag in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
        suite.set(key, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", _seconds(sum(c.seconds for c in standing.checks)))
    suite.extend([*_properties(standing), *cases])
    return suite


def _properties(standing: Standing) -> list[xml.Element]:
    """Return what protected the machine while this notebook ran."""
    found = standing.result.get("protections") or {}
    if not found:
        return []
    properties = xml.Element("properties")
    for name, state in found.items():
        xml.SubElement(properties, "property", name=f"protection: {safe_text.name(name)}", value=safe_text.line(state))
    return [properties]


def _case(check: Check, chapter: str) -> xml.Element:
    case = xml.Element("testcase", classname=chapter, name=safe_text.name(check.exercise), time=_seconds(check.seconds))
    points = f"{safe_text.number(check.score)} of {safe_text.number(check.points)} points"
    if not check.judged:
        reason = safe_text.line(check.reason or "no score")
        xml.SubElement(case, "error", type="no score", message=reason).text = safe_text.block(check.report)
    elif not check.full:
        found = xml.SubElement(case, "failure", type="points", message=f"{safe_text.name(check.exercise)}: {points}")
        found.text = safe_text.block(check.report)
    if check.unproved:
        xml.SubElement(case, "system-out").text = WHY_UNPROVED
    return case


def _essay(essay: str, chapter: str) -> xml.Element:
    case = xml.Element("testcase", classname=chapter, name=f"essay {safe_text.name(essay)}", time=_seconds(0))
    xml.SubElement(case, "skipped", message="graded by hand")
    return case


def _unchecked(standing: Standing, chapter: str) -> xml.Element:
    """Return the case of a submission without a single check: with no case at all it would pass."""
    case = xml.Element("testcase", classname=chapter, name="submission", time=_seconds(0))
    reason = safe_text.line(standing.result.get("failure") or "nothing was checked")
    xml.SubElement(case, "error", type="no score", message=reason)
    return case


def _seconds(value: float) -> str:
    return f"{value:.3f}"
