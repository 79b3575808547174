"""What pip leaves behind where it changes packages under a running kernel, as in Colab, Kaggle and VS Code.

The install cell of the edition calls `settle` when it has installed the course; it imports nothing but the standard
library, since what is loaded may be half of one version and half of another.
"""

import importlib
import importlib.metadata
import importlib.util
import re
import subprocess
import sys

COURSE = "bow2lora"
COMPANIONS = ("torchvision", "torchaudio")  # each build of them fits one build of torch; the course needs neither
MODULES = {"scikit-learn": "sklearn", "pillow": "PIL"}  # where a package's module is called otherwise


def settle() -> None:
    """Take out companions of another torch, and say where the kernel must be restarted, and why."""
    for name in COMPANIONS:
        if wants := _other_torch(name):
            subprocess.run([sys.executable, "-m", "pip", "uninstall", "--quiet", "--yes", name], check=False)
            print(f"{name} was built for torch {wants} and is taken out: the course has another and does not use it.")
    if changed := _changed():
        print(f"Restart the kernel, then run this cell again. Loaded in another version: {', '.join(changed)}.")


def broken_companion() -> str:
    """Return what to do about torchvision or torchaudio where one cannot be loaded beside this torch, else ""."""
    for name in COMPANIONS:
        if importlib.util.find_spec(name) is None:
            continue
        try:
            importlib.import_module(name)
        except Exception as error:  # whatever a library of the wrong build raises
            why = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
            return f"{name} does not fit this torch ({why}): `pip uninstall {name}`, then restart the kernel"
    return ""


def _other_torch(name: str) -> str:
    """Return the version of torch that an installed companion demands, where it is not the one installed, else ""."""
    pins = [re.match(r"torch\s*\(?==\s*([\d.]+)", demand) for demand in _demands(name)]
    wanted = [pin[1] for pin in pins if pin]
    return wanted[0] if wanted and wanted[0] != _public(_version("torch")) else ""


def _changed() -> list[str]:
    """Return the packages of the course that this process has loaded in another version than is installed now."""
    found = []
    for demand in _demands(COURSE):
        name = re.split(r"[^\w.-]", demand)[0]
        module = sys.modules.get(MODULES.get(name.lower(), name.replace("-", "_")))
        if module is None:
            continue
        loaded, there = vars(module).get("__version__", ""), _version(name)
        if loaded and there and _public(loaded) != _public(there):
            found.append(f"{name} {loaded} (installed: {there})")
    return found


def _public(version: str) -> str:
    """Return a version without the name of its build and a tag's v: 2.13.0 for 2.13.0+cpu and for v2.13.0."""
    return version.partition("+")[0].removeprefix("v")


def _demands(name: str) -> list[str]:
    """Return what an installed package demands, without what only its extras do."""
    try:
        demands = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [demand for demand in demands if "extra ==" not in demand]


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
