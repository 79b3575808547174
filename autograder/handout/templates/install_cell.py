# Installs the course where it is missing (VS Code, Colab): from this folder's edition, or from the web.
import importlib.util
import subprocess
import sys
from pathlib import Path

if importlib.util.find_spec("helpers") is None:
    course, web = Path("../..").resolve(), "@URL@"
    pins = ["-c", str(course / "requirements.lock"), str(course)] if (course / "helpers").is_dir() else [web]
    if all(pins):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *pins])
        importlib.invalidate_caches()
