from helpers.checks import graded


@graded("sections", points=5)
def score(check):
    ### BEGIN MISTAKES
    import re

    def made(close=lambda count, words, size: count + words > size, end=True, join="\n\n",
             length=lambda p: len(p.split()), split=r"\n\s*\n", keep=lambda p: p, reset=lambda c: 0,
             begin=lambda n: n):
        def function(text, size):
            found, gathered, count = [], [], 0
            for p in [keep(p.strip()) for p in re.split(split, text) if p.strip()]:
                n = length(p)
                if gathered and close(count, n, size):
                    found.append(join.join(gathered))
                    gathered, count, n = [], reset(count), begin(n)
                gathered.append(p)
                count += n
            return found + ([join.join(gathered)] if gathered and end else [])

        return function

    def empty_first(text, size):
        """An empty chunk before a first paragraph that is too long by itself."""
        chunks = made()(text, size)
        if chunks and len(chunks[0].split()) > size:
            return ["", *chunks]
        return chunks

    check.mistakes({
        "each paragraph became a chunk of its own: gather them up to `size` words": made(lambda c, w, s: True),
        "a chunk was closed after it had grown too long: look before you add": made(lambda c, w, s: c > s),
        "the last chunk is missing: close it when the text ends": made(end=False),
        "a chunk is closed only once it holds `size` words or more: look before you add": made(lambda c, w, s: c >= s),
        "a chunk may have just `size` words": made(lambda c, w, s: c + w >= s),
        "paragraphs are joined by one blank line": made(join="\n"),
        "size counts words, not characters": made(length=len),
        "paragraphs are joined by one blank line, not by a blank": made(join=" "),
        "inside a paragraph nothing changes: its line breaks stay": made(keep=lambda p: " ".join(p.split())),
        "every line break parts: only blank lines do": made(split=r"\n"),
        "a line with nothing but blanks parts paragraphs, too": made(split=r"\n\n+"),
        "a paragraph that is too long by itself is lost; it becomes a chunk of its own":
            lambda t, s: [c for c in made()(t, s) if len(c.split()) <= s],
        "size counts paragraphs here; it is a number of words": made(length=lambda p: 1),
        "words are what str.split() gives: x(1,2) is one word": made(length=lambda p: len(re.findall(r"\w+", p))),
        "words are what str.split() gives, not split(' '): line breaks part them, too": made(
            length=lambda p: len(p.split(" "))),
        "the count of words begins again with each chunk": made(reset=lambda c: c),
        "the paragraph that begins a chunk counts, too": made(begin=lambda n: 0),
        "after a paragraph that is too long by itself the next begins another chunk": made(
            lambda c, w, s: c <= s and c + w > s),
        "inside a paragraph nothing changes: the blanks before its lines stay": made(
            keep=lambda p: "\n".join(line.strip() for line in p.split("\n"))),
        "an empty chunk came first: there is nothing to close before the first paragraph": empty_first,
    }, sections)
    ### END MISTAKES
    text = "one two\n\nthree four\n five\n\nsix\n\na b c d e f g h i"
    check(sections, text, 5).equals(["one two\n\nthree four\n five", "six", "a b c d e f g h i"], near={
        "a chunk does not begin with a blank line: that stands between paragraphs only": [
            "\n\none two\n\nthree four\n five", "six", "a b c d e f g h i"],
        "an empty chunk came first: close one only if it holds a paragraph": [
            "", "one two\n\nthree four\n five", "six", "a b c d e f g h i"],
        "a paragraph was cut: one that is too long stays whole": [
            "one two\n\nthree four\n five", "six", "a b c d e", "f g h i"],
    })
    check(sections, "  a b\n \t \nc\n\n\n\nd e f  \n", 4).equals(["a b\n\nc", "d e f"], near={
        "blanks around a paragraph are taken off": ["  a b\n\nc", "d e f  \n"],
        "blanks before a paragraph are taken off, too": ["  a b\n\nc", "d e f"],
    })
    check(sections, "a b\n\nc d\n\ne f g\n\nhij\n\nk", 7).equals(["a b\n\nc d\n\ne f g", "hij\n\nk"])
    long = "a b c d e\n\nf(1,2) g\n h\n\ni\n\nj k l m\n\nn o p\n\nq"
    check(sections, long, 4).equals(["a b c d e", "f(1,2) g\n h\n\ni", "j k l m", "n o p\n\nq"])
    check(sections, "a b\nc\n\nd e", 4).equals(["a b\nc", "d e"], about="a line break parts words")
    check(sections, " \n\n \n", 5).equals([], about="a text of blanks")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for size in (6, 8, 12, 15, 100):
        paragraphs = []
        for _ in range(9):
            words = [f"{'wW'[int(i) % 2]}{int(i)}" + str(check.rng.choice(["", "", ",", "(1,2)", "-a"]))
                     for i in check.rng.integers(0, 90, size=int(check.rng.integers(1, size + 4)))]
            cut = int(check.rng.integers(0, len(words)))
            paragraphs.append("\n    ".join(filter(None, [" ".join(words[:cut]), " ".join(words[cut:])])))
        text = "".join(p + str(check.rng.choice(["\n\n", "\n  \n", "\n\n\n"])) for p in paragraphs)
        right, sizes = [], []
        for p in paragraphs:
            n = len(p.split())
            if right and sizes[-1] + n <= size:
                right[-1], sizes[-1] = right[-1] + "\n\n" + p, sizes[-1] + n
            else:
                right.append(p)
                sizes.append(n)
        check(sections, text, size).equals(right, about="fresh paragraphs" if size < 64 else "large chunks")

    def bare(text, size, strip=str):
        """The chunks of paragraphs that are not stripped, or stripped in another way."""
        found, count = [], 0
        for p in [strip(p) for p in re.split(r"\n\s*\n", text) if p.strip()]:
            count += len(p.split())
            if found and count <= size:
                found[-1] += "\n\n" + p
            else:
                found, count = [*found, p], len(p.split())
        return found

    around = "blanks around a paragraph are taken off"
    each = around + ": of every one, not of the whole chunk"
    check.mistakes({
        each: lambda t, s: [c.strip() for c in bare(t, s)],
        around + ": of every one, not of the whole text": lambda t, s: bare(t.strip(), s),
        around + ", line breaks and others": lambda t, s: bare(t.strip("\n"), s),
        "blanks before a paragraph are taken off, too": lambda t, s: bare(t, s, str.rstrip),
        "blanks after a paragraph are taken off, too": lambda t, s: bare(t, s, str.lstrip),
    }, sections)
    check(sections, "  a b  \n\n   c d\n  e\n\n\tf g h \n\n i  ", 5).equals(
        ["a b\n\nc d\n  e", "f g h\n\ni"], about="paragraphs with blanks around them", edge=True)
    check.mistakes({}, sections)
    odd = "The  A.\n\nna\u0308ive  x\u00a0y: \n\tz-z  \n  \tz"
    check(sections, odd, 9).equals([odd], about="letters and blanks as they are", edge=True)
    check(sections, "a b\n\nc\n\na b\n\na b\n\nc", 5).equals(
        ["a b\n\nc\n\na b", "a b\n\nc"], about="equal paragraphs", edge=True)
    check(sections, "a\n\nb\n\nc", 1).equals(["a", "b", "c"], about="chunks of one word", edge=True)
    check(sections, "", 5).equals([], about="an empty text", edge=True)
    check(sections, " \n\n \n", 5).equals([], about="a text of blanks", edge=True)
    check(sections, "a b c", 1).equals(["a b c"], about="one long paragraph", edge=True)
    ### END HIDDEN TESTS


score
