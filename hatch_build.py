"""Model answers and hidden cases for self-study, packed when a wheel or an sdist is built. Mark schemes stay here.

An sdist holds no solutions/: it carries what was packed, and a wheel built from it takes that.
"""

import importlib.util
import shutil
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"wheel": "helpers/_answers", "sdist": "answers"}


class AnswersHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        packed, solutions = root / "answers", root / "solutions"
        if version == "editable":
            return
        if solutions.is_dir():
            packed = root / "build" / "answers"
            shutil.rmtree(packed, ignore_errors=True)
            _model_answers(root).pack(solutions, packed)
        for path in sorted(packed.glob("*.json")):
            build_data["force_include"][str(path)] = f"{PLACES[self.target_name]}/{path.name}"


def _model_answers(root: Path):
    """Return the module of that name, without importing the package around it, which needs more than hatchling."""
    spec = importlib.util.spec_from_file_location("model_answers", root / "helpers" / "course" / "model_answers.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
