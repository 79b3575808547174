"""How a cell of a submission ended, in words."""


def why_stopped(cell: dict) -> str:
    """Return how a cell ended before its end, in words that follow its name; "" if it ran as a whole."""
    error = cell.get("error")
    if cell["status"] == "timeout":
        return "did not come to an end and was stopped"
    if cell["status"] == "died":
        return "ended the process"
    if cell["status"] == "error" and error:
        line = f" in line {error['line']}" if error["line"] else ""
        return f"stopped{line}: {error['name']}: {error['message']}".rstrip(": ")
    if cell.get("missing"):
        return f"needs the package {cell['missing'][0]}, which is not here while grading"
    return ""
