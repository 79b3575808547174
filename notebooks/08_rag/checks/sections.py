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
    indent = "inside a paragraph nothing changes: the blanks before its lines stay"
    lost = "a paragraph that is too long by itself is lost; it becomes a chunk of its own"

    text = "one two\n\nthree four\n five\n\nsix\n\na b c d e f g h i"
    check(sections, text, 5).equals(["one two\n\nthree four\n five", "six", "a b c d e f g h i"], near={
        one_each: ["one two", "three four\n five", "six", "a b c d e f g h i"],
        "a chunk does not begin with a blank line: that stands between paragraphs only": [
            "\n\none two\n\nthree four\n five", "six", "a b c d e f g h i"],
        "an empty chunk came first: close one only if it holds a paragraph": [
            "", "one two\n\nthree four\n five", "six", "a b c d e f g h i"],
        characters: ["one two", "three four\n five", "six", "a b c d e f g h i"],
        late: ["one two\n\nthree four\n five\n\nsix", "a b c d e f g h i"],
        last: ["one two\n\nthree four\n five", "six"],
        strict: ["one two", "three four\n five\n\nsix", "a b c d e f g h i"],
        joined: ["one two\nthree four\n five", "six", "a b c d e f g h i"],
        indent: ["one two\n\nthree four\nfive", "six", "a b c d e f g h i"],
        flat: ["one two\n\nthree four five", "six", "a b c d e f g h i"],
        lost: ["one two\n\nthree four\n five", "six"],
        "every line break parts: only blank lines do": ["one two\n\nthree four\n\nfive", "six", "a b c d e f g h i"],
        "a paragraph was cut: one that is too long stays whole": [
            "one two\n\nthree four\n five", "six", "a b c d e", "f g h i"],
    })
    check(sections, "  a b\n \t \nc\n\n\n\nd e f  \n", 4).equals(["a b\n\nc", "d e f"], near={
        "a line with nothing but blanks parts paragraphs, too": ["a b\n \t \nc", "d e f"],
        "blanks around a paragraph are taken off": ["  a b\n\nc", "d e f  \n"],
        "blanks before a paragraph are taken off, too": ["  a b\n\nc", "d e f"], one_each: ["a b", "c", "d e f"],
    })
    begins_anew = "the count of words begins again with each chunk"
    check(sections, "a b\n\nc d\n\ne f g\n\nhij\n\nk", 7).equals(["a b\n\nc d\n\ne f g", "hij\n\nk"], near={
        characters: ["a b\n\nc d", "e f g", "hij\n\nk"], one_each: ["a b", "c d", "e f g", "hij", "k"],
        strict: ["a b\n\nc d", "e f g\n\nhij\n\nk"], late: ["a b\n\nc d\n\ne f g\n\nhij", "k"],
        begins_anew: ["a b\n\nc d\n\ne f g", "hij", "k"],
    })
    regex = "words are what str.split() gives: x(1,2) is one word"
    begin_counts = "the paragraph that begins a chunk counts, too"
    lone = "after a paragraph that is too long by itself the next begins another chunk"
    empty = "an empty chunk came first: there is nothing to close before the first paragraph"
    long = "a b c d e\n\nf(1,2) g\n h\n\ni\n\nj k l m\n\nn o p\n\nq"
    check(sections, long, 4).equals(["a b c d e", "f(1,2) g\n h\n\ni", "j k l m", "n o p\n\nq"], near={
        regex: ["a b c d e", "f(1,2) g\n h", "i", "j k l m", "n o p\n\nq"],
        late: ["a b c d e", "f(1,2) g\n h\n\ni\n\nj k l m", "n o p\n\nq"],
        begin_counts: ["a b c d e", "f(1,2) g\n h\n\ni", "j k l m\n\nn o p\n\nq"],
        lone: [long],
        indent: ["a b c d e", "f(1,2) g\nh\n\ni", "j k l m", "n o p\n\nq"],
        empty: ["", "a b c d e", "f(1,2) g\n h\n\ni", "j k l m", "n o p\n\nq"],
        last: ["a b c d e", "f(1,2) g\n h\n\ni", "j k l m"],
        lost: ["f(1,2) g\n h\n\ni", "j k l m", "n o p\n\nq"],
    })


score
