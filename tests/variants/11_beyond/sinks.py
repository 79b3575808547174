# %% wrong="no sinks" says="first tokens are not kept"
#~ return [*range(sinks), *range(length - window, length)] => return list(range(length - window, length))
# %% wrong="window less" says="window"
#~ range(length - window, length)] => range(length - window + 1, length)]
# %% wrong="overlap" says="twice"
#~ if length <= sinks + window => if length <= window
#~ return [*range(sinks) => return [*range(min(sinks, length))
# %% wrong="the window holds the sinks" says="beside the sinks"
#~ if length <= sinks + window => if length <= window
#~ range(length - window, length)] => range(length - window + sinks, length)]
# %% wrong="new first" says="before the old"
#~ torch.cat([cache, new], dim=2) => torch.cat([new, cache], dim=2)
# %% wrong="one for each call" says="several tokens"
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => return cache if cache.shape[2] <= sinks + window else torch.cat([cache[:, :, :sinks], cache[:, :, sinks + 1 :]], dim=2)
# %% wrong="first row too" says="no choice"
#~ weights[:, :, 1:, 0] => weights[:, :, :, 0]
# %% wrong="row for column" says="column is asked for"
#~ weights[:, :, 1:, 0] => weights[:, :, 0, :]
# %% wrong="one number" says="each head"
#~ mean(dim=(0, 2)) => mean()[None]
# %% right="a mask of positions"
def kept_positions(length, window, sinks):
    return [i for i in range(length) if i < sinks or length - i <= window]
def evict(cache, new, window, sinks):
    n = cache.shape[2] + new.shape[2]
    both = torch.cat((cache, new), dim=-2)
    i = torch.arange(n)
    return both[:, :, (i < sinks) | (i >= n - window)]
# %% right="slices"
def evict(cache, new, window, sinks):
    both = torch.cat([cache, new], 2)
    n = both.shape[2]
    return both if n <= sinks + window else torch.cat([both[:, :, :sinks], both[:, :, n - window :]], 2)
def first_weight(weights):
    return weights[..., 1:, 0].transpose(0, 1).flatten(1).mean(-1)
# %% wrong="sinks of the old alone" says="first of old and new together"
#~ cache = torch.cat([cache, new], dim=2) => first, cache = cache[:, :, :sinks], torch.cat([cache[:, :, sinks:], new], dim=2)
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => return torch.cat([first, cache[:, :, -window:]], dim=2)
# %% wrong="twice in the cache" says="sinks and window overlap"
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => return torch.cat([cache[:, :, :sinks], cache[:, :, -window:]], dim=2)
# %% wrong="old cut first" says="before the new ones were added"
#~ cache = torch.cat([cache, new], dim=2) => pass
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => return torch.cat([cache[:, :, kept_positions(cache.shape[2], window, sinks)], new], dim=2)
# %% wrong="divided by T" says="T - 1"
#~ weights[:, :, 1:, 0].mean(dim=(0, 2)) => weights[:, :, 1:, 0].sum(2).mean(0) / weights.shape[2]
# %% wrong="last query left out" says="last query was left out"
#~ weights[:, :, 1:, 0] => weights[:, :, :-1, 0]
# %% wrong="one head squeezed" says="squeezed away"
#~ .mean(dim=(0, 2)) => .mean(dim=(0, 2)).squeeze()
# %% wrong="one number for all heads" says="this is one number for all heads"
#~ .mean(dim=(0, 2)) => .mean()
# %% wrong="sinks and window overlap in a short cache" says="there twice" clause="the first `sinks` and the last"
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => return torch.cat([cache[:, :, :sinks], cache[:, :, -window:]], dim=2)
# %% wrong="one goes for each call" says="one is dropped for each call" clause="after new tokens (B, H, k, d), one or more, joined the cache"
#~ return cache[:, :, kept_positions(cache.shape[2], window, sinks)] => n = cache.shape[2]; return cache[:, :, [i for i in range(n) if i != sinks or n <= sinks + window]]
# %% wrong="a window of new tokens alone" says="here of the new alone"
#~ torch.cat([cache, new], dim=2) => torch.cat([cache[:, :, :sinks], new[:, :, -window:]], dim=2)
#~ cache[:, :, kept_positions(cache.shape[2], window, sinks)] => cache
# %% wrong="one mean for all heads" says="every head has its own"
#~ mean(dim=(0, 2)) => mean().expand(weights.shape[1])
# %% wrong="the cache is cut to the window first" says="its first tokens, the sinks, are gone"
#~ torch.cat([cache, new], dim=2) => torch.cat([cache[:, :, -window:], new], dim=2)
