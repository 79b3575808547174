"""The rebuild as the first step of stock nbgrader's autograde."""

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder import paths
from autograder.rebuild import rebuild


class Rebuild(NbGraderPreprocessor):
    """Replace the submission by the released notebook with the student's answers put in."""

    def preprocess(self, nb, resources):
        """Return the rebuilt notebook; what was repaired is kept in its metadata and logged."""
        template = nbformat.read(paths.release_notebook(resources["nbgrader"]["notebook"]), as_version=4)
        made, repairs = rebuild(template, nb)
        for line in repairs:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], line)
        made.metadata["bow2lora"] = {"repairs": repairs}
        return made, resources
