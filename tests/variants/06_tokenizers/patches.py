# %% base="the plain way"
def to_patches(images, size):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // size, size, w // size, size)
    return x.permute(0, 4, 2, 1, 3, 5).reshape(b, -1, c * size * size)
def from_patches(patches, size, height, width):
    split = patches.reshape(patches.shape[0], height // size, width // size, size, size, -1)
    return split.permute(0, 5, 1, 3, 2, 4).reshape(patches.shape[0], -1, height, width)
# %% wrong="a reshape alone" says="a reshape alone cannot do it"
def to_patches(images, size):
    return images.reshape(images.shape[0], -1, images.shape[1] * size * size)
def from_patches(patches, size, height, width):
    return patches.reshape(patches.shape[0], -1, height, width)
# %% wrong="channels last" says="here they come last"
def to_patches(images, size):
    B, C, H, W = images.shape
    split = images.reshape(B, C, H // size, size, W // size, size)
    return split.permute(0, 2, 4, 3, 5, 1).reshape(B, -1, C * size * size)
def from_patches(patches, size, height, width):
    split = patches.reshape(patches.shape[0], height // size, width // size, size, size, -1)
    return split.permute(0, 5, 1, 3, 2, 4).reshape(patches.shape[0], -1, height, width)
# %% wrong="column by column" says="column by column" of="the plain way"
#~ b, c, h, w => B, C, H, W
#~ x = images.reshape(b, c, h // size, size, w // size, size) => split = images.reshape(B, C, H // size, size, W // size, size)
#~ x.permute(0, 4, 2, 1, 3, 5).reshape(b, -1, c * size * size) => split.permute(0, 4, 2, 1, 3, 5).reshape(B, -1, C * size * size)
#~ height // size, width // size, size, size, -1 => width // size, height // size, -1, size, size
#~ 5, 1, 3, 2, 4 => 3, 2, 4, 1, 5
# %% wrong="the image comes back turned" says="height and width are exchanged"
def from_patches(patches, size, height, width):
    split = patches.reshape(patches.shape[0], width // size, height // size, -1, size, size)
    return split.permute(0, 3, 1, 4, 2, 5).reshape(patches.shape[0], -1, width, height)
# %% right="slices"
def to_patches(images, size):
    B, C, H, W = images.shape
    cut = [images[:, :, i : i + size, j : j + size].reshape(B, -1) for i in range(0, H, size) for j in range(0, W, size)]
    return torch.stack(cut, dim=1)
def from_patches(patches, size, height, width):
    B, N, numbers = patches.shape
    images = patches.new_zeros(B, numbers // size**2, height, width)
    for n in range(N):
        i, j = divmod(n, width // size)
        block = patches[:, n].reshape(B, -1, size, size)
        images[:, :, i * size : (i + 1) * size, j * size : (j + 1) * size] = block
    return images
# %% right="Tensor.unfold"
def to_patches(images, size):
    cut = images.unfold(2, size, size).unfold(3, size, size)  # (B, C, rows, columns, size, size)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
def from_patches(patches, size, height, width):
    rows, columns = height // size, width // size
    cut = patches.unflatten(1, (rows, columns)).unflatten(3, (-1, size, size))
    return cut.permute(0, 3, 1, 4, 2, 5).flatten(2, 3).flatten(3, 4)
# %% wrong="channels last in a patch" says="channels" of="the plain way"
#~ 4, 2, 1, 3, 5 => 2, 4, 3, 5, 1
# %% wrong="channels as patches of their own" says="patches of its own" of="the plain way"
#~ 4, 2, 1 => 1, 2, 4
# %% wrong="columns first" says="row by row" of="loops"
#~ rows = [images[:, :, i : i + size, j : j + size].reshape(b, -1) for i in range(0, h, size) for j in range(0, w, size)] => x = images.reshape(b, c, h // size, size, w // size, size)
#~ torch.stack(rows, dim=1) => x.permute(0, 4, 2, 1, 3, 5).reshape(b, -1, c * size * size)
# %% wrong="unfold without mT" says="unfold" of="a reshape alone"
#~ images.reshape(images.shape[0], -1, images.shape[1] * size * size) => torch.nn.functional.unfold(images.float(), size, stride=size)
# %% wrong="float comes back" says="dtype" of="a reshape alone"
#~ images.reshape(images.shape[0], -1, images.shape[1] * size * size) => torch.nn.functional.unfold(images.float(), size, stride=size).mT
# %% wrong="overlapping patches" says="stride"
def to_patches(images, size):
    x = images.unfold(2, size, 1).unfold(3, size, 1)
    return x.permute(0, 2, 3, 1, 4, 5).reshape(len(images), -1, images.shape[1] * size * size)
# %% wrong="inside back turned round" says="turned"
def from_patches(patches, size, height, width):
    b, n, d = patches.shape
    c = d // size**2
    x = patches.reshape(b, height // size, width // size, c, size, size)
    return x.permute(0, 3, 1, 5, 2, 4).reshape(b, c, height, width)
# %% right="loops"
def to_patches(images, size):
    b, c, h, w = images.shape
    rows = [images[:, :, i : i + size, j : j + size].reshape(b, -1) for i in range(0, h, size) for j in range(0, w, size)]
    return torch.stack(rows, dim=1)
def from_patches(patches, size, height, width):
    b, n, d = patches.shape
    out = patches.new_zeros(b, d // size // size, height, width)
    for k in range(n):
        i, j = divmod(k, width // size)
        out[:, :, i * size : i * size + size, j * size : j * size + size] = patches[:, k].reshape(b, -1, size, size)
    return out
# %% right="tensor.unfold, cat"
def to_patches(images, size):
    x = images.unfold(2, size, size).unfold(3, size, size)
    return x.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
def from_patches(patches, size, height, width):
    grid = patches.unflatten(2, (-1, size, size)).unflatten(1, (height // size, width // size))
    lines = [torch.cat([grid[:, i, j] for j in range(width // size)], dim=3) for i in range(height // size)]
    return torch.cat(lines, dim=2)
# %% wrong="by NumPy" says="the gradient was cut"
def to_patches(images, size):
    x = images.detach().numpy()
    cut = [x[:, :, i : i + size, j : j + size] for i in range(0, x.shape[2], size) for j in range(0, x.shape[3], size)]
    return torch.from_numpy(np.stack([patch.reshape(len(x), -1) for patch in cut], axis=1))
# %% wrong="height and width mixed up in the split" says="width / size patches in each"
def from_patches(patches, size, height, width):
    b, n, d = patches.shape
    x = patches.reshape(b, width // size, height // size, d // size**2, size, size)
    return x.permute(0, 3, 1, 4, 2, 5).reshape(b, -1, height, width)
# %% wrong="through float32 and back" says="a narrower dtype on the way" of="a reshape alone"
#~ return images.reshape(images.shape[0], -1, images.shape[1] * size * size) => return torch.nn.functional.unfold(images.float(), size, stride=size).mT.to(images.dtype)
#~ return patches.reshape(patches.shape[0], -1, height, width) => return torch.nn.functional.fold(patches.float().mT, (height, width), size, stride=size).to(patches.dtype)
# %% wrong="H and W split the wrong way round" says="which patch first, then the place in it"
def to_patches(images, size):
    b, c, h, w = images.shape
    x = images.reshape(b, c, size, h // size, size, w // size)
    return x.permute(0, 3, 5, 1, 2, 4).reshape(b, -1, c * size * size)
