# %% wrong="looked too late" says="look before you add"
def sections(text, size):
    chunks, gathered = [], []
    for p in [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]:
        gathered.append(p)
        if sum(len(q.split()) for q in gathered) > size:
            chunks.append("\n\n".join(gathered))
            gathered = []
    return chunks + ["\n\n".join(gathered)] * bool(gathered)

# %% wrong="the last one is lost" says="last chunk is missing"
def sections(text, size):
    chunks, gathered = [], []
    for p in [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]:
        if gathered and sum(len(q.split()) for q in gathered) + len(p.split()) > size:
            chunks.append("\n\n".join(gathered))
            gathered = []
        gathered.append(p)
    return chunks

# %% wrong="characters" says="words, not characters"
def sections(text, size):
    chunks, gathered = [], []
    for p in [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]:
        if gathered and sum(map(len, gathered)) + len(p) > size:
            chunks.append("\n\n".join(gathered))
            gathered = []
        gathered.append(p)
    return chunks + ["\n\n".join(gathered)] * bool(gathered)

# %% right="chunks grow"
def sections(text, size):
    chunks = []
    for p in re.split(r"\n\s*\n", text):
        p = p.strip()
        if not p:
            continue
        if chunks and len((chunks[-1] + " " + p).split()) <= size:
            chunks[-1] += "\n\n" + p
        else:
            chunks.append(p)
    return chunks

# %% right="line by line"
def sections(text, size):
    paragraphs, lines = [], []
    for line in text.split("\n") + [""]:
        if line.strip():
            lines.append(line)
        elif lines:
            paragraphs.append("\n".join(lines).strip())
            lines = []
    groups = []
    for p in paragraphs:
        if groups and sum(len(q.split()) for q in groups[-1]) + len(p.split()) <= size:
            groups[-1].append(p)
        else:
            groups.append([p])
    return ["\n\n".join(g) for g in groups]
