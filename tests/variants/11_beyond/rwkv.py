# %% wrong="mu turned" says="weighs the token itself"
#~ mu * x + (1 - mu) * before => (1 - mu) * x + mu * before
# %% wrong="the token after" says="token after it"
#~ F.pad(x, (0, 0, 1, 0))[:, :-1] => F.pad(x, (0, 0, 0, 1))[:, 1:]
# %% wrong="rolled" says="last token was mixed"
#~ F.pad(x, (0, 0, 1, 0))[:, :-1] => x.roll(1, dims=1)
# %% wrong="decays at once" says="decays already"
#~ largest = torch.maximum(most, u + key) => most = most - w; largest = torch.maximum(most, u + key)
#~ torch.maximum(most - w, key) => torch.maximum(most, key)
#~ torch.exp(most - w - largest) => torch.exp(most - largest)
# %% wrong="no decay" says="does not decay"
#~ torch.maximum(most - w, key) => torch.maximum(most, key)
#~ torch.exp(most - w - largest) => torch.exp(most - largest)
# %% wrong="no u" says="u counts for the token itself alone"
#~ torch.maximum(most, u + key) => torch.maximum(most, key)
#~ torch.exp(u + key - largest) => torch.exp(key - largest)
# %% wrong="u stays" says="u counts for the token itself alone"
#~ torch.maximum(most - w, key) => torch.maximum(most - w, u + key)
#~ torch.exp(key - largest) => torch.exp(u + key - largest)
# %% wrong="not stable" says="largest exponent" of="not divided"
#-     top, out = torch.zeros_like(k[:, 0]), []
#+     top = below = torch.zeros_like(k[:, 0])
#+     out = []
#~ out.append(top + torch.exp(u + key) * value) => out.append((top + torch.exp(u + key) * value) / (below + torch.exp(u + key)))
#-     return torch.stack(out, dim=1)
#+         below = torch.exp(-w) * below + torch.exp(key)
#+     return torch.stack(out, dim=1)
# %% wrong="not divided" says="below the line"
def wkv(w, u, k, v):
    top, out = torch.zeros_like(k[:, 0]), []
    for key, value in zip(k.unbind(1), v.unbind(1)):
        out.append(top + torch.exp(u + key) * value)
        top = torch.exp(-w) * top + torch.exp(key) * value
    return torch.stack(out, dim=1)
# %% wrong="gradient cut" says=""
#~ old, new = torch.exp(most - w - largest) => old, new = torch.exp(most - w.detach() - largest)
# %% right="the quadratic sum by a softmax"
def token_shift(x, mu):
    before = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
    return torch.lerp(before, x, mu.expand_as(x))
def wkv(w, u, k, v):
    T = k.shape[1]
    i, j = torch.arange(T)[:, None], torch.arange(T)
    past = k[:, None] - (i - j - 1).clamp(min=0)[..., None] * w
    logits = torch.where((i == j)[..., None], k[:, None] + u, past).masked_fill((j > i)[..., None], -math.inf)
    return (logits.softmax(2) * v[:, None]).sum(2)
# %% right="logarithms of both sums"
def wkv(w, u, k, v):
    out = []
    for t in range(k.shape[1]):
        logits = torch.cat([k[:, :t] - torch.arange(t - 1, -1, -1)[:, None] * w, (u + k[:, t])[:, None]], dim=1)
        weights = torch.exp(logits - torch.logsumexp(logits, dim=1, keepdim=True))
        out.append((weights * v[:, : t + 1]).sum(1))
    return torch.stack(out, 1)
# %% wrong="exp of w" says="e to the w decays"
#~ largest = torch.maximum(most - w, key) => largest = torch.maximum(most - w.exp(), key)
#~ torch.exp(most - w - largest) => torch.exp(most - w.exp() - largest)
# %% wrong="only above the line" says="the one below the line does not"
#~ old * below + new, largest => torch.exp(most - largest) * below + new, largest
# %% wrong="u subtracted" says="not subtracted"
#~ largest = torch.maximum(most, u + key) => largest = torch.maximum(most, key - u)
#~ torch.exp(u + key - largest) => torch.exp(key - u - largest)
# %% wrong="one maximum" says="largest exponent of the whole text"
def wkv(w, u, k, v):
    most, out = torch.maximum(k, k + u).amax(1), []
    top = below = torch.zeros_like(most)
    for key, value in zip(k.unbind(1), v.unbind(1)):
        out.append((top + torch.exp(u + key - most) * value) / (below + torch.exp(u + key - most)))
        top, below = (torch.exp(-w) * a + torch.exp(key - most) * b for a, b in ((top, value), (below, 1)))
    return torch.stack(out, 1)
# %% wrong="keys cut" says="cut to a range"
#~ zip(k.unbind(1) => zip(k.clamp(-80, 80).unbind(1)
# %% wrong="no maximum taken out" says="take the largest exponent out" clause="Keys may be in the hundreds, of either sign, and differ by hundreds: nothing overflows."
#~ largest = torch.maximum(most, u + key) => largest = torch.zeros_like(key)
#~ largest = torch.maximum(most - w, key) => largest = torch.zeros_like(key)
#~ torch.exp(most - largest), torch.exp => torch.exp(most.clamp(min=0) - largest), torch.exp
#~ torch.exp(most - w - largest), torch.exp => torch.exp(most.clamp(min=0) - w - largest), torch.exp
# %% wrong="kept with u" says="kept with u for those after it"
#~ torch.maximum(most - w, key) => torch.maximum(most - w, u + key)
#~ torch.exp(key - largest) => torch.exp(u + key - largest)
# %% wrong="the first token's exponent below all" says="stays that of the first token"
#~ torch.maximum(most - w, key) => (most - w if most.dim() else key)
# %% base="two sums"
def wkv(w, u, k, v):
    sums, most, out = [torch.zeros_like(k[:, 0])] * 2, torch.full_like(k[:, 0], -math.inf), []
    for t, (key, value) in enumerate(zip(k.unbind(1), v.unbind(1))):
        largest = torch.maximum(most, u + key)
        past, own = torch.exp(most - largest), torch.exp(u + key - largest)
        out.append((past * sums[0] + own * value) / (past * sums[1] + own))
        largest = torch.maximum(most - w, key)
        past, new = torch.exp(most - w - largest), torch.exp(key - largest)
        sums, most = [past * sums[0] + new * value, past * sums[1] + new], largest
    return torch.stack(out, 1)
# %% wrong="own weight above the line alone" says="missing below the line, but for the first one" of="two sums"
#~ (past * sums[1] + own) => (past * sums[1] + own * (t == 0))
# %% wrong="nothing of its own below the line" says="missing below the line: it belongs in both" of="two sums"
#~ (past * sums[1] + own) => (past * sums[1])
# %% wrong="own weight below the line alone" says="missing above the line" of="two sums"
#~ (past * sums[0] + own * value) => (past * sums[0])
