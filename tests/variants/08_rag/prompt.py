# %% base="the plain way"
def build_prompt(question, passages, budget, best_last=False):
    def whole(blocks):
        blocks = blocks[::-1] if best_last else blocks
        return "\n\n".join([INSTRUCTION, *blocks, f"Question: {question}\nAnswer:"])
    taken = []
    for i, (title, text) in enumerate(passages, start=1):
        lines = text.split("\n")
        n = len(lines)
        while n > 0:
            block = f"[{i}] {title}\n" + "\n".join(lines[:n])
            if count_tokens(whole([*taken, block])) <= budget:
                taken.append(block)
                break
            n -= 1
        if n == 0:
            break
    return whole(taken), len(taken)
# %% wrong="never cut" says="cut at the end of a line"
def build_prompt(question, passages, budget, best_last=False):
    def joined(blocks):
        return "\n\n".join([INSTRUCTION, *(blocks[::-1] if best_last else blocks), f"Question: {question}\nAnswer:"])
    blocks = []
    for i, (title, text) in enumerate(passages, 1):
        block = f"[{i}] {title}\n{text}"
        if count_tokens(joined(blocks + [block])) > budget:
            break
        blocks.append(block)
    return joined(blocks), len(blocks)
# %% wrong="words, not tokens" says="more than `budget` tokens" of="fits counted upwards"
#~ count_tokens(joined(blocks + ["\n".join([f"[{i}] {title}", *lines[:n]])])) => len(joined(blocks + ["\n".join([f"[{i}] {title}", *lines[:n]])]).split())
# %% wrong="renumbered" says="keep their numbers"
def build_prompt(question, passages, budget, best_last=False):
    def joined(parts):
        order = parts[::-1] if best_last else parts
        blocks = [f"[{i}] {p}" for i, p in enumerate(order, 1)]
        return "\n\n".join([INSTRUCTION, *blocks, f"Question: {question}\nAnswer:"])
    parts = []
    for title, text in passages:
        lines = text.split("\n")
        fit = [n for n in range(1, len(lines) + 1) if count_tokens(joined(parts + ["\n".join([title, *lines[:n]])])) <= budget]
        if fit:
            parts.append("\n".join([title, *lines[: max(fit)]]))
        if not fit or max(fit) < len(lines):
            break
    return joined(parts), len(parts)
# %% wrong="cut goes on with the next" says="nothing more" of="the plain way"
#-         if n == 0:
#-             break
# %% wrong="blank lines in a text are dropped" says="with its blank lines" of="the plain way"
#~ text.split("\n") => [l for l in text.split("\n") if l.strip()]
#~ == 0 => < len(lines)
# %% wrong="cut lines from the front" says="not the last" of="the plain way"
#~ :n => len(lines) - n :
#~ == 0 => < len(lines)
# %% wrong="tokens of the parts added" says="whole prompt" of="the plain way"
#~ count_tokens(whole([*taken, block])) => sum(count_tokens(p) for p in [INSTRUCTION, *taken, block, f"Question: {question}\nAnswer:"])
#~ == 0 => < len(lines)
# %% wrong="cut in the middle of a line" says="end of a line" of="the plain way"
#~ ("\n") => (" ")
#~ "\n". => " ".
#~ == 0 => < len(lines)
# %% wrong="nothing fits gives an empty prompt" says="without any" of="the plain way"
#~ == 0 => < len(lines)
#~ whole(taken) => (whole(taken) if taken else "")
# %% wrong="nothing fits raises" says="without any" of="the plain way"
#~ == 0 => < len(lines)
#-     return whole(taken), len(taken)
#+     if not taken:
#+         raise ValueError("budget")
#+     return whole(taken), len(taken)
# %% wrong="nine passages at most" says="many passages" of="fits counted upwards"
#~ (passages, 1) => (passages[:9], 1)
# %% wrong="lines by splitlines, titles stripped" says="as they are" of="fits counted upwards"
#~ text.split("\n") => text.splitlines()
# %% right="fits counted upwards"
def build_prompt(question, passages, budget, best_last=False):
    def joined(blocks):
        return "\n\n".join([INSTRUCTION, *(blocks[::-1] if best_last else blocks), f"Question: {question}\nAnswer:"])
    blocks = []
    for i, (title, text) in enumerate(passages, 1):
        lines = text.split("\n")
        fit = [n for n in range(1, len(lines) + 1)
               if count_tokens(joined(blocks + ["\n".join([f"[{i}] {title}", *lines[:n]])])) <= budget]
        if fit:
            blocks.append("\n".join([f"[{i}] {title}", *lines[: max(fit)]]))
        if not fit or max(fit) < len(lines):
            break
    return joined(blocks), len(blocks)
# %% right="written out"
def build_prompt(question, passages, budget, best_last=False):
    end = f"Question: {question}\nAnswer:"
    taken = []
    full = True
    for i, (title, text) in enumerate(passages):
        if not full:
            break
        lines = text.split("\n")
        for n in reversed(range(len(lines))):
            block = f"[{i + 1}] {title}\n" + "\n".join(lines[: n + 1])
            trial = taken + [block]
            if best_last:
                trial = list(reversed(trial))
            if count_tokens(INSTRUCTION + "\n\n" + "".join(b + "\n\n" for b in trial) + end) <= budget:
                taken.append(block)
                full = n + 1 == len(lines)
                break
        else:
            full = False
    shown = list(reversed(taken)) if best_last else taken
    return INSTRUCTION + "\n\n" + "".join(b + "\n\n" for b in shown) + end, len(taken)
# %% right="from the shortest cut up, string concatenation"
def build_prompt(question, passages, budget, best_last=False):
    tail = "Question: " + question + "\nAnswer:"
    head, middle, used, prompt = INSTRUCTION + "\n\n", "", 0, None
    for title, text in passages:
        kept, rest = None, text.split("\n")
        for n in range(1, len(rest) + 1):
            block = "[" + str(used + 1) + "] " + title + "\n" + "\n".join(rest[:n]) + "\n\n"
            trial = block + middle if best_last else middle + block
            if count_tokens(head + trial + tail) > budget and n > 1 and kept is not None:
                pass
            if count_tokens(head + trial + tail) <= budget:
                kept, lines = trial, n
        if kept is None:
            break
        middle, used = kept, used + 1
        if lines < len(rest):
            break
    return head + middle + tail, used
# %% right="first all whole, then one cut; a list is returned"
def build_prompt(question, passages, budget, best_last=False):
    def join(pairs):
        blocks = [f"[{i}] {t}\n{x}" for i, (t, x) in enumerate(pairs, 1)]
        if best_last:
            blocks.reverse()
        return INSTRUCTION + "".join("\n\n" + b for b in blocks) + f"\n\nQuestion: {question}\nAnswer:"
    whole = 0
    while whole < len(passages) and count_tokens(join(passages[: whole + 1])) <= budget:
        whole += 1
    chosen = list(passages[:whole])
    if whole < len(passages):
        title, text = passages[whole]
        lines = text.split("\n")
        while lines and count_tokens(join(chosen + [(title, "\n".join(lines))])) > budget:
            lines = lines[:-1]
        if lines:
            chosen.append((title, "\n".join(lines)))
    return [join(chosen), len(chosen)]
# %% wrong="worst first with best_last" says="taken first"
def build_prompt(question, passages, budget, best_last=False):
    def join(blocks):
        return "\n\n".join([INSTRUCTION] + blocks + [f"Question: {question}\nAnswer:"])
    blocks = []
    numbered = list(enumerate(passages, 1))
    for i, (title, text) in (numbered[::-1] if best_last else numbered):
        lines = text.split("\n")
        full = len(lines)
        while lines:
            block = f"[{i}] {title}\n" + "\n".join(lines)
            if count_tokens(join(blocks + [block])) <= budget:
                blocks.append(block)
                break
            lines.pop()
        if len(lines) < full:
            break
    return join(blocks), len(blocks)
# %% wrong="splitlines" says="empty line" of="worst first with best_last"
#-         return "\n\n".join([INSTRUCTION] + blocks + [f"Question: {question}\nAnswer:"])
#+         if best_last:
#+             blocks = blocks[::-1]
#+         return "\n\n".join([INSTRUCTION] + blocks + [f"Question: {question}\nAnswer:"])
#-     numbered = list(enumerate(passages, 1))
#-     for i, (title, text) in (numbered[::-1] if best_last else numbered):
#-         lines = text.split("\n")
#+     for i, (title, text) in enumerate(passages, 1):
#+         lines = text.splitlines()
# %% wrong="a title alone where no line fits" says="title alone" of="the plain way"
#~ while n > 0: => while n >= 0:
#~ f"[{i}] {title}\n" + "\n".join(lines[:n]) => "\n".join([f"[{i}] {title}", *lines[:n]])
#~ == 0 => < len(lines)
# %% wrong="goes on after one that was left out" says="left out, since" of="the plain way"
#~ n == 0 => 0 < n < len(lines)
# %% wrong="blank lines at the end of a cut are dropped" says="empty ones at its end" of="the plain way"
#~ "\n".join(lines[:n]) => "\n".join(lines[:n]).rstrip() if n < len(lines) else f"[{i}] {title}\n" + text
#~ == 0 => < len(lines)
# %% right="prompts from the longest to the shortest, the first that fits"
def build_prompt(question, passages, budget, best_last=False):
    def build(used, cut):
        blocks = []
        for i, (title, text) in enumerate(passages[:used], 1):
            kept = "\n".join(text.split("\n")[:cut]) if i == used else text
            blocks.append("[%d] %s\n%s" % (i, title, kept))
        return "\n\n".join((INSTRUCTION, *blocks[:: -1 if best_last else 1], "Question: " + question + "\nAnswer:"))
    full = 0
    while full < len(passages) and count_tokens(build(full + 1, None)) <= budget:
        full += 1
    if full < len(passages):
        for n in reversed(range(1, passages[full][1].count("\n") + 1)):
            if count_tokens(build(full + 1, n)) <= budget:
                return build(full + 1, n), full + 1
    return build(full, None), full
# %% wrong="goes on after a cut, not after one that was left out" says="after the passage that was cut" of="fits counted upwards"
#~ if not fit or max(fit) < len(lines): => if not fit:
# %% wrong="less than the budget" says="a prompt of just `budget` tokens fits" clause="as long as the *whole* prompt has at most `budget` tokens"
#~ <= budget: => < budget:
# %% wrong="on after what is left out" says="nothing more is taken, either" clause="After it nothing more is taken, even if it would"
#~ if len(blocks) < i or n < len(lines): => if len(blocks) == i and n < len(lines):
# %% wrong="at least a title" says="a title alone is no passage" clause="If not even its first line fits, it is left out."
#~ range(len(lines), 0, -1) => range(len(lines), -1, -1)
# %% wrong="a blank line behind the title" says="without a blank line between"
#~ "\n".join([f"[{i}] {title}", *lines[:n]]) => f"[{i}] {title}\n\n" + "\n".join(lines[:n])
