from helpers.checks import graded


@graded("prompt", points=8)
def score(check):
    from helpers.course import artifacts

    tokenizer = artifacts.load_tokenizer(own=False)
    INSTRUCTION = (
        "Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, reply: "
        "I do not know."
    )

    def tokens(text):
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    def whole(question, blocks):
        return "\n\n".join([INSTRUCTION, *blocks, f"Question: {question}\nAnswer:"])

    def made(fits=lambda prompt, budget: tokens(prompt) <= budget, cut=True, go_on=False, turn=True, number=None,
             join=whole, renumber=False, shortest=1,
             part=lambda lines, n: lines[:n], at="\n", text_of=lambda text: text, split=str.split, worst=False,
             stop=lambda n, lines: n < len(lines), bare=False, between="\n"):
        def function(question, passages, budget, best_last=False):
            blocks, numbered, turned = [], list(enumerate(passages, 1)), best_last and turn and not worst
            for i, (title, text) in numbered[::-1] if worst and best_last else numbered:
                i = i if number is None else number(i)
                lines = split(text_of(text), at)
                for n in range(len(lines), shortest - 1 if cut else len(lines) - 1, -1):
                    block = f"[{i}] {title}" + ("" if bare and not n else between) + at.join(part(lines, n))
                    trial = [*blocks, block]
                    if fits(join(question, trial[::-1] if turned else trial), budget):
                        blocks.append(block)
                        break
                else:
                    n = 0
                if stop(n, lines) and not go_on:
                    break
            order = blocks[::-1] if turned else blocks
            if renumber:  # as a student would who numbers at the end
                order = [f"[{i}]" + b.partition("]")[2] for i, b in enumerate(order, 1)]
            return join(question, order), len(blocks)

        return function

    uncut = "the first passage that does not fit is cut at the end of a line, not left out"
    on = "after the passage that was cut, nothing more is taken"
    left_on = "after a passage that is left out, since not even its first line fits, nothing more is taken, either"
    title_alone = "a title alone is no passage: its first line must fit, too"
    words = "the prompt has more than `budget` tokens: count those of all of it, by count_tokens"
    late = "the question and the instruction count, too"
    not_turned = "best_last is ignored"
    renumbered = "with best_last the passages keep their numbers"
    zero = "passages are numbered from 1"
    ignored = "the budget is ignored"
    strict = "a prompt of just `budget` tokens fits"

    def without_frame(prompt, budget):
        return tokens(prompt) - tokens(whole("", [])) <= budget

    built = "if no passage fits, the prompt is built without any, even above the budget"
    known = {
        "the first lines of a passage are kept when it is cut, not the last": made(
            part=lambda lines, n: lines[len(lines) - n :]),
        "a passage is cut at the end of a line, not inside it": made(at=" "),
        "the text of a passage stays as it is, with its blank lines": made(
            text_of=lambda t: "\n".join(line for line in t.split("\n") if line.strip())),
        "the tokens of the parts were added: count those of the whole prompt": made(
            fits=lambda p, b: sum(tokens(x) for x in p.split("\n\n")) <= b),
        "the text stands on the line behind the title, without a blank line between": made(between="\n\n"),
        uncut: made(cut=False), on: made(go_on=True),
        on + ": the cut one is the last": made(stop=lambda n, lines: n == 0),
        left_on: made(stop=lambda n, lines: 0 < n < len(lines)),
        "whole passages are taken after one that did not fit": made(cut=False, go_on=True),
        words: made(fits=lambda p, b: len(p.split()) <= b), late: made(fits=without_frame),
        not_turned: made(turn=False),
        "with best_last, too, the best passages are taken first: only their order turns": made(worst=True),
        "an empty text is one empty line, and a line break at the end stays: split at \\n": made(
            split=lambda text, at: text.splitlines() if at == "\n" else text.split(at)),
        "the budget is in tokens, by count_tokens, not in characters": made(fits=lambda p, b: len(p) <= b),
        renumbered: made(renumber=True), zero: made(number=lambda i: i - 1), ignored: made(fits=lambda p, b: True),
        strict: made(fits=lambda p, b: tokens(p) < b),
        "the parts are joined by one blank line": made(
            join=lambda q, blocks: "\n".join([INSTRUCTION, *blocks, f"Question: {q}\nAnswer:"])),
        "nothing follows after Answer:": made(join=lambda q, blocks: whole(q, blocks) + " "),
        "a line break follows after Answer:, and nothing should": made(join=lambda q, blocks: whole(q, blocks) + "\n"),
        "the instruction is missing": made(join=lambda q, blocks: "\n\n".join([*blocks, f"Question: {q}\nAnswer:"])),
        title_alone: made(shortest=0), title_alone + ", or nothing of it is there": made(shortest=0, bare=True),
        "the line with the question comes after the passages": made(
            join=lambda q, blocks: "\n\n".join([INSTRUCTION, f"Question: {q}", *blocks, "Answer:"])),
        "used is the number of passages in the prompt, not of those that were given": lambda q, p, b, best_last=False: (
            made()(q, p, b, best_last)[0], len(p)),
        "used counts the cut passage, too": lambda q, p, b, best_last=False: (
            made()(q, p, b, best_last)[0], made(cut=False)(q, p, b, best_last)[1]),
    }
    passages = [("json.dumps(obj)", "Serialise to text.\n\nReturns str."),
                ("json.loads", "Parse text.\nRaises.\nReturns.")]
    question = "How do I write JSON?"
    check.mistakes(known)
    room = tokens(whole(question, [f"[{i}] {title}\n{text}" for i, (title, text) in enumerate(passages, 1)]))
    check(build_prompt, question, passages, room).equals((
        INSTRUCTION + "\n\n[1] json.dumps(obj)\nSerialise to text.\n\nReturns str.\n\n[2] json.loads\nParse text.\n"
        "Raises.\nReturns.\n\nQuestion: How do I write JSON?\nAnswer:", 2), about="all fits, exactly")
    check(build_prompt, question, passages, 500, True).equals((
        INSTRUCTION + "\n\n[2] json.loads\nParse text.\nRaises.\nReturns.\n\n[1] json.dumps(obj)\nSerialise to text.\n"
        "\nReturns str.\n\nQuestion: How do I write JSON?\nAnswer:", 2), about="best last")
    short = INSTRUCTION + (
        "\n\n[1] json.dumps(obj)\nSerialise to text.\n\nReturns str.\n\n[2] json.loads\nParse text.\n\n"
        "Question: How do I write JSON?\nAnswer:"
    )
    long = ("json.loads", "Parse text.\nRaises a JSONDecodeError, a kind of ValueError, if it is no JSON at all.")
    full = whole(question, [f"[{i}] {title}\n{text}" for i, (title, text) in enumerate([passages[0], long], 1)])
    check(build_prompt, question, [passages[0], long, ("a", "b")], tokens(full) - 1).equals(
        (short, 2), about="the second is cut: one token too long")
    first = whole(question, ["[1] json.dumps(obj)\nSerialise to text.\n\nReturns str."])
    long = ("json.loads", "Raises a JSONDecodeError, a kind of ValueError, if it is no JSON at all.")
    check(build_prompt, question, [passages[0], long, ("a", "b")], tokens(first) + 12).equals(
        (first, 1), about="no line of the second fits")
    check(build_prompt, question, passages, 5).equals((whole(question, []), 0), about="no room at all", near={
        built: ("", 0), built + " ": ValueError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    bag = "array axis float tensor default Returns raise None value index shape error of the a in path file".split()

    def drawn_line():
        size = int(check.rng.integers(3, 9))
        return " ".join(str(word) for word in check.rng.choice(bag, size=size))

    def text(lines):
        return "\n".join(drawn_line() for _ in range(lines))

    def oracle(question, passages, budget, best_last=False):
        """Take lines one by one: the prompt grows with each."""
        taken = [0] * len(passages)
        for i, (_, body) in enumerate(passages):
            lines = body.split("\n")
            sizes = [n for n in range(1, len(lines) + 1)
                     if tokens(shown(question, passages, [*taken[:i], n], best_last)) <= budget]
            taken[i] = max(sizes, default=0)
            if taken[i] < len(lines):
                break
        return shown(question, passages, taken, best_last), sum(map(bool, taken))

    def shown(question, passages, taken, best_last):
        blocks = [f"[{i + 1}] {title}\n" + "\n".join(body.split("\n")[:n])
                  for i, ((title, body), n) in enumerate(zip(passages, taken, strict=False)) if n]
        return whole(question, blocks[::-1] if best_last else blocks)

    for best_last in (False, True, False, True):
        passages = [(f"lib.f{i}(x)", text(int(check.rng.integers(2, 7)))) for i in range(4)]
        full = tokens(whole("What is the default?", [f"[9] {t}\n{b}" for t, b in passages]))
        empty = tokens(whole("What is the default?", []))
        for share in (0.3, 0.62, 0.85):
            room = empty + int(share * (full - empty))
            options = (best_last,) if best_last else ()
            check(build_prompt, "What is the default?", passages, room, *options).equals(
                oracle("What is the default?", passages, room, best_last),
                about="a fresh budget, best last" if best_last else "a fresh budget")
    blank = [("lib.f(x)", text(2) + "\n\n    " + text(1) + "\n\n\n" + text(1)), ("lib.g", text(2))]
    check(build_prompt, "Which axis?", blank, 10**4).equals(
        oracle("Which axis?", blank, 10**4), about="blank lines in a text")
    kept = "a cut keeps whole lines as they are, with the blanks in them, and empty ones at its end, too"
    for body in ("  a\n\n" + " ".join([text(1)] * 9), text(1) + "\n \n" + " ".join([text(1)] * 9)):
        two = [("lib.f(x)", text(1)), ("lib.g", body)]
        room = tokens(shown("Which axis?", two, [1, 2], False))
        near = {kept: oracle("Which axis?", [two[0], ("lib.g", body.rpartition("\n")[0].rstrip())], 10**4)}
        check(build_prompt, "Which axis?", two, room).equals(
            oracle("Which axis?", two, room), about="a cut behind an empty line", edge=True, near=near)
    for body in (text(1) + "\n" + " ".join([text(1)] * 9), " ".join([text(1)] * 9)):
        three = [("lib.f(x)", text(2)), ("lib.g", body), ("h", "a b")]
        room = tokens(shown("Which axis?", three, [2, body.count("\n"), 1], False))
        check(build_prompt, "Which axis?", three, room).equals(
            oracle("Which axis?", three, room), about="a short passage after the one that is cut")
    odd = "  nai\u0308ve\n  or  not? " + "so? " * 200
    for question in (odd, odd.upper()):
        check(build_prompt, question, blank[1:], 10**4).equals(
            oracle(question, blank[1:], 10**4), about="the question as it is", edge=True)
    odd = [("  lib.F(x) ", "  na\u0308 is  X \n\ty \n"), ("LIB", ""), ("", "z")]
    check(build_prompt, "Which axis?", odd, 10**4).equals(
        oracle("Which axis?", odd, 10**4), about="titles and texts as they are", edge=True)
    many = [(f"f{i}", bag[i % 9]) for i in range(70)]
    check(build_prompt, "Which axis?", many, 10**4).equals(
        oracle("Which axis?", many, 10**4), about="many passages")
    exact = tokens(oracle("Which axis?", passages[:2], 10**6)[0])
    check(build_prompt, "Which axis?", passages[:2], exact).equals(
        oracle("Which axis?", passages[:2], exact), about="it fits exactly")
    check(build_prompt, "Which axis?", passages, 5).equals((whole("Which axis?", []), 0), edge=True,
        about="no room at all", near={built: ("", 0), built + " ": ValueError})
    check(build_prompt, "Which axis?", [], 500).equals((whole("Which axis?", []), 0), about="no passages", edge=True)
    ### END HIDDEN TESTS


score
