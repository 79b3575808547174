"""Real data sets that may or may not be at hand."""

from helpers import data


def at_hand(name: str):
    """Return the real edition of a data set; None where it cannot be had, and one line that says why."""
    try:
        return data.load(name, edition="real")
    except data.DataError as error:
        print(f"Left out: {error.problem}")
        return None
