# %% base="the plain way"
def pair_mask(texts, reaches):
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])
def line_loss(scores, pairs, against, times, weight):
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()
# %% wrong="itself" says="not its own context" of="the plain way"
#~ abs() => abs()  # (T, T)
#~ (apart > 0) & (apart <= reaches[:, :, None]) => (apart <= reaches[:, :, None])
# %% wrong="the reach of the context" says="rows are centres" of="the plain way"
#~ reaches[:, :, None] => reaches[:, None, :]
# %% wrong="less than the reach" says="exactly the reach" of="the plain way"
#~ <= => <
# %% wrong="other texts, too" says="different texts" of="the plain way"
#~ (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]) => (apart <= reaches[:, :, None])
# %% wrong="no absolute value" says="both sides: the right one is missing" of="the plain way"
#~ (place[:, None] - place).abs() => place[:, None] - place
# %% wrong="no absolute value, only different" says="every word to the right" of="the plain way"
#~ (place[:, None] - place).abs() => place[:, None] - place
#~ > => !=
# %% wrong="the first line's reaches" says="the first line's were taken" of="the plain way"
#~ reaches[:, :, None] => reaches[0][:, None]
# %% wrong="the largest reach for all" says="a reach of its own" of="the plain way"
#~ reaches[:, :, None] => reaches.max()
# %% wrong="symmetric" says="only the centre's counts" of="the plain way"
#-     return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])
#+     mask = (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])
#+     return mask | mask.transpose(1, 2)
# %% wrong="what is no pair" says="opposite" of="the plain way"
#~ (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]) => (apart == 0) | (apart > reaches[:, :, None]) | (texts[:, :, None] != texts[:, None, :])
# %% wrong="numbers" says="boolean dtype" of="the plain way"
#~ (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]) => ((apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])).float()
# %% wrong="texts that differ" says="of the same text are context" of="the plain way"
#~ (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]) => (apart <= reaches[:, :, None]) & (texts[:, :, None] != texts[:, None, :])
# %% wrong="one line only" says="shape (L, T, T)" of="the plain way"
#~ (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]) => ((apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :]))[0]
# %% wrong="noise added up" says="averaged, not added up" of="the plain way"
#~ mean => sum
# %% wrong="a sum" says="divide by the number of pairs" of="the plain way"
#~ (logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum() => (logsigmoid(scores[pairs]).sum() + weight * noise)
# %% wrong="weight not used" says="weight was not used" of="the plain way"
#~ weight * noise => noise
# %% wrong="always five" says="do not write 5" of="the plain way"
#~ weight * => 5 *
# %% wrong="times not used" says="times was not used" of="the plain way"
#~ (times * logsigmoid(-against).mean(1)) => logsigmoid(-against).mean(1)
# %% wrong="divided by all scores" says="only the pairs count" of="the plain way"
#~ pairs.sum => scores.numel
# %% wrong="divided by the centres" says="number of centres" of="the plain way"
#~ pairs.sum() => len(against)
# %% wrong="divided by the sum of times" says="P is the number of pairs" of="the plain way"
#~ pairs. => times.
# %% wrong="two means" says="not by that of the centres" of="the noise divided by the sum of times"
#~ noise = (times * logsigmoid(-against).mean(1)).sum() / times.sum() => noise = (times * logsigmoid(-against).mean(1)).mean()
# %% wrong="the noise pulls, too" says="log σ(-a)" of="the plain way"
#~ (-against) => (against)
# %% wrong="all scores are pairs" says="outside the mask" of="the plain way"
#~ scores[pairs] => scores
# %% wrong="masked scores 0" says="log σ(0) is not 0" of="the plain way"
#~ scores[pairs] => scores * pairs
# %% wrong="other words of the line as noise" says="outside the mask are neither" of="the plain way"
#~ weight * => logsigmoid(-scores[~pairs]).sum() + weight *
# %% wrong="no minus" says="a loss is positive" of="the plain way"
#~ -(logsigmoid(scores[pairs]).sum() + weight * noise) => (logsigmoid(scores[pairs]).sum() + weight * noise)
# %% wrong="logarithm of the sigmoid" says="use logsigmoid"
def line_loss(scores, pairs, against, times, weight):
    noise = (times * torch.log(1 - torch.sigmoid(against)).mean(1)).sum()
    return -(torch.log(torch.sigmoid(scores[pairs])).sum() + weight * noise) / pairs.sum()
# %% wrong="a small number in the logarithm" says="in full"
def line_loss(scores, pairs, against, times, weight):
    noise = (times * torch.log(torch.sigmoid(-against) + 1e-8).mean(1)).sum()
    return -(torch.log(torch.sigmoid(scores[pairs]) + 1e-8).sum() + weight * noise) / pairs.sum()
# %% wrong="a Python number" says="graph is cut" of="the plain way"
#~ -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum() => float(-(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum())
# %% wrong="the noise is a constant" says="graph is cut" of="the plain way"
#~ -against => -against.detach()
# %% right="loops and softplus"
def pair_mask(texts, reaches):
    L, T = texts.shape
    mask = torch.zeros(L, T, T, dtype=torch.bool)
    for i in range(T):
        for j in range(T):
            if i != j:
                mask[:, i, j] = (abs(i - j) <= reaches[:, i]) & (texts[:, i] == texts[:, j])
    return mask
def line_loss(scores, pairs, against, times, weight):
    softplus = nn.functional.softplus
    own = torch.where(pairs, softplus(-scores), torch.zeros_like(scores)).sum()
    other = weight * (times[:, None] * softplus(against)).sum() / against.shape[1]
    return (own + other) / pairs.sum()
# %% right="lists of lines, masked_select"
def pair_mask(texts, reaches):
    masks = []
    for text, reach in zip(texts, reaches):
        place = torch.arange(len(text))
        low, high = place - reach, place + reach
        mask = (place >= low[:, None]) & (place <= high[:, None]) & text.unsqueeze(1).eq(text)
        masks.append(mask.fill_diagonal_(False))
    return torch.stack(masks)
def line_loss(scores, pairs, against, times, weight):
    P = torch.count_nonzero(pairs)
    own = -nn.functional.logsigmoid(torch.masked_select(scores, pairs)).sum()
    return own / P + weight * (times @ -nn.functional.logsigmoid(-against).mean(dim=1)) / P
# %% right="bands, cross entropy with logits"
def pair_mask(texts, reaches):
    T = texts.shape[1]
    apart = torch.cdist(torch.arange(T)[:, None].double(), torch.arange(T)[:, None].double(), p=1).long()
    near = apart.expand(len(texts), T, T).clone()
    near.diagonal(dim1=1, dim2=2).fill_(T + 1)
    near[texts[:, :, None] != texts[:, None]] = T + 1
    return near.le(reaches.clamp(max=T)[..., None])
def line_loss(scores, pairs, against, times, weight):
    bce = nn.functional.binary_cross_entropy_with_logits
    own = bce(scores[pairs], torch.ones_like(scores[pairs]), reduction="sum")
    noise = bce(against, torch.zeros_like(against), weight=times[:, None].expand_as(against), reduction="sum")
    return (own + noise * weight / against.size(1)) / pairs.float().sum()
# %% right="in double precision, row after row"
def pair_mask(texts, reaches):
    L, T = texts.shape
    return torch.tensor([
        [[i != j and abs(i - j) <= reaches[n, i] and texts[n, i] == texts[n, j] for j in range(T)] for i in range(T)]
        for n in range(L)
    ]).bool().reshape(L, T, T)
def line_loss(scores, pairs, against, times, weight):
    total = -logsigmoid(scores.double()).mul(pairs).sum()
    for a, m in zip(against.double(), times):
        total = total - weight * m * logsigmoid(-a).sum() / len(a)
    return total / pairs.sum()
# %% right="unseen, right 1"
def pair_mask(texts, reaches):
    L, T = texts.shape
    out = torch.zeros(L, T, T, dtype=torch.bool)
    for l in range(L):
        for i in range(T):
            for j in range(T):
                out[l, i, j] = i != j and abs(i - j) <= int(reaches[l, i]) and bool(texts[l, i] == texts[l, j])
    return out
def line_loss(scores, pairs, against, times, weight):
    P = pairs.count_nonzero()
    first = nn.functional.softplus(-scores).masked_fill(~pairs, 0.0).sum() / P
    second = weight * (times @ nn.functional.softplus(against)).sum() / against.shape[1] / P
    return first + second
# %% wrong="text of the first line" says="each line has texts of its own: the first line's were taken"
def pair_mask(texts, reaches):
    T = texts.shape[1]
    place = torch.arange(T)
    far = (place[:, None] - place[None, :]).abs()
    return (far > 0) & (far <= reaches[:, :, None]) & (texts[0][:, None] == texts[0][None, :])
# %% wrong="item" says="the graph is cut: return a tensor, not a Python number"
def line_loss(scores, pairs, against, times, weight):
    own = logsigmoid(scores[pairs]).sum()
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(own + weight * noise) / pairs.sum().item()
_inner = line_loss
def line_loss(scores, pairs, against, times, weight):
    return _inner(scores, pairs, against, times, weight).item()
# %% wrong="a text ends where another begins" says="texts may alternate"
def pair_mask(texts, reaches):
    place = torch.arange(texts.shape[1])
    apart = (place[:, None] - place).abs()
    change = (texts[:, 1:] != texts[:, :-1]).long()
    part = torch.cat([torch.zeros_like(texts[:, :1]), change.cumsum(1)], dim=1)
    return (apart > 0) & (apart <= reaches[:, :, None]) & (part[:, :, None] == part[:, None])
# %% wrong="divided by K twice" says="divided by K once more" of="the plain way"
#~ logsigmoid(-against).mean(1)).sum() => logsigmoid(-against).mean(1)).sum() / against.shape[1]
# %% wrong="the noise of all centres averaged first" says="all centres' noise was averaged first" of="the plain way"
#~ (times * logsigmoid(-against).mean(1)).sum() => times.sum() * logsigmoid(-against).mean()
# %% wrong="the mean of times" says="all centres' noise was averaged first" of="the plain way"
#~ (times * => (times.mean() *
# %% wrong="the noise divided by the sum of times" says="the number of pairs divides both parts"
def line_loss(scores, pairs, against, times, weight):
    noise = (times * logsigmoid(-against).mean(1)).sum() / times.sum()
    return -(logsigmoid(scores[pairs]).mean() + weight * noise)
# %% wrong="two plain means, times unused" says="times was not used"
def line_loss(scores, pairs, against, times, weight):
    return -logsigmoid(scores[pairs]).mean() - weight * logsigmoid(-against).mean()
# %% wrong="the number of pairs in place of times" says="as often as there are pairs" of="the plain way"
#~ (times * => (pairs.sum() *
# %% wrong="times inside of the logarithm" says="times belongs outside the logarithm" of="the plain way"
#~ (times * logsigmoid(-against).mean(1)).sum() => logsigmoid(-against * times[:, None]).mean(1).sum()
# %% wrong="weight inside of the logarithm" says="the weight belongs outside" of="the plain way"
#~ logsigmoid(-against).mean(1) => logsigmoid(-weight * against).mean(1)
#~ weight * noise => noise
# %% wrong="the scores with the noise averaged" says="not over the scores before them" of="the plain way"
#~ logsigmoid(-against).mean(1) => logsigmoid(-against.mean(1))
# %% wrong="noise cut off" clause="it is differentiated" says="the graph is cut"
def line_loss(scores, pairs, against, times, weight):
    return -(logsigmoid(scores[pairs]).sum() + weight * (times * logsigmoid(-against.detach()).mean(1)).sum()) / pairs.sum()
