from helpers.checks import graded


@graded("encode", points=10)
def score(check):
    refused = "a lone surrogate needs the error handler surrogatepass"
    ### BEGIN MISTAKES
    import unicodedata
    from itertools import pairwise

    import regex

    zero = "0 is a rank, too: the first merge of the list counts as the others do"
    pattern = r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

    def gpt2(text):
        return regex.findall(pattern, text)

    def bpe(key, deep=10**6):
        def split(s, ranks, ids):
            for _ in range(deep):
                pairs = [(key(ranks[p], p), i) for i, p in enumerate(pairwise(s)) if p in ranks]
                if not pairs:
                    break
                i = min(pairs)[1]
                s = [*s[:i], s[i] + s[i + 1], *s[i + 2 :]]
            return s

        return split

    def chosen(rank_of, stops=lambda ranks, p: p not in ranks):
        """The pair with the smallest rank, by another rule for ranks."""

        def split(s, ranks, ids):
            while len(s) > 1:
                best = min(pairwise(s), key=lambda p: rank_of(ranks, p))
                if stops(ranks, best):
                    break
                i, out = 0, []
                while i < len(s):
                    hit = tuple(s[i : i + 2]) == best
                    out, i = [*out, best[0] + best[1] if hit else s[i]], i + 1 + hit
                s = out
            return s

        return split

    def longest_match(s, ranks, ids):
        whole, out, i = b"".join(s), [], 0
        while i < len(whole):
            j = next(j for j in range(len(whole), i, -1) if whole[i:j] in ids)
            out, i = [*out, whole[i:j]], j
        return out

    def one_pass(s, ranks, ids):
        """Each merge of the list once, from the first to the last, but never again."""
        level = sorted({ranks[p] for p in pairwise(s) if p in ranks})
        for rank in level:
            i = 0
            while i < len(s) - 1:
                if ranks.get((s[i], s[i + 1])) == rank:
                    s = [*s[:i], s[i] + s[i + 1], *s[i + 2 :]]
                i += 1
        return s

    def made(split=bpe(lambda rank, p: rank), cut=gpt2, octets=lambda w: w.encode("utf-8", "surrogatepass"), offset=0):
        def function(text, ranks, ids):
            out = []
            for piece in cut(text):
                single = [bytes([b]) for b in octets(piece)]
                out += [ids[v] + offset for v in split(single, ranks, ids)]
            return out

        return function

    def letter_by_letter(text, ranks, ids):
        out = []
        for piece in gpt2(text):
            letters = [c.encode("utf-8", "surrogatepass") for c in piece]
            out += [ids[v] for v in bpe(lambda rank, p: rank)(letters, ranks, ids)]
        return out

    def as_tokens(text, ranks, ids):
        out = []
        for piece in gpt2(text):
            single = [bytes([b]) for b in piece.encode("utf-8", "replace")]
            out += bpe(lambda rank, p: rank)(single, ranks, ids)
        return out

    other_patterns = (r"\s?\S+|\s", r"\s?\S+|\s+", r" ?\S+|\s+", r"\S+|\s+", r"\w+|\W+")
    by_other_patterns = {
        f"the text is cut by `pre_tokenize`, not by {other!r}": made(cut=lambda s, other=other: regex.findall(other, s))
        for other in other_patterns
    }
    never = float("inf")
    by_letters = "the first symbols are single bytes, not characters: é is two of them"

    def rightmost(s, ranks, ids):
        while pairs := [(ranks[p], -i) for i, p in enumerate(pairwise(s)) if p in ranks]:
            i = -min(pairs)[1]
            s = [*s[:i], s[i] + s[i + 1], *s[i + 2 :]]
        return s

    known = {
        "of several occurrences the leftmost is joined first: here it was the rightmost": made(rightmost),
        zero: made(chosen(lambda ranks, p: ranks.get(p) or never)),
        f"{zero}: nor does it end the merging":
            made(chosen(lambda ranks, p: ranks.get(p, never), lambda ranks, p: not ranks.get(p))),
        f"{zero}: nor is it left out":
            made(chosen(lambda ranks, p: ranks.get(p) or never, lambda ranks, p: not ranks.get(p))),
        "a pair that is no merge must come last, not first: its rank is no 0 and no -1":
            made(chosen(lambda ranks, p: ranks.get(p, -1))),
        "a pair that is no merge has no rank: with 0 it comes before the merges":
            made(chosen(lambda ranks, p: ranks.get(p, 0))),
        **by_other_patterns,
        "the text was normalised: it is read as it is":
            lambda t, ranks, ids: made()(unicodedata.normalize("NFC", t), ranks, ids),
        "the text was normalised (NFKC): it is read as it is":
            lambda t, ranks, ids: made()(unicodedata.normalize("NFKC", t), ranks, ids),
        by_letters: letter_by_letter,
        "the merges were not applied": made(lambda s, ranks, ids: s),
        "the merge that was learned first goes first, here the last one did": made(bpe(lambda rank, p: -rank)),
        "the order of the merges decides: not the length of a token, not its id, not its place in the text":
            made(longest_match),
        "look again after each merge: there may be a further one": made(one_pass),
        "the ranks were ignored: merges go from left to right": made(bpe(lambda rank, p: 0)),
        "only one merge was made in each piece": made(bpe(lambda rank, p: rank, deep=1)),
        "the text was not cut into pieces first": made(cut=lambda s: [s]),
        "the pieces are those of pre_tokenize, not of str.split": made(cut=str.split),
        "the text is cut at white space only": made(cut=lambda s: regex.findall(r"\s*\S+|\s+", s)),
        "strange characters were dropped: use surrogatepass": made(octets=lambda w: w.encode("utf-8", "ignore")),
        "strange characters became question marks: use surrogatepass":
            made(octets=lambda w: w.encode("utf-8", "replace")),
        "the bytes are those of UTF-8": made(octets=lambda w: w.encode("latin-1", "replace")),
        "these are the tokens: their ids are asked": as_tokens,
        "one list for the whole text is asked, not one for each piece":
            lambda t, ranks, ids: [made(cut=lambda s: [s])(w, ranks, ids) for w in gpt2(t)],
        "ids begin at 0": made(offset=1),
        "the text was stripped": lambda t, ranks, ids: made()(t.strip(), ranks, ids),
        "the text was put in lower case": lambda t, ranks, ids: made()(t.lower(), ranks, ids),
        "the result is in the wrong order": lambda t, ranks, ids: made()(t, ranks, ids)[::-1],
        refused: made(octets=lambda w: w.encode()),
    }
    check.mistakes(known, encode)

    def right(token_ids, tokens):
        joined = b"".join([tokens[i] for i in token_ids])
        try:
            return str(joined, "utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return str(joined, "utf-8", "replace")

    def read(how, **odd):
        return lambda token_ids, tokens: b"".join(tokens[i] for i in token_ids).decode(how, **odd)

    dropped = "broken sequences become U+FFFD, they are not dropped"
    check.mistakes({
        "join all bytes first: a character may be spread over several tokens":
            lambda token_ids, tokens: "".join(tokens[i].decode("utf-8", "replace") for i in token_ids),
        dropped: read("utf-8", errors="ignore"),
        f"{dropped}; and join all bytes first":
            lambda token_ids, tokens: "".join(tokens[i].decode("utf-8", "ignore") for i in token_ids),
        "a surrogate is read with surrogatepass; U+FFFD is for what fails even so": read("utf-8", errors="replace"),
        "broken bytes are shown as U+FFFD, not as escapes": read("utf-8", errors="backslashreplace"),
        "broken bytes are shown as U+FFFD, not as surrogates": read("utf-8", errors="surrogateescape"),
        "this is Latin-1: the bytes are UTF-8": read("latin-1"),
        "this is ASCII: the bytes are UTF-8": read("ascii", errors="replace"),
        "this is UTF-16: the bytes are UTF-8": read("utf-16-le", errors="replace"),
        "broken bytes are shown as U+FFFD, not as ?":
            lambda token_ids, tokens: right(token_ids, tokens).replace("\ufffd", "?"),
        "white space at the ends belongs to the text": lambda token_ids, tokens: right(token_ids, tokens).strip(),
        "the bytes came back: a str is asked": lambda token_ids, tokens: b"".join(tokens[i] for i in token_ids),
        "tokens bring their blanks along: join them with nothing between":
            lambda token_ids, tokens: " ".join(tokens[i].decode("utf-8", "replace") for i in token_ids),
        "broken bytes raise an error: then read with the handler replace": read("utf-8", errors="surrogatepass"),
    }, decode)
    ### END MISTAKES
    tokens = [b"t", b"h", b"e", b" ", b"i", b"\xc3", b"\xa9", b"th", b"he", b"the", b" the", b"\xc3\xa9"]
    ids = {token: i for i, token in enumerate(tokens)}
    merges = [(b"t", b"h"), (b"h", b"e"), (b"th", b"e"), (b" ", b"the"), (b"\xc3", b"\xa9")]
    ranks = {pair: i for i, pair in enumerate(merges)}
    check(encode, "thé the", ranks, ids).equals([7, 11, 10])
    absent = {"looked up where it is not: a pair that is no merge has no rank, and `ids` knows bytes only": KeyError}
    parts = [b"t", b"h", b"e", b" ", b"i", b"s", b" t", b"th", b"he", b"es", b"the", b"ss"]
    order = [(b"e", b"s"), (b" ", b"t"), (b"h", b"e"), (b"t", b"he"), (b"t", b"h"), (b"s", b"s")]
    by_order = {pair: i for i, pair in enumerate(order)}
    by_part = {token: i for i, token in enumerate(parts)}
    check(encode, "the thesisss", by_order, by_part).equals([10, 6, 1, 9, 4, 11, 5], near=absent)
    check(decode, [10, 3, 5, 6, 3, 11], tokens).equals(" the é é")
    halves = [b"\xed", b"\xa0", b"\xbd"]  # of a lone surrogate
    more = ids | {half: i for i, half in enumerate(halves, 12)}
    check(encode, "e\ud83d", ranks, more).equals(
        [2, 12, 13, 14], about="half a character", edge=True, near={refused: UnicodeEncodeError})
    check(decode, [2, 12, 13, 14], [*tokens, *halves]).equals("e\ud83d", about="half a character", edge=True)
    check(decode, [1, 5, 8], tokens).equals(
        "h�he",
        near={"only broken sequences become U+FFFD, not what stands around them": "h�"},
    )
    crossing = {pair: i for i, pair in enumerate([(b"e", b" "), *merges])}
    check(encode, "he the", crossing, ids | {b"e ": 12}).equals([8, 10], about="a merge that would join two pieces")
    ### BEGIN HIDDEN TESTS
    from helpers.chapters.tokenizers import byte_level_bpe
    from helpers.course import artifacts

    check.hidden()
    merges = byte_level_bpe.merges_of(artifacts.load("docs-tokenizer", own=False).tokenizer)[: 500]
    library, vocabulary = byte_level_bpe.library_tokenizer(merges), byte_level_bpe.vocabulary(merges)
    ranks = {pair: i for i, pair in enumerate(merges)}
    ids = {token: i for i, token in enumerate(vocabulary)}

    def smallest_id(s, ranks, ids):
        while found := [(ids[a + b], i) for i, (a, b) in enumerate(pairwise(s)) if a + b in ids]:
            i = min(found)[1]
            s = [*s[:i], s[i] + s[i + 1], *s[i + 2 :]]
        return s

    by_id = "the merges decide, and their order, not its id: that says nothing of a token"
    words = ["return", " the", "tensor", "\n    ", "dtype", "'s", " is", " (", "optional", "):", "aaaa", " 2024",
             "None", "  ", "ing", " mean", "input"]
    strange = ["\ufeff", "\r\n", "🙂", "👩‍🚀", "e\u0301",
               "שָׁלוֹם", "مرحبا", "नमस्ते", "中文", "\u200f", "\x00", "ﬁ", " ", "\ufffd", "x"]
    fresh = ["".join(["None", *check.rng.choice(words, size=9)]) for _ in range(4)]
    odd = ["".join(check.rng.choice(strange, size=9)) for _ in range(3)]
    plain = [
        check(encode, text, ranks, ids).equals(
            library.encode(text).ids, about="as the library encodes", near=absent).passed for text in fresh
    ]
    if not all(plain):  # then a KeyError has another reason than characters of several bytes
        check.mistakes({words: mistake for words, mistake in known.items() if words != by_letters}, encode)
    for text in odd:
        check(encode, text, ranks, ids).equals(library.encode(text).ids, about="emoji, marks, right to left")
    long = "=" * int(check.rng.integers(20, 60)) + "-" * 9 + " " * 17 + "x"
    check(encode, long, ranks, ids).equals(library.encode(long).ids, about="long runs")
    page = "!" + "".join(check.rng.choice(words, size=300))  # the id of ! is 0
    check(encode, page, ranks, ids).equals(library.encode(page).ids, about="a long text")
    few = byte_level_bpe.library_tokenizer(merges[:60]).encode(page).ids
    check(encode, page, dict(list(ranks.items())[:60]), ids).equals(few, about="another list of merges", near={
        "only pairs in `ranks` are merges; or is something kept from an earlier call?": library.encode(page).ids})
    places = [int(i) for i in check.rng.permutation(len(vocabulary))]  # ids that say nothing of the merges' order
    other = {token: places[i] for token, i in ids.items()}
    check(encode, page, ranks, other).equals([places[i] for i in library.encode(page).ids], about="ids in any order",
                                             near={by_id: made(smallest_id)(page, ranks, other)})
    check(encode, "", ranks, ids).equals([], about="an empty text", edge=True)
    lone = "a" + chr(int(check.rng.integers(0xDC80, 0xE000))) + " b"
    check(encode, lone, ranks, ids).equals(made()(lone, ranks, ids), about="a lone surrogate", edge=True,
                                           near={refused: UnicodeEncodeError})
    for text in [fresh[0], odd[0], odd[1], long, page, "\ufeff" + odd[2] + " e\u0301 \r\n"]:
        check(decode, library.encode(text).ids, vocabulary).equals(text, about="what was encoded comes back")
    for text in [lone, "\ud800\udc00", " A" + lone + "e\u0301\n"]:
        back = [ids[bytes([b])] for b in text.encode("utf-8", "surrogatepass")]
        check(decode, back, vocabulary).equals(text, about="surrogates come back", edge=True)
    for _ in range(3):
        noise = [ids[b" "], *[int(i) for i in check.rng.integers(94, 256, size=7)], ids[b"A"], ids[b"\n"]]
        check(decode, noise, vocabulary).equals(right(noise, vocabulary), about="invalid bytes")
    cut = [ids[bytes([b])] for b in "a🙂".encode()[: 2 + int(check.rng.integers(1, 3))]]
    check(decode, cut, vocabulary).equals(library.decode(cut), about="a character cut in two")
    check(decode, [], vocabulary).equals("", about="no tokens", edge=True)
    ### END HIDDEN TESTS


score
