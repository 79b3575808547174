# %% base="the plain way"
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    known = windows >= 0
    total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)
    return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
# %% wrong="a sum" says="averaged, not added up" of="the plain way"
#~ = 0 => = 0  # (B, C)
#~ (1) => (1)  # (B, d)
#~ / known.sum(1, keepdim=True).clamp(min=1) @ => @
# %% wrong="the whole width" says="number of words that are there" of="the plain way"
#~ known.sum(1, keepdim=True).clamp(min=1) => windows.shape[1]
# %% wrong="looked up -1" says="means the last row"
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    return inputs[windows].mean(1) @ outputs.T
# %% wrong="looked up -1, right divisor" says="last row was added"
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal:
        windows = windows[:, : windows.shape[1] // 2]
    many = (windows >= 0).sum(1, keepdim=True).clamp(min=1)
    return inputs[windows].sum(1) / many @ outputs.T
# %% wrong="-1 clamped to word 0" says="first row" of="looked up -1"
#~ [windows] => [windows.clamp(min=0)]
# %% wrong="clamped, right divisor" says="mask it in the sum" of="looked up -1, right divisor"
#~ [windows] => [windows.clamp(min=0)]
# %% wrong="not causal" says="left half" of="the plain way"
#-     if causal:
#-         windows = windows[:, : windows.shape[1] // 2]
# %% wrong="always causal" says="both halves" of="the plain way"
#-     if causal:
#-         windows = windows[:, : windows.shape[1] // 2]
#+     windows = windows[:, : windows.shape[1] // 2]
# %% wrong="the right half" says="not the right" of="the plain way"
#~ : windows.shape[1] // 2 => windows.shape[1] // 2 :
# %% wrong="causal divisor of the whole window" says="causal reads half"
def cbow_scores(windows, inputs, outputs, causal=False):
    known = windows >= 0
    many = known.sum(1, keepdim=True).clamp(min=1)
    if causal:
        known[:, windows.shape[1] // 2 :] = False
    return (inputs[windows.clamp(min=0)] * known[..., None]).sum(1) / many @ outputs.T
# %% wrong="causal half changed in place" says="in place" of="the plain way"
#~ windows = windows[:, : windows.shape[1] // 2] => windows[:, windows.shape[1] // 2 :] = -1
# %% wrong="tables exchanged" says="exchanged" of="the plain way"
#~ (inputs[windows.clamp(min=0)] * known[..., None]) => (outputs[windows.clamp(min=0)] * known[..., None])
#~ outputs. => inputs.
# %% wrong="one table" says="only one table" of="the plain way"
#~ outputs. => inputs.
# %% wrong="word 0 left out" says="only -1 is left out" of="the plain way"
#~ >= 0 => > 0
# %% wrong="each word once" says="counts twice" of="looked up -1"
#-     return inputs[windows].mean(1) @ outputs.T
#+     rows = []
#+     for line in windows:
#+         ids = line[line >= 0].unique()
#+         rows.append((inputs[ids].mean(0) if len(ids) else torch.zeros(inputs.shape[1])) @ outputs.T)
#+     return torch.stack(rows)
# %% wrong="softmax" says="softmax was taken" of="the plain way"
#~ total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T => torch.softmax(total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T, dim=1)
# %% wrong="NaN without context" says="0/0" of="the plain way"
#~ (1, keepdim=True).clamp(min=1) => (1, keepdim=True)
# %% wrong="the mean h only" says="mean h itself" of="the plain way"
#~ (min=1) @ outputs.T => (min=1)
# %% wrong="half by words, not by columns" says="not half of the words" of="a bag, row by row"
#-     half = windows.shape[1] // 2
#~ for line in windows[:, :half] if causal else windows: => for line in windows:
#-         mean = inputs[ids].mean(0) if len(ids) else torch.zeros(inputs.shape[1])
#-         rows.append(outputs @ mean)
#+         if causal:
#+             ids = ids[: len(ids) // 2]
#+         rows.append((inputs[ids].mean(0) if len(ids) else torch.zeros(inputs.shape[1])) @ outputs.T)
# %% wrong="detached" says="graph is cut" of="the plain way"
#~ total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T => (total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T).detach()
# %% right="a bag, row by row"
def cbow_scores(windows, inputs, outputs, causal=False):
    half = windows.shape[1] // 2
    rows = []
    for line in windows[:, :half] if causal else windows:
        ids = line[line >= 0]
        mean = inputs[ids].mean(0) if len(ids) else torch.zeros(inputs.shape[1])
        rows.append(outputs @ mean)
    return torch.stack(rows)
# %% right="embedding_bag with a row of padding"
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal:
        windows = windows.chunk(2, dim=1)[0]
    V = len(inputs)
    padded = torch.cat([inputs, inputs.new_zeros(1, inputs.shape[1])])
    ids = torch.where(windows < 0, V, windows)
    h = nn.functional.embedding_bag(ids, padded, mode="mean", padding_idx=V)
    return nn.functional.linear(h, outputs)
# %% right="counts times inputs"
def cbow_scores(windows, inputs, outputs, causal=False):
    V = len(inputs)
    if causal:
        windows = windows[:, : windows.size(1) // 2]
    bag = nn.functional.one_hot(windows + 1, V + 1)[:, :, 1:].sum(1).to(inputs)
    return torch.einsum("bv,vd,wd->bw", bag / bag.sum(1, keepdim=True).clamp_min(1), inputs, outputs)
# %% right="masked_fill, double precision, nan_to_num"
def cbow_scores(windows, inputs, outputs, causal=False):
    seen = windows.clone()
    if causal:
        seen[:, seen.shape[1] // 2 :] = -1
    vectors = inputs.double()[seen].masked_fill((seen == -1).unsqueeze(-1), 0)
    mean = vectors.sum(1) / (seen != -1).sum(1, keepdim=True).clamp(min=1)
    return mean @ outputs.double().t()
# %% right="unseen, right 1"
def cbow_scores(windows, inputs, outputs, causal=False):
    R = windows.shape[1] // 2
    rows = []
    for window in windows:
        kept = window[:R] if causal else window
        kept = kept[kept != -1]
        rows.append(inputs[kept].mean(0) if len(kept) else inputs.new_zeros(inputs.shape[1]))
    return torch.stack(rows) @ outputs.T
# %% wrong="nan without context" says="there is NaN in it: 0/0, or the logarithm of a" of="the plain way"
#~ windows >= 0 => (windows >= 0).to(inputs.dtype)
#-     return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
#+     mean = total / known.sum(1, keepdim=True)
#+     return mean @ outputs.T
# %% wrong="unseen, detached" says="the graph is cut: no .item(), .detach(), .numpy() or" of="the plain way"
#~ windows >= 0 => (windows >= 0).to(inputs.dtype)
#-     return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
#+     mean = total / known.sum(1, keepdim=True).clamp(min=1)
#+     return (mean @ outputs.T).detach()
# %% wrong="causal: every other column" says="causal: the left half of the columns counts, not every" of="the plain way"
#~ : windows.shape[1] // 2 => ::2
#~ windows >= 0 => (windows >= 0).to(inputs.dtype)
#-     return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
#+     mean = total / known.sum(1, keepdim=True).clamp(min=1)
#+     return mean @ outputs.T
# %% wrong="causal: all but the last" says="causal: the left half of the columns counts, not all but" of="the plain way"
#~ : windows.shape[1] // 2 => :-1
#~ windows >= 0 => (windows >= 0).to(inputs.dtype)
#-     return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
#+     mean = total / known.sum(1, keepdim=True).clamp(min=1)
#+     return mean @ outputs.T
# %% wrong="causal: only the last word before" says="causal: the whole left half counts, not only the word just" of="the plain way"
#~ : windows => windows.shape[1] // 2 - 1 : windows
#~ windows >= 0 => (windows >= 0).to(inputs.dtype)
#-     return total / known.sum(1, keepdim=True).clamp(min=1) @ outputs.T
#+     mean = total / known.sum(1, keepdim=True).clamp(min=1)
#+     return mean @ outputs.T
# %% wrong="repeats once" says="a word that occurs twice counts twice" of="embedding_bag with a row of padding"
#~ .chunk(2, dim=1)[0] => [:, : windows.shape[1] // 2]
#~ V = len(inputs) => windows = torch.stack([torch.tensor([w if w not in row[:i] else -1 for i, w in enumerate(row)]) for row in windows.tolist()])
#~ padded = torch.cat([inputs, inputs.new_zeros(1, inputs.shape[1])]) => known = (windows >= 0).to(inputs.dtype)
#~ ids = torch.where(windows < 0, V, windows) => total = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1)
#~ h = nn.functional.embedding_bag(ids, padded, mode="mean", padding_idx=V) => mean = total / known.sum(1, keepdim=True).clamp(min=1)
#~ nn.functional.linear(h, outputs) => mean @ outputs.T
# %% wrong="one word more below" says="1 was added to it"
def cbow_scores(windows, inputs, outputs, causal=False):
    windows = windows[:, : windows.shape[1] // 2] if causal else windows
    known = windows >= 0
    h = (inputs[windows.clamp(min=0)] * known[..., None]).sum(1) / (known.sum(1, keepdim=True) + 1)
    return h @ outputs.T
# %% wrong="the root below" says="not its root" of="one word more below"
#~ (known.sum(1, keepdim=True) + 1) => known.sum(1, keepdim=True).clamp(min=1).sqrt()
# %% wrong="half of the width below" says="nor half of it" of="one word more below"
#~ (known.sum(1, keepdim=True) + 1) => (windows.shape[1] // (1 if causal else 2))
# %% wrong="0/0 without a context" clause="Without any context h is zero, and so are the scores" says=""
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal: windows = windows[:, : windows.shape[1] // 2]
    k = windows >= 0
    return (inputs[windows.clamp(min=0)] * k[..., None]).sum(1) / k.sum(1, keepdim=True) @ outputs.T
# %% wrong="outputs cut off" clause="it is differentiated" says="the graph is cut"
def cbow_scores(windows, inputs, outputs, causal=False):
    if causal: windows = windows[:, : windows.shape[1] // 2]
    k = windows >= 0
    return (inputs[windows.clamp(min=0)] * k[..., None]).sum(1) / k.sum(1, keepdim=True).clamp(min=1) @ outputs.detach().T
