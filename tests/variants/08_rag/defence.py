# %% base="the plain way"
import unicodedata
def clean(text):
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|\w*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)]
    return "\n\n".join(p for p in paragraphs if p)
# %% wrong="hidden characters last" says="they hide the rest" of="greedy comments"
#-     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#-     text = re.sub(r"<!--.*(-->|\Z)", "", text, flags=re.S)
#+     text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
#-     return "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))
#+     text = "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))
#+     return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
# %% wrong="greedy comments" says="between two of them stays"
def clean(text):
    import unicodedata
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    return "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))
# %% wrong="lines, not paragraphs" says="whole paragraph goes" of="greedy comments"
#~ -.* => -.*?
#~ (line) => (line) and not ORDERS.search(line)
#~ () and not ORDERS.search(p) => ()
# %% wrong="capitals" says="capitals do not count" of="greedy comments"
#~ -.* => -.*?
#~ "\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I => "\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)"
# %% wrong="only ASCII" says="beyond ascii stay" of="the plain way"
#~ unicodedata.category(c) not in ("Cf", "Cc") => " " <= c <= "~"
#~ \w => [^\n]
# %% wrong="special tokens of word characters" says="anything but a line break" of="one pattern for lines"
#~ [^\n] => \w
#~ filter(lambda line: frame.match(line) is None, text.split("\n")) => line for line in text.split("\n") if not frame.match(line)
#~ (r"\n\s*\n", text.strip()) if ORDERS.search(p) is None => (r"\n\s*\n", text) if not ORDERS.search(p)
# %% wrong="special tokens over lines" says="over a line break" of="the plain way"
#~ "<\|\w*?\|>", "", text => "<\|.*?\|>", "", text, flags=re.S
# %% wrong="orders first, before comments" says="searched last" of="the plain way"
#-     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     text = "\n\n".join(p for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p))
#~ \w => [^\n]
# %% wrong="frame before comments" says="after comments" of="one pattern for lines"
#-     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
#+     text = "\n".join(line for line in text.split("\n") if not frame.match(line))
#-     frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
#-     text = "\n".join(filter(lambda line: frame.match(line) is None, text.split("\n")))
#-     paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text.strip()) if ORDERS.search(p) is None]
#+     paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)]
# %% wrong="tokens before comments" says="before special tokens" of="the plain way"
#-     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
#+     text = re.sub(r"<\|[^\n]*?\|>", "", text)
#-     text = re.sub(r"<\|\w*?\|>", "", text)
# %% wrong="paragraphs at double breaks only" says="nothing but blanks parts" of="one pattern for lines"
#~ filter(lambda line: frame.match(line) is None, text.split("\n")) => line for line in text.split("\n") if not frame.match(line)
#~ re.split(r"\n\s*\n", text.strip()) if ORDERS.search(p) is None => text.split("\n\n") if not ORDERS.search(p)
# %% wrong="empty paragraphs kept" says="empty" of="the plain way"
#~ \w => [^\n]
#~ p for p in paragraphs if p => paragraphs
# %% wrong="frame: only the mark is cut, not the line" says="line" of="one pattern for lines"
#~ filter(lambda line: frame.match(line) is None, text.split("\n")) => frame.sub("", line, count=1) if frame.match(line) else line for line in text.split("\n")
#~ (r"\n\s*\n", text.strip()) if ORDERS.search(p) is None => (r"\n\s*\n", text) if not ORDERS.search(p)
# %% right="step by step"
def clean(text):
    import unicodedata
    kept = []
    for c in text:
        if c in "\n\t" or unicodedata.category(c) not in {"Cf", "Cc"}:
            kept.append(c)
    text = "".join(kept)
    while "<!--" in text:
        start = text.index("<!--")
        end = text.find("-->", start + 4)
        text = text[:start] + ("" if end < 0 else text[end + 3 :])
    text = re.sub(r"<\|[^\n]*?\|>", "", text)
    lines = []
    for line in text.split("\n"):
        word = line.partition(":")[0].strip().lower() if ":" in line else ""
        if word not in ROLES and not re.match(r"\[\d+\]", line.lstrip()):
            lines.append(line)
    found = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        if paragraph.strip() and ORDERS.search(paragraph) is None:
            found.append(paragraph.strip())
    return "\n\n".join(found)
# %% right="one pattern for lines"
def clean(text):
    from unicodedata import category
    text = "".join("" if category(c) in ("Cf", "Cc") and c not in "\n\t" else c for c in text)
    text = re.sub(r"(?s)<!--.*?(?:-->|\Z)", "", text)
    text = re.sub(r"<\|.*?\|>", "", text)
    bad = re.compile(r"\s*(?:\[\d+\]|(?:" + "|".join(ROLES) + r")\s*:)", re.IGNORECASE)
    text = "\n".join([line for line in text.split("\n") if bad.match(line) is None])
    paragraphs = [p for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)]
    return "\n\n".join(filter(None, (p.strip() for p in paragraphs)))
# %% right="by hand: find, partition, a loop over lines"
def clean(text):
    import unicodedata
    kept = []
    for c in text:
        if c in ("\n", "\t") or unicodedata.category(c) not in {"Cc", "Cf"}:
            kept.append(c)
    text, out = "".join(kept), ""
    while "<!--" in text:
        before, _, rest = text.partition("<!--")
        out += before
        text = rest.partition("-->")[2]
    text = re.sub(r"<\|.*?\|>", "", out + text)
    lines = []
    for line in text.split("\n"):
        begin = line.strip().lower()
        role = begin.partition(":")[0].rstrip()
        if re.match(r"\[\d+\]", begin) or (":" in begin and role in ROLES):
            continue
        lines.append(line)
    found = []
    for p in re.split(r"\n\s*\n", "\n".join(lines)):
        if p.strip() and ORDERS.search(p) is None:
            found.append(p.strip())
    return "\n\n".join(found)
# %% right="one pattern for lines"
import unicodedata
def clean(text):
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|[^\n]*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(filter(lambda line: frame.match(line) is None, text.split("\n")))
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", text.strip()) if ORDERS.search(p) is None]
    return "\n\n".join(p for p in paragraphs if p)
# %% wrong="a > ends a comment" says="comments" of="one pattern for lines"
#~ <!--.*? => <!--[^>]*?
# %% wrong="carriage returns stay" says="unseen" of="one pattern for lines"
#~ if c in "\n\t" => if c in "\n\t\r"
# %% wrong="the frame by ^ and blanks that reach back" says="those of their line"
import unicodedata
def clean(text):
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    text = re.sub(rf"^\s*(\[\d+\]|({'|'.join(ROLES)})\s*:).*\n?", "", text, flags=re.I | re.M)
    paras = [p.strip() for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)]
    return "\n\n".join(p for p in paras if p)
# %% right="comments by find, lines by a loop"
import unicodedata
def clean(text):
    seen = []
    for c in text:
        if c == "\n" or c == "\t" or unicodedata.category(c) not in {"Cf", "Cc"}:
            seen.append(c)
    text = "".join(seen)
    while True:
        start = text.find("<!--")
        if start < 0:
            break
        end = text.find("-->", start + 4)
        kept_front, rest = text[:start], "" if end < 0 else text[end + 3:]
        marker = "\x00"
        text = kept_front + marker + rest
    text = text.replace("\x00", "")
    text = re.sub(r"<\|[^\n]*?\|>", "", text)
    roles = re.compile("(" + "|".join(ROLES) + r")\s*:", re.IGNORECASE)
    paragraphs, now = [], []
    for line in text.split("\n"):
        begin = line.lstrip()
        if re.match(r"\[\d+\]", begin) or roles.match(begin):
            continue
        if not line.strip():
            paragraphs.append(now)
            now = []
        else:
            now.append(line)
    paragraphs.append(now)
    kept = []
    for lines in paragraphs:
        whole = "\n".join(lines)
        if whole and not ORDERS.search(whole):
            kept.append(whole.strip())
    return "\n\n".join(kept)
# %% wrong="a line of the frame becomes an empty line" says="goes with its line break" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ line for line in text.split("\n") if not frame.match(line) => "" if frame.match(line) else line for line in text.split("\n")
# %% wrong="a blank for each comment" says="in the place of a comment" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ (-->|\Z)", "", => (-->|\Z)", " ",
# %% wrong="a blank for each special token" says="in the place of a special token" of="the plain way"
#~ <\|\w*?\|>", "", => <\|.*?\|>", " ",
# %% wrong="a blank for each hidden character" says="character that nobody sees" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc") => c if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc") else " " for c in text
# %% wrong="all categories that begin with C" says="others that begin with C" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ unicodedata.category(c) not in ("Cf", "Cc") => unicodedata.category(c)[0] != "C"
# %% wrong="isprintable" says="isprintable asks" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ unicodedata.category(c) not in ("Cf", "Cc") => c.isprintable()
# %% wrong="splitlines" says="splitlines parts" clause="whole lines (between two" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ text.split("\n") if => text.splitlines() if
# %% wrong="a comment that never closes ends with its line" says="not of its line" of="the plain way"
#~ <\|\w*?\|> => <\|.*?\|>
#~ (-->|\Z)", "", text, flags=re.S) => -->", "", text, flags=re.S)
#~ frame = re.compile => text = re.sub(r"<!--.*", "", text); frame = re.compile
# %% wrong="orders before the frame" says="and its order with it" clause="`clean(text)` takes away, in this order:"
#~ frame = re.compile( => text = "\n\n".join(p for p in re.split(r"\n\s*\n", text) if not ORDERS.search(p)); frame = re.compile(
# %% wrong="the frame before special tokens" says="after special tokens are gone" clause="`clean(text)` takes away, in this order:"
#~ text = re.sub(r"<\|.*?\|>", "", text) => pass
#~ paragraphs = [p.strip() => text = re.sub(r"<\|.*?\|>", "", text); paragraphs = [p.strip()
# %% wrong="comments before what nobody sees" says="they hide the rest" clause="These go first, because they can hide the rest"
#~ text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S) => pass
#~ text = "".join( => text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S); text = "".join(
# %% wrong="one blank before the colon" says="blanks before the colon" clause="blanks before the colon allowed"
#~ ({'|'.join(ROLES)})\s*: => ({'|'.join(ROLES)}) ?:
# %% wrong="comments with an end only" says="that never closes" clause="a comment that never closes runs to the end of"
#~ (-->|\Z) => -->
# %% wrong="control characters stay" says="control characters" clause="those of the Unicode categories `Cf` (zero-width and the like) and `Cc` (control)"
#~ not in ("Cf", "Cc") => not in ("Cf",)
# %% wrong="roles without a colon" says="only with a colon" clause="or with one of the words in `ROLES` and a colon"
#~ ({'|'.join(ROLES)})\s*:) => ({'|'.join(ROLES)}))
# %% wrong="orders at the start" says="not at its start" clause="is found"
#~ ORDERS.search(p) => ORDERS.match(p)
# %% wrong="no blanks before a number" says="blanks before a number in brackets are allowed" clause="those that begin, after blanks, with a number in"
#~ rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)" => rf"(\[\d+\]|\s*({'|'.join(ROLES)})\s*:)"
# %% wrong="no blanks before a frame" says="in brackets are allowed, and before the words" of="the plain way"
#~ \w*? => [^\n]*?
#~ rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)" => rf"(\[\d+\]|({'|'.join(ROLES)})\s*:)"
# %% wrong="no blanks before the words" says="blanks before the words of the frame" of="the plain way"
#~ \w*? => [^\n]*?
#~ rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)" => rf"(\s*\[\d+\]|({'|'.join(ROLES)})\s*:)"
# %% wrong="no blanks before the colon" says="blanks before the colon are allowed" of="the plain way"
#~ \w*? => [^\n]*?
#~ \s*:) => :)
