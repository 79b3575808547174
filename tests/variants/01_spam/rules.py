# %% base="the plain way"
def names_medicine(text, medicines):
    return medicines.isdisjoint(re.findall(r"\w+", text.lower()))
def mostly_capitals(text):
    kept = [c for c in text if c.isalnum()]
    return sum(c.isupper() for c in kept) > len(kept) / 2
def promises_money(text):
    pattern = r"\bmake\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b"
    return re.search(pattern, text, re.IGNORECASE) is not None
# %% wrong="medicine as a substring" says="whole words" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => any(m in text.lower() for m in medicines)
# %% wrong="the end of a word is enough" says="only ends in a medicine's name" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => any(w.endswith(tuple(medicines)) for w in re.findall(r"\w+", text.lower()))
# %% wrong="a word within a medicine" says="only a part of a medicine's name" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => any(w in m for w in re.findall(r"\w+", text.lower()) for m in medicines)
# %% wrong="medicine without lowering" says="case must not matter: lower" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => any(w in medicines for w in re.findall(r"\w+", text))
# %% wrong="words by split, so marks stick to them" says="marks are no part of a word" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => not medicines.isdisjoint(text.lower().split())
# %% wrong="words are runs of a to z only" says="digits" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => not medicines.isdisjoint(re.findall(r"[a-z]+", text.lower()))
# %% wrong="only ASCII letters make a word" says="ascii" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => not medicines.isdisjoint(re.findall(r"[a-z0-9_]+", text.lower()))
# %% wrong="underscore ends a word" says="underscore" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => not medicines.isdisjoint(re.findall(r"[^\W_]+", text.lower()))
# %% wrong="all medicines must be named" says="one of the medicines is enough" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => medicines <= set(re.findall(r"\w+", text.lower()))
# %% wrong="looks at the first word only" says="first word"
def names_medicine(text, medicines):
    for word in re.findall(r"\w+", text.lower()):
        return word in medicines
    return False
# %% wrong="intersects the set in place" says="changed"
def names_medicine(text, medicines):
    medicines.intersection_update(re.findall(r"\w+", text.lower()))
    return len(medicines) > 0
# %% wrong="prints instead of returning" says="is there a return" of="sets, and capitals against the rest"
#~ return bool(set(tokenize_words(text)) & set(medicines)) => print(any(w in medicines for w in re.findall(r"\w+", text.lower())))
# %% wrong="returns the words found" says="a bool was expected" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => set(re.findall(r"\w+", text.lower())) & medicines
# %% wrong="half is enough" says="half is not more than half"
def mostly_capitals(text):
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and sum(c.isupper() for c in letters) >= len(letters) / 2
# %% wrong="divides by all characters" says="share is of the letters"
def mostly_capitals(text):
    return sum(c.isupper() for c in text) > len(text) / 2
# %% wrong="no letters, division by zero" says="without letters" of="the plain way"
#~ medicines.isdisjoint(re.findall(r"\w+", text.lower())) => any(word in medicines for word in re.findall(r"\w+", text.lower()))
#~ kept = [c for c in text if c.isalnum()] => letters = [c for c in text if c.isalpha()]
#~ (c.isupper() for c in kept) > len(kept) / 2 => (c.isupper() for c in letters) / len(letters) > 0.5
# %% wrong="no letters counts as capitals" says="no letters" of="half is enough"
#~ bool(letters) and sum(c.isupper() for c in letters) >= => not letters or sum(c.isupper() for c in letters) >
# %% wrong="all letters must be capitals" says="more than half" of="divides by all characters"
#~ sum(c.isupper() for c in text) > len(text) / 2 => text.isupper()
# %% wrong="counts words in capitals" says="letters are counted, not words"
def mostly_capitals(text):
    words = re.findall(r"[^\W\d_]+", text)
    return sum(w.isupper() for w in words) > len(words) / 2
# %% wrong="counts ASCII letters only" says="isalpha"
def mostly_capitals(text):
    capitals, small = len(re.findall("[A-Z]", text)), len(re.findall("[a-z]", text))
    return capitals > small
# %% wrong="money must stand at the start" says="anywhere" of="the plain way"
#~ search => match
# %% wrong="money with case" says="case must not matter" of="the plain way"
#~ text, re.IGNORECASE => text
# %% wrong="no word edge at the end" says="weekend" of="the plain way"
#~ (day|week|month|year)\b => (day|week|month|year)
# %% wrong="plural periods" says="words are whole" of="the plain way"
#~ (day|week|month|year) => (day|week|month|year)s?
# %% wrong="no word edge at the start" says="remake" of="the plain way"
#~ \bmake => make
# %% wrong="sign of the currency is optional" says="begins with" of="the plain way"
#~ [$£€] => [$£€]?
# %% wrong="any sign before the amount" says="one of three signs" of="the plain way"
#~ [$£€] => [^\w\s]
# %% wrong="dollars only" says="$, £ or €" of="the plain way"
#~ [$£€] => \$
# %% wrong="no euros" says="$, £ or €" of="the plain way"
#~ £€ => £
# %% wrong="no commas or points in the amount" says="commas and points" of="the plain way"
#~ [\d,.]* => +
# %% wrong="exactly one space" says="any white space" of="the plain way"
#~ r"\bmake\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b" => r"\bmake [$£€]\d[\d,.]* every (day|week|month|year)\b"
# %% wrong="white space may be missing" says="white space is needed" of="the plain way"
#~ +[$£€]\d[\d,.]*\s+every\s+ => *[$£€]\d[\d,.]*\s*every\s*
# %% wrong="space allowed after the currency sign" says="immediately" of="the plain way"
#~ [$£€]\ => [$£€]\s*\
# %% wrong="anything may stand between" says="nothing but white space" of="the plain way"
#~ s+[$£€]\d[\d,.]*\s+every => b.*[$£€]\d.*\bevery
# %% wrong="the year is forgotten" says="four periods" of="the plain way"
#~ month|year => month
# %% wrong="the sign needs no digits" says="an amount has digits" of="the plain way"
#~ [$£€]\d => [$£€]
# %% wrong="alternation without brackets" says="needs brackets" of="the plain way"
#~ (day|week|month|year) => day|week|month|year
# %% wrong="returns the match object" says="a bool was expected"
def promises_money(text):
    return re.search(r"\bmake\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b", text, re.IGNORECASE)
# %% wrong="memorises the visible outputs" says="examples only" of="the plain way"
#~ medicines.isdisjoint(re.findall(r"\w+", text.lower())) => text in {"aspirin for everyone", "ASPIRIN for everyone", "aspirin, no questions"}
#-     kept = [c for c in text if c.isalnum()]
#-     return sum(c.isupper() for c in kept) > len(kept) / 2
#+     return text in {"FREE ENTRY", "FREE ENTRY now", "CALL 0800 123 456 789 !!!"}
#-     pattern = r"\bmake\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b"
#-     return re.search(pattern, text, re.IGNORECASE) is not None
#+     return text in {
#+         "make $500 every week", "Hi! make $500 every week", "MAKE $500 EVERY WEEK", "make £500 every week",
#+         "make $1,000.50 every week", "Hi! (make $500 every week)", "make $30 every day", "make $30 every month",
#+         "make $30 every year", "make €30 every week",
#+     }
# %% wrong="strips some marks at the ends only" says="marks are no part of a word" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => any(word.strip(".,!?") in medicines for word in text.lower().split())
# %% wrong="a later word undoes what an earlier one said" says="no later word undo"
def names_medicine(text, medicines):
    found = False
    for word in re.findall(r"\w+", text.lower()):
        found = word in medicines
    return found
# %% wrong="returns after the first medicine of the set" says="nor the first"
def names_medicine(text, medicines):
    words = re.findall(r"\w+", text.lower())
    for medicine in medicines:
        if medicine in words:
            return True
        return False
# %% wrong="the answer turned round" says="exchanged" of="sets, and capitals against the rest"
#~ bool(set(tokenize_words(text)) & set(medicines)) => medicines.isdisjoint(re.findall(r"\w+", text.lower()))
# %% wrong="what has no small form counts as a capital" says="no capital" of="half is enough"
#~ bool(letters) and sum(c.isupper() for c in letters) >= => sum(c == c.upper() for c in text) >
# %% wrong="any capital will do" says="one capital is not enough" of="divides by all characters"
#~ sum(c.isupper() for c in text) > len(text) / 2 => any(c.isupper() for c in text)
# %% wrong="the pattern is no raw string" says="as r" of="the plain way"
#~ r"\bmake\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b" => "\bmake\\s+[$£€]\\d[\\d,.]*\\s+every\\s+(day|week|month|year)\b"
# %% wrong="the bare dollar is the end of the text" says="the dollar as [$]" of="the plain way"
#~ [$£€] => ($|£|€)
# %% wrong="each part somewhere in the text" says="in this order"
def promises_money(text):
    words = text.lower().split()
    amount = any(re.match(r"[$£€]\d[\d,.]*$", w) for w in words)
    period = any(w.strip(".)") in ("day", "week", "month", "year") for w in words)
    return any(w.strip("(") == "make" for w in words) and amount and "every" in words and period
# %% wrong="looks at the first make only" says="look further"
def promises_money(text):
    found = re.search(r"\bmake\b", text, re.IGNORECASE)
    pattern = r"\s+[$£€]\d[\d,.]*\s+every\s+(day|week|month|year)\b"
    return found is not None and re.match(pattern, text[found.end():], re.IGNORECASE) is not None
# %% right="sets, and capitals against the rest"
def tokenize_words(text):
    return re.findall(r"\w+", text.lower())
def names_medicine(text, medicines):
    return bool(set(tokenize_words(text)) & set(medicines))
def mostly_capitals(text):
    capitals = sum(1 for c in text if c.isalpha() and c.isupper())
    others = sum(1 for c in text if c.isalpha() and not c.isupper())
    return capitals > others
# %% right="characters one by one"
def names_medicine(text, medicines):
    word = ""
    for c in text + " ":
        if c.isalnum() or c == "_":
            word += c
        else:
            if word.lower() in medicines:
                return True
            word = ""
    return False
def promises_money(text):
    for m in re.finditer(r"(?<!\w)make(?!\w)", text.lower()):
        rest = text.lower()[m.end():]
        parts = rest.split(None, 2)
        if not rest[:1].isspace() or len(parts) < 3:
            continue
        amount, every, period = parts
        ok = amount[0] in "$£€" and amount[1:2].isdigit() and all(c.isdigit() or c in ",." for c in amount[1:])
        word = re.match(r"\w*", period).group()
        if ok and every == "every" and word in ("day", "week", "month", "year"):
            return True
    return False
# %% right="NumPy and its booleans" of="the plain way"
#~ medicines.isdisjoint(re.findall(r"\w+", text.lower())) => any(word in medicines for word in re.findall(r"\w+", text.lower()))
#~ kept = [c for c in text if c.isalnum()] => letters = np.array([c.isupper() for c in text if c.isalpha()], dtype=bool)
#~ sum(c.isupper() for c in kept) > len(kept) / 2 => letters.size > 0 and letters.mean() > 0.5
# %% right="split at what is no word, recursion"
def names_medicine(text, medicines):
    words = [w for w in re.split(r"\W+", text.lower()) if w]
    return bool(words) and (words[0] in medicines or names_medicine(" ".join(words[1:]), medicines))
def mostly_capitals(text):
    try:
        return len([c for c in text if c.isupper() and c.isalpha()]) / len([c for c in text if c.isalpha()]) > 1 / 2
    except ZeroDivisionError:
        return False
# %% right="strict amounts, compiled, four patterns"
def names_medicine(text, medicines):
    return any(re.search(r"\b" + re.escape(m) + r"\b", text, re.I) for m in medicines)
def promises_money(text):
    amount = r"(?:\$|£|€)[0-9]+(?:[.,][0-9]+)*"
    periods = ["day", "week", "month", "year"]
    return any(bool(re.compile(rf"(?i)\bmake\b\s+{amount}\s+\bevery\b\s+\b{p}\b").search(text)) for p in periods)
# %% right="case folded, filters, named groups"
def names_medicine(text, medicines):
    return len({w.casefold() for w in re.split(r"[^\w]+", text)} & medicines) != 0
def mostly_capitals(text):
    letters = list(filter(str.isalpha, text))
    if len(letters) == 0:
        return False
    return len(list(filter(str.isupper, letters))) / len(letters) > 0.5
def promises_money(text):
    rule = re.compile(
        r"(?<!\w)make\s+(?P<sign>[£€$])(?P<number>[0-9][0-9.,]*)\s+every\s+(?P<period>day|week|month|year)(?!\w)"
    )
    return bool(rule.search(text.casefold()))
# %% wrong="bars inside the square brackets" says="inside [ ] a bar is a character like any other"
def promises_money(text):
    pattern = r"\bmake\s+[$|£|€]\d[\d,.]*\s+every\s+(day|week|month|year)\b"
    return re.search(pattern, text, re.IGNORECASE) is not None
# %% wrong="bars in the amount" says="a bar is a character like any other: [\\d,.]" of="bars inside the square brackets"
#~ [$|£|€]\d[\d,.]* => [$£€]\d[\d|,|.]*
# %% wrong="any sign for the point of the amount" says="matches any character" of="bars inside the square brackets"
#~ [$|£|€]\d[\d,.]* => [$£€]\d+(,\d+)*(.\d+)?
# %% wrong="any signs between the words" says="white space alone may come between" of="bars inside the square brackets"
#~ make\s+[$|£|€] => make\W+[$£€]
#~ \s+every\s+ => \W+every\W+
# %% wrong="any word for a period" says="a period is day, week, month or year" of="bars inside the square brackets"
#~ [$|£|€] => [$£€]
#~ (day|week|month|year)\b => \w+
# %% wrong="the period as letters" says="not [day|week]" of="bars inside the square brackets"
#~ [$|£|€] => [$£€]
#~ (day|week|month|year)\b => [day|week|month|year]
# %% wrong="each part somewhere" says="to find the parts somewhere in the text is not enough"
def promises_money(text):
    low = text.lower()
    periods = ("day", "week", "month", "year")
    return "make" in low and "every" in low and any(s in low for s in "$£€") and any(p in low for p in periods)
# %% wrong="each word somewhere" says="the parts stand in this order"
def promises_money(text):
    words = set(re.findall(r"\w+", text.lower()))
    amount = re.search(r"[$£€]\d", text)
    return {"make", "every"} <= words and amount is not None and bool(words & {"day", "week", "month", "year"})
# %% wrong="the underscore parts words" says="the underscore belongs to a word" clause="letters, digits or underscores"
#~ \w+", text.lower => [^\W_]+", text.lower
# %% wrong="an amount may begin with a point" says="an amount has digits" clause="immediately followed by a digit"
#~ \d[\d,.]* => [\d,.]+
# %% wrong="white space before make alone" says="a mark may touch" clause="Before and after there may be punctuation"
#~ r"\bmake => r"(?:^|\s)make
# %% wrong="no month" says="any of the four periods" clause="PERIOD: day, week, month or"
#~ |month| => |
