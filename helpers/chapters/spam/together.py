"""Known mistakes that one function computes at once, as `Check.mistakes` takes them: a function for each.

In: a function that returns what all mistakes give, {sentence: value or error class}. Out: {sentence: function}.
May import: nothing of the project.
"""

from collections.abc import Callable


def one_by_one(together: Callable[..., dict], *example, **options) -> dict[str, Callable]:
    """Return {sentence: function} of a function that returns {sentence: value} of all mistakes at once.

    example, options: arguments on which it returns every sentence. On others it may leave some out: those mistakes
    cannot be made there.
    """
    return {sentence: _one(together, sentence) for sentence in together(*example, **options)}


def _one(together: Callable[..., dict], sentence: str) -> Callable:
    def make(*args, **kwargs):
        try:
            values = together(*args, **kwargs)
        except NameError:  # a slip in the check itself, which the build reports
            raise
        except Exception as error:
            raise RuntimeError("no mistake of these can be made on such arguments") from error
        if sentence not in values:
            raise RuntimeError("this mistake cannot be made on such arguments")
        return values[sentence]

    return make
