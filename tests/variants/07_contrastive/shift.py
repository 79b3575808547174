# %% wrong="rolled" says="came back on the other"
def shift(images, down, right):
    return torch.stack([torch.roll(i, (int(d), int(r)), (0, 1)) for i, d, r in zip(images, down, right)])

# %% wrong="the other way" says="moved the other way"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        for y in range(H):
            for x in range(W):
                if 0 <= y + int(down[b]) < H and 0 <= x + int(right[b]) < W:
                    out[b, y, x] = images[b, y + int(down[b]), x + int(right[b])]
    return out

# %% wrong="exchanged" says="down and right are exchanged"
def shift(images, down, right):
    B, H, W = images.shape
    out = torch.zeros_like(images)
    for b in range(B):
        for y in range(H):
            for x in range(W):
                if 0 <= y - int(right[b]) < H and 0 <= x - int(down[b]) < W:
                    out[b, y, x] = images[b, y - int(right[b]), x - int(down[b])]
    return out

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
