"""A course's own folder: what makes nbgrader and formgrader find what is graded there."""

from pathlib import Path

from autograder.gradebook.nbgrader_course import CONFIG
from helpers.files import write_whole

TEXT = '''"""nbgrader's settings for this course, for formgrader and nbgrader's own commands. Yours to change."""

from pathlib import Path

from autograder import paths

c = get_config()
load_subconfig(str(paths.ROOT / "nbgrader_config.py"))  # the settings of all courses

c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "build/source"
c.CourseDirectory.release_directory = "build/release"
'''


def write_config(course: Path) -> None:
    """Write nbgrader's configuration into a course's folder that has none."""
    if not (course / CONFIG).exists():
        write_whole(course / CONFIG, TEXT.encode("utf-8"))
