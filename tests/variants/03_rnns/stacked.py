# %% base="the plain way"
def reverse_padded(x, lengths):
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].flip(0, 1)
    return out
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="whole row" says="padding must stay"
#~ torch.where(places < ends, ends - 1 - places, places) => (x.shape[1] - 1 - places).expand(len(x), -1)
# %% wrong="not turned back" says="not reversed again" of="another way, 2"
#~ reverse_padded(backward(reverse_padded(x, lengths)), lengths) => backward(reverse_padded(x, lengths))
#~ torch.where(real[..., None], x, torch.zeros_like(x)) => x * real[..., None]
# %% wrong="padding kept" says="beyond the length must be 0" of="another way, 2"
#~ torch.where(real[..., None], x, torch.zeros_like(x)) => x
# %% right="another way, 1"
def reverse_padded(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = torch.flip(x[b, :n], [0])
    return out
# %% right="another way, 2"
def stacked_bidirectional(
    x: torch.Tensor, lengths: torch.Tensor, layers: list[tuple[Callable, Callable]]
) -> torch.Tensor:
    for forward, backward in layers:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    real = torch.arange(x.shape[1]) < lengths[:, None]
    return torch.where(real[..., None], x, torch.zeros_like(x))
# %% wrong="zeros beyond" says="stays as it is" of="the plain way"
#~ x.clone() => torch.zeros_like(x)
#~ 0, 1 => 0
# %% wrong="in place" says="changed"
def reverse_padded(x, lengths):
    for b, n in enumerate(lengths.tolist()):
        x[b, :n] = x[b, :n].flip(0)
    return x
# %% wrong="one length for all" says="its own"
def reverse_padded(x, lengths):
    out, n = x.clone(), int(lengths.max())
    out[:, :n] = x[:, :n].flip(1)
    return out
# %% wrong="off by one" says="one step off"
def reverse_padded(x, lengths):
    places = torch.arange(x.shape[1])
    source = torch.where(places <= lengths[:, None], lengths[:, None] - places, places).clamp(max=x.shape[1] - 1)
    return x[torch.arange(len(x))[:, None], source]
# %% wrong="length - t wraps" says="the 1 is missing" of="off by one"
#~ (places <= lengths[:, None], lengths[:, None] - places, places).clamp(max=x.shape[1] - 1) => (places < lengths[:, None], (lengths[:, None] - places) % x.shape[1], places)
# %% wrong="features are turned, too" says="last axis" of="another way, 1"
#~ (x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor => (x, lengths)
#~ torch.flip(x[b, :n], [0]) => x[b, :n].flip(0, 1)
# %% wrong="rolled" says="another order" of="concatenated rows, recursion over the layers"
#~ torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist()) => row.flip(0).roll(-int(n), 0) for row, n in zip(x, lengths)
# %% wrong="a list comes back" says="cut at their lengths"
def reverse_padded(x, lengths):
    return [row[:n].flip(0) for row, n in zip(x, lengths.tolist())]
def stacked_bidirectional(x, lengths, layers):
    rows = []
    for b, n in enumerate(lengths.tolist()):
        states = x[b : b + 1, :n]
        for forward, backward in layers:
            states = torch.cat([forward(states), backward(states.flip(1)).flip(1)], -1)
        rows.append(F.pad(states[0], (0, 0, 0, x.shape[1] - n)))
    return torch.stack(rows)
# %% wrong="padding is cut off" says="padding" of="another way, 1"
#~ (x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor => (x, lengths)
#~ torch.flip(x[b, :n], [0]) => x[b, :n].flip(0)
#~ return out => return out[:, : int(lengths.max())]
# %% wrong="the first row is left" says="another order"
def reverse_padded(x, lengths):
    out = x.clone()
    for b in range(1, len(x)):
        n = int(lengths[b])
        out[b, :n] = x[b, :n].flip(0)
    return out
# %% wrong="the backward reader is not turned" says="reverse it first" of="the plain way"
#~ out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1) => x = torch.cat([forward(x), reverse_padded(backward(x), lengths)], -1)
#~ out * => x *
# %% wrong="flip of whole rows" says="padding" of="the plain way"
#~ out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1) => x = torch.cat([forward(x), backward(x.flip(1)).flip(1)], -1)
#~ out * => x *
# %% wrong="backward first" says="forward states come first" of="the plain way"
#~ out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1) => x = torch.cat([reverse_padded(backward(reverse_padded(x, lengths)), lengths), forward(x)], -1)
#~ out * => x *
# %% wrong="only the first layer" says="first layer"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        x = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
        return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="each layer reads x" says="fed x"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers:
        out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
    return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="two stacks apart" says="stacked on its own"
def stacked_bidirectional(x, lengths, layers):
    there, back = x, reverse_padded(x, lengths)
    for forward, backward in layers:
        there, back = forward(there), backward(back)
    out = torch.cat([there, reverse_padded(back, lengths)], -1)
    return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="added" says="side by side"
def stacked_bidirectional(x, lengths, layers):
    for k, (forward, backward) in enumerate(layers):
        there, back = forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], -1) if k + 1 < len(layers) else there + back
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="laid along time" says="one after another in time"
def stacked_bidirectional(x, lengths, layers):
    for k, (forward, backward) in enumerate(layers):
        pair = [forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)]
        x = torch.cat(pair, -1 if k + 1 < len(layers) else 1)
    return x
# %% wrong="the mask is one too long" says="one position too late" of="the plain way"
#~ out = torch => x = torch
#~ out * (torch.arange(x.shape[1]) < lengths[:, None]) => x * (torch.arange(x.shape[1]) <= lengths[:, None])
# %% wrong="the mask is one too short" says="one position too early" of="the plain way"
#~ out = torch => x = torch
#~ out * (torch.arange(x.shape[1]) < lengths[:, None]) => x * (torch.arange(x.shape[1]) < lengths[:, None] - 1)
# %% wrong="the same reader twice" says="forward reader"
def stacked_bidirectional(x, lengths, layers):
    for forward, _ in layers:
        x = torch.cat([forward(x), reverse_padded(forward(reverse_padded(x, lengths)), lengths)], -1)
    return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% wrong="zeros by multiplying: infinite padding" says="NaN" of="the plain way"
#~ out = torch => x = torch
#~ out * (torch.arange(x.shape[1]) < lengths[:, None]) => x * torch.where(torch.arange(x.shape[1]) < lengths[:, None], 1.0, torch.nan)
# %% wrong="forgets its return" says="return" of="only the first layer"
#-         return x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
# %% right="loops over rows" of="the plain way"
#-         out[b, :n] = x[b, :n].flip(0, 1)
#+         for t in range(n):
#+             out[b, t] = x[b, n - 1 - t]
#- def stacked_bidirectional(x, lengths, layers):
#+ def stacked_bidirectional(x, lengths, layers):
#+     states = x
#-         out = torch.cat([forward(x), reverse_padded(backward(reverse_padded(x, lengths)), lengths)], -1)
#-     return out * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
#+         there = forward(states)
#+         back = reverse_padded(backward(reverse_padded(states, lengths)), lengths)
#+         states = torch.cat((there, back), dim=2)
#+     for b, n in enumerate(lengths):
#+         states[b, n:] = 0
#+     return states
# %% right="gather, masked between the layers, too" of="unseen, right 1"
#-     t = torch.arange(x.shape[1])
#-     source = torch.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
#-     return x.gather(1, source[:, :, None].expand(-1, -1, x.shape[2]))
#+     T = x.shape[1]
#+     t = torch.arange(T).expand(len(x), T)
#+     source = torch.where(t < lengths.unsqueeze(1), lengths.unsqueeze(1) - 1 - t, t)
#+     return x.gather(1, source[..., None].expand_as(x))
#~ mask = (torch.arange(x.shape[1])[None] >= lengths[:, None])[:, :, None] => mask = (torch.arange(x.shape[1])[None] < lengths[:, None]).unsqueeze(-1)
#~ x = torch.cat([forward(x), back], dim=2).masked_fill(mask, 0.0) => x = torch.cat([forward(x), back], -1).masked_fill(~mask, 0.0)
# %% right="concatenated rows, recursion over the layers"
def reverse_padded(x, lengths):
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist())])
def stacked_bidirectional(x, lengths, layers):
    if not layers:
        keep = torch.arange(x.shape[1]) < lengths[:, None]
        return x * keep[..., None]
    (forward, backward), *rest = layers
    back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
    return stacked_bidirectional(torch.cat([forward(x), back], -1), lengths, rest)
# %% right="row by row, without padding"
def stacked_bidirectional(x, lengths, layers):
    out = None
    for b, n in enumerate(lengths.tolist()):
        states = x[b : b + 1, :n]
        for forward, backward in layers:
            states = torch.cat([forward(states), backward(states.flip(1)).flip(1)], -1)
        out = states.new_zeros(len(x), x.shape[1], states.shape[-1]) if out is None else out
        out[b, :n] = states[0]
    return out
# %% wrong="zeros of the usual dtype" says="float64 was rounded to float32" of="row by row, without padding"
#~ states.new_zeros( => torch.zeros(
# %% right="unseen, right 1"
def reverse_padded(x, lengths):
    t = torch.arange(x.shape[1])
    source = torch.where(t < lengths[:, None], lengths[:, None] - 1 - t, t)
    return x.gather(1, source[:, :, None].expand(-1, -1, x.shape[2]))
def stacked_bidirectional(x, lengths, layers):
    mask = (torch.arange(x.shape[1])[None] >= lengths[:, None])[:, :, None]
    for forward, backward in layers:
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([forward(x), back], dim=2).masked_fill(mask, 0.0)
    return x
# %% wrong="only forward goes on" says="was each direction stacked on its own? both states of a" of="first layer only"
#~ layers[:1] => layers
#-         x = torch.cat([there, back], dim=-1)
#+         y = torch.cat([there, back], dim=-1)
#+         x = there
#-     return x * present[..., None]
#+     return y * present[..., None]
# %% wrong="first layer only" says="only the first layer was applied"
def stacked_bidirectional(x, lengths, layers):
    for forward, backward in layers[:1]:
        there = forward(x)
        back = reverse_padded(backward(reverse_padded(x, lengths)), lengths)
        x = torch.cat([there, back], dim=-1)
    present = torch.arange(x.shape[1]) < lengths[:, None]
    return x * present[..., None]
# %% wrong="turned back after the last layer only" says="after the last layer only" of="first layer only"
#~ layers[:1] => layers
#~ reverse_padded(backward(reverse_padded(x, lengths)), lengths) => backward(reverse_padded(x, lengths))
#~ return x => return torch.cat([there, reverse_padded(back, lengths)], dim=-1)
# %% wrong="turned for the first layer only" says="for the first layer only" of="first layer only"
#~ layers[:1] => layers
#~ backward(reverse_padded(x, lengths)) => backward(reverse_padded(x, lengths) if forward is layers[0][0] else x)
# %% wrong="turned at both ends only" says="before the first layer and after the last only" of="first layer only"
#~ layers[:1] => layers
#~ reverse_padded(backward(reverse_padded(x, lengths)), lengths) => backward(reverse_padded(x, lengths) if forward is layers[0][0] else x)
#~ return x => return torch.cat([there, reverse_padded(back, lengths)], dim=-1)
# %% wrong="interleaved" says="the right numbers in another order" of="first layer only"
#~ layers[:1] => layers
#~ cat([there, back], dim=-1) => stack([there, back], dim=-1).flatten(2)
# %% wrong="layers in reverse" says="the layers were applied from the last to the first" of="first layer only"
#~ [:1] => [::-1]
# %% wrong="mix, no softmax" says="softmax first" of="mix, another way, 1"
#~ (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", weights, layers)
# %% wrong="mix, no gamma" says="gamma is missing" of="mix, another way, 1"
#~ gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)
# %% wrong="mix, mean" says="same weight" of="mix, another way, 1"
#~ (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", torch.full_like(weights, 1 / len(weights)), layers)
# %% right="mix, another way, 1"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0)
# %% right="mix, another way, 2" of="mix, another way, 1"
#~ return gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0) => return sum(gamma * w * h for w, h in zip(torch.softmax(weights, 0), layers))
# %% wrong="mix, weights divided by their sum" says="softmax" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights / weights.sum(), layers)
# %% wrong="mix, a sigmoid of each" says="sigmoid" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.sigmoid(), layers)
# %% wrong="mix, exponentials, not normalised" says="divides them by their sum" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.exp(), layers)
# %% wrong="mix, the last layer only" says="last layer alone" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => layers[-1]
# %% wrong="mix, the likeliest layer only" says="largest weight" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => layers[weights.argmax()]
# %% wrong="mix, divided by gamma" says="gamma divides" of="mix, through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers) / gamma
# %% wrong="mix, gamma inside the softmax" says="outside the softmax" of="mix, through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", (gamma * weights).softmax(0), layers)
# %% wrong="mix, gamma added" says="gamma is added" of="mix, through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers) + gamma
# %% wrong="mix, softmax over the batch" says="softmax of the layers" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (weights.softmax(0)[:, None, None, None] * layers.softmax(0)).sum(0)
# %% wrong="mix, not summed" says="not added up" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => weights.softmax(0)[:, None, None, None] * layers
# %% wrong="mix, the mean of the weighted layers" says="add them up" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (weights.softmax(0)[:, None, None, None] * layers).mean(0)
# %% wrong="mix, the static layer is left out" says="layer 0" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights[1:].softmax(0), layers[1:])
# %% right="mix, through a transpose"
def elmo_mix(layers, weights, gamma):
    return gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2)
# %% wrong="mix, layers in reverse order" says="weight 0 belongs to layer 0" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers.flip(0))
# %% wrong="mix, gamma is made a number" says="gradient" of="mix, through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => float(gamma) * torch.einsum("l,lbtc->btc", weights.softmax(0), layers)
# %% wrong="mix, the weights are detached" says="gradient" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.detach().softmax(0), layers)
# %% wrong="mix, in place" says="changed"
def elmo_mix(layers, weights, gamma):
    layers *= weights.softmax(0)[:, None, None, None]
    return gamma * layers.sum(0)
# %% wrong="mix, forgets its return" says="return" of="mix, through a transpose"
#~ return gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => out = gamma * torch.einsum("l,lbtc->btc", weights.softmax(0), layers)
# %% wrong="mix, overflow" says="overflowed"
def elmo_mix(layers, weights, gamma):
    e = weights.exp()
    return gamma * torch.einsum("l,lbtc->btc", e / e.sum(), layers)
# %% right="mix, tensordot" of="mix, through a transpose"
#~ return gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => return torch.tensordot(gamma * torch.softmax(weights, -1), layers, dims=1)
# %% right="mix, the last axis" of="mix, through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (layers.permute(1, 2, 3, 0) @ F.softmax(weights, dim=0))
# %% right="mix, by hand"
def elmo_mix(layers, weights, gamma):
    e = torch.exp(weights - weights.max())
    out = torch.zeros_like(layers[0])
    for share, layer in zip(e / e.sum(), layers):
        out = out + share * layer
    return out * gamma
# %% right="mix, unseen, right 1" of="mix, through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(-1) * gamma, layers)
# %% wrong="mix, detached" says="the gradient is cut on its way to the weights: no detach,"
def elmo_mix(layers, weights, gamma):
    s = torch.softmax(weights.detach(), 0)
    return gamma * (s[:, None, None, None] * layers).sum(0)
# %% wrong="mix, gamma as a number" says="the gradient is cut on its way to gamma: no detach, no"
def elmo_mix(layers, weights, gamma):
    s = torch.softmax(weights, 0)
    return float(gamma) * (s[:, None, None, None] * layers).sum(0)
# %% wrong="mix, unseen, overflow" says="an exponential overflowed: use torch.softmax" of="mix, detached"
#~ softmax(weights.detach(), 0) => exp(weights) / torch.exp(weights).sum()
# %% wrong="mix, no grad" says="the gradient is cut on its way to the weights: no detach"
def elmo_mix(layers, weights, gamma):
    with torch.no_grad():
        s = torch.softmax(weights, 0)
        return gamma * (s[:, None, None, None] * layers).sum(0)
# %% wrong="reversed on a detached copy" says="the gradient is cut"
def reverse_padded(x, lengths):
    out = x.detach().clone()
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = x[b, :n].detach().flip(0)
    return out
# %% right="flips, a sum of products"
def reverse_padded(x, lengths):
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist())])
def elmo_mix(layers, weights, gamma):
    return gamma * sum(share * layer for share, layer in zip(torch.softmax(weights, 0), layers))
# %% wrong="gamma by float()" clause="do not use `.detach()` or `.item()` on the way" says="float() on the way"
def elmo_mix(layers, weights, gamma):
    return float(gamma) * (weights.softmax(0)[:, None, None, None] * layers).sum(0)
# %% wrong="length - t, modulo the length" says="the 1 is missing, and step 0 stays" of="off by one"
#~ (places <= lengths[:, None], lengths[:, None] - places, places).clamp(max=x.shape[1] - 1) => (places < lengths[:, None], (lengths[:, None] - places) % lengths[:, None].clamp(min=1), places)
