# %% wrong="space at the end" says="belongs to the answer"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer: "


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="one line break" says="between two shots"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="no blank line" says="between a passage and its question"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="no answers" says="answers of the shots are missing"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer:\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="reversed" says="reverse order"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots[::-1]]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="skipping" says="does not fit ends it"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            left += size
            continue
        count += 1
    return count

# %% wrong="no room" says="room for the answer is missing"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% wrong="strict" says="exactly still fits"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left <= 0:
            break
        count += 1
    return count

# %% right="join"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join([*solved, passage, "\n\nQuestion: ", question, "\nAnswer:"])


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    left, count = context_length - own - room, 0
    for size in sizes:
        left -= size
        if left < 0:
            break
        count += 1
    return count

# %% right="cumulative sums"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    """Return a prompt with some solved examples (passage, question, answer) before the open one."""
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:"


def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    """Return how many of the first shots fit beside the question's own tokens and room for the answer."""
    return int((np.cumsum([own + room, *sizes])[1:] <= context_length).sum())
