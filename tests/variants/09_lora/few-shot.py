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

# %% wrong="everything stripped" says="the texts were stripped"
def few_shot(shots, passage, question):
    text = "".join(f"{p.strip()}\n\nQuestion: {q.strip()}\nAnswer: {a.strip()}\n\n" for p, q, a in shots)
    return text + f"{passage.strip()}\n\nQuestion: {question.strip()}\nAnswer:"

# %% wrong="str.format over a text with braces" says="braces in a text"
def few_shot(shots, passage, question):
    form = "{p}\n\nQuestion: {q}\nAnswer:"
    text = "".join((f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n").format() for p, q, a in shots)
    return text + form.format(p=passage, q=question)

# %% wrong="without shots begins with an empty line" says="begins with the passage"
def few_shot(shots, passage, question):
    text = "\n\n".join(f"{p}\n\nQuestion: {q}\nAnswer: {a}" for p, q, a in shots)
    return text + f"\n\n{passage}\n\nQuestion: {question}\nAnswer:"

# %% wrong="two empty lines between shots" says="two empty lines"
def few_shot(shots, passage, question):
    text = "".join(f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n\n" for p, q, a in shots)
    return text + f"{passage}\n\nQuestion: {question}\nAnswer:"

# %% wrong="no space before the answer" says="the space before an answer"
def few_shot(shots, passage, question):
    text = "".join(f"{p}\n\nQuestion: {q}\nAnswer:{a}\n\n" for p, q, a in shots)
    return text + f"{passage}\n\nQuestion: {question}\nAnswer:"

# %% wrong="smallest first" says="the first k are asked"
def how_many(sizes, own, room, context_length):
    used, k = own + room, 0
    for s in sorted(sizes):
        if used + s > context_length:
            break
        used += s
        k += 1
    return k

# %% wrong="room is forgotten" says="room for the answer is missing"
def how_many(sizes, own, room, context_length):
    used = own
    for k, s in enumerate(sizes):
        used += s
        if used > context_length:
            return k
    return len(sizes)

# %% right="join and accumulate"
def few_shot(shots, passage, question):
    parts = [f"{p}\n\nQuestion: {q}\nAnswer: {a}" for p, q, a in shots]
    parts.append(f"{passage}\n\nQuestion: {question}\nAnswer:")
    return "\n\n".join(parts)


def how_many(sizes, own, room, context_length):
    return sum(int(total + own + room <= context_length) for total in np.cumsum(sizes))
