# %% wrong="raw mean" says="not brought to length 1 before the mean"
def prototypes(vectors, labels, num_classes):
    member = F.one_hot(labels, num_classes).T.to(vectors.dtype)
    return F.normalize(member @ vectors, dim=-1)


def nearest(vectors, points):
    return cosine_similarities(vectors, points).argmax(1)

# %% wrong="short mean" says="the mean was not brought to length 1"
def prototypes(vectors, labels, num_classes):
    z = F.normalize(vectors, dim=-1)
    return torch.stack([z[labels == k].mean(0) if (labels == k).any() else torch.zeros(z.shape[1]) for k in range(num_classes)])


def nearest(vectors, points):
    return cosine_similarities(vectors, points).argmax(1)

# %% wrong="NaN for the empty class" says="not NaN"
def prototypes(vectors, labels, num_classes):
    z = F.normalize(vectors, dim=-1)
    return F.normalize(torch.stack([z[labels == k].mean(0) for k in range(num_classes)]), dim=-1)


def nearest(vectors, points):
    return cosine_similarities(vectors, points).argmax(1)

# %% wrong="dot products" says="largest dot product"
def prototypes(vectors, labels, num_classes):
    member = F.one_hot(labels, num_classes).T.to(vectors.dtype)
    return F.normalize(member @ F.normalize(vectors, dim=-1), dim=-1)


def nearest(vectors, points):
    return (vectors @ points.T).argmax(1)

# %% right="index_add"
def prototypes(vectors, labels, num_classes):
    sums = torch.zeros(num_classes, vectors.shape[1]).index_add_(0, labels, F.normalize(vectors, dim=-1))
    return F.normalize(sums, dim=-1)


def nearest(vectors, points):
    return torch.cdist(F.normalize(vectors.double(), dim=-1), F.normalize(points.double(), dim=-1)).argmin(1)

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
        s = [float(v @ p / p.norm()) for p in points.double()]
        found.append(s.index(max(s)))
    return found
