# %% base="the plain way"
def utf8_bytes(text):
    out = []
    for n in map(ord, text):
        if n < 0x80:
            out.append(n)
        elif n < 0x800:
            out += [0xC0 | n >> 6, 0x80 | n & 0x3F]
        elif n < 0x10000:
            out += [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F]
        else:
            out += [0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F]
    return out
# %% wrong="code points" says="code points" of="the codec with surrogatepass"
#~ list(text.encode("utf-8", "surrogatepass")) => [ord(c) for c in text]
# %% wrong="no mark on what follows" says="begins with the bits 10" of="the plain way"
#~ out.append(n) => out += [n]
#~ [0xC0 | n >> 6, 0x80 | n & 0x3F] => [0xC0 | n >> 6, n & 0x3F]
#~ [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xE0 | n >> 12, n >> 6 & 0x3F, n & 0x3F]
#~ 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | => n >> 12 & 0x3F, n >> 6 & 0x3F,
# %% wrong="limits one too high" says="one too high"
#~ < 0x80: => <= 0x80:
#~ < 0x800 => <= 0x800
#~ < 0x10000 => <= 0x10000
# %% wrong="surrogates are dropped" says="dropped" of="the codec with surrogatepass"
#~ surrogatepass => ignore
# %% wrong="the codec with surrogatepass" says="without str.encode" clause="Write it from the table, without `str.encode`."
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
# %% wrong="surrogates replaced by a question mark" says="question mark" of="the codec with surrogatepass"
#~ surrogatepass => replace
# %% wrong="UTF-16: pairs of surrogates for the large ones" says="four bytes"
def utf8_bytes(text):
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    return [b for u in units for b in chr(u).encode("utf-8", "surrogatepass")]
# %% wrong="only the limit of three bytes is one too high" says="one too high: 0x10000 itself" of="the plain way"
#~ < 0x10000 => <= 0x10000
#~ [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
#~ [0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
# %% wrong="middle byte not masked" says="lowest six bits"
#~ out += [n] => out.append(n)
#~ [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F] => [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F]
#~ 12 & 0x3F, 0x80 | n >> 6 & 0x3F => 12, 0x80 | n >> 6
# %% wrong="mask of five bits" says="five bits" of="the plain way"
#~ [0xC0 | n >> 6, 0x80 | n & 0x3F] => [0xC0 | n >> 6, 0x80 | n & 0x1F]
#~ [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xE0 | n >> 12, 0x80 | n >> 6 & 0x1F, 0x80 | n & 0x1F]
#~ [0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xF0 | n >> 18, 0x80 | n >> 12 & 0x1F, 0x80 | n >> 6 & 0x1F, 0x80 | n & 0x1F]
# %% wrong="no four bytes" says="four bytes" of="the plain way"
#-         elif n < 0x10000:
#-             out += [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F]
#~ 0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6 => 0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F
# %% wrong="normalised first" says="normalis"
def utf8_bytes(text):
    import unicodedata
    return list(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass"))
# %% wrong="strict encode: an error at surrogates" says="strict UTF-8 refuses" clause="here they are written like any other number that needs three bytes" of="the codec with surrogatepass"
#~ ("utf-8", "surrogatepass") => ()
# %% right="from the low end, turned"
def utf8_bytes(text):
    out = []
    for char in text:
        n, tail, room = ord(char), [], 0x40
        if n < 128:
            out.append(n)
            continue
        while n >= room:
            tail.append(0x80 + n % 64)
            n //= 64
            room = 0x20 if room == 0x40 else room // 2
        lead = {1: 0xC0, 2: 0xE0, 3: 0xF0}[len(tail)]
        out.append(lead + n)
        out.extend(reversed(tail))
    return out
# %% right="with text of bits"
def utf8_bytes(text):
    out = []
    for n in map(ord, text):
        size = 1 + (n >= 0x80) + (n >= 0x800) + (n >= 0x10000)
        if size == 1:
            out.append(n)
            continue
        bits = format(n, "b").zfill(6 * (size - 1) + 7 - size)
        head = "1" * size + "0" + bits[: 7 - size]
        rest = bits[7 - size :]
        out.append(int(head, 2))
        out += [int("10" + rest[i : i + 6], 2) for i in range(0, len(rest), 6)]
    return out
# %% wrong="0xFFFF takes four bytes" says="one too low: 0xFFFF still" of="the plain way"
#~ < 0x10000 => < 0xFFFF
#~ [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
#~ [0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
# %% wrong="the second byte of four keeps five bits" says="byte 2 of 4 holds six bits" of="the plain way"
#~ [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
#~ [0xF0 | n >> 18, 0x80 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F] => [0xF0 | n >> 18, 0x80 | n >> 12 & 0x1F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
# %% wrong="the middle one of three bytes is not masked" says="byte 2 of 3 keeps too many bits"
def utf8_bytes(text):
    out = []
    for n in map(ord, text):
        if n < 0x80:
            out.append(n)
        elif n < 0x800:
            out += [0xC0 | n >> 6, 0x80 | n & 0x3F]
        elif n < 0x10000:
            out += [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 0x3F]
        else:
            out += [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return out
# %% wrong="three bytes begin with eleven bits less" says="shifted by 12 bits, not by 11" of="the middle one of three bytes is not masked"
#~ 0xE0 | n >> 12, 0x80 | n >> 6, => 0xE0 | n >> 11, 0x80 | n >> 6 & 0x3F,
# %% wrong="the later bytes begin with 01" says="0x80 and not 0x40" of="the middle one of three bytes is not masked"
#~ 0xC0 | n >> 6, 0x80 => 0xC0 | n >> 6, 0x40
#~ 0x80 | n >> 6, 0x80 | n => 0x40 | n >> 6 & 0x3F, 0x40 | n
#~ 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n => 0x40 | n >> 12 & 0x3F, 0x40 | n >> 6 & 0x3F, 0x40 | n
# %% wrong="2,048 itself with two bytes" says="a limit is one too high: 0x800 itself takes three bytes"
#~ < 0x800 => <= 0x800
# %% wrong="128 itself with one byte" says="a limit is one too high: 0x80 itself takes two bytes"
#~ < 0x80: => <= 0x80:
# %% wrong="2,047 with three bytes" says="a limit is one too low: 0x7FF still takes two bytes"
#~ < 0x800 => < 0x7FF
# %% wrong="127 with two bytes" says="a limit is one too low: 0x7F still takes one byte"
#~ < 0x80: => < 0x7F:
# %% wrong="marks added without brackets" says="in all bytes, even where the shift has its own"
#~ 0xC0 | n >> 6, 0x80 | n & 0x3F => 0xC0 + n >> 6, 0x80 + n & 0x3F
#~ 0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F => 0xE0 + n >> 12, 0x80 + (n >> 6) & 0x3F, 0x80 + n & 0x3F
#~ 0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F => 0xF0 + n >> 18, 0x80 + (n >> 12) & 0x3F, 0x80 + (n >> 6) & 0x3F, 0x80 + n & 0x3F
# %% wrong="no brackets at all" says="+ binds tighter than >> and &"
#~ 0xC0 | n >> 6, 0x80 | n & 0x3F => 0xC0 + n >> 6, 0x80 + n & 0x3F
#~ 0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F => 0xE0 + n >> 12, 0x80 + n >> 6 & 0x3F, 0x80 + n & 0x3F
#~ 0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F => 0xF0 + n >> 18, 0x80 + n >> 12 & 0x3F, 0x80 + n >> 6 & 0x3F, 0x80 + n & 0x3F
# %% wrong="no brackets in the first byte" says="or use | for the +, in the first byte"
#~ 0xC0 | n => 0xC0 + n
#~ 0xE0 | n => 0xE0 + n
#~ 0xF0 | n => 0xF0 + n
# %% wrong="the codec, by map" says="without str.encode"
def utf8_bytes(text):
    return list(b"".join(map(str.encode, text)))
# %% wrong="the codec, by bytes" says="without str.encode"
def utf8_bytes(text):
    return list(bytes(text, "UTF-8", "surrogatepass"))
# %% wrong="white space at the ends is cut off" says="white space at the ends" of="strings of bits" clause="and read every text as it is, however long: case, white space at its ends and accents count"
#~ for c in text => for c in text.strip()
# %% wrong="two bytes, the lowest first" says="in characters of 2 bytes, too"
#~ [0xC0 | n >> 6, 0x80 | n & 0x3F] => [0x80 | n & 0x3F, 0xC0 | n >> 6]
# %% wrong="two bytes, the second without its mark" says="in characters of 2 bytes, too: add 0x80"
#~ [0xC0 | n >> 6, 0x80 | n & 0x3F] => [0xC0 | n >> 6, n & 0x3F]
