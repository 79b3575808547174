"""Hand-ins as people's tools make them, a row of each kind; all of them are in tests/world/files.py."""

from quick_course import pages
from world import files

from autograder.gradebook import feedback_pages


def test_hand_ins_of_each_kind_get_their_points_and_a_note(tmp_path, monkeypatch):
    monkeypatch.setattr(feedback_pages, "write_pages", pages)
    found = files.graded(tmp_path, list(files.FEW))
    assert [line for row in files.FEW for line in files.faults(row, found[row])] == []
