"""nbgrader's folders mapped to ours, and the few settings that make stock grading hold."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    ComputeChecksums,
    DeduplicateIds,
    GetGrades,
    LimitOutput,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from autograder.authoring.build import build_missing
from autograder.execution.time_limits import CELL_SECONDS
from autograder.gradebook.formgraders_button import NotFromAServer
from autograder.gradebook.nbgrader_steps import HideTests, Overwrite, Rebuild, RunCells, StudentView, Verdicts
from autograder.gradebook.page_text import TEMPLATES, markdown2html

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "bow2lora"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "build/source"
c.CourseDirectory.release_directory = "notebooks"

build_missing()  # in a fresh clone build/source is empty

# In the student edition a check is one call, its visible cases are a file beside the notebook.
c.GenerateAssignment.preprocessors = [
    *GenerateAssignment.preprocessors.default_args[0],
    StudentView,
    ComputeChecksums,
    CheckCellMetadata,
]

# Our essays carry their mark scheme in the answer cell; nbgrader knows it in task cells only.
c.ClearMarkScheme.enforce_metadata = False

# Before anything else the submission is rebuilt from the released notebook and the student's answers: copied,
# deleted or retagged cells, and tags that would skip a check, do not survive it.
c.Autograde.sanitize_preprocessors = [
    Rebuild,
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    Overwrite,
    CheckCellMetadata,
]

# Formgrader's button would run all this in the instructor's server; it says where to grade instead.
c.Autograde.exporter_class = NotFromAServer

# A check earns only by one finite number in its range; a kernel that dies keeps what was earned before.
c.Autograde.autograde_preprocessors = [
    RunCells,
    Verdicts,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]

# Cells that only show something (training, figures) are not run while grading.
c.Execute.skip_cells_with_tag = "show"
c.Execute.timeout = CELL_SECONDS

# Feedback must not print the hidden tests (nbgrader issue 917).
c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]

# What students' code puts out must not run in the browser of whoever looks at it.
c.HTMLExporter.sanitize_html = True

# Formulas are MathML: neither formgrader nor a page of feedback loads MathJax from the network.
c.HTMLExporter.filters = {"markdown2html": markdown2html}
c.HTMLExporter.extra_template_basedirs = [str(folder) for folder in TEMPLATES]
