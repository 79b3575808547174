# %% wrong="repeats" says="each number once"
def cited(answer):
    return [int(n) for n in re.findall(r"\[(\d+)\]", answer)]

def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    used = [passages[n - 1] for n in cited(answer) if 0 < n <= len(passages)]
    return bool(words) and any(f" {' '.join(words)} " in f" {' '.join(normalise(p))} " for p in used)

# %% wrong="off by one" says="cited as [1]"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))

def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    used = [passages[n] for n in cited(answer) if n < len(passages)]
    return bool(words) and any(f" {' '.join(words)} " in f" {' '.join(normalise(p))} " for p in used)

# %% wrong="parts of words" says="whole words"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))

def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    used = [passages[n - 1] for n in cited(answer) if 0 < n <= len(passages)]
    return bool(words) and any(" ".join(words) in " ".join(normalise(p)) for p in used)

# %% wrong="anywhere" says="in a passage that is cited"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))

def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    return bool(words) and bool(cited(answer)) and any(f" {' '.join(words)} " in f" {' '.join(normalise(p))} " for p in passages)

# %% right="lists compared"
def cited(answer):
    found = []
    for n in map(int, re.findall(r"\[(\d+)\]", answer)):
        if n not in found:
            found.append(n)
    return found

def supported(answer, passages):
    said = normalise(re.sub(r"\[\d+\]", "", answer))
    if not said:
        return False
    for n in cited(answer):
        if 1 <= n <= len(passages):
            words = normalise(passages[n - 1])
            if any(words[i : i + len(said)] == said for i in range(len(words))):
                return True
    return False

# %% right="a pattern"
def cited(answer):
    return list({int(m[1]): None for m in re.finditer(r"\[(\d+)\]", answer)})

def supported(answer, passages):
    said = WORD.findall(re.sub(r"\[\d+\]", " ", answer).lower())
    pattern = re.compile(r"\b" + r"\W+".join(map(re.escape, said)) + r"\b")
    return bool(said) and any(bool(pattern.search(passages[n - 1].lower())) for n in cited(answer) if 0 < n <= len(passages))
