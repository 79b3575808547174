from helpers.checks import graded


@graded("fertility", points=6)
def score(check):
    turned = "upside down: tokens stand above"
    distinct = "different tokens were counted, over all texts: each token counts, however often it comes"

    ### BEGIN MISTAKES
    from statistics import median

    import regex

    lone = "only the first text was looked at"
    twice_in = "a text that comes twice counts twice"
    middle = "divide the sums: this is the median of the texts"
    averaged = "divide the sums: long texts count more than short ones"
    joined = "each text is encoded by itself: here they were joined first"
    wordless = "a text without words, or an empty one, has tokens too: they count"
    pattern = r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

    def total(size, texts):
        return sum(size(t) for t in texts)

    def count(f, texts):
        return total(lambda t: len(f(t)), texts)

    def kinds(f, texts):
        """How many different tokens each text has, added up."""
        return total(lambda t: len(set(f(t))), texts)

    def kinds_in_all(f, texts):
        """How many different tokens all texts have together."""
        return len({token for t in texts for token in f(t)})

    def mean(values):
        values = list(values)
        return sum(values) / len(values)

    def words_of(t):
        return len(t.split())

    def bytes_of(t):
        return len(t.encode())

    def over(size, whole=True):
        if whole:
            return lambda f, texts: count(f, texts) / total(size, texts)
        return lambda f, texts: mean(len(f(t)) / size(t) for t in texts)

    def together(size=None, between=""):
        """All texts joined and encoded at once; size: what stands below, else the second encoder's tokens."""

        def function(f, *rest):
            text = between.join(rest[-1])
            return len(f(text)) / (len(rest[0](text)) if size is None else size(text))

        return function

    gaps = {joined: "", f"{joined}, with blanks between": " ", f"{joined}, with line breaks between": "\n"}
    per_word = {
        f"{joined}, with nothing between": together(words_of),
        f"{joined}, with blanks or line breaks between": together(words_of, " "),
        averaged: over(words_of, whole=False),
        turned: lambda f, texts: 1 / over(words_of)(f, texts),
        "these are characters: words are asked": over(len),
        "these are bytes: words are asked": over(bytes_of),
        "words stand between any white space, several blanks are one gap: split()": over(lambda t: len(t.split(" "))),
        "words stand between white space: these are the pieces of the pattern":
            over(lambda t: len(regex.findall(pattern, t))),
        "blanks were counted, not words": over(lambda t: max(t.count(" "), 1)),
        "words stand between white space, whatever signs they hold: don't and 3.5 are one each":
            over(lambda t: len(regex.findall(r"\w+", t))),
        "words stand between white space, numbers and signs among them":
            over(lambda t: len(regex.findall(r"\p{L}+", t))),
        middle: lambda f, texts: median(len(f(t)) / max(words_of(t), 1) for t in texts),
        "each word was encoded by itself: the texts are encoded whole":
            lambda f, texts: count(f, " ".join(texts).split()) / total(words_of, texts),
        "different tokens were counted: all are": lambda f, texts: kinds(f, texts) / total(words_of, texts),
        distinct: lambda f, texts: kinds_in_all(f, texts) / total(words_of, texts),
        wordless: lambda f, texts: over(words_of)(f, [t for t in texts if t.split()]),
        "different words were counted: all are": lambda f, texts: count(f, texts) / len(set(" ".join(texts).split())),
        "the number of texts stands below": lambda f, texts: count(f, texts) / len(texts),
        "the texts were joined before their words were counted: the last word of one ran into the next":
            lambda f, texts: count(f, texts) / words_of("".join(texts)),
        lone: lambda f, texts: over(words_of)(f, texts[:1]),
        "each text counts, also one that is empty or comes twice":
            lambda f, texts: over(words_of)(f, [t for t in dict.fromkeys(texts) if t]),
    }
    per_byte = {words: together(bytes_of, between) for words, between in gaps.items()} | {
        "these are characters: in UTF-8 some have two bytes or more": over(len),
        averaged: over(bytes_of, whole=False),
        turned: lambda f, texts: 1 / over(bytes_of)(f, texts),
        "these are words: bytes are asked": over(words_of),
        "this is UTF-16": over(lambda t: len(t.encode("utf-16-le"))),
        "this is UTF-16, with a mark in front": over(lambda t: len(t.encode("utf-16"))),
        "this is UTF-32": over(lambda t: len(t.encode("utf-32-le"))),
        "each character counts with all its bytes, also what is no ASCII":
            over(lambda t: len(t.encode("ascii", "ignore"))),
        "different tokens were counted: all are": lambda f, texts: kinds(f, texts) / total(bytes_of, texts),
        distinct: lambda f, texts: kinds_in_all(f, texts) / total(bytes_of, texts),
        wordless: lambda f, texts: over(bytes_of)(f, [t for t in texts if t]),
        middle: lambda f, texts: median(len(f(t)) / max(bytes_of(t), 1) for t in texts),
        "white space has bytes, too": over(lambda t: len("".join(t.split()).encode())),
        "the number of texts stands below": lambda f, texts: count(f, texts) / len(texts),
        lone: lambda f, texts: over(bytes_of)(f, texts[:1]),
        "white space at the ends belongs to a text: here it was removed":
            lambda f, texts: count(f, [t.strip() for t in texts]) / total(bytes_of, texts),
        f"{joined}, with blanks between, and stand below without them":
            lambda f, texts: len(f(" ".join(texts))) / total(bytes_of, texts),
        twice_in: lambda f, texts: over(bytes_of)(f, set(texts)),
    }
    fewer = {words: together(None, between) for words, between in gaps.items()} | {
        turned: lambda f, g, texts: count(g, texts) / count(f, texts),
        averaged: lambda f, g, texts: mean(len(f(t)) / len(g(t)) for t in texts),
        "the difference was taken: how many *times* fewer is asked":
            lambda f, g, texts: count(f, texts) - count(g, texts),
        "different tokens were counted: all are": lambda f, g, texts: kinds(f, texts) / kinds(g, texts),
        distinct: lambda f, g, texts: kinds_in_all(f, texts) / kinds_in_all(g, texts),
        wordless: lambda f, g, texts: count(f, filter(None, texts)) / count(g, filter(None, texts)),
        middle: lambda f, g, texts: median(len(f(t)) / max(len(g(t)), 1) for t in texts),
        "the share of the difference is no factor: old over new is asked":
            lambda f, g, texts: (count(f, texts) / count(g, texts) - 1) * 100,
        "this is the share that is saved: how many times fewer is asked":
            lambda f, g, texts: 1 - count(g, texts) / count(f, texts),
        "old over new, not less one": lambda f, g, texts: count(f, texts) / count(g, texts) - 1,
        "the result was rounded": lambda f, g, texts: round(count(f, texts) / count(g, texts), 1),
        lone: lambda f, g, texts: len(f(texts[0])) / len(g(texts[0])),
        twice_in: lambda f, g, texts: count(f, set(texts)) / count(g, set(texts)),
    }
    check.mistakes(per_word, tokens_per_word)
    check.mistakes(per_byte, tokens_per_byte)
    check.mistakes(fewer, times_fewer)
    ### END MISTAKES
    def pairs(text):
        return [text[i : i + 2] for i in range(0, len(text), 2)]

    def single(text):
        return list(text.replace(" ", ""))

    texts = ["zu viel", "Größe", "a b c d e f"]
    check(tokens_per_word, pairs, texts).equals(13 / 9)
    more = ["zu  viel x", "z.B.x.y 3", "aa aa aa"]
    check(tokens_per_word, pairs, more).equals(14 / 8, about="two blanks, full stops, a word twice")
    check(tokens_per_byte, pairs, texts).equals(13 / 25)
    check(times_fewer, single, pairs, texts).equals(17 / 13)
    old = {"Gujarati": 145, "Telugu": 159, "Tamil": 116, "Marathi": 96, "Hindi": 90, "Urdu": 82, "Arabic": 53}
    new = {"Gujarati": 33, "Telugu": 45, "Tamil": 35, "Marathi": 33, "Hindi": 31, "Urdu": 33, "Arabic": 26}
    printed = {"Gujarati": 4.4, "Telugu": 3.5, "Tamil": 3.3, "Marathi": 2.9, "Hindi": 2.9, "Urdu": 2.5, "Arabic": 2.0}
    for name, expected in printed.items():
        check(times_fewer, lambda text: [0] * old[text], lambda text: [0] * new[text], [name]).holds(
            lambda v, expected=expected: abs(v - expected) <= 0.05, f"{expected} for {name}, as OpenAI counted",
            about="seven languages of GPT-4o",
            near={turned: lambda v, expected=expected: abs(1 / v - expected) < 0.06, distinct: lambda v: v == 1},
        )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def threes(text):
        return [text[i : i + 3] for i in range(0, len(text), 3)]

    def costly(text):
        """Capitals cost two tokens, and each text ends with one."""
        return [c for char in text for c in char * (1 + char.isupper())] + ["end"]

    parts = ["don't ", "3.5 -- ", "\u3000", "größer ", "中文 ", "als\n", "the  ", "tensor ", "нет ", "  a ", "is is "]
    for _ in range(2):
        texts = ["x" + "".join(check.rng.choice(parts, size=int(n))) for n in check.rng.integers(1, 9, size=4)]
        check(tokens_per_word, threes, texts).equals(over(words_of)(threes, texts), about="fresh texts, words")
        check(tokens_per_byte, pairs, texts).equals(over(bytes_of)(pairs, texts), about="fresh texts, bytes")
        check(times_fewer, single, threes, texts).equals(
            count(single, texts) / count(threes, texts), about="fresh texts, two tokenizers")
    drawn = ["".join(check.rng.choice(["Das ", "ist", " EIN", " Text\n", "Ü"], size=4)) for _ in range(60)]
    several = [*drawn, "", drawn[0], drawn[1], "", *drawn[2:30]]
    check(tokens_per_word, costly, several).equals(over(words_of)(costly, several), about="many texts, words")
    check(tokens_per_byte, costly, several).equals(over(bytes_of)(costly, several), about="many texts, bytes")
    check(times_fewer, costly, threes, several).equals(
        count(costly, several) / count(threes, several), about="many texts, two tokenizers")
    for texts in (["Ein Wort", "noch ein"], ["Zu zweit", "und noch"], ["aa bb cc", "dd ee ff"]):
        check(tokens_per_word, costly, texts).equals(over(words_of)(costly, texts), about="one list after another")
        check(tokens_per_byte, costly, texts).equals(over(bytes_of)(costly, texts), about="one list after another")
    check.mistakes({}, tokens_per_word)
    check(tokens_per_word, threes, ["a", "bc", "d"]).equals(1.0, about="short texts", near={
        f"{joined}, with blanks or line breaks between": 2 / 3})
    ### END HIDDEN TESTS


score
