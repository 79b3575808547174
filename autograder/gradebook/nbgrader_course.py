"""The nbgrader course: its configuration and its converters, called in this process."""

import logging
from pathlib import Path

from nbgrader import converters
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

from autograder import paths

CONFIG = "nbgrader_config.py"
paths.put_environment_on_path()


def course_config(course: Path | None = None) -> Config:
    """Return nbgrader's configuration; `course` is the folder of submissions and gradebook (default: here).

    A course may have a nbgrader_config.py of its own, with the late penalty or the address of the gradebook, say.
    """
    config = PyFileConfigLoader(CONFIG, path=str(paths.ROOT)).load_config()
    if course is not None:
        if (course / CONFIG).is_file():
            config.merge(PyFileConfigLoader(CONFIG, path=str(course)).load_config())
        config.CourseDirectory.root = str(course.resolve())
        config.CourseDirectory.source_directory = str(paths.SOURCE)
    return config


def grading_config(course: Path) -> Config:
    """Return the configuration for a course that is graded: what lies between stays in its build/ folder."""
    config = course_config(course)
    config.CourseDirectory.source_directory = "build/source"
    config.CourseDirectory.release_directory = "build/release"  # notebooks/ belongs to `release` alone
    return config


def converter(name: str, chapter: str, config: Config, level: int = logging.ERROR, **course):
    """Return one of nbgrader's converters (GenerateAssignment, Autograde, GenerateFeedback) for a chapter."""
    coursedir = CourseDirectory(config=config, assignment_id=chapter, **course)
    made = getattr(converters, name)(coursedir=coursedir, config=config)
    made.force = True
    made.log = logging.getLogger(f"bow2lora.{name}")
    made.log.setLevel(level)
    return made
