# %% wrong="the prompt counts" says="loss counts the prompt"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, list(ids)


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="no end" says="end is missing"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="end without a label" says="end has a label"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + [*answer, -100]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="labels shifted" says="labels are shifted here"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, ([-100] * len(prompt) + ids[len(prompt) :])[1:] + [-100]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="no shift" says="shift is missing"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="shift backwards" says="wrong way round"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, 1:].flatten(0, 1), labels[:, :-1].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="sum" says="this is the sum"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), reduction='sum')


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="a row each" says="a row of its own"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if True:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="not quite full" says="fills the row exactly"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) >= length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="cut" says="left out, not cut"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            ids, labels = ids[:length], labels[:length]
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="labels padded" says="filled with -100"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, pad_id, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% wrong="owners from 0" says="count from 1"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=-1) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% right="the loss by hand"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100] * len(prompt) + ids[len(prompt) :]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    logp = logits.log_softmax(-1)[:, :-1]
    wanted = labels[:, 1:]
    at = wanted != -100
    return -logp[at].gather(1, wanted[at][:, None]).mean()


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)

# %% right="tensors from the start"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    """Return (ids, labels) of one example; labels are -100 in the prompt."""
    ids = [*prompt, *answer, end_id]
    return ids, [-100 for _ in prompt] + [*answer, end_id]


def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean loss, in nats, of the labelled tokens; logits (B, T, V), labels (B, T) with -100 for none."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def pack(
    examples: list[tuple[list[int], list[int]]], length: int, pad_id: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (ids, labels, owner), each (N, length) int64: examples in order, as many to a row as fit."""
    rows = []
    for ids, labels in examples:
        if len(ids) > length:
            continue
        if not rows or len(rows[-1][0]) + len(ids) > length:
            rows.append(([], [], []))
        number = max(rows[-1][2], default=0) + 1
        for part, new in zip(rows[-1], (ids, labels, [number] * len(ids)), strict=True):
            part.extend(new)
    filled = [[row[k] + [fill] * (length - len(row[k])) for row in rows] for k, fill in enumerate((pad_id, -100, 0))]
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in filled)
