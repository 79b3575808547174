from helpers.checks import graded


@graded("answers", points=6)
def score(check):
    ### BEGIN MISTAKES
    cased = "capitals do not count"
    marks = "marks do not count: only the words, by WORD.findall"
    articles = "articles are kept"
    import re
    from collections import Counter

    def words(text):
        return re.findall(r"\w+", text.lower())

    def content(text):
        return [w for w in words(text) if w not in ("a", "an", "the")]

    def f1(split=words, count=Counter, join=lambda p, r: 2 * p * r / (p + r)):
        def function(given, right):
            a, b = count(split(given)), count(split(right))
            if not a or not b:
                return float(a == b)
            both = (Counter(a) & Counter(b)).total()
            return join(both / Counter(a).total(), both / Counter(b).total()) if both else 0.0

        return function

    def common_without_counts(given, right):
        """Each word of the answer is in common that the right one has, too, however often."""
        a, b = words(given), words(right)
        if not a or not b:
            return float(a == b)
        return 2 * sum(word in b for word in a) / (len(a) + len(b))

    def common_once(given, right):
        a, b = words(given), words(right)
        if not a and not b:
            return 1.0
        return 2 * len(set(a) & set(b)) / (len(a) + len(b))

    def common_on_each_side(given, right):
        """Precision and recall count each word that the other side has, too, however often."""
        a, b = words(given), words(right)
        if not a or not b:
            return float(a == b)
        precision = sum(word in b for word in a) / len(a)
        recall = sum(word in a for word in b) / len(b)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    check.mistakes({
        articles: f1(split=content),
        "words count as often as they stand there, not once": f1(count=lambda w: Counter(set(w))),
        cased: f1(split=lambda t: re.findall(r"\w+", t)),
        marks: f1(split=lambda t: t.lower().split()),
        "this is precision alone": f1(join=lambda p, r: p),
        "this is recall alone": f1(join=lambda p, r: r),
        "this is what is in common as a share of the longer answer; F1 is 2PR / (P + R)": f1(join=min),
        "this is what is in common as a share of the shorter answer; F1 is 2PR / (P + R)": f1(join=max),
        "what is in common is the smaller count of each word": common_without_counts,
        "this is the mean of precision and recall; F1 is 2PR / (P + R)": f1(join=lambda p, r: (p + r) / 2),
        "this is the share of the union; F1 is 2PR / (P + R)": f1(join=lambda p, r: p * r / (p + r - p * r)),
        "the square root of P times R: F1 is 2PR / (P + R)": f1(join=lambda p, r: (p * r) ** 0.5),
        "a word that both have twice is in common twice": common_once,
        "the factor 2 is missing: F1 is 2PR / (P + R)": f1(join=lambda p, r: p * r / (p + r)),
        "characters are compared, not words": f1(split=lambda t: list(t.lower())),
        "repeats are counted, but not as the smaller count of both": common_on_each_side,
    }, token_f1)
    check.mistakes({
        articles: content,
        "a word may hold _, too: WORD.findall": lambda t: re.findall(r"[^\W_]+", t.lower()),
        "lower case is str.lower(), which leaves a letter as it is where casefold writes others":
            lambda t: re.findall(r"\w+", t.casefold()),
        "only letters: \\w has digits and _, too": lambda t: re.findall(r"[a-z]+", t.lower()),
        "only ASCII: \\w has letters of all languages": lambda t: re.findall(r"\w+", t.lower(), re.A),
        marks: lambda t: t.lower().split(),
        "a mark within parts words, too: here the text was cut at blanks, and marks at the ends taken off":
            lambda t: [*filter(None, (part.strip(",;:.!?()[]{}\"'`-") for part in t.lower().split()))],
        cased: lambda t: re.findall(r"\w+", t),
        "each word as often as it stands there": lambda t: list(dict.fromkeys(words(t))),
    }, normalise)
    check.mistakes({
        articles: lambda a, b: float(content(a) == content(b)),
        "the order of the words counts in an exact match": lambda a, b: float(sorted(words(a)) == sorted(words(b))),
        "as they stand: capitals and marks do not count": lambda a, b: float(a == b),
        marks: lambda a, b: float(a.lower().split() == b.lower().split()),
        cased: lambda a, b: float(
                        re.findall(r"\w+", a) == re.findall(r"\w+", b)),
        "as sets: the order and repeats count": lambda a, b: float(set(words(a)) == set(words(b))),
        "it is enough that one stands in the other: both must be the same": lambda a, b: float(
                        " ".join(words(b)) in " ".join(words(a))),
    }, exact_match)
    ### END MISTAKES
    check.built_on("exact_match", "normalise")
    check.built_on("token_f1", "normalise")
    check(normalise, "The `keep_dim` is None, or 1e-5.").equals(
        ["the", "keep_dim", "is", "none", "or", "1e", "5"], near={
        "numbers are words, too": ["the", "keep_dim", "is", "none", "or", "e"],
    })
    check(exact_match, "a ValueError", "A valueerror").equals(1)
    check(exact_match, "a valueerror!", "`a valueerror`").equals(1)
    check(exact_match, "two one", "one two").equals(0)
    check(exact_match, "The value of x.", "the value").equals(0)
    check(exact_match, "key error", "keyerror").equals(
        0, about="other words", near={"words are compared one by one: here they were joined": 1.0})
    check(token_f1, "...", "").equals(1, about="both empty", near={"both empty: 1": 0.0, "0 / 0": ZeroDivisionError})
    check(token_f1, "none", "...").equals(0, about="one is empty", near={"one is empty: 0": 1.0})
    check(token_f1, "the first of the two", "The two first").equals(0.75)
    check(token_f1, "the axis or the other axis", "the axis the other dim").equals(0.727273, rtol=1e-4)
    check(token_f1, "None", "1e-5").equals(0, about="nothing in common", near={"0 / 0 where nothing is in common": (
        ZeroDivisionError)})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    vocabulary = ["Value", "value", "axis", "None", "the", "of", "1", "array", "A"]
    drawn = [(int(check.rng.integers(4, 9)), int(check.rng.integers(2, 6))) for _ in range(6)]
    for sizes in [*drawn, (200, 180), (3, 7), (4, 8)]:
        given, right = (
            " ".join(str(w) + str(check.rng.choice(["", ",", ".", "`"])) for w in check.rng.choice(vocabulary, size=n))
            for n in sizes
        )
        check(token_f1, given, right).equals(
            f1()(given, right), about="fresh answers" if sizes[0] < 64 else "long answers")
    check(token_f1, "the axis 1", "the None 1").equals(2 / 3, about="fresh answers")
    check(token_f1, "the None 1", "the axis A").equals(1 / 3, about="fresh answers")
    decomposed = "nai\u0308ve"  # two words: the sign that stands alone is none of \w
    check(token_f1, decomposed + " of", "na\u00efve of").equals(0.4, about="letters as they are written", edge=True)
    check(token_f1, "na\u00efve of", decomposed + " of").equals(0.4, about="letters as they are written", edge=True)
    for given in ("num_heads=8, NUM_LAYERS", "Naïve Größe: 2 of 2.", "x[i] is __init__ (1e-5)", "axis 0, 007 or 0.50",
                  "the_name_of_a_function_that_is_longer_than_others: A", "Max_iter is 3. " * 50):
        check(normalise, given).equals(words(given), about="names and numbers" if len(given) < 512 else "a long text")
    check(normalise, decomposed).equals(["nai", "ve"], about="letters as they are written", edge=True)
    check.mistakes({}, token_f1)
    check(token_f1, "", "").equals(1, about="both empty", edge=True, near={
        "both empty: 1": 0, "0 / 0": ZeroDivisionError})
    check(token_f1, "...", " `").equals(1, about="both empty", edge=True)
    check(token_f1, "...", "value").equals(0, about="one is empty", edge=True)
    check(token_f1, "value", "").equals(0, about="one is empty", edge=True)
    for given, right in [("The AXIS: None.", "the axis none"), ("axis of the value", "value of the axis"),
                         ("the the axis", "the axis"), ("value", "value of"), ("the value.", "value"),
                         ("value of 2", "value of 2"), ("value of 2", "value of 3"), ("a value", "value")]:
        check(exact_match, given, right).equals(float(words(given) == words(right)), about="exact match")
    for given, right in [("", ""), ("...", "")]:
        check(exact_match, given, right).equals(
            1, about="both empty", edge=True, near={"two answers without words are the same": 0})
    check(exact_match, decomposed, "na\u00efve").equals(0, about="letters as they are written", edge=True)
    check(exact_match, "na\u00efve", decomposed).equals(0, about="letters as they are written", edge=True)
    for given, right in [("key error", "keyerror"), ("a1", "a 1"), ("x y", "xy")]:
        check(exact_match, given, right).equals(0, about="words that grow together", edge=True)
    long = "value of axis " * 50
    for given, right in [(long, long + "None"), (long + "None", long), (long + "1", long + "1.")]:
        check(exact_match, given, right).equals(float(words(given) == words(right)), about="long answers")
    ### END HIDDEN TESTS


score
