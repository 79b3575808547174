# %% wrong="code points" says="code points"
def utf8_bytes(text):
    return [ord(c) for c in text]

# %% wrong="no mark on what follows" says="begins with the bits 10"
def utf8_bytes(text):
    out = []
    for n in map(ord, text):
        if n < 0x80:
            out += [n]
        elif n < 0x800:
            out += [0xC0 | n >> 6, n & 0x3F]
        elif n < 0x10000:
            out += [0xE0 | n >> 12, n >> 6 & 0x3F, n & 0x3F]
        else:
            out += [0xF0 | n >> 18, n >> 12 & 0x3F, n >> 6 & 0x3F, n & 0x3F]
    return out

# %% wrong="limits one too high" says="one too high"
def utf8_bytes(text):
    out = []
    for n in map(ord, text):
        if n <= 0x80:
            out += [n]
        elif n <= 0x800:
            out += [0xC0 | n >> 6, 0x80 | n & 0x3F]
        elif n <= 0x10000:
            out += [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
        else:
            out += [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return out

# %% wrong="surrogates are dropped" says="dropped"
def utf8_bytes(text):
    return list(text.encode("utf-8", "ignore"))

# %% right="the codec with surrogatepass"
def utf8_bytes(text):
    return list(text.encode("utf-8", "surrogatepass"))

# %% right="strings of bits"
def utf8_bytes(text):
    out = []
    for c in text:
        n = ord(c)
        if n < 128:
            out.append(n)
            continue
        length = 2 if n < 2048 else 3 if n < 65536 else 4
        bits = format(n, "b").zfill(6 * (length - 1) + 7 - length)
        first = 7 - length
        out.append(int("1" * length + "0" + bits[:first], 2))
        out += [int("10" + bits[i : i + 6], 2) for i in range(first, len(bits), 6)]
    return out
