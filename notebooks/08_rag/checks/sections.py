from helpers.checks import graded


@graded("sections", points=6)
def score(check):
    one_each = "each paragraph became a chunk of its own: gather them up to `size` words"
    late = "a chunk was closed after it had grown too long: look before you add"
    last = "the last chunk is missing: close it when the text ends"
    strict = "a chunk may have just `size` words"
    joined = "paragraphs are joined by one blank line"
    flat = "inside a paragraph nothing changes: its line breaks stay"
    characters = "size counts words, not characters"
    lost = "a paragraph that is too long by itself is lost; it becomes a chunk of its own"

    text = "one two\n\nthree four\nfive\n\nsix\n\na b c d e f g h i"
    check(sections, text, 5).equals(["one two\n\nthree four\nfive", "six", "a b c d e f g h i"], near={
        one_each: ["one two", "three four\nfive", "six", "a b c d e f g h i"],
        "a chunk does not begin with a blank line: that stands between paragraphs only": [
            "\n\none two\n\nthree four\nfive", "six", "a b c d e f g h i"],
        "an empty chunk came first: close one only if it holds a paragraph": [
            "", "one two\n\nthree four\nfive", "six", "a b c d e f g h i"],
        characters: ["one two", "three four\nfive", "six", "a b c d e f g h i"],
        late: ["one two\n\nthree four\nfive\n\nsix", "a b c d e f g h i"],
        last: ["one two\n\nthree four\nfive", "six"],
        strict: ["one two", "three four\nfive\n\nsix", "a b c d e f g h i"],
        joined: ["one two\nthree four\nfive", "six", "a b c d e f g h i"],
        flat: ["one two\n\nthree four five", "six", "a b c d e f g h i"],
        lost: ["one two\n\nthree four\nfive", "six"],
        "every line break parts: only blank lines do": ["one two\n\nthree four\n\nfive", "six", "a b c d e f g h i"],
        "a paragraph was cut: one that is too long stays whole": [
            "one two\n\nthree four\nfive", "six", "a b c d e", "f g h i"],
    })
    check(sections, "  a b\n \t \nc\n\n\n\nd e f  \n", 3).equals(["a b\n\nc", "d e f"], near={
        "a line with nothing but blanks parts paragraphs, too": ["a b\n \t \nc", "d e f"],
        "blanks around a paragraph are taken off": ["  a b\n\nc", "d e f  \n"],
        "blanks before a paragraph are taken off, too": ["  a b\n\nc", "d e f"], one_each: ["a b", "c", "d e f"],
        characters: ["a b", "c", "d e f"],
    })
    check(sections, "a b\n\nc d\n\ne f g\n\nh", 7).equals(["a b\n\nc d\n\ne f g", "h"], near={
        characters: ["a b\n\nc d", "e f g\n\nh"], one_each: ["a b", "c d", "e f g", "h"],
    })
    regex = "words are what str.split() gives: x(1,2) is one word"
    begins_anew = "the count of words begins again with each chunk"
    begin_counts = "the paragraph that begins a chunk counts, too"
    lone = "after a paragraph that is too long by itself the next begins another chunk"
    indent = "inside a paragraph nothing changes: the blanks before its lines stay"
    empty = "an empty chunk came first: there is nothing to close before the first paragraph"
    long = "a b c d e\n\nf(1,2) g\n  h\n\ni\n\nj k l\n\nm"
    check(sections, long, 4).equals(["a b c d e", "f(1,2) g\n  h\n\ni", "j k l\n\nm"], near={
        regex: ["a b c d e", "f(1,2) g\n  h", "i\n\nj k l", "m"],
        begins_anew: ["a b c d e", "f(1,2) g\n  h", "i", "j k l", "m"],
        begin_counts: ["a b c d e", "f(1,2) g\n  h\n\ni\n\nj k l", "m"],
        lone: ["a b c d e\n\nf(1,2) g\n  h\n\ni\n\nj k l\n\nm"],
        indent: ["a b c d e", "f(1,2) g\nh\n\ni", "j k l\n\nm"],
        empty: ["", "a b c d e", "f(1,2) g\n  h\n\ni", "j k l\n\nm"],
        last: ["a b c d e", "f(1,2) g\n  h\n\ni"], lost: ["f(1,2) g\n  h\n\ni", "j k l\n\nm"],
    })


score
