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

# %% wrong="words, not tokens" says="not in words"
def build_prompt(question, passages, budget, best_last=False):
    def joined(blocks):
        return "\n\n".join([INSTRUCTION, *(blocks[::-1] if best_last else blocks), f"Question: {question}\nAnswer:"])
    blocks = []
    for i, (title, text) in enumerate(passages, 1):
        lines = text.split("\n")
        fit = [n for n in range(1, len(lines) + 1)
               if len(joined(blocks + ["\n".join([f"[{i}] {title}", *lines[:n]])]).split()) <= budget]
        if fit:
            blocks.append("\n".join([f"[{i}] {title}", *lines[: max(fit)]]))
        if not fit or max(fit) < len(lines):
            break
    return joined(blocks), len(blocks)

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
