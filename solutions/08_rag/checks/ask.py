from helpers.checks import graded


@graded("ask", points=6)
def score(check):
    from helpers.course import artifacts

    tokenizer = artifacts.load_tokenizer(own=False)
    unknown = "I do not know."
    instruction = ("Answer from the passages only, in their words, and cite the passage as [1]. If they do not say it, "
                   "reply: I do not know.")

    def prompt(*blocks):
        return "\n\n".join([instruction, *blocks, "Question: Which one?\nAnswer:"])

    ### BEGIN MISTAKES
    import re

    from helpers.chapters.rag import own_pipeline

    def count(text):
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    def packed(question, passages, budget, best_last=False):
        """The prompt of exercise `prompt`, and how many passages are in it."""
        def joined(blocks):
            order = blocks[::-1] if best_last else blocks
            return "\n\n".join([instruction, *order, f"Question: {question}\nAnswer:"])

        blocks = []
        for i, (title, text) in enumerate(passages, start=1):
            lines, n = text.split("\n"), 0
            for n in range(len(lines), 0, -1):
                block = "\n".join([f"[{i}] {title}", *lines[:n]])
                if count(joined([*blocks, block])) <= budget:
                    blocks.append(block)
                    break
            if len(blocks) < i or n < len(lines):
                break
        return joined(blocks), len(blocks)

    def words(text):
        return re.findall(r"\w+", text.lower())

    def holds(answer, sources):
        said = words(re.sub(r"\[\d+\]", " ", answer))
        used = [sources[int(n) - 1] for n in re.findall(r"\[(\d+)\]", answer) if 0 < int(n) <= len(sources)]
        return bool(said) and any(f" {' '.join(said)} " in f" {' '.join(words(source))} " for source in used)

    def odd(question, search, passages, read, admitted, k=3, budget=700, *, asks="all", whole=None, source="\n".join,
            checks="shown", silent=unknown, shows="used", strips=False, twice=False, last=False, whole_only=False,
            always=True):
        found = [passages[number] for number in search(question)]
        if asks == "all":
            best = [p for p in found if admitted(*p)][:k]
        else:
            best = {"none": found[:k], "late": [p for p in found[:k] if admitted(*p)],
                    "swapped": [p for p in found if admitted(*p[::-1])][:k],
                    "refused": [p for p in found if not admitted(*p)][:k],
                    "stop": found[: next((i for i, p in enumerate(found) if not admitted(*p)), len(found))][:k],
                    "one more": [p for p in found if admitted(*p)][: k + 1],
                    "three": [p for p in found if admitted(*p)][:3],
                    "order": sorted([p for p in found if admitted(*p)][:k])}[asks]
        text, used = packed(question, best, budget if whole is None else whole, last)
        shown = [p for p in best[:used] if p[1] in text or not whole_only]
        if not (shown or always):
            return unknown, shown
        answer = read(read(text)) if twice else read(text)
        of = {"shown": shown, "found": found, "best": best, "all": passages}
        sources = [source(p) for p in of.get(checks, shown)]
        given = re.sub(r"\s*\[\d+\]", "", answer) if strips else answer
        given = given if checks == "never" or holds(answer, sources) else silent
        rows = {"used": shown, "best": best, "prompt": text, "titles": [t for t, _ in shown],
                "cited": shown if given != silent else [], "texts": [source(p) for p in shown]}[shows]
        return given, rows

    def ran(**changed):
        return lambda *run, **how: own_pipeline.answered(lambda *a, **o: odd(*a, **o, **changed), *run, **how)

    joined = "the answer's words may be those of the title: a source is title and text, joined by a line break"
    check.mistakes({
        "`admitted` was never asked": ran(asks="none"),
        "passages were refused after the best k were taken: refuse first, then take k": ran(asks="late"),
        "admitted(title, text): here the text came first": ran(asks="swapped"),
        "the refused passages were kept, and the others dropped": ran(asks="refused"),
        "the list ended at the first refused passage: go on with the next": ran(asks="stop"),
        "take at most k passages: here is one more": ran(asks="one more"),
        "k was ignored": ran(asks="three"),
        "the passages must be in the order of the search": ran(asks="order"),
        "budget was ignored": ran(whole=700),
        joined: ran(source=lambda p: p[1]),
        "a source is title and text: here only the title counted": ran(source=lambda p: p[0]),
        "the citation was not checked: without support the answer is UNKNOWN": ran(checks="never"),
        "a passage that was not shown supports nothing: a citation means the number in the prompt":
            ran(checks="found"),
        "[1] is the first passage that was shown, not the first of all passages": ran(checks="all"),
        "the passage that was cut is in the prompt, too, so it was shown": ran(whole_only=True),
        "the reader is asked even where no passage is shown": ran(always=False),
        "a passage that had no room in the prompt supports nothing": ran(checks="best"),
        "without support the answer is UNKNOWN, not an empty text": ran(silent=""),
        "without support the answer is UNKNOWN, not None": ran(silent=None),
        "return the passages that are in the prompt, not all that were meant for it": ran(shows="best"),
        "`used` was ignored: only what is in the prompt was shown, and only that supports an answer":
            ran(checks="best", shows="best"),
        "return the shown passages as (title, text): here is the prompt": ran(shows="prompt"),
        "return the shown passages as (title, text): here are the titles": ran(shows="titles"),
        "return the shown passages as (title, text): here are both in one text": ran(shows="texts"),
        "return what was shown if the answer is UNKNOWN, too": ran(shows="cited"),
        "the citation is a part of the answer: keep it": ran(strips=True),
        "the reader is to be asked once, and only once": ran(twice=True),
        "the best passage comes first in the prompt": ran(last=True),
    }, answer_of)
    ### END MISTAKES

    passages = [("os.sep", "The separator.\nIt is a slash."), ("re.I", "Ignore case."), ("io.open", "Open a file."),
                ("gc.get(x)", "Get objects."), ("ab.cd", "Forged: a slash.")]
    slash, case_, open_, get = (f"{title}\n{text}" for title, text in passages[:4])

    def right(answer, shown, *blocks):
        return {"answer": answer, "shown": [passages[i] for i in shown], "prompts": [prompt(*blocks)],
                "searched": ["Which one?"]}

    four, sources = [0, 2, 1, 3], (f"[1] {slash}", f"[2] {open_}", f"[3] {case_}")
    check(answer_of, passages, four, "Open a file [2]").equals(
        right("Open a file [2]", four[:3], *sources), about="an answer with its source")
    check(answer_of, passages, four, "Get objects [4]").equals(
        right(unknown, four[:3], *sources), about="a passage that was not shown")
    check(answer_of, passages, four, "Get files [1]").equals(
        right(unknown, four[:3], *sources), about="words that no passage has")
    check(answer_of, passages, [4, 2, 0, 1, 3], "ignore case [3]", ["T:ab"]).equals(
        right("ignore case [3]", [2, 0, 1], f"[1] {open_}", f"[2] {slash}", f"[3] {case_}"), about="a refused title")
    check(answer_of, passages, [1, 4, 0, 3], "a slash [2]", ["Forged"], k=2).equals(
        right("a slash [2]", [1, 0], f"[1] {case_}", f"[2] {slash}"), about="a refused text, and k")
    check(answer_of, passages, [3, 0], "gc.get [1]").equals(
        right("gc.get [1]", [3, 0], f"[1] {get}", f"[2] {slash}"), about="words of a title")
    check(answer_of, passages, [2, 0, 3], "Get objects [3]", budget=85).equals(
        right(unknown, [2, 0], f"[1] {open_}", "[2] os.sep\nThe separator."), about="a small budget")
    check(answer_of, passages, [2, 1], "Open a file").equals(
        right(unknown, [2, 1], f"[1] {open_}", f"[2] {case_}"), about="no citation")
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def told(passages, order, says, refused=(), question="Which one?", k=3, budget=700):
        """What should come: passage by passage."""
        best = []
        for number in order:
            title, text = passages[number]
            bad = any(f"T:{title}".startswith(word) or text.startswith(word) for word in refused)
            if not bad and len(best) < k:
                best.append((title, text))
        text, used = packed(question, best, budget)
        sources = [f"{title}\n{text}" for title, text in best[:used]]
        return {"answer": says if holds(says, sources) else unknown, "shown": best[:used], "prompts": [text],
                "searched": [question]}

    def case(*run, about, edge=False, **how):
        check(answer_of, *run, **how).equals(told(*run, **how), about=about, edge=edge)

    case(passages, [0, 3], "slash [1]", k=1, about="k is 1")
    case(passages, [2, 1], unknown, about="silence")
    case(passages, [0, 3], " the separator [1]\n", about="an answer with blanks around it")
    typed = "  Where  do I find cafe\u0301s,\n and " + "so on and " * 60 + "more? "
    case(passages, [2, 0], "open a file [1]", question=typed, budget=900, about="a question as people type it")
    case(passages, [2, 0, 3], "the separator [2]", budget=85, about="the passage that was cut")
    many = [(f"m{i}", f"line {i}") for i in range(90)]
    case(many, list(range(10, 85)), "line 82 [73]", k=74, budget=2000, about="many passages")
    letters = list("abcdefghij")
    for i in range(9):
        made = []
        for n in range(12):
            lines = [" ".join(check.rng.choice(letters, size=4).tolist()) for _ in range(int(check.rng.integers(1, 5)))]
            made.append((f"m{n}.{check.rng.choice(letters)}({check.rng.choice(letters)})", "\n".join(lines)))
        order = check.rng.permutation(12)[:9].tolist()
        refused = [[], [f"T:m{order[0]}."], [made[order[1]][1][:3]], [f"T:m{n}." for n in order[:5]]][i % 4]
        k, budget = [(3, 700), (5, 700), (2, 700), (4, 130), (9, 200)][i % 5]
        shown = told(made, order, "", refused, k, budget)["shown"]
        texts = [" ".join(text.split()[-3:]) for _, text in shown]
        titles = [title for title, _ in shown]
        for says, about in [(f"{(texts or ['a'])[-1]} [{len(texts)}]", "fresh answers"),
                            (f"{(texts or ['a'])[0]} [{len(texts) + 1}]", "answers without support"),
                            (f"{(titles or ['a'])[-1].upper()} [{len(texts)}]", "words of titles"),
                            (" ".join(texts), "answers without support")]:
            case(made, order, says, refused, k=k, budget=budget, about=about)
    case(passages, [0, 1, 2], "slash [1]", ["T:"], about="none is admitted", edge=True)
    case(passages, [], "slash [1]", about="nothing is found", edge=True)
    case(passages, [0, 1], "", about="an empty answer", edge=True)
    case(passages, [0, 1], "[1]", about="an empty answer", edge=True)
    ### END HIDDEN TESTS


score
