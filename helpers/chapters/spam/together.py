"""Known mistakes that one function computes at once, as `Check.mistakes` takes them: a function for each.

In: a function that returns what all mistakes give, {sentence: value or error class}. Out: {sentence: function}.
May import: nothing of the project.
"""

import copy
import pickle
from collections.abc import Callable


class NotMadeError(Exception):
    """A mistake cannot be made on some arguments: an error of its own, in which no answer ends."""


def one_by_one(together: Callable[..., dict], *example, **options) -> dict[str, Callable]:
    """Return {sentence: function} of a function that returns {sentence: value} of all mistakes at once.

    example, options: arguments on which it returns every sentence. On others it may leave some out: those mistakes
    cannot be made there.
    """
    known = _remembered(together)
    return {sentence: _one(known, sentence) for sentence in known(*example, **options)}


def _remembered(together: Callable[..., dict]) -> Callable[..., dict]:
    """Return the function, which computes once what is asked for a sentence at a time: its arguments are plain data."""
    last: dict[bytes, dict] = {}

    def known(*args, **kwargs):
        given = pickle.dumps((args, kwargs))
        if given not in last:
            own, options = copy.deepcopy((args, kwargs))  # a mistake may change what it is given
            found = together(*own, **options)
            last.clear()
            last[given] = found
        return last[given]

    return known


def _one(together: Callable[..., dict], sentence: str) -> Callable:
    def make(*args, **kwargs):
        try:
            values = together(*args, **kwargs)
        except NameError:  # a slip in the check itself, which the build reports
            raise
        except Exception as error:
            raise NotMadeError("no mistake of these can be made on such arguments") from error
        if sentence not in values:
            raise NotMadeError("this mistake cannot be made on such arguments")
        return values[sentence]

    make.works_on_copies = True  # so nobody copies the arguments once for each sentence
    return make
