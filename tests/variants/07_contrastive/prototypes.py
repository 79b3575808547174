# %% base="the plain way" of="index_add, cosine_similarity"
#-     out.index_add_(0, labels, F.normalize(vectors, dim=1))
#-     return F.normalize(out, dim=1)
#+     out.index_add_(0, labels, F.normalize(vectors, dim=-1))
#+     return F.normalize(out, dim=-1)
#~ return F.cosine_similarity(vectors[:, None], points[None], dim=-1).argmax(-1) => return (F.normalize(vectors, dim=-1) @ F.normalize(points, dim=-1).T).abs().argmax(1)
# %% wrong="raw mean" says="not brought to length 1 before the mean"
def prototypes(vectors, labels, num_classes):
    member = F.one_hot(labels, num_classes).T.to(vectors.dtype)
    return F.normalize(member @ vectors, dim=-1)
# %% wrong="short mean" says="the mean was not brought to length 1"
def prototypes(vectors, labels, num_classes):
    z = F.normalize(vectors, dim=-1)
    return torch.stack([z[labels == k].mean(0) if (labels == k).any() else torch.zeros(z.shape[1]) for k in range(num_classes)])
# %% wrong="NaN for the empty class" says="not NaN" of="short mean"
#~ torch.stack([z[labels == k].mean(0) if (labels == k).any() else torch.zeros(z.shape[1]) for k in range(num_classes)]) => F.normalize(torch.stack([z[labels == k].mean(0) for k in range(num_classes)]), dim=-1)
# %% wrong="dot products" says="largest dot product" of="index_add"
#~ F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT => vectors @ points.T
# %% right="index_add"
def prototypes(vectors, labels, num_classes):
    sums = torch.zeros(num_classes, vectors.shape[1], dtype=vectors.dtype).index_add_(0, labels, F.normalize(vectors, dim=-1))
    return F.normalize(sums, dim=-1)
def nearest(vectors, points):
    return (F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT).argmax(1)
# %% right="loops"
def prototypes(vectors, labels, num_classes):
    out = torch.zeros(num_classes, vectors.shape[1], dtype=torch.float64)
    for v, y in zip(vectors.double(), labels.tolist()):
        out[y] += v / v.norm()
    for k in range(num_classes):
        if out[k].norm() > 0:
            out[k] /= out[k].norm()
    return out
def nearest(vectors, points):
    found = []
    for v in vectors.double():
        s = [float(v @ p / p.norm().clamp(min=1e-12)) for p in points.double()]
        found.append(s.index(max(s)))
    return found
# %% wrong="only the classes that occur" says="without examples" of="short mean"
#~ torch.stack([z[labels == k].mean(0) if (labels == k).any() else torch.zeros(z.shape[1]) for k in range(num_classes)]) => F.normalize(torch.stack([z[labels == c].mean(0) for c in labels.unique()]), dim=-1)
# %% wrong="one_hot without K" says="behind the largest label"
def prototypes(vectors, labels, num_classes):
    y = F.one_hot(labels).T.to(vectors.dtype)
    return F.normalize(y @ F.normalize(vectors, dim=-1), dim=-1)
# %% wrong="columns normalised at the end" says="columns"
def prototypes(vectors, labels, num_classes):
    y = F.one_hot(labels, num_classes).T.to(vectors.dtype)
    return F.normalize(y @ F.normalize(vectors, dim=-1), dim=0)
# %% wrong="the last example of the class" says="last example" of="index_add, cosine_similarity"
#~ .index_add_(0, labels, F.normalize(vectors, dim=1)) => [labels] = F.normalize(vectors, dim=-1)
#~ F.normalize(out, dim=1) => out
# %% wrong="float32 always" says="float64"
def prototypes(vectors, labels, num_classes):
    out = torch.zeros(num_classes, vectors.shape[1])
    for v, c in zip(F.normalize(vectors, dim=-1), labels):
        out[c] += v
    return F.normalize(out, dim=-1)
# %% wrong="Euclidean" says="cosine" of="index_add"
#~ (F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT).argmax => torch.cdist(vectors, points).argmin
# %% wrong="argmax along the wrong axis" says="one number for each" of="index_add"
#~ (F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT).argmax(1) => (F.normalize(vectors, dim=-1) @ F.normalize(points, dim=-1).T).argmax(0)
# %% wrong="the last of equal ones" says="smallest number"
def nearest(vectors, points):
    s = F.normalize(vectors, dim=-1) @ F.normalize(points, dim=-1).T
    return s.shape[1] - 1 - s.flip(1).argmax(1)
# %% wrong="zero point gives NaN and wins" says="NaN"
def nearest(vectors, points):
    s = vectors @ points.T / (vectors.norm(dim=1)[:, None] * points.norm(dim=1))
    return s.argmax(1)
# %% wrong="the cosine instead of the number" says="number" of="index_add"
#~ (F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT).argmax(1) => (F.normalize(vectors, dim=-1) @ F.normalize(points, dim=-1).T).max(1).values
# %% wrong="absolute cosine" says="absolute" of="index_add"
#~ (F.normalize(vectors.double(), dim=-1) @ F.normalize(points.double(), dim=-1).mT) => (F.normalize(vectors, dim=-1) @ F.normalize(points, dim=-1).T).abs()
# %% right="index_add, cosine_similarity"
def prototypes(vectors, labels, num_classes):
    out = torch.zeros(num_classes, vectors.shape[1], dtype=vectors.dtype)
    out.index_add_(0, labels, F.normalize(vectors, dim=1))
    return F.normalize(out, dim=1)
def nearest(vectors, points):
    return F.cosine_similarity(vectors[:, None], points[None], dim=-1).argmax(-1)
# %% right="loops and unit points, distance"
def prototypes(vectors, labels, num_classes):
    z = vectors / vectors.norm(dim=-1, keepdim=True)
    rows = []
    for c in range(num_classes):
        mine = z[labels == c]
        m = mine.mean(0) if len(mine) else torch.zeros_like(z[0])
        rows.append(m / m.norm() if m.norm() > 0 else m)
    return torch.stack(rows)
def nearest(vectors, points):
    p = F.normalize(points, dim=-1)
    return torch.tensor([int((p @ v).argmax()) for v in vectors])
# %% wrong="nearest by distance" says="distances were compared" of="distances to the points as they are"
#~ return torch.cdist(F.normalize(vectors, dim=-1), points).argmin(1) => return torch.cdist(F.normalize(vectors, dim=-1), F.normalize(points, dim=-1)).argmin(1)
# %% wrong="a table of float32" says="float64"
def prototypes(vectors, labels, num_classes):
    out = torch.zeros(num_classes, vectors.shape[1])
    for c in labels.unique().tolist():
        out[c] = F.normalize(F.normalize(vectors[labels == c], dim=-1).mean(0), dim=-1)
    return out
# %% right="index_add, a list"
def prototypes(vectors, labels, num_classes):
    out = vectors.new_zeros(num_classes, vectors.shape[1])
    return F.normalize(out.index_add(0, labels, F.normalize(vectors, dim=-1)))
def nearest(vectors, points):
    return (vectors @ F.normalize(points, dim=-1).T).argmax(1).tolist()
# %% wrong="distances to the points as they are" says="directions alone"
def nearest(vectors, points):
    return torch.cdist(F.normalize(vectors, dim=-1), points).argmin(1)
# %% wrong="L1 at the end" says="the numbers sum to 1" of="by the number of all"
#~ return y @ z / len(z) => return F.normalize(y @ z, p=1, dim=-1)
# %% wrong="by the number of all" says="the number of all vectors"
def prototypes(vectors, labels, num_classes):
    z, y = F.normalize(vectors, dim=-1), F.one_hot(labels, num_classes).T.to(vectors.dtype)
    return y @ z / len(z)
# %% wrong="columns before the mean" says="before the mean: a vector is a row" of="by the number of all"
#~ return y @ z / len(z) => return F.normalize(y @ F.normalize(vectors, dim=0), dim=-1)
# %% wrong="points by columns" says="the columns of the points" of="zeros left out"
#~ return (v @ p.T).masked_fill((points == 0).all(1), -torch.inf).argmax(1) => return (v @ F.normalize(points, dim=0).T).argmax(1)
# %% wrong="zeros left out" says="a point of zeros was left out"
def nearest(vectors, points):
    v, p = F.normalize(vectors, dim=-1), F.normalize(points, dim=-1)
    return (v @ p.T).masked_fill((points == 0).all(1), -torch.inf).argmax(1)
# %% wrong="one vector squeezed" says="squeezed away"
#~ .argmax(dim=1) => .argmax(dim=1).squeeze()
