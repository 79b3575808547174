# %% wrong="sets" says="as often as they stand"
def normalise(text):
    return WORD.findall(text.lower())

def exact_match(given, right):
    return float(normalise(given) == normalise(right))

def token_f1(given, right):
    a, b = set(normalise(given)), set(normalise(right))
    if not a or not b:
        return float(a == b)
    return 2 * len(a & b) / (len(a) + len(b))

# %% wrong="capitals" says="capitals"
def normalise(text):
    return WORD.findall(text)

def exact_match(given, right):
    return float(normalise(given) == normalise(right))

def token_f1(given, right):
    a, b = Counter(normalise(given)), Counter(normalise(right))
    if not a or not b:
        return float(a == b)
    return 2 * (a & b).total() / (a.total() + b.total())

# %% wrong="a bag in the exact match" says="order of the words counts"
def normalise(text):
    return WORD.findall(text.lower())

def exact_match(given, right):
    return float(sorted(normalise(given)) == sorted(normalise(right)))

def token_f1(given, right):
    a, b = Counter(normalise(given)), Counter(normalise(right))
    if not a or not b:
        return float(a == b)
    return 2 * (a & b).total() / (a.total() + b.total())

# %% right="precision and recall"
def normalise(text):
    return [m.group() for m in re.finditer(r"\w+", text.lower())]

def exact_match(given, right):
    return 1.0 if normalise(given) == normalise(right) else 0.0

def token_f1(given, right):
    a, b = normalise(given), normalise(right)
    if not a or not b:
        return 1.0 if a == b else 0.0
    common = sum(min(a.count(w), b.count(w)) for w in set(a))
    if not common:
        return 0.0
    p, r = common / len(a), common / len(b)
    return 2 * p * r / (p + r)

# %% right="one used up after the other"
def normalise(text):
    return WORD.findall(text.lower())

def exact_match(given, right):
    return 1.0 * (" ".join(normalise(given)) == " ".join(normalise(right)))

def token_f1(given, right):
    a, b, common = normalise(given), normalise(right), 0
    total = len(a) + len(b)
    for word in a:
        if word in b:
            b = b[: b.index(word)] + b[b.index(word) + 1 :]
            common += 1
    return 2 * common / total if total else 1.0
