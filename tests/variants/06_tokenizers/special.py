# %% base="the plain way"
def encode_special(text, encode_text, special, allowed):
    if not allowed:
        return list(encode_text(text)) if text else []
    names = sorted(allowed, key=len, reverse=True)
    out = []
    for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
        out += [special[part]] if part in allowed else encode_text(part)
    return out
# %% wrong="all special tokens count" says="not allowed is plain text" of="the plain way"
#-     if not allowed:
#-         return list(encode_text(text)) if text else []
#-     names = sorted(allowed, key=len, reverse=True)
#+     names = sorted(special, key=len, reverse=True)
#~ out += [special[part]] if part in allowed else encode_text(part) => out += [special[part]] if part in special else encode_text(part) if part else []
# %% wrong="the shortest name wins" says="the longest counts" of="the plain way"
#~ len, reverse=True => len
#~ (part) => (part) if part else []
# %% wrong="an empty stretch is encoded" says="an empty stretch gives no ids" clause="an empty stretch gives no ids." of="an empty text is read, too, when nothing is allowed"
#-         return list(encode_text(text))
#+         return list(encode_text(text)) if text else []
#+     names = sorted(allowed, key=len, reverse=True)
#-     for part in regex.split("(" + "|".join(map(regex.escape, sorted(allowed, key=len)[::-1])) + ")", text):
#-         out += [special[part]] if part in allowed else list(encode_text(part)) if part else []
#+     for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
#+         out += [special[part]] if part in allowed else encode_text(part)
# %% wrong="what stands behind is lost" says="behind the last special token"
def encode_special(text, encode_text, special, allowed):
    out, i, start = [], 0, 0
    while i < len(text):
        found = [name for name in allowed if text.startswith(name, i)]
        if found:
            name = max(found, key=len)
            if text[start:i]:
                out += encode_text(text[start:i])
            out.append(special[name])
            i += len(name)
            start = i
        else:
            i += 1
    return out
# %% right="searching for the next name"
def encode_special(text, encode_text, special, allowed):
    out = []
    while text:
        places = [(text.find(name), -len(name), name) for name in allowed if name in text]
        if not places:
            return out + list(encode_text(text))
        place, _, name = min(places)
        if place:
            out += encode_text(text[:place])
        out.append(special[name])
        text = text[place + len(name) :]
    return out
# %% right="recursion"
def encode_special(text, encode_text, special, allowed):
    places = [(text.index(name), -len(name)) for name in allowed if name in text]
    if not places:
        return list(encode_text(text)) if text else []
    start, negative = min(places)
    end = start - negative
    front = list(encode_text(text[:start])) if start else []
    return front + [special[text[start:end]]] + encode_special(text[end:], encode_text, special, allowed)
# %% wrong="an empty pattern" says="the pattern is empty" of="the plain way"
#-     if not allowed:
#-         return list(encode_text(text)) if text else []
#~ (part) => (part) if part else []
# %% wrong="not escaped" says="regex.escape"
#- def encode_special(text: str, encode_text, special: dict[str, int], allowed: set[str]) -> list[int]:
#-     """Return the ids of a text in which the allowed names, and no others, are special tokens."""
#+ def encode_special(text, encode_text, special, allowed):
#-         return list(encode_text(text)) if text else []
#-     names = sorted(allowed, key=len, reverse=True)
#+         return encode_text(text)
#~ (f"({'|'.join(map(regex.escape, names))})", text) => ("(" + "|".join(sorted(allowed, key=len, reverse=True)) + ")", text)
# %% wrong="longest name anywhere first, not from the left" says="from left to right" clause="where several allowed names begin at the same position, the"
def encode_special(text, encode_text, special, allowed):
    for name in sorted(allowed, key=len, reverse=True):
        if name in text:
            before, after = text.split(name, 1)
            rest = allowed
            return (encode_special(before, encode_text, special, rest) + [special[name]]
                    + encode_special(after, encode_text, special, rest))
    return encode_text(text) if text else []
# %% wrong="only the first occurrence" says="first"
def encode_special(text, encode_text, special, allowed):
    hits = [(text.find(n), -len(n), n) for n in allowed if n in text]
    if not hits:
        return encode_text(text) if text else []
    at, _, name = min(hits)
    out = encode_text(text[:at]) if at else []
    out = out + [special[name]]
    rest = text[at + len(name) :]
    return out + (encode_text(rest) if rest else [])
# %% wrong="stretches stripped" says="white space around" of="an empty text is read, too, when nothing is allowed"
#~ return list(encode_text(text)) => return encode_text(text)
#-     for part in regex.split("(" + "|".join(map(regex.escape, sorted(allowed, key=len)[::-1])) + ")", text):
#-         out += [special[part]] if part in allowed else list(encode_text(part)) if part else []
#+     for part in regex.split("(" + "|".join(map(regex.escape, sorted(allowed, key=len, reverse=True))) + ")", text):
#+         if part in allowed:
#+             out.append(special[part])
#+         elif part.strip():
#+             out += encode_text(part.strip())
# %% wrong="character by character" says="stretch"
def encode_special(text, encode_text, special, allowed):
    out, i = [], 0
    while i < len(text):
        n = max((n for n in allowed if text.startswith(n, i)), key=len, default=None)
        if n:
            out.append(special[n])
            i += len(n)
        else:
            out += encode_text(text[i])
            i += 1
    return out
# %% right="by index"
def encode_special(text, encode_text, special, allowed):
    out, start, i = [], 0, 0
    while i < len(text):
        here = [n for n in allowed if text.startswith(n, i)]
        if not here:
            i += 1
            continue
        name = max(here, key=len)
        if i > start:
            out += list(encode_text(text[start:i]))
        out.append(special[name])
        i += len(name)
        start = i
    return out + (list(encode_text(text[start:])) if start < len(text) else [])
# %% right="finditer"
def encode_special(text, encode_text, special, allowed):
    import re
    out, end = [], 0
    if allowed:
        pattern = "|".join(re.escape(n) for n in sorted(allowed, key=lambda n: (-len(n), n)))
        for m in re.finditer(pattern, text):
            out.extend(encode_text(text[end : m.start()]) if m.start() > end else ())
            out.append(special[m.group()])
            end = m.end()
    if text[end:]:
        out.extend(encode_text(text[end:]))
    return out
# %% wrong="the id 0 counts as none" says="expected  [97, 0, 98" of="searching for the next name"
#~ out.append(special[name]) => out += [special[name]] if special[name] else []
# %% wrong="an empty text is read, too, when nothing is allowed" says="nor does an empty text"
def encode_special(text, encode_text, special, allowed):
    if not allowed:
        return list(encode_text(text))
    out = []
    for part in regex.split("(" + "|".join(map(regex.escape, sorted(allowed, key=len)[::-1])) + ")", text):
        out += [special[part]] if part in allowed else list(encode_text(part)) if part else []
    return out
# %% wrong="names that are not allowed end a stretch" says="the stretch goes on through it" clause="is special but not allowed is plain text."
def encode_special(text, encode_text, special, allowed):
    pattern = "(" + "|".join(regex.escape(name) for name in sorted(special, key=len, reverse=True)) + ")"
    ids = []
    for part in regex.split(pattern, text):
        if part in allowed:
            ids.append(special[part])
        elif part:
            ids.extend(encode_text(part))
    return ids
# %% wrong="names that are not allowed are dropped" says="was dropped: it is plain text" of="names that are not allowed end a stretch"
#~ elif part: => elif part and part not in special:
# %% wrong="names that are not allowed are refused" says="and no error" of="names that are not allowed end a stretch"
#~ sorted(special, => sorted(allowed or special,
#-     ids = []
#+     ids = []
#+     if any(name in text for name in special if name not in allowed):
#+         raise ValueError("a special token that is not allowed")
# %% wrong="names in the pattern as they are" says="so escape the names"
#~ for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text): => for i, part in enumerate(regex.split(f"({'|'.join(names)})", text)):
#~ if part in allowed: => if i % 2:
