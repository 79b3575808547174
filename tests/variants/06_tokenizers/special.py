# %% wrong="all special tokens count" says="not allowed is plain text"
def encode_special(text, encode_text, special, allowed):
    names = sorted(special, key=len, reverse=True)
    out = []
    for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
        out += [special[part]] if part in special else encode_text(part) if part else []
    return out

# %% wrong="the shortest name wins" says="the longest counts"
def encode_special(text, encode_text, special, allowed):
    if not allowed:
        return list(encode_text(text)) if text else []
    names = sorted(allowed, key=len)
    out = []
    for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
        out += [special[part]] if part in allowed else encode_text(part) if part else []
    return out

# %% wrong="an empty stretch is encoded" says="an empty stretch gives no ids"
def encode_special(text, encode_text, special, allowed):
    if not allowed:
        return list(encode_text(text)) if text else []
    names = sorted(allowed, key=len, reverse=True)
    out = []
    for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
        out += [special[part]] if part in allowed else encode_text(part)
    return out

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

# %% wrong="an empty pattern" says="the pattern is empty"
def encode_special(text, encode_text, special, allowed):
    names = sorted(allowed, key=len, reverse=True)
    out = []
    for part in regex.split(f"({'|'.join(map(regex.escape, names))})", text):
        out += [special[part]] if part in allowed else encode_text(part) if part else []
    return out
