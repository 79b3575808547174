# %% base="the plain way"
def cited(answer):
    return [int(n) for n in re.findall(r"\[(\d+)\]", answer)]
def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", " ", answer))
    if not words:
        return False
    wanted = " " + " ".join(words) + " "
    return any(wanted in " " + " ".join(normalise(passages[n - 1])) + " " for n in cited(answer) if n <= len(passages))
# %% wrong="repeats" says="each number once" of="a pattern"
#~ list({int(m[1]): None for m in re.finditer(r"\[(\d+)\]", answer)}) => [int(n) for n in re.findall(r"\[(\d+)\]", answer)]
# %% wrong="off by one" says="cited as [1]"
def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    used = [passages[n] for n in cited(answer) if n < len(passages)]
    return bool(words) and any(f" {' '.join(words)} " in f" {' '.join(normalise(p))} " for p in used)
# %% wrong="parts of words" says="whole words" of="off by one"
#~ [n] for n in cited(answer) if n < => [n - 1] for n in cited(answer) if 0 < n <=
#~ f" {' '.join(words)} " in f" {' '.join(normalise(p))} " => " ".join(words) in " ".join(normalise(p))
# %% wrong="anywhere" says="in a passage that is cited"
def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "", answer))
    return bool(words) and bool(cited(answer)) and any(f" {' '.join(words)} " in f" {' '.join(normalise(p))} " for p in passages)
# %% wrong="all numbers taken out" says="other numbers" of="the plain way"
#~ [\d+\] => d+
#~ n < => 1 <= n <
# %% wrong="all brackets taken out" says="other brackets" of="the plain way"
#~ [\d+\ => [[^\]]*\
#~ n < => 1 <= n <
# %% wrong="0 cites the last" says="0" of="the plain way"
#~ if not words => if len(words) == 0
# %% wrong="the last citation alone" says="only the last" of="the plain way"
#~ for n in cited(answer) if n <= => for n in cited(answer)[-1:] if 0 < n <=
# %% wrong="underscores part words" says="parts of words" of="a pattern"
#~ r"\b" + r"\W+".join(map(re.escape, said)) + r"\b" => r"(?<![a-z0-9])" + r"\W+".join(map(re.escape, said)) + r"(?![a-z0-9])"
# %% wrong="citations stay in the words" says="taken out" of="the plain way"
#~ re.sub(r"\[\d+\]", " ", answer) => answer
#~ n < => 1 <= n <
# %% wrong="IndexError for a number too large" says="no passage" of="the plain way"
#~ [int(n) for n in re.findall(r"\[(\d+)\]", answer)] => list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))
#~ (wanted in " " + " ".join(normalise(passages[n - 1])) + " " for n in cited(answer) if n <= len(passages)) => (wanted in " " + " ".join(normalise(passages[n - 1])) + " " for n in cited(answer) )
# %% right="lists compared"
def cited(answer):
    found = []
    for n in map(int, re.findall(r"\[(\d+)\]", answer)):
        if n not in found:
            found.append(n)
    return found
def supported(answer, passages):
    said = normalise(re.sub(r"\[\d+\]", " ", answer))
    if not said:
        return False
    for n in cited(answer):
        if 1 <= n <= len(passages):
            words = normalise(passages[n - 1])
            if any(words[i : i + len(said)] == said for i in range(len(words))):
                return True
    return False
# %% right="a pattern"
def cited(answer):
    return list({int(m[1]): None for m in re.finditer(r"\[(\d+)\]", answer)})
def supported(answer, passages):
    said = WORD.findall(re.sub(r"\[\d+\]", " ", answer).lower())
    pattern = re.compile(r"\b" + r"\W+".join(map(re.escape, said)) + r"\b")
    return bool(said) and any(bool(pattern.search(passages[n - 1].lower())) for n in cited(answer) if 0 < n <= len(passages))
# %% right="slices of lists"
def cited(answer):
    seen = []
    for match in re.finditer(r"\[([0-9]+)\]", answer):
        if (n := int(match[1])) not in seen:
            seen.append(n)
    return seen
def supported(answer, passages):
    words = [w for piece in [" ".join(re.split(r"\[[0-9]+\]", answer))] for w in normalise(piece)]
    for n in cited(answer):
        if words and 0 < n <= len(passages):
            there = normalise(passages[n - 1])
            if any(there[i : i + len(words)] == words for i in range(len(there))):
                return True
    return False
# %% right="a pattern with word borders"
def cited(answer):
    return sorted({int(n) for n in re.findall(r"\[(\d+)\]", answer)}, key=[int(n) for n in re.findall(r"\[(\d+)\]", answer)].index)
def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", "\n", answer))
    pattern = r"\b" + r"\W+".join(map(re.escape, words)) + r"\b"
    sources = [passages[n - 1] for n in cited(answer) if n in range(1, len(passages) + 1)]
    return bool(words) and any(re.search(pattern, s.lower()) is not None for s in sources)
# %% wrong="citations are taken out of the passages, too" says="out of the answer alone"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))
def supported(answer, passages):
    def plain(text):
        return " " + " ".join(normalise(re.sub(r"\[\d+\]", " ", text))) + " "
    said = plain(answer)
    return bool(said.strip()) and any(said in plain(passages[n - 1]) for n in cited(answer) if 0 < n <= len(passages))
# %% wrong="the words in order, others between" says="no others between"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))
def supported(answer, passages):
    words = normalise(re.sub(r"\[\d+\]", " ", answer))
    for n in cited(answer):
        rest = iter(normalise(passages[n - 1])) if 0 < n <= len(passages) else iter(())
        if words and all(word in rest for word in words):
            return True
    return False
# %% wrong="the words in any order" says="one after the other"
def cited(answer):
    return list(dict.fromkeys(int(n) for n in re.findall(r"\[(\d+)\]", answer)))
def supported(answer, passages):
    words = set(normalise(re.sub(r"\[\d+\]", " ", answer)))
    return bool(words) and any(words <= set(normalise(passages[n - 1])) for n in cited(answer) if 0 < n <= len(passages))
# %% wrong="nothing in the place of a citation" says="grow together" of="citations are taken out of the passages, too"
#~ normalise(re.sub(r"\[\d+\]", " ", text)) => normalise(text)
#~ said = plain(answer) => said = plain(re.sub(r"\[\d+\]", "", answer))
# %% wrong="only at the start of a passage" says="not at its start alone" of="citations are taken out of the passages, too"
#~ normalise(re.sub(r"\[\d+\]", " ", text)) => normalise(text)
#~ said = plain(answer) => said = plain(re.sub(r"\[\d+\]", " ", answer))
#~ said in plain(passages[n - 1]) => plain(passages[n - 1]).startswith(said)
# %% wrong="only at the end of a passage" says="not at its end alone" of="citations are taken out of the passages, too"
#~ normalise(re.sub(r"\[\d+\]", " ", text)) => normalise(text)
#~ said = plain(answer) => said = plain(re.sub(r"\[\d+\]", " ", answer))
#~ said in plain(passages[n - 1]) => plain(passages[n - 1]).endswith(said)
# %% wrong="nothing in its place" says="grow together" clause="Replace each citation in the answer with a blank"
#~ re.sub(r"\[\d+\]", " ", answer) => re.sub(r"\[\d+\]", "", answer)
# %% wrong="passages end to end" says="are not joined" clause="least *one* cited passage"
#~ any(f" {' '.join(words)} " in f" {' '.join(normalise(source))} " for source in sources) => f" {' '.join(words)} " in f" {' '.join(normalise(' '.join(sources)))} "
# %% wrong="the first part of a word" says="whole words only" clause="Whole words only"
#~ f" {' '.join(words)} " in => f" {' '.join(words)}" in
# %% wrong="one bad number spoils all" says="another may still hold" clause="passage that does not exist supports nothing (nor does [0])."
#~ return bool(words) and => return bool(words) and len(sources) == len(cited(answer)) and
# %% wrong="no words, and a passage without" says="without words neither" clause="An answer that cites nothing, or has no words left, is not supported"
#~ bool(words) and any( => any(
# %% wrong="one number that no passage has" says="and another may still hold"
#~ return bool(words) and => return max(cited(answer), default=0) <= len(passages) and bool(words) and
# %% wrong="every cited passage that is there has to hold the words" says="where there is none, nothing is supported"
#~ return bool(words) and any( => return bool(words and cited(answer)) and all(
# %% wrong="off by one, and round the end" says="cited as [1]" of="the plain way"
#~ passages[n - 1] => passages[n % len(passages)]
#~ n <= => 1 <= n <=
# %% wrong="numbers taken out of the passage, too" says="a passage keeps all its words" clause="Nothing is removed from the passage itself." of="the plain way"
#~ normalise(passages[n - 1]) => normalise(re.sub(r"\[\d+\]", " ", passages[n - 1]))
#~ n <= => 1 <= n <=
# %% wrong="all cited must support" says="one of the cited passages is enough" clause="*one* cited passage" of="the plain way"
#~ return any( => return cited(answer) != [] and max(cited(answer)) <= len(passages) and all(
#~ n <= => 1 <= n <=
