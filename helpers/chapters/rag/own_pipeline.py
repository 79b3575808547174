"""What a search or an assistant of one's own makes of a few passages, with what it asked of its stages on the way."""

from collections.abc import Callable, Sequence


def found(hybrid: Callable, rankings: Sequence[Sequence[int]], owners: Sequence[int], k: int) -> dict:
    """Return what `hybrid` makes of searches that give the first n of a ranking each, and what each was asked.

    numbers: what came. asked: for each search the (question, n) of its calls
    """
    import numpy as np

    asked: list[list[tuple[str, int]]] = [[] for _ in rankings]

    def search(i: int) -> Callable:
        def first(question: str, n: int) -> list[int]:
            asked[i].append((question, int(n)))
            return list(rankings[i][:n])

        return first

    numbers = hybrid("Which one?", [search(i) for i in range(len(rankings))], np.array(owners, dtype=int), k)
    return {"numbers": numbers, "asked": asked}


def answered(
    ask: Callable,
    passages: Sequence[tuple[str, str]],
    order: Sequence[int],
    says: str,
    refused: Sequence[str] = (),
    **how,
) -> dict:
    """Return what `ask` makes of a search that always gives this order, and of a reader that always says the same.

    refused: beginnings of titles and of texts that are not admitted; how: k and budget, if they are given
    answer, shown: what came. prompts: what the reader was given, each time. searched: what the search was asked
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

    answer, shown = ask("Which one?", search, list(passages), read, admitted, **how)
    return {"answer": answer, "shown": shown, "prompts": prompts, "searched": searched}
