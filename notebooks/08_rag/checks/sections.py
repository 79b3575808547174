from helpers.checks import graded


@graded("sections", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "each paragraph became a chunk of its own: gather them up to `size` words": {
            1: ['one two', 'three four\n five', 'six', 'a b c d e f g h i'],
            2: ['a b', 'c', 'd e f'],
            3: ['a b', 'c d', 'e f g', 'hij', 'k'],
            4: ['a b c d e', 'f(1,2) g\n h', 'i', 'j k l m', 'n o p', 'q'],
        },
        "a chunk was closed after it had grown too long: look before you add": {
            1: ['one two\n\nthree four\n five\n\nsix', 'a b c d e f g h i'],
            2: ['a b\n\nc\n\nd e f'],
            3: ['a b\n\nc d\n\ne f g\n\nhij', 'k'],
            4: ['a b c d e', 'f(1,2) g\n h\n\ni\n\nj k l m', 'n o p\n\nq'],
            5: ['a b\nc\n\nd e'],
        },
        "the last chunk is missing: close it when the text ends": {
            1: ['one two\n\nthree four\n five', 'six'],
            2: ['a b\n\nc'],
            3: ['a b\n\nc d\n\ne f g'],
            4: ['a b c d e', 'f(1,2) g\n h\n\ni', 'j k l m'],
            5: ['a b\nc'],
        },
        "a chunk is closed only once it holds `size` words or more: look before you add": {
            1: ['one two\n\nthree four\n five', 'six\n\na b c d e f g h i'],
            2: ['a b\n\nc\n\nd e f'],
            5: ['a b\nc\n\nd e'],
        },
        "a chunk may have just `size` words": {
            1: ['one two', 'three four\n five\n\nsix', 'a b c d e f g h i'],
            3: ['a b\n\nc d', 'e f g\n\nhij\n\nk'],
            4: ['a b c d e', 'f(1,2) g\n h', 'i', 'j k l m', 'n o p', 'q'],
        },
        "paragraphs are joined by one blank line": {
            1: ['one two\nthree four\n five', 'six', 'a b c d e f g h i'],
            2: ['a b\nc', 'd e f'],
            3: ['a b\nc d\ne f g', 'hij\nk'],
            4: ['a b c d e', 'f(1,2) g\n h\ni', 'j k l m', 'n o p\nq'],
        },
        "size counts words, not characters": {
            1: ['one two', 'three four\n five', 'six', 'a b c d e f g h i'],
            3: ['a b\n\nc d', 'e f g', 'hij\n\nk'],
            4: ['a b c d e', 'f(1,2) g\n h', 'i', 'j k l m', 'n o p', 'q'],
        },
        "paragraphs are joined by one blank line, not by a blank": {
            1: ['one two three four\n five', 'six', 'a b c d e f g h i'],
            2: ['a b c', 'd e f'],
            3: ['a b c d e f g', 'hij k'],
            4: ['a b c d e', 'f(1,2) g\n h i', 'j k l m', 'n o p q'],
        },
        "inside a paragraph nothing changes: its line breaks stay": {
            1: ['one two\n\nthree four five', 'six', 'a b c d e f g h i'],
            4: ['a b c d e', 'f(1,2) g h\n\ni', 'j k l m', 'n o p\n\nq'],
            5: ['a b c', 'd e'],
        },
        "every line break parts: only blank lines do": {
            1: ['one two\n\nthree four\n\nfive', 'six', 'a b c d e f g h i'],
            4: ['a b c d e', 'f(1,2) g\n\nh\n\ni', 'j k l m', 'n o p\n\nq'],
            5: ['a b\n\nc', 'd e'],
        },
        "a paragraph that is too long by itself is lost; it becomes a chunk of its own": {
            1: ['one two\n\nthree four\n five', 'six'],
            4: ['f(1,2) g\n h\n\ni', 'j k l m', 'n o p\n\nq'],
        },
        "size counts paragraphs here; it is a number of words": {
            1: ['one two\n\nthree four\n five\n\nsix\n\na b c d e f g h i'],
            2: ['a b\n\nc\n\nd e f'],
            3: ['a b\n\nc d\n\ne f g\n\nhij\n\nk'],
            4: ['a b c d e\n\nf(1,2) g\n h\n\ni\n\nj k l m', 'n o p\n\nq'],
            5: ['a b\nc\n\nd e'],
        },
        "inside a paragraph nothing changes: the blanks before its lines stay": {
            1: ['one two\n\nthree four\nfive', 'six', 'a b c d e f g h i'],
            4: ['a b c d e', 'f(1,2) g\nh\n\ni', 'j k l m', 'n o p\n\nq'],
        },
        "a line with nothing but blanks parts paragraphs, too": {
            2: ['a b\n \t \nc', 'd e f'],
        },
        "the count of words begins again with each chunk": {
            3: ['a b\n\nc d\n\ne f g', 'hij', 'k'],
            4: ['a b c d e', 'f(1,2) g\n h', 'i', 'j k l m', 'n o p', 'q'],
        },
        "words are what str.split() gives: x(1,2) is one word": {
            4: ['a b c d e', 'f(1,2) g\n h', 'i', 'j k l m', 'n o p\n\nq'],
        },
        "the paragraph that begins a chunk counts, too": {
            4: ['a b c d e', 'f(1,2) g\n h\n\ni', 'j k l m\n\nn o p\n\nq'],
        },
        "after a paragraph that is too long by itself the next begins another chunk": {
            4: ['a b c d e\n\nf(1,2) g\n h\n\ni\n\nj k l m\n\nn o p\n\nq'],
        },
        "an empty chunk came first: there is nothing to close before the first paragraph": {
            4: ['', 'a b c d e', 'f(1,2) g\n h\n\ni', 'j k l m', 'n o p\n\nq'],
        },
        "words are what str.split() gives, not split(' '): line breaks part them, too": {
            5: ['a b\nc\n\nd e'],
        },
    })
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


score
