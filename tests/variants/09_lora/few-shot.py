# %% wrong="space at the end" says="belongs to the answer"
#~ "{passage}\n\nQuestion: {question}\nAnswer:" => "{passage}\n\nQuestion: {question}\nAnswer: "
# %% wrong="one line break" says="between two shots"
#~ {a}\n\n => {a}\n
# %% wrong="no blank line" says="between a passage and its question"
#~ {p}\n\ => {p}\
#~ {passage}\n\ => {passage}\
# %% wrong="no answers" says="answers of the shots are missing"
#~ : {a} => :
# %% wrong="reversed" says="reverse order"
#~ [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots] => [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots[::-1]]
# %% wrong="skipping" says="does not fit ends it"
#-             break
#+             left += size
#+             continue
# %% wrong="no room" says="room for the answer is missing"
#~ own - room => own
# %% wrong="strict" says="exactly still fits"
#~ < => <=
# %% right="join"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join([*solved, passage, "\n\nQuestion: ", question, "\nAnswer:"])
# %% right="cumulative sums"
def how_many(sizes: list[int], own: int, room: int, context_length: int) -> int:
    return int((np.cumsum([own + room, *sizes])[1:] <= context_length).sum())
# %% wrong="everything stripped" says="the texts were stripped"
def few_shot(shots, passage, question):
    text = "".join(f"{p.strip()}\n\nQuestion: {q.strip()}\nAnswer: {a.strip()}\n\n" for p, q, a in shots)
    return text + f"{passage.strip()}\n\nQuestion: {question.strip()}\nAnswer:"
# %% wrong="str.format over a text with braces" says="braces in a text"
def few_shot(shots, passage, question):
    form = "{p}\n\nQuestion: {q}\nAnswer:"
    text = "".join((f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n").format() for p, q, a in shots)
    return text + form.format(p=passage, q=question)
# %% wrong="without shots begins with an empty line" says="begins with the passage"
def few_shot(shots, passage, question):
    text = "\n\n".join(f"{p}\n\nQuestion: {q}\nAnswer: {a}" for p, q, a in shots)
    return text + f"\n\n{passage}\n\nQuestion: {question}\nAnswer:"
# %% wrong="two empty lines between shots" says="two empty lines"
def few_shot(shots, passage, question):
    text = "".join(f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n\n" for p, q, a in shots)
    return text + f"{passage}\n\nQuestion: {question}\nAnswer:"
# %% wrong="no space before the answer" says="the space before an answer" of="two empty lines between shots"
#~ : {a}\n => :{a}
# %% wrong="smallest first" says="the first k are asked"
def how_many(sizes, own, room, context_length):
    used, k = own + room, 0
    for s in sorted(sizes):
        if used + s > context_length:
            break
        used += s
        k += 1
    return k
# %% wrong="room is forgotten" says="room for the answer is missing"
def how_many(sizes, own, room, context_length):
    used = own
    for k, s in enumerate(sizes):
        used += s
        if used > context_length:
            return k
    return len(sizes)
# %% right="join and accumulate"
def few_shot(shots, passage, question):
    parts = [f"{p}\n\nQuestion: {q}\nAnswer: {a}" for p, q, a in shots]
    parts.append(f"{passage}\n\nQuestion: {question}\nAnswer:")
    return "\n\n".join(parts)

def how_many(sizes, own, room, context_length):
    return sum(int(total + own + room <= context_length) for total in np.cumsum(sizes))
