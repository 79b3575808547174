"""What people read of a class's results: tables, CSV, JUnit, Gradescope, pages. Made from result dicts alone.

Whatever a student can have written (names, output, error messages) passes through `text` on its way out.
"""

from autograder.report.table import report

__all__ = ["report"]
