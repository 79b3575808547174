"""What a case asks where an exercise rules a way out: the value, and that `ways_of_calls.taken` did not see the way."""

from helpers.checks.case import NOTHING
from helpers.checks.compare import difference


def not_taken(says: str, sentence: str, want=NOTHING) -> dict:
    """Return the arguments of `Case.holds` that ask for a value, or any, to which none of the ways was `taken`.

    says: what is expected, in words; sentence: what is said of an answer that takes one of them.
    """

    def right(value) -> bool:
        return want is NOTHING or difference(value, want, rtol=1e-4, atol=1e-6) is None

    return {
        "test": lambda found: right(found[0]) and not found[1],
        "says": says,
        "near": {sentence: lambda found: right(found[0]) and bool(found[1])},
    }
