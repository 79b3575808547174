# %% base="the plain way"
def context_windows(ids, texts, reach):
    offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
    places = np.arange(len(ids))[:, None] + offsets
    if not places.size:
        return np.zeros(places.shape, dtype=int)
    inside = np.clip(places, 0, len(ids) - 1)
    return np.where((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1)
def skip_gram_pairs(ids, windows):
    found = [(c, o) for c, line in zip(ids, windows) for o in line if o != -1]
    return np.array(found).reshape(-1, 2)
# %% wrong="into the next text" says="into another text" of="the plain way"
#~ + offsets => + offsets  # (T, 2R)
#~ (places == inside) & (texts[inside] == texts[:, None]) => places == inside
# %% wrong="itself" says="not its own context" of="the plain way"
#-     offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
#-     places = np.arange(len(ids))[:, None] + offsets
#+     places = np.arange(len(ids))[:, None] + np.arange(-reach, reach + 1)
# %% wrong="0 as filler" says="filler is -1" of="the plain way"
#~ + offsets => + offsets  # (T, 2R)
#~ ((places == inside) & (texts[inside] == texts[:, None]), ids[inside], -1) => ((places == inside) & (texts[inside] == texts[:, None]), ids[inside], 0)
# %% wrong="round the ends" says="round to the other end"
def context_windows(ids, texts, reach):
    columns = []
    for o in [*range(-reach, 0), *range(1, reach + 1)]:
        moved, other = np.roll(ids, -o), np.roll(texts, -o)
        columns.append(np.where(other == texts, moved, -1))
    return np.stack(columns, axis=1)
# %% wrong="negative indices" says="counts from the end"
def context_windows(ids, texts, reach):
    offsets = [*range(-reach, 0), *range(1, reach + 1)]
    rows = [
        [ids[i + o] if i + o < len(ids) and texts[i + o] == texts[i] else -1 for o in offsets] for i in range(len(ids))
    ]
    return np.array(rows, dtype=int).reshape(len(ids), 2 * reach)
# %% wrong="the end word again beyond the ends" says="clipped" of="the plain way"
#~ (places == inside) & (texts[inside] == texts[:, None]) => texts[inside] == texts[:, None]
# %% wrong="near to far on both sides" says="-R comes first"
def context_windows(ids, texts, reach):
    out = np.full((len(ids), 2 * reach), -1)
    for i in range(len(ids)):
        for n in range(1, reach + 1):
            if i - n >= 0 and texts[i - n] == texts[i]:
                out[i, n - 1] = ids[i - n]
            if i + n < len(ids) and texts[i + n] == texts[i]:
                out[i, reach + n - 1] = ids[i + n]
    return out
# %% wrong="left and right in turn" says="from left to right" of="near to far on both sides"
#~ [i, n - 1] => [i, 2 * n - 2]
#~ reach + n => 2 * n
# %% wrong="offsets turned round" says="from right to left" of="the plain way"
#~ + offsets => - offsets
# %% wrong="the right side ends early" says="one position too early" of="the plain way"
#~ reach + 1 => reach
# %% wrong="places instead of words" says="these are positions" of="the plain way"
#~ ids[inside] => inside
# %% wrong="the missing ones at the end" says="each column is one offset"
def context_windows(ids, texts, reach):
    out = np.full((len(ids), 2 * reach), -1)
    for i in range(len(ids)):
        near = [j for j in range(max(0, i - reach), min(len(ids), i + reach + 1)) if j != i and texts[j] == texts[i]]
        out[i, : len(near)] = ids[near]
    return out
# %% wrong="fractions" says="integer dtype"
def context_windows(ids, texts, reach):
    out = np.full((len(ids), 2 * reach), -1.0)
    for column, o in enumerate([*range(-reach, 0), *range(1, reach + 1)]):
        for i in range(len(ids)):
            if 0 <= i + o < len(ids) and texts[i + o] == texts[i]:
                out[i, column] = ids[i + o]
    return out
# %% wrong="a reach of 2R" says="R positions to either side" of="the plain way"
#-     offsets = np.array([o for o in range(-reach, reach + 1) if o != 0], dtype=int)
#+     half = reach // 2
#+     offsets = np.array([o for o in range(-half, half + 1) if o != 0], dtype=int)
# %% wrong="the text of the word before only" says="to the right, too"
def context_windows(ids, texts, reach):
    out = np.full((len(ids), 2 * reach), -1)
    for i in range(len(ids)):
        for column, o in enumerate([*range(-reach, 0), *range(1, reach + 1)]):
            j = i + o
            if 0 <= j < len(ids) and (o > 0 or texts[j] == texts[i]):
                out[i, column] = ids[j]
    return out
# %% wrong="texts of ever larger numbers" says="in no order" of="the text of the word before only"
#~ o > 0 or texts[j] = => texts[j] >= texts[i] if o < 0 else texts[j] <
# %% wrong="word 0 counts as missing" says="0 is a word" of="the missing ones at the end"
#~ out = np.full((len(ids), 2 * reach), -1) => out = np.zeros((len(ids), 2 * reach), dtype=int)
#-         near = [j for j in range(max(0, i - reach), min(len(ids), i + reach + 1)) if j != i and texts[j] == texts[i]]
#-         out[i, : len(near)] = ids[near]
#+         for column, o in enumerate([*range(-reach, 0), *range(1, reach + 1)]):
#+             if 0 <= i + o < len(ids) and texts[i + o] == texts[i]:
#+                 out[i, column] = ids[i + o]
#+     out[out == 0] = -1
# %% wrong="swapped" says="exchanged"
def skip_gram_pairs(ids, windows):
    centres = np.repeat(ids, windows.shape[1])
    contexts = windows.ravel()
    return np.stack([contexts, centres], axis=1)[contexts >= 0]
# %% wrong="two rows" says="shape (P, 2)" of="above 0"
#-     return np.stack([np.repeat(ids, windows.shape[1]), contexts], axis=1)[contexts > 0]
#+     fine = contexts >= 0
#+     return np.stack([np.repeat(ids, windows.shape[1])[fine], contexts[fine]])
# %% wrong="with the filler" says="-1 is no word"
def skip_gram_pairs(ids, windows):
    return np.stack([np.repeat(ids, windows.shape[1]), windows.ravel()], axis=1)
# %% wrong="above 0" says="only -1 is left out"
def skip_gram_pairs(ids, windows):
    contexts = windows.ravel()
    return np.stack([np.repeat(ids, windows.shape[1]), contexts], axis=1)[contexts > 0]
# %% wrong="tile for repeat" says="np.repeat" of="above 0"
#~ ([np.repeat(ids, windows.shape[1]), contexts], axis=1)[contexts > 0] => ([np.tile(ids, windows.shape[1]), contexts], axis=1)[contexts >= 0]
# %% wrong="offset after offset" says="position after position"
def skip_gram_pairs(ids, windows):
    found = [np.stack([ids, column], axis=1)[column >= 0] for column in windows.T]
    return np.concatenate(found)
# %% wrong="sorted" says="do not sort" of="the plain way"
#~ [(c, o) for c, line in zip(ids, windows) for o in line if o != -1] => sorted((int(c), int(o)) for c, line in zip(ids, windows) for o in line if o >= 0)
# %% wrong="the place of the centre" says="not its position" of="the plain way"
#~ (c, o) for c, line in zip(ids, windows) for o in line if o != -1 => (i, o) for i, line in enumerate(windows) for o in line if o >= 0
# %% wrong="up to the first gap" says="goes on after"
def skip_gram_pairs(ids, windows):
    found = []
    for centre, line in zip(ids, windows):
        for other in line:
            if other < 0:
                break
            found.append((centre, other))
    return np.array(found).reshape(-1, 2)
# %% wrong="not with itself" says="may meet itself" of="the plain way"
#~ != -1 => >= 0 and o != c
# %% wrong="no pairs give a flat array" says="shape (0, 2)" of="with the filler"
#~ stack([np.repeat(ids, windows.shape[1]), windows.ravel()], axis=1) => array([(c, o) for c, line in zip(ids, windows) for o in line if o >= 0])
# %% wrong="only the first pair" says="inside the loop"
def skip_gram_pairs(ids, windows):
    found = []
    for centre, line in zip(ids, windows):
        found += [(centre, o) for o in line if o >= 0]
        return np.array(found).reshape(-1, 2)
    return np.zeros((0, 2), dtype=int)
# %% right="loops"
def context_windows(ids, texts, reach):
    rows = []
    for i in range(len(ids)):
        line = []
        for j in [*range(i - reach, i), *range(i + 1, i + reach + 1)]:
            line.append(int(ids[j]) if 0 <= j < len(ids) and texts[j] == texts[i] else -1)
        rows.append(line)
    return np.array(rows, dtype=int).reshape(len(ids), 2 * reach)
def skip_gram_pairs(ids, windows):
    found = [(c, o) for c, line in zip(ids, windows) for o in line if o != -1]
    return np.array(found, dtype=int).reshape(-1, 2)
# %% right="padded and slid"
def context_windows(ids, texts, reach):
    def slid(values, fill):
        return np.lib.stride_tricks.sliding_window_view(np.pad(values, reach, constant_values=fill), 2 * reach + 1)
    if len(ids) == 0:
        return np.zeros((0, 2 * reach), dtype=np.int32)
    found = np.where(slid(texts, -1) == texts[:, None], slid(ids, -1), -1)
    return np.delete(found, reach, axis=1).astype(np.int32)
def skip_gram_pairs(ids, windows):
    place, column = np.nonzero(windows >= 0)
    return np.column_stack([ids[place], windows[place, column]])
# %% right="text by text"
def context_windows(ids, texts, reach):
    out = np.full((len(ids), 2 * reach), -1)
    for text in np.unique(texts):
        (places,) = np.nonzero(texts == text)
        for n in range(1, reach + 1):
            out[places[n:], reach - n] = ids[places[:-n]]
            out[places[:-n], reach + n - 1] = ids[places[n:]]
    return out
def skip_gram_pairs(ids, windows):
    def go():
        for centre, line in zip(ids.tolist(), windows.tolist()):
            yield from ((centre, other) for other in line if other >= 0)
    return list(go()) or np.zeros((0, 2), dtype=int)
# %% right="torch tensors"
def context_windows(ids, texts, reach):
    ids, texts = torch.as_tensor(ids), torch.as_tensor(texts)
    out = torch.full((len(ids), 2 * reach), -1, dtype=torch.long)
    for n in range(1, reach + 1):
        same = texts[n:] == texts[:-n]
        out[n:, reach - n] = torch.where(same, ids[:-n], -1)
        out[: len(ids) - n, reach + n - 1][: len(same)] = torch.where(same, ids[n:], -1)
    return out
def skip_gram_pairs(ids, windows):
    ids, windows = torch.as_tensor(ids), torch.as_tensor(windows)
    pairs = torch.stack([ids[:, None].expand_as(windows), windows], dim=-1).reshape(-1, 2)
    return pairs[pairs[:, 1] >= 0]
# %% right="column by column" of="round the ends"
#-         moved, other = np.roll(ids, -o), np.roll(texts, -o)
#-         columns.append(np.where(other == texts, moved, -1))
#+         places = np.arange(len(ids)) + o
#+         inside = np.clip(places, 0, len(ids) - 1)
#+         fine = (places == inside) & (texts[inside] == texts)
#+         columns.append(np.where(fine, ids[inside], -1))
# %% right="unseen, right 1"
def context_windows(ids, texts, reach):
    T = len(ids)
    out = np.full((T, 2 * reach), -1, dtype=np.int64)
    for c, o in enumerate([*range(-reach, 0), *range(1, reach + 1)]):
        to = np.arange(max(0, -o), max(min(T, T - o), 0))
        same = texts[to] == texts[to + o]
        out[to[same], c] = ids[to[same] + o]
    return out
def skip_gram_pairs(ids, windows):
    place, column = np.nonzero(windows != -1)
    return np.column_stack([ids[place], windows[place, column]])
# %% wrong="no shape when empty" says="no pairs give shape (0, 2)"
def skip_gram_pairs(ids, windows):
    found = []
    for i, line in zip(ids, windows):
        for j in line:
            if j != -1:
                found.append((i, j))
    return np.array(found)
# %% wrong="once each" says="a pair that occurs twice stays twice" of="no shape when empty"
#~ found. => (i, j) in found or found.
#~ (found) => (found, dtype=int).reshape(-1, 2)
# %% wrong="inner places only" says="the first and the last R positions have context, too"
def context_windows(ids, texts, reach):
    T = len(ids)
    offsets = [o for o in range(-reach, reach + 1) if o != 0]
    out = np.full((T, 2 * reach), -1, dtype=int)
    for t in range(reach, T - reach):
        for c, o in enumerate(offsets):
            if 0 <= t + o < T and texts[t + o] == texts[t]:
                out[t, c] = ids[t + o]
    return out
# %% wrong="texts sorted assumed" says="the numbers of the texts are in no order: a search for"
def context_windows(ids, texts, reach):
    T = len(ids)
    first, last = np.searchsorted(texts, texts), np.searchsorted(texts, texts, side='right')
    offsets = np.array([o for o in range(-reach, reach + 1) if o])
    places = np.arange(T)[:, None] + offsets
    fine = (places >= first[:, None]) & (places < last[:, None])
    return np.where(fine, ids[places.clip(0, T - 1)], -1)
# %% wrong="a side that is not full is left out" says="keeps the words that it has"
def context_windows(ids, texts, reach):
    places = np.arange(len(ids))[:, None] + [o for o in range(-reach, reach + 1) if o]
    inside = places.clip(0, len(ids) - 1)
    fine = (places == inside) & (texts[inside] == texts[:, None])
    sides = [fine[:, side].all(1, keepdims=True).repeat(reach, 1) for side in (slice(0, reach), slice(reach, None))]
    return np.where(np.concatenate(sides, axis=1), ids[inside], -1)
# %% wrong="slid, but not over no words" says="a text without words gives shape (0, 2R)" of="padded and slid"
#-     if len(ids) == 0:
#-         return np.zeros((0, 2 * reach), dtype=np.int32)
# %% right="slid, with a table of what is there"
def context_windows(ids, texts, reach):
    if not len(ids):
        return np.zeros((0, 2 * reach), dtype=int)
    def slid(values):
        return np.lib.stride_tricks.sliding_window_view(np.pad(values, reach), 2 * reach + 1)
    there = slid(np.ones(len(ids), dtype=bool)) & (slid(texts) == texts[:, None])
    return np.delete(np.where(there, slid(ids), -1), reach, axis=1)
# %% wrong="contexts looked up again" says="the windows hold word ids, not positions" of="loops"
#~ [(c, o) => [(c, ids[o])
# %% wrong="texts looked for as if sorted" clause="numbers are in no particular order" says="in no order"
def context_windows(ids, texts, reach):
    if not len(ids): return np.zeros((0, 2 * reach), int)
    t = np.searchsorted(np.unique(texts), texts)
    starts = np.searchsorted(texts, texts); ends = np.searchsorted(texts, texts, side="right")
    at = np.arange(len(ids))[:, None] + np.array([*range(-reach, 0), *range(1, reach + 1)])
    ok = (at >= starts[:, None]) & (at < ends[:, None])
    return np.where(ok, ids[np.clip(at, 0, len(ids) - 1)], -1)
# %% wrong="no words, no columns" clause="gives shape (0, 2 * reach)" says="a text without words"
def context_windows(ids, texts, reach):
    if not len(ids): return np.zeros(0, int)
    at = np.arange(len(ids))[:, None] + np.array([*range(-reach, 0), *range(1, reach + 1)])
    j = np.clip(at, 0, len(ids) - 1)
    return np.where((at == j) & (texts[j] == texts[:, None]), ids[j], -1)
# %% wrong="no pairs, no columns" clause="of shape (0, 2) if there are none" says="no pairs give shape"
def skip_gram_pairs(ids, windows):
    return np.array([(a, b) for a, r in zip(ids, windows) for b in r if b >= 0])
# %% wrong="far to near on the right" says="+R comes last" of="the plain way"
#~ [o for o in range(-reach, reach + 1) if o != 0] => [*range(-reach, 0), *range(reach, 0, -1)]
