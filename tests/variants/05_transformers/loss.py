# %% wrong="no shift" says="each token predicts itself"
def next_token_loss(logits, token_ids, ignore_id=None):
    return F.cross_entropy(logits.flatten(0, 1), token_ids.flatten(), ignore_index=-100 if ignore_id is None else ignore_id)

def perplexity(losses):
    return math.exp(losses.mean())

def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode())

# %% wrong="characters" says="these are characters"
def next_token_loss(logits, token_ids, ignore_id=None):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), token_ids[:, 1:].flatten(), ignore_index=-100 if ignore_id is None else ignore_id)

def perplexity(losses):
    return math.exp(losses.mean())

def bits_per_byte(total, text):
    return total / math.log(2) / len(text)

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

# %% wrong="shifted the wrong way" says="next"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, :-1].flatten()
    losses = F.cross_entropy(logits[:, 1:].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="ignore_id is ignored" says="ignore_id"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) 
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="ignored by the input, not by the target" says="target"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else token_ids[:, :-1].flatten() != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="mean of the texts' means" says="texts"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    keep = keep.view(len(token_ids), -1)
    losses = losses.view(len(token_ids), -1)
    return torch.stack([l[k].mean() for l, k in zip(losses, keep)]).mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="ignored ones count as zero" says="mean"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return (losses * keep).mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="the sum" says="sum"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].sum()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="in bits" says="nats"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean() / math.log(2)


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="minus is missing" says="sign"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return -losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="0 taken for None" says="ask `is None`"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if not ignore_id else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="softmax twice" says="softmax"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1).softmax(-1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="the last place only" says="only the last prediction"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses.view(len(token_ids), -1)[:, -1].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="perplexity with base 2" says="the base is e"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return 2 ** losses.mean().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="perplexity of the sum" says="mean"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.sum().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="mean of the exponentials" says="mean"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.exp().mean().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="perplexity is the mean loss" says="e to"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="one over perplexity" says="perplexity"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return (-losses.mean()).exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-8"))

# %% wrong="per letter" says="these are characters"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text)

# %% wrong="nats per byte" says="bits"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / len(text.encode("utf-8"))

# %% wrong="times log 2" says="divide"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total * math.log(2) / len(text.encode("utf-8"))

# %% wrong="per word" says="not per word"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.split())

# %% wrong="UTF-16" says="UTF-8"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("utf-16"))

# %% wrong="latin letters" says="UTF-8"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("latin-1", "replace"))

# %% wrong="ASCII, the rest dropped" says="ASCII lacks"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(2) / len(text.encode("ascii", "ignore"))

# %% wrong="a bit is log 10" says="log"
def next_token_loss(logits, token_ids, ignore_id=None):
    targets = token_ids[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    keep = torch.ones_like(targets, dtype=torch.bool) if ignore_id is None else targets != ignore_id
    return losses[keep].mean()


def perplexity(losses):
    return losses.mean().exp().item()


def bits_per_byte(total, text):
    return total / math.log(10) / len(text.encode("utf-8"))

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
