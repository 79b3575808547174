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
# %% wrong="tail lost" says="after the last span is lost"
#~ inputs + tokens[end:] => inputs
# %% wrong="a mask for each token" says="not one for each of its tokens"
def infill(tokens, spans, mask):
    hidden = {i for start, length in spans for i in range(start, start + length)}
    return [mask if i in hidden else token for i, token in enumerate(tokens)]
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
# %% wrong="masks joined" says="each has its own mask"
def infill(tokens, spans, mask):
    hidden, empty = {i for s, n in spans for i in range(s, s + n)}, {s for s, n in spans if not n}
    out = []
    for i in range(len(tokens) + 1):
        out += [mask] * ((i in empty) + (i in hidden and i - 1 not in hidden)) + [*tokens[i : i + 1]] * (i not in hidden)
    return out
# %% wrong="spans that touch are one" says="each has its own sentinel" clause="two may touch, and then each"
def span_corruption(tokens, spans, sentinels):
    inputs, targets, hidden = [], [], {i for start, length in spans for i in range(start, start + length)}
    for i, token in enumerate(tokens):
        if i in hidden and i - 1 not in hidden:
            inputs.append(sentinels[sum(part in sentinels for part in inputs)])
            targets.append(inputs[-1])
        (targets if i in hidden else inputs).append(token)
    return inputs, [*targets, sentinels[sum(part in sentinels for part in inputs)]]
# %% wrong="masks for words only" says="a span of length 0 puts in a mask" clause="but a length may be 0: then a mask is put in front of token `start`, or at the end"
#~ return span_corruption(tokens, spans, [mask] => return span_corruption(tokens, [span for span in spans if span[1]], [mask]
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
# %% right="cut from the end"
def span_corruption(tokens, spans, sentinels):
    inputs, targets = list(tokens), []
    for (start, length), mark in reversed(list(zip(spans, sentinels))):
        targets = [mark, *inputs[start : start + length], *targets]
        inputs[start : start + length] = [mark]
    return inputs, targets + [sentinels[len(spans)]]
# %% right="slices between bounds"
def infill(tokens, spans, mask):
    starts = [0] + [start + length for start, length in spans]
    ends = [start for start, _ in spans] + [len(tokens)]
    out = []
    for n, (a, b) in enumerate(zip(starts, ends)):
        out += ([mask] if n else []) + list(tokens[a:b])
    return out
# %% right="owners of tokens"
def span_corruption(tokens, spans, sentinels):
    owner = {i: k for k, (start, length) in enumerate(spans) for i in range(start, start + length)}
    inputs, targets = [], []
    for i, token in enumerate(tokens):
        if i not in owner:
            inputs.append(token)
            continue
        if i == 0 or owner.get(i - 1) != owner[i]:
            inputs.append(sentinels[owner[i]])
            targets.append(sentinels[owner[i]])
        targets.append(token)
    return inputs, [*targets, sentinels[len(spans)]]
def infill(tokens, spans, mask):
    out = list(tokens)
    for start, length in spans[::-1]:
        out[start : start + length] = [mask]
    return out
# %% right="a mask by insertion"
def infill(tokens, spans, mask):
    out, moved = list(tokens), 0
    for start, length in spans:
        del out[start + moved : start + moved + length]
        out.insert(start + moved, mask)
        moved += 1 - length
    return out
# %% wrong="sentinels from 1" says="the first span gets the first sentinel"
def span_corruption(tokens, spans, sentinels):
    inputs, targets, end = [], [], 0
    for k, (start, length) in enumerate(spans, 1):
        inputs += [*tokens[end:start], sentinels[k]]
        end = start + length
        targets += [sentinels[k], *tokens[start:end]]
    return inputs + tokens[end:], [*targets, sentinels[len(spans) + 1]]
# %% wrong="targets first" says="the inputs come first"
#~ return inputs + tokens[end:], [*targets, sentinels[len(spans)]] => return [*targets, sentinels[len(spans)]], inputs + tokens[end:]
# %% wrong="the whole text as target" says="T5 writes only what was cut out"
#~ [*targets, sentinels[len(spans)]] => list(tokens)
# %% wrong="words alone" says="each span of the targets belongs after its sentinel"
#~ targets += [sentinel, *tokens[start:end]] => targets += tokens[start:end]
# %% wrong="ends with the last of the list" says="the one after those used"
#~ sentinels[len(spans)]] => sentinels[-1]]
# %% wrong="only deleted" says="the span is only deleted"
def infill(tokens, spans, mask):
    hidden = {i for start, length in spans for i in range(start, start + length)}
    return [token for i, token in enumerate(tokens) if i not in hidden]
# %% wrong="masks in the places of a text that moved" says="the places are those of the text" clause="one `mask` for each span (start, length), whatever its length"
def infill(tokens, spans, mask):
    out = list(tokens)
    for start, length in spans:
        out[start : start + length] = [mask]
    return out
# %% wrong="no sentinel without spans" says="without spans the targets are the first sentinel alone" clause="Without spans the inputs are the text, and the targets the first sentinel alone."
#-     inputs, targets, end = [], [], 0
#+     inputs, targets, end = [], [], 0
#+     if not spans:
#+         return list(tokens), []
