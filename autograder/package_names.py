"""The names of packages that a student's process says it lacks: what is no name of a package is left out."""

import re

PACKAGE = re.compile(r"[A-Za-z_]\w{0,59}(?:\.\w{1,60}){0,3}")
MAX_PACKAGES = 10  # of one cell, and of one submission


def package_names(names: object) -> list[str]:
    """Return those that may name a package, each once, whatever was sent."""
    if not isinstance(names, list):
        return []
    known = [name for name in names if isinstance(name, str) and PACKAGE.fullmatch(name)]
    return list(dict.fromkeys(known))[:MAX_PACKAGES]
