"""What people read of a class's results: tables, CSV, JUnit, pages. Made from result dicts alone.

In: results and what the gradebook knows besides. Out: text, files and pages for people and for other systems.
Whatever a student can have written (names, output, error messages) passes through `safe_text` on its way out.
May import: the ground floor, execution, submissions, gradebook.
"""

from autograder.report.table import report

__all__ = ["report"]
