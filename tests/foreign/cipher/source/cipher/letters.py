"""The alphabet of the notebook."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def place(letter):
    """Return the place of a small letter, counted from 0."""
    return ALPHABET.index(letter)
