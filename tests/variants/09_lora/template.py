# %% wrong="the prompt counts" says="loss counts the prompt"
#~ [-100] * len(prompt) + ids[len(prompt) :] => list(ids)
# %% wrong="no end" says="end is missing"
#~ answer, end_id => answer
# %% wrong="end without a label" says="end has a label"
#~ ids[len(prompt) :] => [*answer, -100]
# %% wrong="labels shifted" says="labels are shifted here"
#~ [-100] * len(prompt) + ids[len(prompt) :] => ([-100] * len(prompt) + ids[len(prompt) :])[1:] + [-100]
# %% wrong="no shift" says="shift is missing"
#~ [:, :-1].flatten(0, 1), labels[:, 1:] => .flatten(0, 1), labels
# %% wrong="shift backwards" says="wrong way round"
#~ [:, :-1].flatten(0, 1), labels[:, 1:] => [:, 1:].flatten(0, 1), labels[:, :-1]
# %% wrong="sum" says="this is the sum"
#~ () => (), reduction='sum'
# %% right="the loss by hand"
def answer_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    logp = logits.log_softmax(-1)[:, :-1]
    wanted = labels[:, 1:]
    at = wanted != -100
    return -logp[at].gather(1, wanted[at][:, None]).mean()
# %% right="tensors from the start"
def example_of(prompt: list[int], answer: list[int], end_id: int) -> tuple[list[int], list[int]]:
    ids = [*prompt, *answer, end_id]
    return ids, [-100 for _ in prompt] + [*answer, end_id]
# %% wrong="prompt tokens that stand in the answer get labels" says="only the place counts"
def example_of(prompt, answer, end_id):
    ids = prompt + answer + [end_id]
    return ids, [i if i in answer or i == end_id else -100 for i in ids]
# %% wrong="end between prompt and answer" says="the end comes after the answer"
def example_of(prompt, answer, end_id):
    return prompt + [end_id] + answer, [-100] * len(prompt) + [end_id] + answer
# %% wrong="shifted over the rows' border" says="from one row into the next" of="nll_loss, transposed cross-entropy, lists"
#~ [:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=-100 => .flatten(0, 1)[:-1], labels.flatten()[1:]
# %% wrong="in bits" says="nats are asked for" of="nll_loss, transposed cross-entropy, lists"
#~ (logits[:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=-100) => (logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()) / math.log(2)
# %% wrong="divided by all labels, the first column too" says="labels at the first place"
def answer_loss(logits, labels):
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), reduction="sum")
    return total / (labels != -100).sum()
# %% wrong="softmax before the cross-entropy" says="taken twice" of="nll_loss, transposed cross-entropy, lists"
#~ [:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=-100 => .softmax(-1)[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
# %% wrong="overflows for large logits" says="large logits"
def answer_loss(logits, labels):
    p = logits[:, :-1].exp() / logits[:, :-1].exp().sum(-1, keepdim=True)
    y = labels[:, 1:]
    keep = y != -100
    return -p[keep].gather(-1, y[keep][:, None]).log().mean()
# %% wrong="masks labels of zero" says="a label of 0 is a token"
def answer_loss(logits, labels):
    y = torch.where(labels > 0, labels, -100)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), y[:, 1:].flatten())
# %% wrong="a number without a gradient" says="no gradient flows" of="nll_loss, transposed cross-entropy, lists"
#~ F.cross_entropy(logits[:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=-100) => torch.tensor(F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()).item())
# %% right="by hand, log_softmax and tensors filled"
def example_of(prompt, answer, end_id):
    ids, labels = [], []
    for part, counts in ((prompt, False), (answer, True), ([end_id], True)):
        for token in part:
            ids.append(token)
            labels.append(token if counts else -100)
    return ids, labels
def answer_loss(logits, labels):
    y = labels[:, 1:]
    keep = y != -100
    logp = logits[:, :-1].log_softmax(-1)[keep]
    return -logp[torch.arange(len(logp)), y[keep]].mean()
# %% right="nll_loss, transposed cross-entropy, lists"
def example_of(prompt, answer, end_id):
    tail = [*answer, end_id]
    return [*prompt, *tail], [-100 for _ in prompt] + tail
def answer_loss(logits, labels):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), labels[:, 1:], ignore_index=-100)
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
# %% right="join"
def few_shot(shots: list[tuple[str, str, str]], passage: str, question: str) -> str:
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    return "".join([*solved, passage, "\n\nQuestion: ", question, "\nAnswer:"])
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
# %% right="join and accumulate"
def few_shot(shots, passage, question):
    parts = [f"{p}\n\nQuestion: {q}\nAnswer: {a}" for p, q, a in shots]
    parts.append(f"{passage}\n\nQuestion: {question}\nAnswer:")
    return "\n\n".join(parts)
# %% wrong="end only if missing" says="tokens of number 0"
#~ ids = [*prompt, *answer, end_id] => ids = [*prompt, *answer] + [end_id] * (not answer or answer[-1] != end_id)
# %% right="joined lines"
def few_shot(shots, passage, question):
    text = ""
    for p, q, a in [*shots, (passage, question, None)]:
        text += p + "\n\nQuestion: " + q + "\nAnswer:" + ("" if a is None else " " + a + "\n\n")
    return text
# %% wrong="divided by the rows" says="number of rows"
#~ labels[:, 1:].flatten()) => labels[:, 1:].flatten(), reduction="sum") / len(labels)
# %% wrong="divided by the length" says="length of a row"
#~ labels[:, 1:].flatten()) => labels[:, 1:].flatten(), reduction="sum") / (labels.shape[1] - 1)
# %% wrong="rolled" says="shift runs round"
#~ logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten() => logits.flatten(0, 1), labels.roll(-1, dims=1).flatten()
# %% wrong="clamped" says="taken for the token 0"
#~ labels[:, 1:].flatten() => labels[:, 1:].clamp(min=0).flatten()
# %% wrong="first label of the answer" says="first token counts, too"
#~ return ids, [-100] * len(prompt) + ids[len(prompt) :] => return ids, [-100] * (len(prompt) + 1) + ids[len(prompt) + 1 :]
# %% wrong="question and answer exchanged" says="of the shots are exchanged"
#~ for p, q, a in shots => for p, a, q in shots
# %% wrong="a name for the passage" says="without a name"
#~ f"{p}\n\nQuestion: {q} => f"Passage: {p}\n\nQuestion: {q}
# %% wrong="filled in one after the other" says="a name in braces that is in a text"
def few_shot(shots, passage, question):
    text = ""
    for p, q, a in shots:
        text += "{passage}\n\nQuestion: {question}\nAnswer: {answer}\n\n".replace("{passage}", p).replace(
            "{question}", q).replace("{answer}", a)
    return text + f"{passage}\n\nQuestion: {question}\nAnswer:"
# %% wrong="the open question first, then its passage" says="a name in braces that is in a text" of="open by replace"
#~ .replace("{passage}", passage).replace("{question}", question) => .replace("{question}", question).replace("{passage}", passage)
# %% wrong="open by replace" says="a name in braces that is in a text"
def few_shot(shots, passage, question):
    solved = [f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots]
    own = "{passage}\n\nQuestion: {question}\nAnswer:"
    return "".join(solved) + own.replace("{passage}", passage).replace("{question}", question)
# %% wrong="the whole prompt through format" says="went through .format" clause="The texts stay as they are: braces in them, even"
def few_shot(shots, passage, question):
    solved = "".join(f"{p}\n\nQuestion: {q}\nAnswer: {a}\n\n" for p, q, a in shots)
    return (solved + "{passage}\n\nQuestion: {question}\nAnswer:").format(passage=passage, question=question)
# %% wrong="a softmax and its logarithm" says="rounds to 0" clause="The gradient flows, and large logits do no harm."
#~ F.cross_entropy(logits[:, :-1].flatten(0, 1) => F.nll_loss(logits[:, :-1].softmax(-1).log().flatten(0, 1)
# %% wrong="the whole prompt stripped" says="the prompt was stripped" clause="and blanks, too"
#~ return "".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:" => return ("".join(solved) + f"{passage}\n\nQuestion: {question}\nAnswer:").strip()
# %% right="each labelled token with its share"
def answer_loss(logits, labels):
    counts = labels[:, 1:] != -100
    of_each = logits[:, :-1].log_softmax(-1).gather(2, labels[:, 1:, None].clamp(min=0))[..., 0]
    return -(of_each * (counts / counts.sum())).sum()
# %% wrong="a float" says="plain number" clause="The gradient"
#~ F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()) => F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()).item()
