"""What the tests of the notebook share."""


def same(found, expected):
    """Fail unless a value is the expected one."""
    assert found == expected, f"expected {expected!r}, found {found!r}"


def same_texts(function, pairs):
    """Fail unless a function makes of each text what stands beside it."""
    for given, expected in pairs.items():
        same(function(given), expected)
