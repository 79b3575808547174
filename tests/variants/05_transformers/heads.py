# %% base="the plain way"
def best_span(start_logits, end_logits, allowed, max_length):
    best, high = None, -math.inf
    for s in range(len(allowed)):
        for e in range(s, min(s + max_length, len(allowed))):
            if not allowed[s]:
                break
            total = start_logits[s] + end_logits[e]
            if total > high:
                best, high = (s, e), total
    return best
def first_piece_labels(word_ids, labels):
    out, last = [], None
    for word in word_ids:
        out.append(-100 if word is None or word == last else labels[word])
        last = word
    return out
# %% wrong="start and end apart" says="start and end were chosen apart"
def best_span(start_logits, end_logits, allowed, max_length):
    start, end = (v.masked_fill(~allowed, -1e9).argmax().item() for v in (start_logits, end_logits))
    return start, end
# %% wrong="all pieces get the label" says="every piece got the label of its word" of="one table of all pairs"
#~ or (i and word_ids[i - 1] == w) else labels[w] for i, w in enumerate(word_ids) => else labels[w] for w in word_ids
# %% right="with sets and sorting, tensors returned"
def first_piece_labels(word_ids, labels):
    out, seen = [], set()
    for w in word_ids:
        out.append(-100 if w is None or w in seen else labels[w])
        seen.add(w)
    return out
def best_span(start_logits, end_logits, allowed, max_length):
    found = [
        (-(start_logits[i] + end_logits[j]).item(), i, j)
        for i in range(len(allowed)) for j in range(i, min(i + max_length, len(allowed))) if bool(allowed[i : j + 1].all())
    ]
    return tuple(torch.tensor(v) for v in min(found)[1:])
# %% wrong="special tokens get 0" says="special" of="the earliest end first: no tie tells the two orders apart"
#~ -100 if word is None or => 0 if word is None else -100 if
# %% wrong="other pieces get 0" says="-100" of="the earliest end first: no tie tells the two orders apart"
#~ or word = => else 0 if word =
# %% wrong="the last piece gets the label" says="last piece" of="the earliest end first: no tie tells the two orders apart"
#~ word_ids: => reversed(word_ids):
#~ return out => return out[::-1]
# %% wrong="labels taken in order, not by number" says="missing" of="the earliest end first: no tie tells the two orders apart"
#~ last = [], None => last, left = [], None, iter(labels)
#~ labels[word] => next(left)
# %% wrong="word 0 taken for special" says="word 0" of="the earliest end first: no tie tells the two orders apart"
#~ word is None => not word
# %% wrong="special tokens are left out" says="special" of="the earliest end first: no tie tells the two orders apart"
#-     for word in word_ids:
#+     for word in word_ids:
#+         if word is None:
#+             continue
# %% wrong="labels shifted by one" says="word before" of="the earliest end first: no tie tells the two orders apart"
#~ [word] => [word - 1]
# %% wrong="start after end allowed" says="may lie before the start" of="the earliest end first: no tie tells the two orders apart"
#~ e in => s in
#~ s in range(max(0, e - max_length + 1), e + 1) => e in range(max(0, s - max_length + 1), min(s + max_length, len(allowed)))
#~ all(allowed[s : e + 1]) => allowed[e]
# %% wrong="max_length ignored" says="longer than max_length" of="the plain way"
#~ min(s + max_length, len(allowed)) => len(allowed)
#~ allowed[s] => allowed[e]
# %% wrong="one token shorter" says="max_length" of="the plain way"
#~ s + max_length => max(s + max_length - 1, s + 1)
#~ allowed[s] => allowed[e]
# %% wrong="allowed ignored" says="`allowed` was ignored" of="the plain way"
#-             if not allowed[s]:
#-                 break
# %% wrong="only the ends must be allowed" says="every" of="the plain way"
#~ allowed[s] => (allowed[s] and allowed[e])
#~ break => continue
# %% wrong="only the start must be allowed" says="allowed" of="the earliest end first: no tie tells the two orders apart"
#~ e in => s in
#~ s in range(max(0, e - max_length + 1), e + 1) => e in range(s, min(s + max_length, len(allowed)))
#~ all(allowed[s : e + 1]) => allowed[s]
#~ continue => break
# %% wrong="ties go to the last" says="earliest" of="the plain way"
#~ allowed[s] => allowed[e]
#~ > => >=
# %% right="the earliest end first: no tie tells the two orders apart"
def first_piece_labels(word_ids, labels):
    out, last = [], None
    for word in word_ids:
        out.append(-100 if word is None or word == last else labels[word])
        last = word
    return out
def best_span(start_logits, end_logits, allowed, max_length):
    best, high = None, -math.inf
    for e in range(len(allowed)):
        for s in range(max(0, e - max_length + 1), e + 1):
            if not all(allowed[s : e + 1]):
                continue
            total = start_logits[s] + end_logits[e]
            if total > high:
                best, high = (s, e), total
    return best
# %% wrong="end exclusive" says="inclusive" of="the plain way"
#~ allowed[s] => allowed[e]
#~ (s, e) => (s, e + 1)
# %% wrong="product instead of sum" says="added, not multiplied" of="the plain way"
#~ allowed[s] => allowed[e]
#~ + end_logits => * end_logits
# %% wrong="begins from zero" says="negative" of="the plain way"
#~ -math.inf => 0.0
#~ allowed[s] => allowed[e]
# %% wrong="start fixed first" says="start was chosen first" of="the plain way"
#~ range(len(allowed)) => [int(torch.where(allowed, start_logits, -torch.inf).argmax())]
#~ allowed[s] => allowed[e]
# %% wrong="at least two tokens" says="one token" of="the plain way"
#~ (s, min(s + max_length, len(allowed))) => (min(s + 1, len(allowed)), min(s + max_length, len(allowed)))
#~ allowed[s] => allowed[e]
# %% wrong="the score, too" says="without its score" of="the plain way"
#~ allowed[s] => allowed[e]
#~ return best => return best, high
# %% wrong="the last token is left out" says="last token" of="the plain way"
#~ (len(allowed)) => (len(allowed) - 1)
#~ allowed[s] => allowed[e]
# %% wrong="softmax products over all, then the sum of probabilities" says="not their softmax" of="the plain way"
#-     best, high = None, -math.inf
#+     best, high = None, -math.inf
#+     start_logits, end_logits = start_logits.softmax(0), end_logits.softmax(0)
#~ allowed[s] => allowed[e]
# %% right="one table of all pairs"
def first_piece_labels(word_ids, labels):
    return [-100 if w is None or (i and word_ids[i - 1] == w) else labels[w] for i, w in enumerate(word_ids)]
def best_span(start_logits, end_logits, allowed, max_length):
    T = len(allowed)
    table = start_logits[:, None] + end_logits[None, :]
    place = torch.arange(T)
    length = place[None, :] - place[:, None] + 1
    banned = torch.cat([torch.zeros(1), (~allowed).float().cumsum(0)])
    holes = banned[None, 1:] - banned[:-1, None]
    table = table.masked_fill((length < 1) | (length > max_length) | (holes > 0), -torch.inf)
    return divmod(int(table.argmax()), T)
# %% wrong="length one too long" says="one token longer" of="remembers the last word over special tokens, too"
#~ max_length, => max_length + 1,
# %% wrong="begins at zero" says="minus infinity" of="remembers the last word over special tokens, too"
#~ -math.inf, None => 0, (0, 0)
# %% wrong="start and end exchanged" says="exchanged" of="remembers the last word over special tokens, too"
#~ start_logits[i] + end_logits => end_logits[i] + start_logits
# %% wrong="difference" says="not subtracted" of="remembers the last word over special tokens, too"
#~ start_logits[i] + end_logits[j] => end_logits[j] - start_logits[i]
# %% wrong="mean per token" says="divided by the length" of="remembers the last word over special tokens, too"
#~ start_logits[i] + end_logits[j] => (start_logits[i] + end_logits[j]) / (j - i + 1)
# %% wrong="maximum of the two" says="larger of the two" of="remembers the last word over special tokens, too"
#~ start_logits[i] + end_logits[j] => max(start_logits[i], end_logits[j])
# %% wrong="last token left out" says="last token, too" of="remembers the last word over special tokens, too"
#~ (start_logits) => (start_logits) - 1
# %% wrong="first token left out" says="first token, too" of="remembers the last word over special tokens, too"
#~ (T) => (1, T)
# %% wrong="start not checked" says="also the first" of="remembers the last word over special tokens, too"
#~ not => j > i and not
# %% wrong="return inside the loop" says="first start that has a span" of="remembers the last word over special tokens, too"
#-     return pair
#+         if pair:
#+             return pair
# %% wrong="pieces -1" says="-1 here" of="remembers the last word over special tokens, too"
#~ 100 => 1
#~ before if word is None else word => word
# %% wrong="shortest among equals" says="of equals the shortest" of="remembers the last word over special tokens, too"
#~ best: => best or (score == best and j - i < pair[1] - pair[0]):
# %% right="groupby and a matrix of sums"
from itertools import groupby
def first_piece_labels(word_ids, labels):
    out = []
    for word, group in groupby(word_ids):
        n = len(list(group))
        out += [-100] * n if word is None else [labels[word]] + [-100] * (n - 1)
    return out
def best_span(start_logits, end_logits, allowed, max_length):
    T = len(allowed)
    i, j = torch.arange(T)[:, None], torch.arange(T)[None]
    blocked = torch.cat([torch.zeros(1, dtype=torch.long), (~allowed).long().cumsum(0)])
    good = (i <= j) & (j - i < max_length) & (blocked[1:][None] - blocked[:-1][:, None] == 0)
    sums = (start_logits[:, None] + end_logits[None]).masked_fill(~good, -torch.inf)
    place = int(sums.argmax())
    return divmod(place, T)
# %% right="numpy, tensors returned"
def first_piece_labels(word_ids, labels):
    shifted = [None, *word_ids[:-1]]
    return [labels[w] if w is not None and w != b else -100 for w, b in zip(word_ids, shifted)]
def best_span(start_logits, end_logits, allowed, max_length):
    best, out = None, None
    for end in range(len(end_logits) - 1, -1, -1):
        start = end
        while start >= 0 and allowed[start] and end - start < max_length:
            key = (float(start_logits[start] + end_logits[end]), -start, -end)
            if best is None or key > best:
                best, out = key, (torch.tensor(start), torch.tensor(end))
            start -= 1
    return out
# %% right="remembers the last word over special tokens, too"
def first_piece_labels(word_ids, labels):
    out, before = [], None
    for word in word_ids:
        if word is None or word == before:
            out.append(-100)
        else:
            out.append(labels[word])
        before = before if word is None else word
    return out
def best_span(start_logits, end_logits, allowed, max_length):
    best, pair = -math.inf, None
    T = len(start_logits)
    for i in range(T):
        for j in range(i, min(i + max_length, T)):
            if not allowed[j]:
                break
            score = start_logits[i] + end_logits[j]
            if score > best:
                best, pair = score, (i, j)
    return pair
# %% wrong="a label for each of the first 64 tokens" says="each word in two pieces"
#~ before = [None, *word_ids] => word_ids = word_ids[:64]; before = [None, *word_ids]
# %% wrong="scores as whole numbers of thousandths" says="double precision"
#~ starts, ends, free = start_logits.tolist(), end_logits.tolist(), allowed.tolist() => starts, ends, free = start_logits.float().tolist(), end_logits.float().tolist(), allowed.tolist()
# %% wrong="a span has two tokens at least where it may" says="spans of one token"
#~ min(start + max_length, len(ends)) => min(start + max(max_length, 2), len(ends))
# %% wrong="the best begins at 0" says="negative"
#~ best, found = -math.inf, (0, 0) => best, found = 0, (0, 0)
# %% right="one running best start for each end"
def best_span(start_logits, end_logits, allowed, max_length):
    pairs = [
        (-(start_logits[i] + end_logits[j]).item(), i, j)
        for i in range(len(start_logits)) for j in range(i, min(i + max_length, len(end_logits)))
        if allowed[i : j + 1].all()
    ]
    return min(pairs)[1:]
# %% wrong="what is not allowed scores 0" says="tokens that are not allowed score 0"
def best_span(start_logits, end_logits, allowed, max_length):
    start_logits, end_logits = start_logits * allowed, end_logits * allowed
    pairs = [(i, j) for i in range(len(allowed)) for j in range(i, min(i + max_length, len(allowed)))]
    return max(pairs, key=lambda p: (start_logits[p[0]] + end_logits[p[1]]).item())
# %% wrong="one token too few, None where none is left" says="a span of exactly max_length tokens is valid" of="the plain way"
#~ min(s + max_length, => min(s + max_length - 1,
# %% right="one matrix of all pairs, running sums of what is not allowed"
def first_piece_labels(word_ids, labels):
    before = [None, *word_ids[:-1]]
    return [labels[w] if w is not None and w != b else -100 for w, b in zip(word_ids, before, strict=True)]
def best_span(start_logits, end_logits, allowed, max_length):
    i, bad = torch.arange(len(allowed)), F.pad((~allowed).long().cumsum(0), (1, 0))
    valid = (i[None] >= i[:, None]) & (i[None] - i[:, None] < max_length) & (bad[1:][None] == bad[:-1][:, None])
    sums = (start_logits[:, None] + end_logits[None]).masked_fill(~valid, -math.inf).flatten()
    place = int((sums == sums.max()).nonzero()[0])
    return place // len(allowed), place % len(allowed)
# %% wrong="None as a place" says="neither a place in `labels` nor a number"
#-     before = [None, *word_ids]
#-     return [labels[word] if word not in (None, last) else -100 for last, word in zip(before, word_ids, strict=False)]
#+     return [labels[w] if i == 0 or w != word_ids[i - 1] else -100 for i, w in enumerate(word_ids)]
# %% wrong="a token for each label" says="not for a token of each label"
#-     before = [None, *word_ids]
#-     return [labels[word] if word not in (None, last) else -100 for last, word in zip(before, word_ids, strict=False)]
#+     out = [-100] * len(word_ids)
#+     for word, label in enumerate(labels):
#+         out[word_ids.index(word)] = label
#+     return out
# %% wrong="a span behind the last token" says="the end is at most T - 1"
#~ min(start + max_length, len(ends)) => start + max_length
