# %% wrong="no last sentinel" says="ends the targets is missing"
#~ [*targets, sentinels[len(spans)]] => targets
# %% wrong="cut words stay" says="in the inputs still"
#~ [*tokens[end:start], sentinel] => [*tokens[end:start], sentinel, *tokens[start : start + length]]
# %% wrong="one sentinel for all" says="same sentinel"
def span_corruption(tokens, spans, sentinels):
    inputs, targets, end = [], [], 0
    for start, length in spans:
        inputs += [*tokens[end:start], sentinels[0]]
        end = start + length
        targets += [sentinels[0], *tokens[start:end]]
    return inputs + tokens[end:], targets + [sentinels[0]]
# %% wrong="sentinel behind" says="in front of its words"
#~ [sentinel, *tokens[start:end]] => [*tokens[start:end], sentinel]
# %% wrong="start and end" says="not (start, end)"
#~ end = start + length => end = length
# %% wrong="tail lost" says="behind the last span is lost"
#~ inputs + tokens[end:] => inputs
# %% wrong="kept tokens drawn first" says="draws are exchanged"
#~ zip(pieces(hidden), pieces(length - hidden), strict=True) => [*zip(*[pieces(length - hidden), pieces(hidden)][::-1])]
# %% wrong="hidden first" says="a kept piece comes first"
#~ (place + kept, gone) => (place, gone)
# %% wrong="cuts unsorted" says="not sorted"
#~ .sort().values.tolist() => .tolist()
# %% wrong="cut at 0" says="1 is missing"
#~ [: count - 1] + 1) => [: count - 1])
# %% wrong="global randomness" says="different answers"
#~ cuts = (torch.randperm(n - 1, generator=generator) => cuts = (torch.randperm(n - 1)
# %% wrong="a mask for each token" says="not one for each of its tokens"
def infill(tokens, spans, mask):
    hidden = {i for start, length in spans for i in range(start, start + length)}
    return [mask if i in hidden else token for i, token in enumerate(tokens)]
# %% wrong="the inverse permutation" says="this is the inverse"
#~ for i in order for => for i in torch.tensor(order).argsort().tolist() for
# %% wrong="stops lead" says="not to the next one"
#~ [i + 1 for i, token => [i for i, token
# %% right="walk over the tokens"
def span_corruption(tokens, spans, sentinels):
    begins = dict(spans)
    inputs, targets, k, i = [], [], 0, 0
    while i < len(tokens):
        if i in begins:
            inputs.append(sentinels[k])
            targets.append(sentinels[k])
            targets.extend(tokens[i : i + begins[i]])
            i, k = i + begins[i], k + 1
        else:
            inputs.append(tokens[i])
            i += 1
    targets.append(sentinels[k])
    return inputs, targets
def infill(tokens, spans, mask):
    out = list(tokens)
    for start, length in reversed(spans):
        out[start : start + length] = [mask]
    return out
# %% right="NumPy differences, text cut by hand"
def random_spans(length, hidden, count, generator):
    cut = lambda n: np.sort(torch.randperm(n - 1, generator=generator)[: count - 1].numpy() + 1)
    gone = np.diff(np.concatenate([[0], cut(hidden), [hidden]]))
    kept = np.diff(np.concatenate([[0], cut(length - hidden), [length - hidden]]))
    ends = np.cumsum(gone + kept)
    return [(int(end - g), int(g)) for end, g in zip(ends, gone)]
def shuffle_sentences(tokens, stop, generator):
    sentences, open_one = [], []
    for token in tokens:
        open_one.append(token)
        if token == stop:
            sentences.append(open_one)
            open_one = []
    if open_one:
        sentences.append(open_one)
    return sum([sentences[i] for i in torch.randperm(len(sentences), generator=generator).tolist()], [])
# %% wrong="generator copied" says="a second call must draw anew"
#-     def pieces(n):
#+     generator = torch.Generator().set_state(generator.get_state())
#+
#+     def pieces(n):
# %% wrong="the text itself" says="very list"
#-     inputs, targets, end = [], [], 0
#+     inputs, targets, end = [], [], 0
#+     if not spans:
#+         return tokens, [sentinels[0]]
# %% wrong="places of the spoilt text" says="places are those of the text"
def span_corruption(tokens, spans, sentinels):
    inputs, targets = list(tokens), []
    for (start, length), mark in zip(spans, sentinels):
        targets += [mark, *inputs[start : start + length]]
        inputs[start : start + length] = [mark]
    return inputs, targets + [sentinels[len(spans)]]
# %% wrong="n, not n - 1" says="n was taken in place of n - 1"
#~ cuts = (torch.randperm(n - 1, => cuts = (torch.randperm(n,
# %% wrong="ends of spans" says="not (start, end)"
#~ (place + kept, gone) => (place + kept, place + kept + gone)
# %% wrong="hidden ones not counted" says="were left out of a span"
#~ place += kept + gone => place += kept
# %% wrong="masks joined" says="each has its own mask"
def infill(tokens, spans, mask):
    hidden, empty = {i for s, n in spans for i in range(s, s + n)}, {s for s, n in spans if not n}
    out = []
    for i in range(len(tokens) + 1):
        out += [mask] * ((i in empty) + (i in hidden and i - 1 not in hidden)) + [*tokens[i : i + 1]] * (i not in hidden)
    return out
# %% wrong="rest at the end" says="here it stays at the end"
def shuffle_sentences(tokens, stop, generator):
    bounds = [0, *(i + 1 for i, token in enumerate(tokens) if token == stop)]
    order = torch.randperm(len(bounds) - 1, generator=generator).tolist()
    return [token for i in order for token in tokens[bounds[i] : bounds[i + 1]]] + tokens[bounds[-1] :]
# %% wrong="empty last sentence" says="empty sentence was counted"
#~ bounds = sorted({0, *ends, len(tokens)}) => bounds = [0, *ends, len(tokens)]
# %% wrong="the very object" says="a stop is found by ==" clause="A sentence goes up to a token equal to `stop`"
#~ if token == stop => if token is stop
# %% wrong="spans that touch are one" says="each has its own sentinel" clause="two may touch, and then each"
def span_corruption(tokens, spans, sentinels):
    inputs, targets, hidden = [], [], {i for start, length in spans for i in range(start, start + length)}
    for i, token in enumerate(tokens):
        if i in hidden and i - 1 not in hidden:
            inputs.append(sentinels[sum(part in sentinels for part in inputs)])
            targets.append(inputs[-1])
        (targets if i in hidden else inputs).append(token)
    return inputs, [*targets, sentinels[sum(part in sentinels for part in inputs)]]
# %% wrong="tensors in the spans" says="no plain numbers" clause="ascending, in plain numbers."
#~ .sort().values.tolist() => .sort().values
# %% wrong="masks for words only" says="a span of length 0 puts in a mask" clause="but a length may be 0: then a mask is put in front of token `start`, or at the end"
#~ return span_corruption(tokens, spans, [mask] => return span_corruption(tokens, [span for span in spans if span[1]], [mask]
# %% wrong="a sentence of nothing" says="an empty sentence was counted" clause="what stands behind the last stop is a sentence,"
#~ bounds = sorted({0, *ends, len(tokens)}) => bounds = [0, *ends, len(tokens)]
# %% wrong="the same list" says="return a new one" clause="Return BART's text infilling, a new list"
#~ return span_corruption(tokens, spans, [mask] * (len(spans) + 1))[0] => return span_corruption(tokens, spans, [mask] * (len(spans) + 1))[0] if spans else tokens
# %% wrong="kept tokens in the targets" says="the targets hold what was kept"
def span_corruption(tokens, spans, sentinels):
    inputs, targets, at = [], [], 0
    for (start, length), mark in zip(spans, sentinels):
        inputs += [*tokens[at:start], mark]
        targets += [mark, *tokens[at:start]]
        at = start + length
    return inputs + tokens[at:], [*targets, sentinels[len(spans)]]
