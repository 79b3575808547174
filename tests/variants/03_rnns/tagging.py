# %% base="the plain way"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None]
    return F.cross_entropy(logits[real], tags[real]).item()
def spans(tags):
    found, label, first = set(), None, 0
    for i, tag in enumerate([*tags, "O"]):
        if label is not None and tag != f"I-{label}":
            found.add((label, first, i))
            label = None
        if label is None and tag != "O":
            label, first = tag[2:], i
    return found
def span_scores(gold, predicted):
    true, found = ({(n, *s) for n, tags in enumerate(part) for s in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, precision * recall / (precision + recall) if hits else 0.0
# %% wrong="padding counted" says="padding was counted" of="another way, 1"
#~ flatten(0, 1), tags.masked_fill(~real, -100).flatten(), ignore_index=-100 => transpose(1, 2), tags.clamp(min=0)
# %% wrong="stray I dropped" says="continues nothing begins"
#~ tag != "O" => tag[:2] == "B-"
# %% wrong="mean over sentences" says="over the sentences" of="another way, 2"
#- def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
#+ def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
#+     each = [span_scores_of(g, p) for g, p in zip(gold, predicted)]
#+     return tuple(float(v) for v in np.mean(each, axis=0))
#+ def span_scores_of(g, p):
#+     gold, predicted = [g], [p]
#~ hits / (len(found) + len(true) => precision * recall / (precision + recall
# %% right="another way, 1"
def masked_cross_entropy(logits: torch.Tensor, tags: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    real = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]  # (B, T)
    return F.cross_entropy(logits.flatten(0, 1), tags.masked_fill(~real, -100).flatten(), ignore_index=-100)
# %% right="another way, 2"
def span_scores(gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float]:
    true, found = ({(n, *span) for n, tags in enumerate(part) for span in spans(tags)} for part in (gold, predicted))
    hits = len(true & found)
    precision, recall = hits / len(found) if found else 0.0, hits / len(true) if true else 0.0
    return precision, recall, 2 * hits / (len(found) + len(true)) if hits else 0.0
# %% wrong="zeros for padding, still in the mean" says="all positions" of="padding times 0"
#~ 0, logits.shape[-1] - 1 => min=0
#~ sum() / real.sum => mean
# %% wrong="the mean of the sentences' means" says="sentence" of="padding times 0"
#~ 0, logits.shape[-1] - 1 => min=0
#~ (each * real).sum() / real.sum => ((each * real).sum(1) / lengths.clamp(min=1)).mean
# %% wrong="summed" says="this is the sum" of="the plain way"
#~ (logits[real], tags[real]).item() => (logits[real], tags[real], reduction="sum")
# %% wrong="summed over tokens, mean over sentences" says="number" of="the plain way"
#~ (logits[real], tags[real]).item() => (logits[real], tags[real], reduction="sum") / len(lengths)
# %% wrong="one step too many" says="beyond"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) <= lengths[:, None]
    return F.cross_entropy(logits[real], tags[real].clamp(min=0))
# %% wrong="the last token is left out" says="last real token"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None] - 1
    return F.cross_entropy(logits[real], tags[real])
# %% wrong="softmax twice" says="softmax" of="the plain way"
#~ (logits[real], tags[real]).item() => (logits[real].softmax(-1), tags[real])
# %% wrong="the sign" says="sign" of="the plain way"
#~ F.cross_entropy(logits[real], tags[real]).item() => -F.cross_entropy(logits[real], tags[real])
# %% wrong="no logarithm" says="softmax" of="the plain way"
#~ cross_entropy(logits[real], tags[real]).item() => nll_loss(logits[real], tags[real])
# %% wrong="ignores tag 0" says="tag 0" of="the plain way"
#~ (logits[real], tags[real]).item() => (logits.flatten(0, 1), (tags * real).flatten(), ignore_index=0)
# %% wrong="ignores -1 only" says="padding"
def masked_cross_entropy(logits, tags, lengths):
    return F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-1)
# %% wrong="a number without a gradient" says="gradient"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None]
    return F.cross_entropy(logits[real], tags[real]).item()
# %% wrong="padding multiplies: -1 raises" says="beyond" of="padding times 0"
#~ tags.clamp(0, logits.shape[-1] - 1) => tags
# %% right="padding times 0"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None]
    each = F.cross_entropy(logits.transpose(1, 2), tags.clamp(0, logits.shape[-1] - 1), reduction="none")
    return (each * real).sum() / real.sum()
# %% wrong="the tags are changed in place" says="changed" of="padding times 0"
#~ each = F.cross_entropy(logits.transpose(1, 2), tags.clamp(0, logits.shape[-1] - 1), reduction="none") => tags[~real] = -100
#~ (each * real).sum() / real.sum() => F.cross_entropy(logits.flatten(0, 1), tags.flatten())
# %% wrong="the end is the last token" says="one past" of="the plain way"
#~ (label, first, i) => (label, first, i - 1)
# %% wrong="the last span is lost" says="end of the sentence" of="the plain way"
#~ [*tags, "O"] => tags
# %% wrong="B after I does not begin a span" says="B-" of="the plain way"
#~ tag != f"I-{label}" => tag[2:] != label
# %% wrong="I of another label goes on" says="another label" of="the plain way"
#~ tag != f"I-{label}" => tag[0] != "I"
# %% wrong="I of another label is dropped" says="another label" of="the plain way"
#-         if label is not None and tag != f"I-{label}":
#+         closed = label is not None and tag != f"I-{label}"
#+         if closed:
#~ "O": => "O" and not (closed and tag[0] == "I"):
# %% wrong="the label keeps its prefix" says="label" of="the plain way"
#~ {label} => {label[2:]}
#~ tag[2:] => tag
# %% wrong="one token each" says="span of its own"
def spans(tags):
    return {(tag[2:], i, i + 1) for i, tag in enumerate(tags) if tag != "O"}
# %% wrong="only where B begins, of one token" says="ended after one token" of="one token each"
#~ tag != "O" => tag[0] == "B"
# %% wrong="a list" says="set" of="the plain way"
#~ set() => []
#~ add => append
# %% wrong="first and length" says="not the length" of="the plain way"
#~ (label, first, i) => (label, first, i - first)
# %% wrong="label cut at the hyphen" says="hyphen of its own" of="the plain way"
#-         if label is not None and tag != f"I-{label}":
#+         name = tag.split("-")[1] if tag != "O" else None
#+         if label is not None and (tag[0] != "I" or name != label):
#~ tag[2:] => name
# %% wrong="the number of the sentence is forgotten" says="belongs to its sentence"
#~ (gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float] => (gold, predicted)
#~ {(n, *span) for n, tags in enumerate(sentences) for => {span for tags in sentences for
# %% wrong="precision and recall exchanged" says="exchanged" of="the plain way"
#~ precision, recall, => recall, precision, 2 *
# %% wrong="the label is not compared" says="label must be right" of="the plain way"
#~ *s => *s[1:]
#~ precision * => 2 * precision *
# %% wrong="tokens instead of spans" says="token"
def span_scores(gold, predicted):
    pairs = [(g, p) for a, b in zip(gold, predicted) for g, p in zip(a, b)]
    hits = sum(g == p != "O" for g, p in pairs)
    found, true = sum(p != "O" for _, p in pairs), sum(g != "O" for g, _ in pairs)
    precision, recall = hits / found if found else 0.0, hits / true if true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0
# %% wrong="the plain mean for F1" says="harmonic" of="the plain way"
#~ precision * recall / (precision + recall) if hits else 0.0 => (precision + recall) / 2
# %% wrong="F1 without its 2" says="the 2 is missing" of="another way, 2"
#~ (gold: list[Sequence[str]], predicted: list[Sequence[str]]) -> tuple[float, float, float] => (gold, predicted)
#~ (n, *span) for n, tags in enumerate(part) for span => (n, *s) for n, tags in enumerate(part) for s
#~ 2 * hits / (len(found) + len(true)) => precision * recall / (precision + recall)
# %% wrong="nothing found divides by 0" says="0.0" of="the plain way"
#~ (found) if found else 0.0, hits / len(true) if true else 0.0 => (found), hits / len(true)
#~ precision * recall / (precision + recall) if hits else 0.0 => 2 * precision * recall / (precision + recall)
# %% wrong="F1 divides by 0 without a hit" says="0.0" of="the plain way"
#~ precision * recall / (precision + recall) if hits else 0.0 => 2 * precision * recall / (precision + recall)
# %% wrong="nothing to find is perfect" says="0.0" of="the plain way"
#~ 0.0, hits / len(true) if true else 0 => 1.0, hits / len(true) if true else 1
#~ precision * recall / (precision + recall) if hits => 2 * precision * recall / (precision + recall) if precision + recall
# %% wrong="percent" says="hundred" of="the plain way"
#-     return precision, recall, precision * recall / (precision + recall) if hits else 0.0
#+     f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
#+     return 100 * precision, 100 * recall, 100 * f1
# %% wrong="overlap counts" says="overlaps"
def span_scores(gold, predicted):
    hits = n_found = n_true = 0
    for g, p in zip(gold, predicted):
        a, b = spans(g), spans(p)
        n_true, n_found = n_true + len(a), n_found + len(b)
        hits += sum(any(l == m and s < y and x < e for m, x, y in a) for l, s, e in b)
    precision, recall = hits / n_found if n_found else 0.0, hits / n_true if n_true else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0
# %% right="log-softmax and gather"
def masked_cross_entropy(logits, tags, lengths):
    logs = logits.log_softmax(-1)
    total, count = 0.0, 0
    for b, n in enumerate(lengths.tolist()):
        for t in range(n):
            total, count = total - logs[b, t, tags[b, t]], count + 1
    return total / count
def spans(tags):
    found, i = set(), 0
    while i < len(tags):
        if tags[i] == "O":
            i += 1
            continue
        label, end = tags[i][2:], i + 1
        while end < len(tags) and tags[end] == "I-" + label:
            end += 1
        found.add((label, i, end))
        i = end
    return found
def span_scores(gold, predicted):
    hits = n_gold = n_predicted = 0
    for g, p in zip(gold, predicted):
        g, p = spans(g), spans(p)
        hits, n_gold, n_predicted = hits + len(g & p), n_gold + len(g), n_predicted + len(p)
    if hits == 0:
        return 0.0, 0.0, 0.0
    return hits / n_predicted, hits / n_gold, 2 * hits / (n_gold + n_predicted)
# %% right="where, before the multiplication"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]).expand_as(tags) < lengths.unsqueeze(1)
    logits = torch.where(real.unsqueeze(-1), logits, torch.zeros_like(logits))
    chosen = torch.where(real, tags, torch.zeros_like(tags)).long()
    each = torch.logsumexp(logits, -1) - logits.gather(-1, chosen[..., None])[..., 0]
    return (each * real).sum() / lengths.sum()
def spans(tags):
    starts = [i for i, t in enumerate(tags) if t[0] == "B" or t[0] == "I" and (i == 0 or tags[i - 1][1:] != t[1:])]
    out = []
    for i in starts:
        run = 1
        for t in tags[i + 1 :]:
            if t != "I" + tags[i][1:]:
                break
            run += 1
        out.append((tags[i][2:], i, i + run))
    return set(out)
def span_scores(gold, predicted):
    true = [(n, span) for n, tags in enumerate(gold) for span in spans(tags)]
    found = [(n, span) for n, tags in enumerate(predicted) for span in spans(tags)]
    hits = sum(span in true for span in found)
    p = hits / max(len(found), 1)
    r = hits / max(len(true), 1)
    return np.array([p, r, 2 * p * r / max(p + r, 1e-12)])
# %% right="a packed batch, a frozen set"
def masked_cross_entropy(logits, tags, lengths):
    rows = [F.cross_entropy(z[:n], t[:n], reduction="sum") for z, t, n in zip(logits, tags, lengths) if n > 0]
    return torch.stack(rows).sum() / lengths.sum()
def spans(tags):
    from itertools import groupby
    place, ids = 0, []
    for i, tag in enumerate(tags):
        before = tags[i - 1] if i else "O"
        place += tag[0] == "B" or before[2:] != tag[2:]
        ids.append((place, tag[2:], i))
    groups = [list(g) for _, g in groupby((v for v in ids if v[1]), key=lambda v: v[0])]
    return frozenset((g[0][1], g[0][2], g[-1][2] + 1) for g in groups)
# %% right="unseen, right 1"
def masked_cross_entropy(logits, tags, lengths):
    total, count = 0.0, 0
    for row, gold, n in zip(logits, tags, lengths.tolist()):
        if n:
            total = total - row[:n].log_softmax(-1).gather(1, gold[:n, None]).sum()
            count += n
    return total / count
def spans(tags):
    out, i = set(), 0
    while i < len(tags):
        if tags[i] == "O":
            i += 1
            continue
        label, end = tags[i][2:], i + 1
        while end < len(tags) and tags[end] == f"I-{label}":
            end += 1
        out.add((label, i, end))
        i = end
    return out
def span_scores(gold, predicted):
    right = sum(len(spans(a) & spans(b)) for a, b in zip(gold, predicted))
    n, m = sum(len(spans(b)) for b in predicted), sum(len(spans(a)) for a in gold)
    return right / max(n, 1), right / max(m, 1), 2 * right / max(n + m, 1)
# %% right="unseen, right 3"
def masked_cross_entropy(logits, tags, lengths):
    real = (torch.arange(tags.shape[1]).expand_as(tags) < lengths.unsqueeze(1)).to(logits.dtype)
    safe = torch.where(real.bool(), tags, torch.zeros_like(tags))
    each = -torch.log_softmax(logits, dim=-1).gather(-1, safe.unsqueeze(-1)).squeeze(-1)
    return (each * real).sum() / real.sum()
# %% wrong="item" says="the gradient is cut on its way to the logits: no detach, no"
def masked_cross_entropy(logits, tags, lengths):
    real = torch.arange(tags.shape[1]) < lengths[:, None]
    return F.cross_entropy(logits[real], tags[real]).item()
# %% wrong="detached" says="the gradient is cut on its way to the logits: no detach, no" of="the plain way"
#~ item => detach
# %% wrong="index beyond" says="a tag beyond the length was looked at: it may be any number" of="the plain way"
#~ F.cross_entropy(logits[real], tags[real]).item => (F.cross_entropy(logits.transpose(1, 2), tags, reduction='none') * real).sum() / real.sum
# %% wrong="division by zero" says="a value with denominator 0 is 0.0"
def span_scores(gold, predicted):
    g = {(k, *s) for k, tags in enumerate(gold) for s in spans(tags)}
    p = {(k, *s) for k, tags in enumerate(predicted) for s in spans(tags)}
    right = len(g & p)
    precision = right / len(p)
    recall = right / len(g) if g else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, f1
# %% wrong="f1 division by zero" says="a value with denominator 0 is 0.0" of="division by zero"
#~ (p) => (p) if p else 0.0
#~ (precision + recall) if right else 0.0 => (precision + recall)
# %% wrong="nothing is 1" says="nothing was found: a value with denominator 0 is 0.0, not 1" of="division by zero"
#~ (p) => (p) if p else 1.0
# %% wrong="geometric f1" says="F1 is the harmonic mean: here it is the geometric one" of="division by zero"
#~ (p) => (p) if p else 0.0
#~ 2 * precision * recall / (precision + recall) if right else 0.0 => (precision * recall) ** 0.5
# %% wrong="a label of one letter" says="here its first letter"
#~ label, first = tag[2:], i => label, first = tag[2], i
# %% right="gathered logarithms, a loop in a loop"
def masked_cross_entropy(logits, tags, lengths):
    mask = torch.arange(tags.shape[1]) < lengths[:, None]
    picked = logits.log_softmax(-1).gather(-1, torch.where(mask, tags, 0)[..., None])[..., 0]
    return -(picked * mask).sum() / mask.sum()
def spans(tags):
    out, i = set(), 0
    while i < len(tags):
        j = i + 1
        while j < len(tags) and tags[i] != "O" and tags[j] == "I-" + tags[i][2:]:
            j += 1
        if tags[i] != "O":
            out.add((tags[i][2:], i, j))
        i = j
    return out
# %% wrong="1 where the denominator is 0" clause="a value with denominator 0 is 0.0" says="0.0, not 1.0"
def span_scores(gold, predicted):
    g = {(i, s) for i, t in enumerate(gold) for s in spans(t)}; p = {(i, s) for i, t in enumerate(predicted) for s in spans(t)}
    r = len(g & p); a, b = (r / len(p) if p else 1.0), (r / len(g) if g else 1.0)
    return a, b, (2 * a * b / (a + b) if a + b else 0.0)
# %% wrong="the loss cut" clause="Return the mean of -ln p(tag) over the real tokens (at least one), a scalar to train on" says="no detach, item or NumPy"
def masked_cross_entropy(logits, tags, lengths):
    m = torch.arange(logits.shape[1]) < lengths[:, None]; return F.cross_entropy(logits[m], tags[m]).detach()
