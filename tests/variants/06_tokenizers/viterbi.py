# %% base="the plain way"
def viterbi(text, log_probs):
    n, low = len(text), min(log_probs.values()) - 10
    best, back = [1.0] + [0.0] * n, [0] * (n + 1)
    for j in range(1, n + 1):
        for i in range(j):
            p = log_probs.get(text[i:j], low if j == i + 1 else -np.inf)
            if best[i] * np.exp(p) > best[j]:
                best[j], back[j] = best[i] * np.exp(p), i
    out, j = [], n
    while j:
        out.append(text[back[j] : j])
        j = back[j]
    return out[::-1]
# %% wrong="greedy" says="greedy longest match"
def viterbi(text, log_probs):
    out, i = [], 0
    while i < len(text):
        j = next((j for j in range(len(text), i, -1) if text[i:j] in log_probs), i + 1)
        out.append(text[i:j])
        i = j
    return out
# %% wrong="not turned round" says="turn it round" of="the fewest pieces"
#~ best, begins = [(0, 0.0)] + [(10**6, 0.0)] * len(text), [0] * (len(text) + 1) => best, begins = [0.0] + [-np.inf] * len(text), [0] * (len(text) + 1)
#-             if text[i:j] in log_probs or j - i == 1:
#-                 score = (best[i][0] + 1, best[i][1] - log_probs.get(text[i:j], unknown))
#-                 if score < best[j]:
#-                     best[j], begins[j] = score, i
#+             score = best[i] + log_probs.get(text[i:j], unknown if j - i == 1 else -np.inf)
#+             if score > best[j]:
#+                 best[j], begins[j] = score, i
#~ return pieces[::-1] => return pieces
# %% wrong="characters" says="single characters came back"
def viterbi(text, log_probs):
    return list(text)
# %% wrong="the fewest pieces" says="the fewest pieces"
def viterbi(text, log_probs):
    if not text:
        return []
    unknown = min(log_probs.values()) - 10
    best, begins = [(0, 0.0)] + [(10**6, 0.0)] * len(text), [0] * (len(text) + 1)
    for j in range(1, len(text) + 1):
        for i in range(j):
            if text[i:j] in log_probs or j - i == 1:
                score = (best[i][0] + 1, best[i][1] - log_probs.get(text[i:j], unknown))
                if score < best[j]:
                    best[j], begins[j] = score, i
    pieces, j = [], len(text)
    while j:
        pieces.append(text[begins[j] : j])
        j = begins[j]
    return pieces[::-1]
# %% right="from the end, with lists of pieces"
def viterbi(text, log_probs):
    least = min(log_probs.values()) - 10
    best = {len(text): (0.0, [])}
    for i in range(len(text) - 1, -1, -1):
        found = []
        for j in range(i + 1, len(text) + 1):
            piece = text[i:j]
            if piece in log_probs or j == i + 1:
                score, rest = best[j]
                found.append((score + log_probs.get(piece, least), [piece, *rest]))
        best[i] = max(found, key=lambda f: f[0])
    return best[0][1]
# %% right="forward, pushing"
def viterbi(text, log_probs):
    least = min(log_probs.values()) - 10
    scores, paths = {0: 0.0}, {0: ()}
    for i in range(len(text)):
        for j in range(i + 1, len(text) + 1):
            step = log_probs.get(text[i:j], least if j - i == 1 else None)
            if step is not None and scores[i] + step > scores.get(j, float("-inf")):
                scores[j], paths[j] = scores[i] + step, (*paths[i], text[i:j])
    return list(paths[len(text)])
# %% wrong="unknown costs -10" says="10 less than the smallest" clause="log-probability 10 below the smallest" of="the plain way"
#~ n, low = len(text), min(log_probs.values()) - 10 => n = len(text)
#~ [1.0] + [0.0] => [0.0] + [-np.inf]
#~ low if => -10.0 if
#~ * np.exp(p) > => + p >
#~ * np.exp(p), => + p,
# %% wrong="unknown stretches fused" says="piece of its own" of="the plain way"
#~ [1.0] + [0.0] => [0.0] + [-np.inf]
#~ j == i + 1 => all(c not in log_probs for c in text[i:j])
#~ * np.exp(p) > => + p >
#~ * np.exp(p), => + p,
# %% wrong="average log-probability, not sum" says="sum" of="the plain way"
#~ [1.0] + [0.0] => [(0.0, 0)] + [(-np.inf, 1)]
#-             if best[i] * np.exp(p) > best[j]:
#-                 best[j], back[j] = best[i] * np.exp(p), i
#+             s, k = best[i][0] + p, best[i][1] + 1
#+             if s / k > best[j][0] / best[j][1]:
#+                 best[j], back[j] = (s, k), i
# %% wrong="most probable next piece" says="the whole cut counts" of="greedy"
#-         j = next((j for j in range(len(text), i, -1) if text[i:j] in log_probs), i + 1)
#+         fits = [(log_probs[text[i:j]], j) for j in range(i + 1, len(text) + 1) if text[i:j] in log_probs]
#+         j = max(fits)[1] if fits else i + 1
# %% wrong="probabilities multiplied (underflow)" says="becomes 0" of="unknown only where nothing else ends"
#~ best, back = [0.0] + [-np.inf] * n, [0] * (n + 1) => best, back = [1.0] + [0.0] * n, [0] * (n + 1)
#-             if text[i:j] in log_probs and best[i] + log_probs[text[i:j]] > best[j]:
#-                 best[j], back[j] = best[i] + log_probs[text[i:j]], i
#-         if best[j] == -np.inf:
#-             best[j], back[j] = best[j - 1] + low, j - 1
#+             p = log_probs.get(text[i:j], low if j == i + 1 else -np.inf)
#+             if best[i] * np.exp(p) > best[j]:
#+                 best[j], back[j] = best[i] * np.exp(p), i
# %% right="forwards, pieces kept"
def viterbi(text, log_probs):
    low = min(log_probs.values()) - 10
    found = {0: (0.0, [])}
    longest = max(map(len, log_probs))
    for i in range(len(text)):
        score, pieces = found[i]
        for size in range(1, longest + 1):
            part = text[i : i + size]
            if len(part) < size:
                break
            gain = log_probs.get(part, low if size == 1 else None)
            if gain is not None and (i + size not in found or score + gain > found[i + size][0]):
                found[i + size] = score + gain, [*pieces, part]
    return found[len(text)][1]
# %% right="from the right, with a table"
def viterbi(text, log_probs):
    n, low = len(text), min(log_probs.values()) - 10
    best, end = np.full(n + 1, -np.inf), np.zeros(n + 1, dtype=int)
    best[n] = 0
    for i in reversed(range(n)):
        options = [(log_probs.get(text[i:j], low) + best[j], j) for j in range(i + 1, n + 1)
                   if j == i + 1 or text[i:j] in log_probs]
        best[i], end[i] = max(options)
    out, i = [], 0
    while i < n:
        out.append(text[i : end[i]])
        i = int(end[i])
    return out
# %% wrong="pieces of sixteen characters at most" says="a long piece" of="from the end, with lists of pieces"
#~ range(i + 1, len(text) + 1) => range(i + 1, min(len(text), i + 16) + 1)
# %% wrong="a call for each place" says="a call inside a call" clause="any text can be cut, even of 2,000 characters."
def viterbi(text, log_probs):
    low, kept = min(log_probs.values()) - 10, {0: (0.0, 0)}
    widest = max(map(len, log_probs))
    def best(j):
        if j not in kept:
            found = []
            for i in range(max(0, j - widest), j):
                if text[i:j] in log_probs or j - i == 1:
                    found.append((best(i)[0] + log_probs.get(text[i:j], low), i))
            kept[j] = max(found)
        return kept[j]
    pieces, j = [], len(text)
    while j:
        i = best(j)[1]
        pieces.append(text[i:j])
        j = i
    return pieces[::-1]
# %% wrong="unknown only where nothing else ends" says="not only where no piece fits"
def viterbi(text, log_probs):
    n, low = len(text), min(log_probs.values()) - 10
    best, back = [0.0] + [-np.inf] * n, [0] * (n + 1)
    for j in range(1, n + 1):
        for i in range(j):
            if text[i:j] in log_probs and best[i] + log_probs[text[i:j]] > best[j]:
                best[j], back[j] = best[i] + log_probs[text[i:j]], i
        if best[j] == -np.inf:
            best[j], back[j] = best[j - 1] + low, j - 1
    out, j = [], n
    while j:
        out.append(text[back[j] : j])
        j = back[j]
    return out[::-1]
# %% wrong="unknown costs 10 less than the largest" says="here it is cheaper" of="the plain way"
#~ min(log_probs.values()) - 10 => max(log_probs.values()) - 10
#~ [1.0] + [0.0] => [0.0] + [-np.inf]
#~ * np.exp(p) > => + p >
#~ * np.exp(p), => + p,
# %% wrong="pieces of the greatest length never tried" says="pieces as long as the longest were never tried"
#~ j - longest) => j - longest + 1)
# %% wrong="single characters never tried" says="a single character may be a piece, too"
#~ j - longest), j) => j - longest), j - 1)
# %% wrong="the end of the text never reached" says="no cut led to its end"
#-     for j in range(1, len(text) + 1):
#-         for i in range(max(0, j - longest), j):
#+     for i in range(len(text)):
#+         for j in range(i + 1, min(i + longest + 1, len(text))):
# %% wrong="a list with an empty piece" says="the empty text has no pieces"
#~ return [] => return [text]
# %% wrong="each piece costs 1" says="each known piece cost the same"
def viterbi(text, log_probs):
    floor, best, back = min(log_probs.values()) - 10, [0.0] + [-np.inf] * len(text), [0] * (len(text) + 1)
    for j in range(1, len(text) + 1):
        for i in range(j):
            own = -1.0 if text[i:j] in log_probs else (floor if j - i == 1 else -np.inf)
            found = best[i] + own
            if found > best[j]:
                best[j], back[j] = found, i
    out, j = [], len(text)
    while j:
        out, j = [text[back[j] : j], *out], back[j]
    return out
# %% wrong="logarithms multiplied" says="the log-probabilities were multiplied" of="each piece costs 1"
#~ own = -1.0 if text[i:j] in log_probs else (floor if j - i == 1 else -np.inf) => own = log_probs.get(text[i:j], floor if j - i == 1 else -np.inf)
#~ found = best[i] + own => found = best[i] * own if i else own
