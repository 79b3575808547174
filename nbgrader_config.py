"""nbgrader's folders mapped to ours, and the few settings that make stock grading hold."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    OverwriteCells,
    OverwriteKernelspec,
)

from autograder.preprocessor import Rebuild

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "bow2lora"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "build/source"
c.CourseDirectory.release_directory = "notebooks"

# Before anything else the submission is rebuilt from the released notebook and the student's answers: copied,
# deleted or retagged cells, and tags that would skip a check, do not survive it.
c.Autograde.sanitize_preprocessors = [
    Rebuild,
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]

# Cells that only show something (training, figures) are not run while grading.
c.Execute.skip_cells_with_tag = "show"
c.Execute.timeout = 60

# Our essays carry their mark scheme in the answer cell; nbgrader knows it in task cells only.
c.ClearMarkScheme.enforce_metadata = False

# Feedback must not print the hidden tests (nbgrader issue 917).
c.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]
