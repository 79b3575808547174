# Installs the course where it is missing (VS Code, Colab): from the folder that this notebook lies in, or from the web.
import importlib.util
import subprocess
import sys
from pathlib import Path

if not all(map(importlib.util.find_spec, ("helpers", "torch", "rank_bm25"))):
    here = Path(globals().get("__vsc_ipynb_file__", "notebook.ipynb")).resolve().parent
    above = [f for f in (here, *here.parents) if (f / "helpers").is_dir() and (f / "requirements.lock").is_file()]
    pins = ["-c", str(above[0] / "requirements.lock"), str(above[0])] if above else ["@URL@"]
    if all(pins):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", *pins]
        done = subprocess.run(pip, capture_output=True, text=True)
        importlib.invalidate_caches()
        if done.returncode:
            print(f"The course is not installed. pip says:\n{done.stderr[-2000:]}")
        else:
            importlib.import_module("helpers.installed").settle()
    else:
        print(f"The course is not installed, nor in {here} or above it. Open this notebook inside the course's folder.")
