# %% wrong="greedy" says="greedy longest match"
def viterbi(text, log_probs):
    out, i = [], 0
    while i < len(text):
        j = next((j for j in range(len(text), i, -1) if text[i:j] in log_probs), i + 1)
        out.append(text[i:j])
        i = j
    return out

# %% wrong="not turned round" says="turn it round"
def viterbi(text, log_probs):
    if not text:
        return []
    unknown = min(log_probs.values()) - 10
    best, begins = [0.0] + [-np.inf] * len(text), [0] * (len(text) + 1)
    for j in range(1, len(text) + 1):
        for i in range(j):
            score = best[i] + log_probs.get(text[i:j], unknown if j - i == 1 else -np.inf)
            if score > best[j]:
                best[j], begins[j] = score, i
    pieces, j = [], len(text)
    while j:
        pieces.append(text[begins[j] : j])
        j = begins[j]
    return pieces

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
