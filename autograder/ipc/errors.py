"""What can be wrong with what comes over the channel."""


class WireError(Exception):
    """What came is no message, or what should go is too large for one; the channel is of no more use."""


class Closed(WireError):
    """The other side has gone."""


class CodecError(ValueError):
    """A value too large or too deep to be sent, or a node that stands for no value."""
