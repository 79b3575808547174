"""Is this edition whole? Every module is imported, every notebook opened, its checks tried: make test"""

import importlib
import json
import tempfile
import unittest
from pathlib import Path

from helpers.course.check_notebook import check

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))


class Edition(unittest.TestCase):
    def test_every_module_is_imported(self):
        modules = sorted((ROOT / "helpers").rglob("*.py"))
        self.assertGreater(len(modules), 100)
        for path in modules:
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))

    def test_the_checks_of_every_notebook_say_that_nothing_is_written_yet(self):
        self.assertGreater(len(NOTEBOOKS), 0)
        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                told = list(check(path))
                self.assertEqual(sum(said.points for said in told), 80)
                self.assertEqual(sum(said.score for said in told), 0)
                for said in told:
                    self.assertIn("not started yet", said.text)

    def test_a_wrong_answer_is_told(self):
        notebook = json.loads(NOTEBOOKS[0].read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            cell["source"] = [line.replace("raise NotImplementedError()", "return 7") for line in cell["source"]]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / NOTEBOOKS[0].name
            path.write_text(json.dumps(notebook), encoding="utf-8")
            told = [said.text for said in check(path)]
        self.assertTrue(any("expected" in text and "got" in text for text in told), told)


if __name__ == "__main__":
    unittest.main()
