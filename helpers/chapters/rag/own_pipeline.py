"""What a search or an assistant of one's own makes of a few passages, with what it asked of its stages on the way."""

from collections.abc import Callable, Sequence

QUESTION = "Which one?"


def found(
    hybrid: Callable, rankings: Sequence[Sequence[int]], owners: Sequence[int], k: int, question: str = QUESTION
) -> dict:
    """Return what `hybrid` makes of searches that give the first n of a ranking each, and what each was asked.

    numbers: what came. asked: for each search the (question, n) of its calls. The owners cannot be written to.
    """
    import numpy as np

    asked: list[list[tuple[str, int]]] = [[] for _ in rankings]

    def search(i: int) -> Callable:
        def first(question: str, n: int) -> list[int]:
            asked[i].append((question, int(n)))
            return list(rankings[i][:n])

        return first

    read_only = np.array(owners, dtype=int)
    read_only.flags.writeable = False
    numbers = hybrid(question, [search(i) for i in range(len(rankings))], read_only, k)
    return {"numbers": numbers, "asked": asked}


def answered(
    ask: Callable,
    passages: Sequence[tuple[str, str]],
    order: Sequence[int],
    says: str,
    refused: Sequence[str] = (),
    question: str = QUESTION,
    **how,
) -> dict:
    """Return what `ask` makes of a search that always gives this order, and of a reader that always says the same.

    refused: beginnings of titles and of texts that are not admitted; how: k and budget, if they are given
    answer, shown: what came. prompts: what the reader was given, each time. searched: what the search was asked
    passages: only if `ask` changed them
    """
    prompts, searched = [], []

    def search(question: str) -> list[int]:
        searched.append(question)
        return list(order)

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return says

    def admitted(title: str, text: str) -> bool:
        """Whether a passage has no refused beginning: "T:a" of a title, "a" of a text."""
        return not (f"T:{title}").startswith(tuple(refused)) and not text.startswith(tuple(refused))

    given = list(passages)
    answer, shown = ask(question, search, given, read, admitted, **how)
    came = {"answer": answer, "shown": shown, "prompts": prompts, "searched": searched}
    return came if given == list(passages) else came | {"passages": given}
