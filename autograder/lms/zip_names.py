"""What the name of a file in a zip of submissions says; canvas, moodle and gradescope read their own form of it."""

from dataclasses import dataclass

LONGEST = 1_000  # characters of a member's name


@dataclass(frozen=True)
class Named:
    """What a member's name says of who handed it in.

    key: the same for all files of one submission; order: later ones have higher ones; anonymous: who is nobody's name.
    """

    key: str
    who: str
    number: str
    file: str
    late: bool = False
    order: int = 0
    anonymous: bool = False
