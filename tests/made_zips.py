"""Zips of submissions as Canvas, Moodle and Gradescope export them, and the roster that knows who is who."""

import io
import json
import re
import zipfile
from datetime import datetime
from pathlib import Path

from autograder.lms import collecting
from autograder.lms.archives import Unpacker

ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section
    Points Possible,,,,
"Lovelace, Ada",101,S1,ada,Lab 1 and Lab 2
"Hopper, Grace",102,S2,grace,Lab 2
"Núñez, José María",103,S3,jose,Lab 1
"Student, Test",999,,,Lab 1
"""
EARLY, LATE = datetime(2026, 10, 1, 12), datetime(2026, 10, 3, 12)
PEOPLE = {  # name, number in Moodle, number in Canvas, email
    "ada": ("Ada Lovelace", 5001, 101, "S1"),
    "grace": ("Grace Hopper", 5002, 102, "S2"),
    "jose": ("José María Núñez", 5003, 103, "S3"),
}
WORKSHEET = """Identifier,"Full name","Email address",Status,Grade
"Participant 5001","Ada Lovelace",ada@x.org,"Submitted for grading",
"Participant 5002","Grace Hopper",grace@x.org,"Submitted for grading",
"Participant 5003","José María Núñez",jose@x.org,"Submitted for grading",
"""
GROUP_SET = """name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id
"Lovelace, Ada",101,S1,ada,Lab 1 and Lab 2,Project_Team 3,31,
"Hopper, Grace",102,S2,grace,Lab 2,Project_Team 3,31,
"Núñez, José María",103,S3,jose,Lab 1,,,
"""


def packed(path: Path, members: dict[str, bytes], times: dict[str, datetime] | None = None) -> Path:
    """Write a zip of these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            when = (times or {}).get(name, EARLY)
            info = zipfile.ZipInfo(name, when.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def canvas(path: Path, works: dict[str, bytes], attachment: int = 7000, late: tuple = ()) -> Path:
    """Write what Canvas gives for "Download Submissions"."""
    members = {}
    for i, (student, content) in enumerate(works.items()):
        name, _, user, _ = PEOPLE[student]
        first, _, last = name.rpartition(" ")
        mark = "_LATE" * (student in late)
        members[f"{canvas_name(f'{last}, {first}')}{mark}_{user}_{attachment + i}_01_spam-1.ipynb"] = content
    return packed(path, members)


def canvas_name(sortable: str) -> str:
    """Return what Canvas makes of a person's or a group's name: words alone, without what looks like its numbers."""
    return re.sub(r"[^\w]", "", re.sub(r"_(\d+)_", r"\1", sortable).lower())


def canvas_groups(path: Path, works: dict[str, tuple[int, bytes]], late: tuple = ()) -> Path:
    """Write what Canvas gives for a group assignment: each group's name with the number of one of its students."""
    members = {}
    for i, (group, (user, content)) in enumerate(works.items(), 7000):
        mark = "_LATE" * (group in late)
        members[f"{canvas_name(group)}{mark}_{user}_{i}_01_spam-1.ipynb"] = content
    return packed(path, members)


def canvas_anonymous(path: Path, works: dict[str, bytes]) -> Path:
    """Write what Canvas gives for an anonymous assignment, by letters that it keeps to itself; the first is late."""
    members = {}
    for i, (letters, content) in enumerate(works.items(), 60_000):
        mark = "" if members else "LATE_"
        members[f"{mark}anon_{letters}_{i}_01_spam.ipynb"] = content
    return packed(path, members)


def moodle_teams(path: Path, works: dict[str, bytes], numbers: dict[str, int]) -> Path:
    """Write what Moodle gives for a team assignment: each team's name and number; the default one has no number."""
    members = {}
    for team, content in works.items():
        number = f"_{numbers[team]}" if team in numbers else ""
        members[f"{team.replace('_', ' ')}{number}_assignsubmission_file/01_spam.ipynb"] = content
    return packed(path, members)


def moodle(path: Path, works: dict[str, bytes], times: dict[str, datetime] | None = None, form: str = "{}_/") -> Path:
    """Write what Moodle gives for "Download all submissions"; form: how a folder or the name of a file begins."""
    begin = {s: form.format(f"{PEOPLE[s][0]}_{PEOPLE[s][1]}_assignsubmission_file") for s in works}
    dates = {f"{begin[s]}01_spam.ipynb": when for s, when in (times or {}).items()}
    return packed(path, {f"{begin[s]}01_spam.ipynb": content for s, content in works.items()}, dates)


def gradescope(path: Path, works: dict[str, bytes], when: str = "2026-10-01 10:00:00.123456000 Z") -> Path:
    """Write what Gradescope exports."""
    members, listed = {}, []
    for i, (student, content) in enumerate(works.items(), 800):
        name, _, _, sid = PEOPLE[student]
        members[f"assignment_9_export/submission_{i}/01_spam.ipynb"] = content
        listed += [f"submission_{i}:", "  :submitters:", f"  - :name: {name}", f"    :sid: {sid}"]
        listed += [f"    :email: {student}@x.org", f"  :created_at: {when}", "  :score: 0.0"]
    members["assignment_9_export/submission_metadata.yml"] = "\n".join(listed).encode()
    return packed(path, members)


def notebook(text: str = "x = 1") -> bytes:
    """Return a notebook of one cell."""
    cell = {"cell_type": "code", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def damaged(path: Path, member: str) -> Path:
    """Spoil the bytes of one member of a zip."""
    raw = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(raw))) as archive:
        info = next(m for m in archive.infolist() if member in m.filename)
        start = info.header_offset + 30 + len(info.filename.encode())
    raw[start : start + 12] = b"\xff" * 12
    path.write_bytes(bytes(raw))
    return path


class Here:
    """The process of `collect`, in this one, which saves its start."""

    def __init__(self, make):
        self.unpacker = Unpacker.__new__(make)
        self.unpacker.path, self.unpacker.archive = "", None

    def ask(self, question, seconds):
        """Return what a process would answer."""
        try:
            return json.loads(json.dumps(self.unpacker(json.loads(json.dumps(question)))))
        except Exception as error:
            raise collecting.Failed(str(error)) from None

    def close(self):
        """Nothing to end."""
