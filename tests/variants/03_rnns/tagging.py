# %% wrong="padding counted" says="padding was counted"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits.transpose(1, 2), tags.clamp(min=0))


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0

# %% wrong="stray I dropped" says="continues nothing begins"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag[:2] == "B-":
            label, first = tag[2:], i
    return found


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0

# %% wrong="mean over sentences" says="over the sentences"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    each = [span_scores_of(g, p) for g, p in zip(gold, predicted)]
    return tuple(float(v) for v in np.mean(each, axis=0))


def span_scores_of(g, p):
    gold, predicted = [g], [p]
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0

# %% right="another way, 1"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits.flatten(0, 1), tags.masked_fill(~real, -100).flatten(), ignore_index=-100)


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0

# %% right="another way, 2"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits[real], tags[real])


def spans(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found


def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * hits / (len(found) + len(true)) if hits else 0.0
