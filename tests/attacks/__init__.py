"""Submissions that attack the grader, each beside its honest twin; see README.md in this folder."""
