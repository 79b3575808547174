# %% base="the plain way"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        d, r = int(down[b]), int(right[b])
        for i in range(H):
            for j in range(W):
                if i - d < H and j - r < W:
                    out[b, i, j] = images[b, i - d, j - r]
    return out
# %% wrong="rolled" says="came back on the other"
def shift(images, down, right):
    return torch.stack([torch.roll(i, (int(d), int(r)), (0, 1)) for i, d, r in zip(images, down, right)])
# %% wrong="the other way" says="moved the other way" of="loops"
#~ - int(down[b]) < H and 0 <= x - => + int(down[b]) < H and 0 <= x +
#~ - int(down[b]), x - => + int(down[b]), x +
# %% wrong="exchanged" says="down and right are exchanged" of="loops"
#~ (down[b]) < H and 0 <= x - int(right[b]) => (right[b]) < H and 0 <= x - int(down[b])
#~ (down[b]), x - int(right[b]) => (right[b]), x - int(down[b])
# %% right="loops"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        for y in range(H):
            for x in range(W):
                if 0 <= y - int(down[b]) < H and 0 <= x - int(right[b]) < W:
                    out[b, y, x] = images[b, y - int(down[b]), x - int(right[b])]
    return out
# %% right="pad and cut"
def shift(images, down, right):
    B, H, W = images.shape
    out = []
    for image, d, r in zip(images, down.tolist(), right.tolist()):
        d, r = max(-H, min(H, d)), max(-W, min(W, r))
        padded = F.pad(image, (W, W, H, H))
        out.append(padded[H - d : 2 * H - d, W - r : 2 * W - r])
    return torch.stack(out)
# %% wrong="float32 always" says="dtype" of="the plain way"
#~ zeros_like(images) => zeros(B, H, W)
#~ i - d < H and => 0 <= i - d < H and 0 <=
# %% wrong="negative slices go wrong" says="stayed where they were" of="four slices"
#-         d = max(-H, min(H, int(down[b])))
#-         r = max(-W, min(W, int(right[b])))
#-         out[b, max(d, 0) : H + min(d, 0), max(r, 0) : W + min(r, 0)] = images[b, max(-d, 0) : H - max(d, 0), max(-r, 0) : W - max(r, 0)]
#+         d, r = int(down[b]), int(right[b])
#+         if d >= 0 and r >= 0:
#+             out[b, d:, r:] = images[b, : max(H - d, 0), : max(W - r, 0)]
#+         else:
#+             out[b] = images[b]
# %% wrong="slices, too large a shift fails" says="as large as" of="four slices"
#-         d = max(-H, min(H, int(down[b])))
#-         r = max(-W, min(W, int(right[b])))
#-         out[b, max(d, 0) : H + min(d, 0), max(r, 0) : W + min(r, 0)] = images[b, max(-d, 0) : H - max(d, 0), max(-r, 0) : W - max(r, 0)]
#+         d, r = int(down[b]), int(right[b])
#+         src = images[b]
#+         if d > 0: src = torch.cat([src.new_zeros(d, W), src[:-d]])
#+         if d < 0: src = torch.cat([src[-d:], src.new_zeros(-d, W)])
#+         if r > 0: src = torch.cat([src.new_zeros(H, r), src[:, :-r]], 1)
#+         if r < 0: src = torch.cat([src[:, -r:], src.new_zeros(H, -r)], 1)
#+         out[b] = src
# %% wrong="in place" says="in place" of="the plain way"
#-     out = torch.zeros_like(images)
#-     for b in range(B):
#+     for b in range(B):
#+         x = images[b].clone()
#+         images[b] = 0
#~ i - d < H and => 0 <= i - d < H and 0 <=
#~ out[b, i, j] = images[b, i - d, j - r] => images[b, i, j] = x[i - d, j - r]
#~ return out => return images
# %% wrong="wrapped rows by a negative index" says="came back" of="four slices"
#-         d = max(-H, min(H, int(down[b])))
#-         r = max(-W, min(W, int(right[b])))
#-         out[b, max(d, 0) : H + min(d, 0), max(r, 0) : W + min(r, 0)] = images[b, max(-d, 0) : H - max(d, 0), max(-r, 0) : W - max(r, 0)]
#+         d, r = int(down[b]), int(right[b])
#+         for i in range(H):
#+             for j in range(W):
#+                 if i - d < H and j - r < W:
#+                     out[b, i, j] = images[b, i - d, j - r]
# %% wrong="clamped at the border" says="border was repeated"
def shift(images, down, right):
    B, H, W = images.shape
    rows = (torch.arange(H) - down[:, None]).clamp(0, H - 1)
    cols = (torch.arange(W) - right[:, None]).clamp(0, W - 1)
    return images[torch.arange(B)[:, None, None], rows[:, :, None], cols[:, None, :]]
# %% right="index and mask"
def shift(images, down, right):
    B, H, W = images.shape
    rows, cols = torch.arange(H) - down[:, None], torch.arange(W) - right[:, None]
    out = images[torch.arange(B)[:, None, None], rows.clamp(0, H - 1)[:, :, None], cols.clamp(0, W - 1)[:, None, :]]
    inside = ((rows >= 0) & (rows < H))[:, :, None] & ((cols >= 0) & (cols < W))[:, None, :]
    return torch.where(inside, out, torch.zeros_like(out))
# %% right="four slices"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        d = max(-H, min(H, int(down[b])))
        r = max(-W, min(W, int(right[b])))
        out[b, max(d, 0) : H + min(d, 0), max(r, 0) : W + min(r, 0)] = images[b, max(-d, 0) : H - max(d, 0), max(-r, 0) : W - max(r, 0)]
    return out
# %% wrong="a border of nine pixels" says="large images"
def shift(images, down, right):
    H, W = images.shape[1:]
    wide = F.pad(images, (9, 9, 9, 9))
    return torch.stack([torch.roll(i, (int(d), int(r)), (0, 1))[9 : 9 + H, 9 : 9 + W] for i, d, r in zip(wide, down, right)])
# %% wrong="at least one pixel stays" says="a row or a column stayed" of="index and mask"
#~ rows, cols = torch.arange(H) - down[:, None], torch.arange(W) - right[:, None] => rows, cols = torch.arange(H) - down.clamp(1 - H, H - 1)[:, None], torch.arange(W) - right.clamp(1 - W, W - 1)[:, None]
# %% right="slices from both ends" of="columns come back"
#-         for i in range(images.shape[1]):
#-             if 0 <= i - d < images.shape[1]:
#-                 out[b, i] = torch.roll(images[b, i - d], r)
#+         to = tuple(slice(n, None) if n >= 0 else slice(None, n) for n in (d, r))
#+         of = tuple(slice(None, -n) if n > 0 else slice(-n, None) for n in (d, r))
#+         out[b][to] = images[b][of]
# %% wrong="rolled, blackened above and on the left alone" says="upper or left side"
def shift(images, down, right):
    out = images.clone()
    for b, (d, r) in enumerate(zip(down.tolist(), right.tolist())):
        out[b] = torch.roll(images[b], (d, r), (0, 1))
        out[b, : max(d, 0)] = 0
        out[b, :, : max(r, 0)] = 0
    return out
# %% wrong="columns come back" says="on the left or right came back"
def shift(images, down, right):
    out = torch.zeros_like(images)
    for b, (d, r) in enumerate(zip(down.tolist(), right.tolist())):
        for i in range(images.shape[1]):
            if 0 <= i - d < images.shape[1]:
                out[b, i] = torch.roll(images[b, i - d], r)
    return out
# %% wrong="the first row and column lost" says="the index 0" of="height and width exchanged inside"
#~ if 0 <= y < min(H, W) and 0 <= x < min(H, W): => if 0 < y < H and 0 < x < W:
# %% wrong="old pixels stay" says="the old pixels stayed" of="height and width exchanged inside"
#~ out = torch.zeros_like(images) => out = images.clone()
#~ if 0 <= y < min(H, W) and 0 <= x < min(H, W): => if 0 <= y < H and 0 <= x < W:
# %% wrong="height and width exchanged inside" says="height and width are exchanged"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        for i in range(H):
            for j in range(W):
                y, x = i - int(down[b]), j - int(right[b])
                if 0 <= y < min(H, W) and 0 <= x < min(H, W):
                    out[b, i, j] = images[b, y, x]
    return out
# %% wrong="a shift of 0 makes all black" says="a shift of 0 made all black"
def shift(images, down, right):
    out = images.clone()
    for b, (d, r) in enumerate(zip(down.tolist(), right.tolist())):
        out[b] = torch.roll(images[b], (d, r), (0, 1))
        out[b][slice(d) if d > 0 else slice(d, None)] = 0
        out[b][:, slice(r) if r > 0 else slice(r, None)] = 0
    return out
# %% wrong="the columns alone black at 0" says="a shift of 0 made all black" of="a shift of 0 makes all black"
#~ slice(d) if d > 0 => slice(d) if d >= 0
# %% wrong="black in the wrong part" says="the wrong part became zeros" of="a shift of 0 makes all black"
#~ slice(d) if d > 0 else slice(d, None) => slice(d)
#~ slice(r) if r > 0 else slice(r, None) => slice(r)
# %% wrong="an end of -0" says="[:-0] is empty"
def shift(images, down, right):
    out = torch.zeros_like(images)
    for b, (d, r) in enumerate(zip(down.tolist(), right.tolist())):
        to = [slice(n, None) if n >= 0 else slice(None, n) for n in (d, r)]
        of = [slice(None, -n) if n >= 0 else slice(-n, None) for n in (d, r)]
        out[b, to[0], to[1]] = images[b, of[0], of[1]]
    return out
# %% wrong="below 0 nothing moves" says="a number below 0 moved nothing" of="loops"
#~ out = torch.zeros_like(images) => out = torch.zeros_like(images); down, right = down.clamp(min=0), right.clamp(min=0)
# %% wrong="columns limited by the height" says="cut at the height of the image" of="loops"
#~ out = torch.zeros_like(images) => out = torch.zeros_like(images); right = right.clamp(-H, H)
# %% wrong="a shift beyond the image modulo its size" says="was taken modulo its size"
#~ rows = torch.arange(H)[None] - down[:, None] => rows = torch.arange(H)[None] - down[:, None].fmod(H)
#~ columns = torch.arange(W)[None] - right[:, None] => columns = torch.arange(W)[None] - right[:, None].fmod(W)
