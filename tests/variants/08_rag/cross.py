# %% base="the plain way"
def pair(query, passage, length, cls=101, sep=102):
    kept = passage[: max(0, length - len(query) - 3)]
    head = [cls] + list(query) + [sep]
    tail = list(kept) + [sep]
    return head + tail, [0] * len(head) + [1] * len(tail)
def ranking_loss(scores, right):
    losses = []
    for s, r in zip(scores, right):
        if r.any():
            losses.append(torch.logsumexp(s, dim=0) - torch.logsumexp(s[r], dim=0))
    return torch.stack(losses).mean()
# %% wrong="segments of the last sep" says="segment 1" of="the plain way"
#~ [0] * len(head) + [1] * len(tail) => [0] * len(head) + [1] * len(kept) + [0]
# %% wrong="special tokens not counted" says="too many" of="the plain way"
#~ max(0, length - len(query) - 3) => max(0, length - len(query) - 2)
# %% wrong="nothing cut" says="not cut" of="the plain way"
#~ passage[: max(0, length - len(query) - 3)] => passage
# %% wrong="cut all at once" says="last [SEP]" of="the plain way"
#-     return head + tail, [0] * len(head) + [1] * len(tail)
#+     whole = head + list(passage) + [sep]
#+     return whole[:length], ([0] * len(head) + [1] * (len(passage) + 1))[:length]
# %% wrong="first sep in segment 1" says="segment 0" of="the plain way"
#~ [0] * len(head) + [1] * len(tail) => [0] * (len(head) - 1) + [1] * (len(tail) + 1)
# %% wrong="BERT's ids written in" says="arguments" of="the plain way"
#~ head = [cls] + list(query) + [sep] => head = [101] + list(query) + [102]
#~ tail = list(kept) + [sep] => tail = list(kept) + [102]
# %% wrong="logarithms summed" says="before the logarithm" of="one line"
#~ scores.softmax(1).mul(right).sum(1)[right.any(1)].log() => scores.log_softmax(1).mul(right).sum(1)[right.any(1)]
# %% wrong="first right one only" says="not the first alone" of="one line"
#~ scores.softmax(1).mul(right).sum(1)[right.any(1)].log() => scores.log_softmax(1).gather(1, right.int().argmax(1)[:, None])[right.any(1)]
# %% wrong="empty rows kept" says="left out" of="one line"
#~ .sum(1)[right.any(1)].log() => .sum(1).log()
# %% wrong="empty rows counted as zero" says="left out" of="the plain way"
#~ torch.stack(losses).mean() => torch.stack(losses).sum() / len(scores)
# %% wrong="summed" says="not the sum" of="the plain way"
#~ torch.stack(losses).mean() => torch.stack(losses).sum()
# %% wrong="binary cross-entropy" says="compete" of="one line"
#~ return -scores.softmax(1).mul(right).sum(1)[right.any(1)].log().mean() => return torch.nn.functional.binary_cross_entropy_with_logits(scores, right.float())
# %% wrong="over the questions" says="one question" of="one line"
#~ softmax(1) => softmax(0)
# %% wrong="overflows" says="overflow"
def ranking_loss(scores, right):
    some = right.any(1)
    e = scores[some].exp()
    return -((e * right[some]).sum(1) / e.sum(1)).log().mean()
# %% wrong="a number" says="no item" of="the plain way"
#~ torch.stack(losses).mean() => torch.stack(losses).mean().item()
# %% wrong="denominator detached" says="detached" of="the plain way"
#~ torch.logsumexp(s, dim=0) - torch.logsumexp(s[r], dim=0) => torch.logsumexp(s, dim=0) - torch.logsumexp(s[r], dim=0).detach()
# %% wrong="detached" says="no detach" of="the plain way"
#~ torch.stack(losses).mean() => torch.stack(losses).mean().detach()
# %% right="masked with -inf"
def pair(query, passage, length, cls=101, sep=102):
    room = length - 3 - len(query)
    ids = [cls, *query, sep]
    segments = [0 for _ in ids]
    for i, token in enumerate(passage):
        if i >= room:
            break
        ids.append(token)
        segments.append(1)
    return ids + [sep], segments + [1]
def ranking_loss(scores, right):
    scores, right = scores[right.any(dim=1)], right[right.any(dim=1)]
    logp = scores.log_softmax(dim=1).masked_fill(~right, float("-inf"))
    return -logp.logsumexp(dim=1).mean()
# %% right="one right index where there is one, double precision"
def ranking_loss(scores, right):
    total, n = 0.0, 0
    for row, mask in zip(scores.double(), right):
        if mask.sum() == 0:
            continue
        total = total + row.logsumexp(0) - row[mask].logsumexp(0)
        n += 1
    return total / n
# %% base="one line"
def ranking_loss(scores, right):
    return -scores.softmax(1).mul(right).sum(1)[right.any(1)].log().mean()
# %% wrong="id 0 taken for padding" says="id 0" of="the plain way"
#~ list(kept) => [token for token in kept if token]
# %% wrong="never above 512" says="long texts" of="the plain way"
#~ max(0, length - len(query) - 3) => max(0, min(length, 512) - len(query) - 3)
# %% wrong="right against wrong" says="below the line"
def ranking_loss(scores, right):
    rows = right.any(dim=1)
    scores, right = scores[rows], right[rows]
    good = scores.masked_fill(~right, -math.inf)
    bad = scores.masked_fill(right, -1e9)
    return (torch.logsumexp(bad, 1) - torch.logsumexp(good, 1)).mean()
# %% wrong="zeros in place of minus infinity" says="minus infinity"
def pair(query, passage, length, cls=101, sep=102):
    kept = passage[: length - len(query) - 3]
    return [cls, *query, sep, *kept, sep], [0] * (len(query) + 2) + [1] * (len(kept) + 1)
def ranking_loss(scores, right):
    keep = right.any(dim=1)
    s, r = scores[keep], right[keep]
    return (torch.logsumexp(s, 1) - torch.logsumexp(s.masked_fill(~r, 0), 1)).mean()
# %% wrong="[:-0] of a passage that fits" says="lost all its tokens" of="the plain way"
#~ passage[: max(0, length - len(query) - 3)] => passage[: -max(0, len(query) + len(passage) + 3 - length)]
# %% wrong="[:-n], n below 0" says="a passage that fits was cut, too" of="the plain way"
#~ passage[: max(0, length - len(query) - 3)] => passage[: -(len(query) + len(passage) + 3 - length)]
# %% wrong="a whole passage where none fits" says="" clause="the query is never cut, the passage may lose all its tokens."
#~ kept = passage[: length - len(query) - 3] => kept = passage[: length - len(query) - 3] or passage
# %% wrong="exponentials" says="overflow" clause="Return the mean loss of scores (Q, K)"
#~ return (scores.logsumexp(dim=1) - among.logsumexp(dim=1)).mean() => return ((scores.exp().sum(1) / (scores.exp() * right).sum(1)).log()).mean()
# %% wrong="what is below the line is cut" says="is a part of it detached" clause="a scalar of their dtype with a gradient"
#~ scores.logsumexp(dim=1) - => scores.logsumexp(dim=1).detach() -
# %% wrong="the whole passage where no room is left" says="here all of it was kept"
#~ passage[: length - len(query) - 3] => passage[: length - len(query) - 3 or None]
