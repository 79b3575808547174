"""Stock nbgrader's own applications one after the other in one process: python -m tests.attacks.stock (in a course)."""

import sys

from nbgrader.apps import AutogradeApp, ExportApp, GenerateAssignmentApp, GenerateFeedbackApp

from autograder import paths
from autograder.grading.sample_class import CHAPTER


def run(app, *words: str) -> int:
    """Run an application as its command would; returns its exit code."""
    try:
        app.launch_instance(list(words))
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        app.clear_instance()
    return 0


def main() -> None:
    """Release, autograde, make feedback, export; the exit code is autograde's."""
    paths.put_environment_on_path()
    if run(GenerateAssignmentApp, CHAPTER):
        sys.exit(1)
    code = run(AutogradeApp, CHAPTER)
    run(GenerateFeedbackApp, CHAPTER)
    run(ExportApp)
    sys.exit(code)


if __name__ == "__main__":
    main()
