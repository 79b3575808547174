# %% wrong="start and end apart" says="start and end were chosen apart"
def first_piece_labels(word_ids, labels):
    return [-100 if w is None or (i and word_ids[i - 1] == w) else labels[w] for i, w in enumerate(word_ids)]


def best_span(start_logits, end_logits, allowed, max_length):
    start, end = (v.masked_fill(~allowed, -1e9).argmax().item() for v in (start_logits, end_logits))
    return start, end

# %% wrong="all pieces get the label" says="every piece got the label of its word"
def first_piece_labels(word_ids, labels):
    return [-100 if w is None else labels[w] for w in word_ids]


def best_span(start_logits, end_logits, allowed, max_length):
    found = [
        (-(start_logits[i] + end_logits[j]).item(), i, j)
        for i in range(len(allowed)) for j in range(i, min(i + max_length, len(allowed))) if bool(allowed[i : j + 1].all())
    ]
    return min(found)[1:]

# %% right="with sets and sorting, tensors returned"
def first_piece_labels(word_ids, labels):
    out, seen = [], set()
    for w in word_ids:
        out.append(-100 if w is None or w in seen else labels[w])
        seen.add(w)
    return out


def best_span(start_logits, end_logits, allowed, max_length):
    found = [
        (-(start_logits[i] + end_logits[j]).item(), i, j)
        for i in range(len(allowed)) for j in range(i, min(i + max_length, len(allowed))) if bool(allowed[i : j + 1].all())
    ]
    return tuple(torch.tensor(v) for v in min(found)[1:])
