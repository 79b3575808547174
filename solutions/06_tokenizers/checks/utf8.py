from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("utf8", points=5)
def score(check):
    ### BEGIN MISTAKES
    import unicodedata
    from itertools import combinations

    brackets = "+ binds tighter than >> and &: put shift and mask in brackets, or use | for the +"
    in_all = f"{brackets}, in all bytes"
    in_first = f"{brackets}, in the first byte"
    in_later = f"{brackets}, in later bytes"

    def whole(text):
        return text.encode("utf-8", "surrogatepass")

    def made(limits=(0x80, 0x800, 0x10000), heads=(0, 0xC0, 0xE0, 0xF0), mark=0x80, bits=6, turn=False):
        def function(text):
            out = []
            for n in map(ord, text):
                length = 1 + sum(n >= limit for limit in limits)
                rest = [mark | n >> bits * i & (1 << bits) - 1 for i in range(length - 1)]
                some = [*rest, heads[length - 1] | n >> bits * (length - 1)]
                out += some if turn else some[::-1]
            return out

        return function

    def one_short(size, place):
        """All is right but one place of the characters of so many bytes, which keeps five bits of its six."""

        def function(text):
            parts = [list(whole(c)) for c in text]
            for part in parts:
                if len(part) == size:
                    part[place] &= 0xDF
            return [b for part in parts for b in part]

        return function

    def of_size(size, change):
        """All is right but the characters of so many bytes."""

        def function(text):
            parts = [list(whole(c)) for c in text]
            return [b for part in parts for b in (change(part) if len(part) == size else part)]

        return function

    heads = {2: 0xC0, 3: 0xE0, 4: 0xF0}

    def shifted(shifts):
        """All is right but how far the bits are shifted; shifts: for each size, those of its bytes."""

        def function(text):
            parts = [list(whole(c)) for c in text]
            for c, part in zip(text, parts, strict=True):
                for place, shift in enumerate(shifts.get(len(part), ())):
                    part[place] = (0x80 | ord(c) >> shift & 63) if place else heads[len(part)] | ord(c) >> shift
            return [b for part in parts for b in part]

        return function

    def unmasked(places):
        """All is right but some bytes, (how many bytes, which of them), where nothing masks what was shifted."""

        def function(text):
            parts = [list(whole(c)) for c in text]
            for c, part in zip(text, parts, strict=True):
                for place in range(1, len(part)):
                    if (len(part), place) in places:
                        part[place] = 0x80 | ord(c) >> 6 * (len(part) - 1 - place)
            return [b for part in parts for b in part]

        return function

    def plus(first, later):
        """The marks are added without brackets; where: in front of what is shifted, of the mask, or behind it."""

        def function(text):
            out = []
            for n in map(ord, text):
                size = len(whole(chr(n)))
                head, high = heads.get(size, 0), 6 * size - 6
                out.append({"first": head + n >> high, "behind": n >> high + head}.get(first, head | n >> high))
                for k in range(high - 6, -1, -6):
                    ways = {"shift": 128 + n >> k & 63, "mask": 128 + (n >> k) & 63, "behind": n >> k & 63 + 128}
                    out.append(ways.get(later, 128 | n >> k & 63))
            return out

        return function

    def off(by, words):
        """Each choice of the three limits, one too high or too low."""
        way, found = "high" if by > 0 else "low", {}
        for some in [*combinations(range(3), 1), *combinations(range(3), 2), (0, 1, 2)]:
            limits = [0x80, 0x800, 0x10000]
            for i in some:
                limits[i] += by
            found[f"a limit is one too {way}: {', '.join(words[i] for i in some)}"] = made(limits)
        return found

    def by_surrogates(text):
        units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
        return [b for unit in units for b in whole(chr(unit))]

    check.mistakes({
        "these are code points: above 127 they take two to four bytes": lambda s: [ord(c) for c in s],
        "each byte after the first begins with the bits 10: add 0x80 (with |: after a + the rest needs brackets)":
            made(mark=0),
        "the highest bits come first": made(turn=True),
        **{f"the highest bits come first, in characters of {size} bytes, too": of_size(size, lambda part: part[::-1])
            for size in (2, 3, 4)},
        **{f"each byte after the first begins with the bits 10, in characters of {size} bytes, too: add 0x80":
            of_size(size, lambda part: [part[0], *(b & 0x3F for b in part[1:])]) for size in (2, 3, 4)},
        "the first byte says by its leading ones how many bytes there are": made(heads=(0, 0, 0, 0)),
        "the last row of the table is missing: from 0x10000 on there are four bytes":
            made(limits=(0x80, 0x800), heads=(0, 0xC0, 0xE0)),
        "a code point from 0x10000 on takes four bytes, not more and not fewer":
            by_surrogates,
        "the first of two bytes begins with 110, that is 0xC0": made(heads=(0, 0x80, 0xE0, 0xF0)),
        "the first of three bytes begins with 1110, that is 0xE0": made(heads=(0, 0xC0, 0xC0, 0xF0)),
        "the first of four bytes begins with 11110, that is 0xF0": made(heads=(0, 0xC0, 0xE0, 0xE0)),
        **off(1, ("0x80 itself takes two bytes", "0x800 itself takes three bytes", "0x10000 itself takes four bytes")),
        **off(-1, ("0x7F still takes one byte", "0x7FF still takes two bytes", "0xFFFF still takes three bytes")),
        in_all: plus("first", "shift"),
        f"{in_all}, even where the shift has its own": plus("first", "mask"),
        in_first: plus("first", ""),
        in_later: plus("", "shift"),
        f"{in_all}, where the marks stand behind": plus("behind", "behind"),
        f"{in_first}, where the mark stands behind": plus("behind", ""),
        f"{in_later}, where the mark stands behind": plus("", "behind"),
        "only the lowest six bits of what was shifted belong to a byte: & 0x3F":
            unmasked([(3, 1), (4, 1), (4, 2)]),
        "& 0x1F keeps five bits: a byte after the first holds six, & 0x3F":
            lambda s: [b & 0xDF if 0x80 <= b < 0xC0 else b for b in whole(s)],
        **{f"byte {place + 1} of {size} holds six bits: & 0x3F": one_short(size, place)
            for size, place in [(3, 1), (4, 1), (4, 2)]},
        **{f"byte {place + 1} of {size} keeps too many bits: only the lowest six of what was shifted, & 0x3F": (
            unmasked([(size, place)])) for size in (2, 3, 4) for place in range(1, size)},
        "the last byte keeps too many bits: only the lowest six, & 0x3F": unmasked([(2, 1), (3, 2), (4, 3)]),
        "no byte was masked: each after the first has only the lowest six bits of what was shifted, & 0x3F":
            unmasked([(size, place) for size in (2, 3, 4) for place in range(1, size)]),
        "only the first character came back": lambda s: list(whole(s[:1])),
        "one byte holds 7 bits: from 128 on it takes two": made(limits=(0x100, 0x800, 0x10000)),
        "this is UTF-16": lambda s: list(s.encode("utf-16-le", "surrogatepass")),
        "this is UTF-16, with the higher byte first": lambda s: list(s.encode("utf-16-be", "surrogatepass")),
        "this is UTF-32": lambda s: list(s.encode("utf-32-le", "surrogatepass")),
        "each byte after the first holds six bits": made(bits=7),
        "characters that strict UTF-8 refuses were dropped": lambda s: list(s.encode("utf-8", "ignore")),
        "a question mark stands for what strict UTF-8 refuses": lambda s: list(s.encode("utf-8", "replace")),
        "the text was normalised first: e and an accent are two code points":
            lambda s: list(whole(unicodedata.normalize("NFC", s))),
        "white space at the ends belongs to the text, too": lambda s: list(whole(s.strip())),
        "each blank counts, even where several stand side by side": lambda s: list(whole(" ".join(s.split()))),
        "the bytes are wanted one after the other, not a list for each character":
            lambda s: [list(whole(c)) for c in s],
        "surrogates were put together: each is a code point of three bytes":
            lambda s: list(s.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass").encode(
                "utf-8", "surrogatepass")),
        "surrogates became U+FFFD: here each is written as the number that it is":
            lambda s: list("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in s).encode()),
        **{f"each byte after the first begins with the bits 10, that is 0x80 and not {mark:#x}": made(mark=mark)
            for mark in (0x40, 0xC0, 0x100)},
        **{f"the first of {size} bytes is shifted by {6 * size - 6} bits, not by {shift}": shifted({size: [shift]})
            for size, wrong in [(2, (5, 7, 8)), (3, (6, 10, 11, 13, 16)), (4, (12, 16, 17, 20, 21, 24))]
            for shift in wrong},
        **{f"the bits are shifted by 6, 12, 18, not by {n}, {2 * n}, {3 * n}: each later byte holds six": shifted(
            {2: [n, 0], 3: [2 * n, n, 0], 4: [3 * n, 2 * n, n, 0]}) for n in (4, 5, 7, 8)},
        **{f"the bytes in the middle are shifted by 6 and 12, not by {n} and {2 * n}": shifted(
            {3: [12, n, 0], 4: [18, 2 * n, n, 0]}) for n in (4, 5, 7, 8)},
        **{f"up to 0x7F one byte is enough, from 0x80 on two: here it changes at {limit:#x}": made(
            (limit, 0x800, 0x10000)) for limit in (0x40, 0x88)},
        **{f"up to 0x7FF two bytes are enough, from 0x800 on three: here it changes at {limit:#x}": made(
            (0x80, limit, 0x10000)) for limit in (0x100, 0x200, 0x400, 0x1000, 0x2000, 0x8000)},
        **{f"up to 0xFFFF three bytes are enough, from 0x10000 on four: here it changes at {limit:#x}": made(
            (0x80, 0x800, limit)) for limit in (0x1000, 0x8000)},
    }, utf8_bytes)
    ### END MISTAKES
    strict = "strict UTF-8 refuses surrogates: here they take three bytes"
    encoders = ["encode", "_codecs", "utf-8", "utf8"]
    by_table = "none of the ways by which Python encodes was taken"
    by_python = "Python encoded here: write it from the table, without str.encode"
    check(utf8_bytes, "é€").equals([195, 169, 226, 130, 172])
    check(utf8_bytes, " a🙂a\ud83d\ude42\n").equals(
        [32, 97, 240, 159, 153, 130, 97, 237, 160, 189, 237, 185, 130, 10], about="a face, and two surrogates", near={
            strict: UnicodeEncodeError})
    check(utf8_bytes, "e\u0301\x80\x81\u0800\u0801\U00010000🙂").equals(
        [101, 204, 129, 194, 128, 194, 129, 224, 160, 128, 224, 160, 129, 240, 144, 128, 128, 240, 159, 153, 130],
        about="an accent apart, the first of each row, and a face"
    )
    check(taken, encoders, utf8_bytes, "é").holds(**not_taken(by_table, by_python), about="without str.encode")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for low, high, about in [
        (32, 128, "ASCII"), (128, 2048, "two bytes"), (2048, 0xD800, "three bytes"), (0x10000, 0x110000, "four bytes"),
    ]:
        text = "".join(chr(n) for n in check.rng.integers(low, high, size=12))
        check(utf8_bytes, text).equals(list(whole(text)), about=about)
    edges = "".join(chr(n) for n in (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF))
    check(utf8_bytes, edges).equals(list(whole(edges)), about="the ends of each range")
    mixed = "".join(chr(check.rng.choice([65, 233, 1488, 2309, 20013, 128512])) for _ in range(20))
    check(utf8_bytes, mixed).equals(list(whole(mixed)), about="mixed scripts")
    spaces = " \t" + "".join(check.rng.choice(["a", "  ", "\r\n", "\u3000", "é"], size=12)) + "\n "
    check(utf8_bytes, spaces).equals(list(whole(spaces)), about="white space")
    long = "".join(chr(n) for n in check.rng.integers(32, 900, size=2000))
    check(utf8_bytes, long).equals(list(whole(long)), about="a long text")
    check(utf8_bytes, "\ufeffAB").equals(list(whole("\ufeffAB")), about="a byte order mark", edge=True)
    check(utf8_bytes, "e\u0301 и\u0306 שָׁ").equals(list(whole("e\u0301 и\u0306 שָׁ")), about="combining marks")
    strange = "a" + chr(int(check.rng.integers(0xD800, 0xE000))) + "b"
    check(utf8_bytes, strange).equals(
        list(whole(strange)), about="a surrogate", edge=True, near={
            strict: UnicodeEncodeError})
    check(utf8_bytes, "\ud83d\ude42").equals(list(whole("\ud83d\ude42")), about="two surrogates", edge=True)
    check(taken, encoders, utf8_bytes, mixed).holds(
        **not_taken(by_table, by_python, list(whole(mixed))), about="longer texts without str.encode")
    check(utf8_bytes, "").equals([], about="an empty text", edge=True)
    ### END HIDDEN TESTS


score
