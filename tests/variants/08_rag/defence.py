# %% wrong="hidden characters last" says="they hide the rest"
def clean(text):
    import unicodedata
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    text = "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))

# %% wrong="greedy comments" says="between two of them stays"
def clean(text):
    import unicodedata
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    return "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))

# %% wrong="lines, not paragraphs" says="whole paragraph goes"
def clean(text):
    import unicodedata
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)", re.I)
    text = "\n".join(line for line in text.split("\n") if not frame.match(line) and not ORDERS.search(line))
    return "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip())

# %% wrong="capitals" says="capitals do not count"
def clean(text):
    import unicodedata
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cf", "Cc"))
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<\|.*?\|>", "", text)
    frame = re.compile(rf"\s*(\[\d+\]|({'|'.join(ROLES)})\s*:)")
    text = "\n".join(line for line in text.split("\n") if not frame.match(line))
    return "\n\n".join(p.strip() for p in re.split(r"\n\s*\n", text) if p.strip() and not ORDERS.search(p))

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
