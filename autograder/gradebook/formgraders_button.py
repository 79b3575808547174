"""Formgrader's *Autograde* grades nothing: a student's code would run in the instructor's server, as the instructor.

The button calls nbgrader's converter in the process of the Jupyter server. The first thing that the converter makes is
its exporter, before it removes or writes anything, so that is the place to say where to grade instead. The command
`nbgrader autograde` makes it as well, and goes on: whoever types it has read what it protects from (SECURITY.md).
"""

from nbconvert.exporters import NotebookExporter
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters.base import NbGraderException

WHERE = (
    "Nothing was graded: this button would run students' code as you, in your server. "
    "Grade in a terminal, in the sandbox, and then reload this page: bow2lora grade {} --course {}"
)


class NotFromAServer(NotebookExporter):
    """Writes notebooks as ever, and is not made for formgrader."""

    def __init__(self, config=None, parent=None, **kw):
        """parent: the converter, whose own parent is the program that runs it."""
        if isinstance(getattr(parent, "parent", None), NbGraderAPI):
            said = WHERE.format(parent.coursedir.assignment_id, parent.coursedir.root)
            parent.log.error(said)
            raise NbGraderException(said)
        super().__init__(config=config, parent=parent, **kw)
