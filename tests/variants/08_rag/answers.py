# %% base="the plain way"
def token_f1(given, right):
    g, r = normalise(given), normalise(right)
    if not g or not r:
        return float(g == r)
    common = sum(set(g) & set(r))
    if not common:
        return 0.0
    p, q = common / len(g), common / len(r)
    return 2 * p * q / (p + q)
def normalise(text):
    return [word.lower() for word in re.findall(r"\w+", text)]
def exact_match(given, right):
    return 1.0 * (" ".join(normalise(given)) == " ".join(normalise(right)))
# %% wrong="sets" says="as often as they stand"
def token_f1(given, right):
    a, b = set(normalise(given)), set(normalise(right))
    if not a or not b:
        return float(a == b)
    return 2 * len(a & b) / (len(a) + len(b))
# %% wrong="capitals" says="capitals" of="precision and recall"
#~ [m.group() for m in re.finditer(r"\w+", text.lower())] => WORD.findall(text)
# %% wrong="a bag in the exact match" says="order of the words counts" of="precision and recall"
#~ 1.0 if normalise(given) == normalise(right) else 0.0 => float(sorted(normalise(given)) == sorted(normalise(right)))
# %% wrong="common as a set, lengths as lists" says="in common twice" of="the plain way"
#~ sum => len
# %% wrong="underscore parts words" says="hold _" of="precision and recall"
#~ [m.group() for m in re.finditer(r"\w+", text.lower())] => re.findall(r"[^\W_]+", text.lower())
# %% wrong="each given word that is in right counts" says="smaller count" of="the plain way"
#~ set(g) & set(r) => w in r for w in g
# %% wrong="without the 2" says="2PR" of="the plain way"
#~ set(g) & set(r) => (Counter(g) & Counter(r)).values()
#~ 2 * p => p
# %% wrong="exact match by containing" says="same" of="precision and recall"
#~ 1.0 if normalise(given) == normalise(right) else 0.0 => float(" ".join(normalise(right)) in " ".join(normalise(given)))
# %% wrong="both empty gives 0" says="both" of="the plain way"
#~ float(g == r) => 0.0
#~ set(g) & set(r) => (Counter(g) & Counter(r)).values()
# %% wrong="empty divides by zero" says="empty" of="ints and bools"
#-     if not g or not r:
#-         return int(g == r)
#~ 0 => 0.0
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
# %% right="one used up after the other" of="dict loop, Dice's formula"
#~ if " ".join(normalise(given)) == " ".join(normalise(right)) else 0.0 => * (" ".join(normalise(given)) == " ".join(normalise(right)))
#~ g, r = normalise(given), normalise(right) => a, b, common = normalise(given), normalise(right), 0
#~ total, rest, common = len(g) + len(r), list(r), 0 => total = len(a) + len(b)
#~ w in g => word in a
#~ w in rest => word in b
#~ rest.remove(w) => b = b[: b.index(word)] + b[b.index(word) + 1 :]
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
# %% wrong="only letters of English" says="languages" of="precision and recall"
#~ finditer(r"\w+" => finditer(r"[a-z0-9_]+"
# %% wrong="casefold" says="casefold"
def normalise(text):
    return WORD.findall(text.casefold())
# %% wrong="a share of the longer answer" says="the longer answer"
def normalise(text):
    return WORD.findall(text.lower())
def exact_match(given, right):
    return float(normalise(given) == normalise(right))
def token_f1(given, right):
    a, b = normalise(given), normalise(right)
    if not a or not b:
        return float(a == b)
    return (Counter(a) & Counter(b)).total() / max(len(a), len(b))
# %% wrong="divided by the number of different words" says="as often as they stand"
def normalise(text):
    return WORD.findall(text.lower())
def exact_match(given, right):
    return float(normalise(given) == normalise(right))
def token_f1(given, right):
    a, b = Counter(normalise(given)), Counter(normalise(right))
    if not a or not b:
        return float(a == b)
    common = (a & b).total()
    p, r = common / len(a), common / len(b)
    return 2 * p * r / (p + r) if common else 0.0
# %% wrong="articles taken away" says="articles are kept" of="precision and recall"
#~ re.finditer(r"\w+", text.lower())] => re.finditer(r"\w+", text.lower()) if m.group() not in ("a", "an", "the")]
# %% wrong="words joined" says="here they were joined" clause="1 if the two lists of words are the same, else 0"
#~ normalise(given) == normalise(right)) => "".join(normalise(given)) == "".join(normalise(right)))
# %% wrong="0 for two without words" says="both empty: 1" clause="1 if both have no words, 0 if one has none."
#~ return float(a == b) => return 0.0
# %% wrong="1 where one has no words" says="one is empty" clause="1 if both have no words, 0 if one has none."
#~ return float(a == b) => return 1.0
# %% wrong="cut at blanks, marks taken off" says="marks at the ends taken off"
#~ WORD.findall(text.lower()) => [w for w in (part.strip(".,;:!?()`") for part in text.lower().split()) if w]
