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
