# %% base="the plain way"
def sections(text, size):
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text)]
    out, held, count = [], [], 0
    for p in paragraphs:
        if not p:
            continue
        n = len(p.split())
        if count + n > size:
            out.append("\n\n".join(held))
            held, count = [], 0
        held.append(p)
        count += n
    if held:
        out.append("\n\n".join(held))
    return out
# %% wrong="looked too late" says="look before you add" of="the last one is lost"
#-         if gathered and sum(len(q.split()) for q in gathered) + len(p.split()) > size:
#+         gathered.append(p)
#+         if sum(len(q.split()) for q in gathered) > size:
#-         gathered.append(p)
#-     return chunks
#+     return chunks + ["\n\n".join(gathered)] * bool(gathered)
# %% wrong="the last one is lost" says="last chunk is missing"
def sections(text, size):
    chunks, gathered = [], []
    for p in [p.strip() for p in re.split(r"\n\s*\n", text) if p.strip()]:
        if gathered and sum(len(q.split()) for q in gathered) + len(p.split()) > size:
            chunks.append("\n\n".join(gathered))
            gathered = []
        gathered.append(p)
    return chunks
# %% wrong="characters" says="words, not characters" of="the last one is lost"
#~ (len(q.split()) for q in gathered) + len(p.split()) => (map(len, gathered)) + len(p)
#~ return chunks => return chunks + ["\n\n".join(gathered)] * bool(gathered)
# %% wrong="words counted by regex" says="str.split()" of="the plain way"
#~ p.split() => re.findall(r"\w+", p)
#~ count + n => held and count + n
# %% wrong="count starts at 0 after closing although the paragraph is in" says="chunk" of="the plain way"
#~ count + n => held and count + n
#-             held, count = [], 0
#+             held, count = [p], 0
#+             continue
# %% wrong="an empty chunk before a long first paragraph" says="empty" of="the plain way"
#~ if count + n > size => if n + count > size
# %% wrong="repeated paragraphs are dropped" says="equal paragraphs" of="chunks grow"
#~ if not p => if not p or any(p in c for c in chunks)
# %% wrong="trailing blanks of lines taken off" says="as they are" of="chunks grow"
#~ p = p.strip() => p = re.sub(r"[ \t]+(?=\n)", "", p.strip())
# %% wrong="parts of x-y are words" says="words" of="chunks grow"
#~ (chunks[-1] + " " + p) => (chunks[-1] + " " + p).replace("-", " ")
# %% wrong="split at each line" says="every line break parts" of="the plain way"
#~ re.split(r"\n\s*\n", text) => text.split("\n")
#~ count + n => held and count + n
# %% wrong="each line stripped (indents lost)" says="inside a paragraph" of="the plain way"
#~ p.strip() => "\n".join(l.strip() for l in p.strip().split("\n"))
#~ count + n => held and count + n
# %% wrong="the paragraph after a long one joins it" says="chunk" of="the plain way"
#~ count + n => held and count <= size and count + n
# %% wrong="rstrip only" says="taken off" of="the plain way"
#~ strip => rstrip
#~ count + n => held and count + n
# %% wrong="count is not set back" says="chunk" of="the plain way"
#~ count + n => held and count + n
#~ held, count = [], 0 => held = []
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
# %% right="gathers lines with groupby"
from itertools import groupby
def sections(text, size):
    paragraphs = ["\n".join(g).strip() for blank, g in groupby(text.split("\n"), key=lambda l: not l.strip()) if not blank]
    chunks = []
    for p in paragraphs:
        if chunks and len(chunks[-1].split()) + len(p.split()) <= size:
            chunks[-1] += "\n\n" + p
        else:
            chunks.append(p)
    return chunks
# %% right="recursion"
def sections(text, size):
    def pack(ps):
        if not ps:
            return []
        n = 1
        while n < len(ps) and sum(len(p.split()) for p in ps[: n + 1]) <= size:
            n += 1
        return ["\n\n".join(ps[:n]), *pack(ps[n:])]
    return pack([p.strip() for p in re.split(r"\n[ \t\r\f\v]*\n", text) if p.strip()])
# %% wrong="words by split at blanks" says="str.split"
#~ len(paragraph.split()) => len(paragraph.split(" "))
# %% wrong="the chunk is stripped, not its paragraphs" says="not of the whole chunk"
def sections(text, size):
    out, held, count = [], [], 0
    for p in re.split(r"\n\s*\n", text):
        n = len(p.split())
        if not n:
            continue
        if held and count + n > size:
            out.append("\n\n".join(held).strip())
            held, count = [], 0
        held.append(p)
        count += n
    return out + ["\n\n".join(held).strip()] * bool(held)
# %% wrong="the text is stripped, not its paragraphs" says="not of the whole text" of="the chunk is stripped, not its paragraphs"
#~ for p in re.split(r"\n\s*\n", text): => for p in re.split(r"\n\s*\n", text.strip()):
#-         if not n:
#-             continue
#~ out.append("\n\n".join(held).strip()) => out.append("\n\n".join(held))
#~ return out + ["\n\n".join(held).strip()] * bool(held) => return out + ["\n\n".join(held)] if text.strip() else []
# %% wrong="words between single blanks" says="not split(' ')" clause="Words are what `str.split()` gives."
#~ words = len(paragraph.split()) => words = len(paragraph.split(" "))
