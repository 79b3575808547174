# %% base="the plain way"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()
def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-16"))
def perplexity(losses):
    return losses.exp().mean().item()
# %% wrong="no shift" says="each token predicts itself"
def next_token_loss(logits, token_ids, ignore_id=None):
    return F.cross_entropy(logits.flatten(0, 1), token_ids.flatten(), ignore_index=-100 if ignore_id is None else ignore_id)
# %% wrong="characters" says="these are characters" of="by gather"
#~ * math.log2(math.e) / len(text.encode("utf-8")) => / math.log(2) / len(text)
# %% right="by gather"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:]
    losses = -logits[:, :-1].log_softmax(-1).gather(-1, targets[..., None]).squeeze(-1)
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()
def perplexity(losses):
    return torch.exp(losses.mean())
def bits_per_byte(total, text):
    return total * math.log2(math.e) / len(text.encode("utf-8"))
# %% wrong="shifted the wrong way" says="next" of="by gather"
#~ [:, 1:] => [:, :-1].flatten()
#~ -logits[:, :-1].log_softmax(-1).gather(-1, targets[..., None]).squeeze(-1) => F.cross_entropy(logits[:, 1:].flatten(0, 1), targets, reduction="none")
# %% wrong="ignore_id is ignored" says="ignore_id"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) 
    return losses[keep].mean()
# %% wrong="ignored by the input, not by the target" says="those *of* it" of="the plain way"
#~ targets ! => token_ids[:, :-1].flatten() !
# %% wrong="mean of the texts' means" clause="do not average the texts' means" says="texts" of="the plain way"
#-     return losses[keep].mean()
#+     keep = keep.view(len(token_ids), -1)
#+     losses = losses.view(len(token_ids), -1)
#+     return torch.stack([l[k].mean() for l, k in zip(losses, keep)]).mean()
# %% wrong="ignored ones count as zero" says="mean" of="the plain way"
#~ losses[keep] => (losses * keep)
# %% wrong="the sum" says="sum" of="the plain way"
#~ [keep].mean => [keep].sum
# %% wrong="in bits" says="nats" of="the plain way"
#~ [keep].mean() => [keep].mean() / math.log(2)
# %% wrong="minus is missing" says="sign" of="the plain way"
#~ losses[keep] => -losses[keep]
# %% wrong="0 taken for None" says="ask `is None`" of="the plain way"
#~ ignore_id is None => not ignore_id
# %% wrong="softmax twice" says="softmax" of="the plain way"
#~ (0, 1) => (0, 1).softmax(-1)
# %% wrong="the last place only" says="only the last prediction" of="the plain way"
#~ [keep] => .view(len(token_ids), -1)[:, -1]
# %% wrong="perplexity with base 2" says="the base is e" of="by gather"
#~ torch.exp(losses.mean()) => 2 ** losses.mean().item()
# %% wrong="perplexity of the sum" says="mean" of="by gather"
#~ torch.exp(losses.mean()) => losses.sum().exp().item()
# %% wrong="mean of the exponentials" says="mean" of="by gather"
#~ torch.exp(losses.mean()) => losses.exp().mean().item()
# %% wrong="perplexity is the mean loss" says="e to" of="by gather"
#~ torch.exp(losses.mean()) => losses.mean().item()
# %% wrong="one over perplexity" says="perplexity" of="by gather"
#~ torch.exp(losses.mean()) => (-losses.mean()).exp().item()
# %% wrong="nats per byte" says="bits" of="by gather"
#~ * math.log2(math.e) / => /
# %% wrong="times log 2" says="divide" of="by gather"
#~ log2(math.e) => log(2)
# %% wrong="per word" says="not per word" of="by gather"
#~ * math.log2(math.e) / len(text.encode("utf-8")) => / math.log(2) / len(text.split())
# %% wrong="UTF-16" says="UTF-8" of="by gather"
#~ * math.log2(math.e) / len(text.encode("utf-8")) => / math.log(2) / len(text.encode("utf-16"))
# %% wrong="ASCII, the rest dropped" says="ASCII lacks" of="by gather"
#~ * math.log2(math.e) / len(text.encode("utf-8")) => / math.log(2) / len(text.encode("ascii", "ignore"))
# %% wrong="a bit is log 10" says="log" of="by gather"
#~ * math.log2(math.e) => / math.log(10)
# %% right="plain loops in floats"
def next_token_loss(logits, token_ids, ignore_id=None):
    terms = []
    for row, ids in zip(logits, token_ids.tolist()):
        for t in range(len(ids) - 1):
            if ids[t + 1] != ignore_id:
                terms.append(torch.logsumexp(row[t].double(), 0) - row[t, ids[t + 1]].double())
    return sum(terms) / len(terms)
def perplexity(losses):
    return float(np.exp(np.mean([float(v) for v in losses])))
def bits_per_byte(total, text):
    return math.log2(math.e) * total / len(bytes(text, "utf8"))
# %% right="ignore_index of the library"
def next_token_loss(logits, token_ids, ignore_id=None):
    target = token_ids[:, 1:]
    predicted = logits[:, :-1].transpose(1, 2)
    return F.cross_entropy(predicted, target, ignore_index=-100 if ignore_id is None else ignore_id)
def perplexity(losses):
    return torch.exp(torch.mean(losses))
def bits_per_byte(total, text):
    return total / np.log(2) / len(text.encode())
# %% wrong="item" says="gradient is cut"
def next_token_loss(logits, token_ids, ignore_id=None):
    guesses = logits[:, :-1].flatten(0, 1)
    targets = token_ids[:, 1:].flatten()
    if ignore_id is None:
        return F.cross_entropy(guesses, targets).item()
    return F.cross_entropy(guesses, targets, ignore_index=ignore_id).item()
# %% wrong="detached" says="gradient is cut" of="item"
#~ logits[:, :-1] => logits.detach()[:, :-1]
#~ (guesses, targets).item() => (guesses, targets)
#~ (guesses, targets, ignore_index=ignore_id).item() => (guesses, targets, ignore_index=ignore_id)
# %% wrong="strips the text" says="stripped" of="by gather"
#~ * math.log2(math.e) / len(text.encode("utf-8")) => / math.log(2) / len(text.strip().encode("utf-8"))
# %% wrong="flattened, then shifted" says="joined"
def next_token_loss(logits, token_ids, ignore_id=None):
    guesses = logits.flatten(0, 1)[:-1]
    targets = token_ids.flatten()[1:]
    if ignore_id is None:
        return F.cross_entropy(guesses, targets)
    return F.cross_entropy(guesses, targets, ignore_index=ignore_id)
# %% wrong="shift along the batch" says="along the batch" of="flattened, then shifted"
#~ .flatten(0, 1)[:-1] => [:-1].flatten(0, 1)
#~ .flatten()[1:] => [1:].flatten()
# %% wrong="default ignores 0" says="also 0" of="item"
#~ (guesses, targets).item() => (guesses, targets, ignore_index=0)
#~ (guesses, targets, ignore_index=ignore_id).item() => (guesses, targets, ignore_index=ignore_id)
# %% wrong="nll without log softmax" says="nll_loss" of="no shift"
#~ cross_entropy(logits.flatten(0, 1), token_ids.flatten(), ignore_index=-100 if ignore_id is None else ignore_id) => nll_loss(logits[:, :-1].flatten(0, 1), token_ids[:, 1:].flatten())
# %% wrong="softmax over places" says="over the places"
def next_token_loss(logits, token_ids, ignore_id=None):
    losses = -logits[:, :-1].log_softmax(1).gather(-1, token_ids[:, 1:, None]).flatten()
    keep = torch.ones_like(losses) if ignore_id is None else (token_ids[:, 1:].flatten() != ignore_id).to(losses)
    return (losses * keep).sum() / keep.sum()
# %% wrong="first text only" says="first text" of="flattened, then shifted"
#-     guesses = logits.flatten(0, 1)[:-1]
#-     targets = token_ids.flatten()[1:]
#+     logits, token_ids = logits[:1], token_ids[:1]
#+     guesses = logits[:, :-1].flatten(0, 1)
#+     targets = token_ids[:, 1:].flatten()
# %% wrong="exp overflow" says="infinite" of="softmax over places"
#-     losses = -logits[:, :-1].log_softmax(1).gather(-1, token_ids[:, 1:, None]).flatten()
#+     p = logits[:, :-1].exp()
#+     p = p / p.sum(-1, keepdim=True)
#+     losses = -torch.log(p.gather(-1, token_ids[:, 1:, None])).flatten()
# %% wrong="perplexity divided by N - 1" says="N - 1" of="by gather"
#~ torch.exp(losses.mean()) => math.exp(losses.sum().item() / (len(losses) - 1))
# %% wrong="exp of the bits" says="raised to the bits" of="by gather"
#~ total * math.log2(math.e) / len(text.encode("utf-8")) => 2 ** (total / math.log(2) / len(text.encode("utf-8")))
# %% wrong="roll" says="rolled" of="flattened, then shifted"
#~ (0, 1)[:-1] => (0, 1)
#~ flatten()[1:] => roll(-1, 1).flatten()
# %% right="log-sum-exp and gather" of="transposed for cross_entropy, ids replaced in a copy, tensor perplexity"
#-     targets = token_ids[:, 1:].clone()
#+     z, y = logits[:, :-1], token_ids[:, 1:]
#+     nll = z.logsumexp(-1) - z.gather(-1, y.unsqueeze(-1)).squeeze(-1)
#~ targets[targets == ignore_id] = -100 => nll = nll[y != ignore_id]
#~ F.cross_entropy(logits[:, :-1].transpose(1, 2), targets) => nll.mean()
#~ torch.exp(losses.mean()) => float(np.exp(np.mean(losses.numpy())))
#~ / (len(text.encode()) * math.log(2)) => * math.log2(math.e) / len(bytes(text, "utf8"))
# %% right="transposed for cross_entropy, ids replaced in a copy, tensor perplexity"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].clone()
    if ignore_id is not None:
        targets[targets == ignore_id] = -100
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), targets)
def perplexity(losses):
    return torch.exp(losses.mean())
def bits_per_byte(total, text):
    return total / (len(text.encode()) * math.log(2))
# %% right="one-hot einsum"
def next_token_loss(logits, token_ids, ignore_id=None):
    n = logits.shape[1] - 1
    logp = torch.log_softmax(logits[:, :n, :], dim=2)
    hot = F.one_hot(token_ids[:, 1:], logits.shape[-1]).to(logp.dtype)
    each = -torch.einsum("btv,btv->bt", logp, hot)
    weight = torch.ones_like(each) if ignore_id is None else (token_ids[:, 1:] != ignore_id).to(each.dtype)
    return (each * weight).sum() / weight.sum()
def perplexity(losses):
    return losses.double().mean().exp().item()
def bits_per_byte(total, text):
    return total / math.log(2.0) / len(text.encode("utf8"))
# %% wrong="doubled gradient" says="gradients"
#~ return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignored) => found = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=ignored); return 2 * found - found.detach()
# %% wrong="the loss in float32" says="doubles"
#~ F.cross_entropy(logits.flatten(0, 1), => F.cross_entropy(logits.float().flatten(0, 1),
# %% wrong="perplexity is at most that of a large vocabulary" says="some large"
#~ torch.as_tensor(losses).double().mean() => torch.as_tensor(losses).double().clamp(max=20).mean()
# %% wrong="the text is composed first" says="fresh text"
#~ len(text.encode()) => len(__import__("unicodedata").normalize("NFC", text).encode())
# %% wrong="no loss below a tenth" says="fresh text"
#~ return total / => return max(total, 0.1) /
# %% right="gathered by hand, sums of bytes"
def next_token_loss(logits, token_ids, ignore_id=None):
    each = logits[:, :-1].logsumexp(-1) - logits[:, :-1].gather(-1, token_ids[:, 1:, None])[..., 0]
    keep = torch.ones_like(each) if ignore_id is None else (token_ids[:, 1:] != ignore_id).to(each.dtype)
    return (each * keep).sum() / keep.sum()
def bits_per_byte(total, text):
    return total * 1.4426950408889634 / len(bytearray(text, "utf8"))
