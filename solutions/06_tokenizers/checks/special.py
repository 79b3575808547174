from helpers.checks import graded


@graded("special", points=7)
def score(check):
    ### BEGIN MISTAKES
    def made(choose=max, allow=lambda allowed, special: allowed, strip=False, keep=(True, True, True), both=False,
             single=False, turn=False, once=False):
        def function(text, encode_text, special, allowed):
            names = allow(set(allowed), special)
            out, plain, i, found = [], "", 0, False

            def flush(where):
                nonlocal plain
                part, plain = plain.strip() if strip else plain, ""
                if part and keep[where]:
                    parts = list(part) if single else [part]
                    out.extend(v for p in parts for v in encode_text(p))

            while i < len(text):
                hits = [n for n in names if text.startswith(n, i)]
                if hits and not (once and found):
                    name = choose(hits, key=len)
                    flush(1 if found else 0)
                    out.append(special[name])
                    plain = name if both else ""
                    i, found = i + len(name), True
                else:
                    plain, i = plain + text[i], i + 1
            flush(2)
            return out[::-1] if turn else out

        return function

    def split_at(keep=lambda name, encode_text: encode_text(name), fold=False, sought=lambda special, allowed: special):
        """Cuts at other names, too (all that are special, or in any case of letters); keep: what these give."""

        def function(text, encode_text, special, allowed):
            names, read = list(sought(special, allowed)), text
            if fold:
                names, read = [n.lower() for n in names], text.lower()
            out, start, i = [], 0, 0
            while i < len(text):
                hits = [n for n in names if read.startswith(n, i)]
                if not hits:
                    i += 1
                    continue
                name = text[i : i + len(max(hits, key=len))]
                if start < i:
                    out += encode_text(text[start:i])
                out += [special[name]] if name in allowed else keep(name, encode_text)
                i = start = i + len(name)
            if start < i:
                out += encode_text(text[start:])
            return out

        return function

    def refusing(text, encode_text, special, allowed):
        if any(name in text for name in special if name not in allowed):
            raise ValueError
        return made()(text, encode_text, special, allowed)

    def stretches(text, allowed):
        """The stretches between the allowed names, and these: (what stands in front, the name), the last with ""."""
        start = i = 0
        while i < len(text):
            name = max((n for n in allowed if text.startswith(n, i)), key=len, default="")
            if name:
                yield text[start:i], name
                start = i + len(name)
            i += max(len(name), 1)
        yield text[start:], ""

    def nested(text, encode_text, special, allowed):
        out = []
        for stretch, name in stretches(text, allowed):
            if stretch:
                out.append(encode_text(stretch))
            if name:
                out.append(special[name])
        return out

    def unnamed(text, encode_text, special, allowed):
        out = []
        for stretch, _ in stretches(text, allowed):
            if stretch:
                out += encode_text(stretch)
        return out

    check.mistakes({
        "a name that is not allowed is plain text: the stretch goes on through it": split_at(),
        "a name that is not allowed was dropped: it is plain text": split_at(keep=lambda name, encode_text: []),
        "a name that is not allowed is plain text, and no error": refusing,
        "a name in other letters, upper or lower case, is plain text: the stretch goes on through it":
            split_at(fold=True, sought=lambda special, allowed: allowed),
        "one list of ids is asked: put the stretch's ids into it one by one (extend, not append)": nested,
        "the special tokens were lost: only with a group in brackets does split keep what it splits at": unnamed,
        "a name that is not allowed is plain text": made(allow=lambda allowed, special: set(special)),
        "an allowed name becomes its id (in a pattern its signs need regex.escape)":
            made(allow=lambda allowed, special: set()),
        "allowed and forbidden are exchanged": made(allow=lambda allowed, special: set(special) - allowed),
        "of several names at one place the longest counts": made(choose=min),
        "the text behind the last special token is missing": made(keep=(True, True, False)),
        "white space around special tokens belongs to the text": made(strip=True),
        "the text in front of the first special token is missing": made(keep=(False, True, True)),
        "the text between special tokens is missing": made(keep=(True, False, True)),
        "the name is there as an id and as text, too": made(both=True),
        "each stretch is encoded as a whole, not character by character": made(single=True),
        "only the first special token was found": made(once=True),
        "special tokens alone came back: the text is missing": made(keep=(False, False, False)),
    }, encode_special)
    ### END MISTAKES
    special = {"<|end|>": 0, "<|end|>>": 901, "[SEP]": 902}

    def codes(text):
        return [ord(c) for c in text]

    no_name = {"what was found is no name: signs such as | mean something in a pattern, so escape the names": KeyError}
    first_longest = "from left to right: the longest name counts only among those that begin at one place"
    nothing = "with nothing allowed the text is encoded as it is"
    check(encode_special, "a<|end|>b[SEP]", codes, special, {"<|end|>"}).equals(
        [97, 0, 98, 91, 83, 69, 80, 93], near=no_name)
    check(encode_special, "[SEP]<|end|>>!", codes, special, {"<|end|>", "<|end|>>"}).equals(
        [*codes("[SEP]"), 901, 33], near=no_name)
    check(encode_special, "<|end|>", codes, special, set()).equals(codes("<|end|>"), near={nothing: []})

    def lengths(text):
        """An encoder that shows how the text was handed to it."""
        return [len(text)]

    no_stretch = "an empty stretch gives no ids"
    check(encode_special, "[SEP] a <|end|> b[SEP]<|end|>>", lengths, special, {"[SEP]", "<|end|>>"}).equals(
        [902, 12, 902, 901], about="whole stretches",
        near={no_stretch: [0, 902, 12, 902, 0, 901, 0]},
    )
    overlap = {"<|end|>": 1, "no[N": 2, "[NOW]": 3}
    check(encode_special, "<|END|>no[NOW]", codes, overlap, set(overlap)).equals(
        [*codes("<|END|>"), 2, 79, 87, 93], about="names that overlap, and one in capitals", near={
            first_longest: [*codes("<|END|>no"), 3]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def lengths(text):
        """An encoder that shows how the text was handed to it."""
        return [len(text), *[ord(c) for c in text]]

    pool = {"<|user|>": 5, "<|user|>!": 6, "[MASK]": 7, "(.*)": 8, "<|end|>": 0, "a+": 10, "é e": 11}
    parts = [*pool, "hello ", " a", "aaa", "| ", "user", "[", "\n", "é🙂", "<|", "|>", "<|END|>", "e\u0301 e", " "]
    for count in (0, 1, 2, 3, len(pool)):
        text = "".join(check.rng.choice(parts, size=12))
        allowed = {str(name) for name in check.rng.choice(list(pool), size=count, replace=False)}
        about, near = "some are allowed", dict(no_name)
        if count == len(pool):
            about = "all are allowed"
        if not count:
            about = "nothing is allowed"
            near["nothing is allowed: then the pattern is empty and matches everywhere"] = (
                made(single=True)(text, lengths, pool, allowed))
        check(encode_special, text, lengths, pool, allowed).equals(
            made()(text, lengths, pool, allowed), about=about, near=near)
    check(encode_special, "(.*)a+ab", lengths, pool, {"(.*)", "a+"}).equals(
        [8, 10, 2, 97, 98], about="names with signs of patterns",
        near={"names hold signs that mean something in a pattern: escape them": IndexError},
    )
    text = "<|user|><|user|>![MASK]<|end|>"
    check(encode_special, text, lengths, pool, set(pool)).equals([5, 6, 7, 0], about="side by side", near={
        no_stretch: [0, 5, 0, 6, 0, 7, 0, 0, 0]})
    for text in ("a<|end|>b", "c<|end|>d", "e<|END|>f"):
        check(encode_special, text, lengths, pool, {"<|end|>"}).equals(
            made()(text, lengths, pool, {"<|end|>"}), about="one short text after another", near={
                "a name is special as it is written, in upper or lower case": [1, ord("e"), 0, 1, ord("f")]})
    for text in ("  e\u0301 \n ", "<|end|> e\u0301\r\n <|end|>\t", "é<|end|>" * 90 + " end"):
        for allowed in (set(), {"<|end|>"}):
            check(encode_special, text, lengths, pool, allowed).equals(
                made()(text, lengths, pool, allowed), about="white space, accents, long texts")
    nothing = {"an empty stretch gives no ids, nor does an empty text": lengths("")}
    check(encode_special, "", lengths, pool, set(pool)).equals([], about="an empty text", edge=True, near=nothing)
    check(encode_special, "", lengths, pool, set()).equals([], about="an empty text", edge=True, near=nothing)
    overlap = {"ab": 1, "bcd": 2}
    check(encode_special, "xabcd", codes, overlap, {"ab", "bcd"}).equals(
        [120, 1, 99, 100], about="names that overlap", near={
            first_longest: [120, 97, 2]})
    ### END HIDDEN TESTS


score
