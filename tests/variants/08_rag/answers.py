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

# %% wrong="common as a set, lengths as lists" says="in common twice"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = len(set(g) & set(r))
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="underscore parts words" says="hold _"
def normalise(text):
    return re.findall(r"[^\W_]+", text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="each given word that is in right counts" says="smaller count"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum(w in r for w in g)
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="larger count of each" says="smaller count"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum(max(g.count(w), r.count(w)) for w in set(g) & set(r))
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="without the 2" says="2PR"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return p * q / (p + q)

# %% wrong="exact match by containing" says="same"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(" ".join(normalise(right)) in " ".join(normalise(given)))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="both empty gives 0" says="both"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return 0.0
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

# %% wrong="empty divides by zero" says="empty"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return float(normalise(given) == normalise(right))


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)

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

# %% right="dict loop, Dice's formula"
def normalise(text):
    return [word.lower() for word in re.findall(r"\w+", text)]


def exact_match(given, right):
    return 1.0 if " ".join(normalise(given)) == " ".join(normalise(right)) else 0.0


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    total, rest, common = len(g) + len(r), list(r), 0
    for w in g:
        if w in rest:
            rest.remove(w)
            common += 1
    return 2 * common / total if total else 1.0

# %% right="ints and bools"
def normalise(text):
    return WORD.findall(text.lower())


def exact_match(given, right):
    return normalise(given) == normalise(right)


def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return int(g == r)
    common = sum((Counter(g) & Counter(r)).values())
    if not common:
        return 0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)
