"""What the command line says where something goes wrong that is no fault of the program."""


def in_a_line(error: Exception, in_a_checkout: bool = True) -> str:
    """Return what a user reads of an error that is no fault of the program; raises the others again."""
    if isinstance(error, ModuleNotFoundError):
        if (error.name or "helpers").split(".")[0] in ("helpers", "autograder"):
            raise error
        if not in_a_checkout:
            return "this command is for instructors: it needs a checkout of the course, with its solutions"
        return f"this command needs {error.name}: pip install 'bow2lora[grading]'"
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    return str(error)
