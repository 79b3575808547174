# %% right="by array_split, by stacking, chunks in a dict"
def shares(rows, replicas):
    parts = np.array_split(np.arange(rows), replicas)
    out, start = [], 0
    for part in parts:
        out.append((start, start + len(part)))
        start += len(part)
    return out
def average_gradients(gradients, rows):
    total, result = sum(rows), None
    for grads, n in zip(gradients, rows):
        if n == 0:
            continue
        weighted = [g * n for g in grads]
        result = weighted if result is None else [a + b for a, b in zip(result, weighted)]
    return [g / total for g in result]
def ring_sum(vectors, send):
    R = len(vectors)
    size = len(vectors[0]) // R
    data = [v.clone() for v in vectors]
    part = lambda k: slice((k % R) * size, (k % R + 1) * size)
    for k in range(R - 1):
        got = [send(r, (r + 1) % R, data[r][part(r - k)]) for r in range(R)]
        for r in range(R):
            data[(r + 1) % R][part(r - k)] += got[r]
    for k in range(R - 1):
        got = [send(r, (r + 1) % R, data[r][part(r + 1 - k)]) for r in range(R)]
        for r in range(R):
            data[(r + 1) % R][part(r + 1 - k)] = got[r]
    return data
# %% right="from the other chunk on, looking backwards"
def shares(rows, replicas):
    out = []
    for i in range(replicas):
        start = i * (rows // replicas) + min(i, rows % replicas)
        out.append((start, start + rows // replicas + (1 if i < rows % replicas else 0)))
    return out
def average_gradients(gradients, rows):
    weights = torch.tensor(rows, dtype=torch.float64) / sum(rows)
    out = []
    for parts in zip(*gradients):
        total = torch.zeros_like(parts[0])
        for g, w in zip(parts, weights.tolist()):
            if w:
                total += w * g
        out.append(total)
    return out
def ring_sum(vectors, send):
    n = len(vectors)
    table = [list(torch.stack(v.chunk(n))) for v in vectors]
    for k in range(n - 1):
        inbox = {}
        for r in range(n):
            c = (r + 3 * n - k) % n
            inbox[(r + 1) % n] = (c, send(r, (r + 1) % n, table[r][c]))
        for r, (c, chunk) in inbox.items():
            table[r][c] = table[r][c] + chunk
    for k in range(n - 1):
        inbox = {}
        for r in range(n):
            c = (r + 1 + 3 * n - k) % n
            inbox[(r + 1) % n] = (c, send(r, (r + 1) % n, table[r][c]))
        for r, (c, chunk) in inbox.items():
            table[r][c] = chunk
    return [torch.cat(row) for row in table]
# %% wrong="rows left over" says="rows left over were dropped"
#~ bounds[-1] + whole + (i < more) => bounds[-1] + whole
# %% wrong="all left over to the last" says="all went to the last"
#~ bounds[-1] + whole + (i < more) => bounds[-1] + whole + more * (i + 1 == replicas)
# %% wrong="larger last" says="they come first"
#~ (i < more) => (i >= replicas - more)
# %% wrong="rounded up" says="rounded up"
#~ bounds.append(bounds[-1] + whole + (i < more)) => bounds.append(min(bounds[-1] + whole + (more > 0), rows))
# %% wrong="sizes" says="these are sizes"
#~ return list(zip(bounds, bounds[1:], strict=False)) => return [b - a for a, b in zip(bounds, bounds[1:])]
# %% wrong="end inclusive" says="end is exclusive"
#~ return list(zip(bounds, bounds[1:], strict=False)) => return [(a, b - 1) for a, b in zip(bounds, bounds[1:])]
# %% wrong="start and size" says="(start, size)"
#~ return list(zip(bounds, bounds[1:], strict=False)) => return [(a, b - a) for a, b in zip(bounds, bounds[1:])]
# %% wrong="all alike" says="weigh alike"
#~ g * (n / total) => g / sum(1 for m in rows if m)
# %% wrong="all alike, empty ones counted" says="weigh alike"
#~ g * (n / total) => g / len(rows)
# %% wrong="added" says="not averaged"
#~ g * (n / total) => g
# %% wrong="times rows" says="not divided by all"
#~ g * (n / total) => g * n
# %% wrong="divided twice" says="number of replicas, too"
#~ g * (n / total) => g * (n / total / len(rows))
# %% wrong="nan takes part" says="0 times nan"
#~ zip(of_parameter, rows, strict=True) if n] => zip(of_parameter, rows)]
# %% wrong="the first replica's" says="first replica came back"
#~ averages.append(torch.stack(parts).sum(dim=0)) => averages.append(of_parameter[0])
# %% wrong="nothing sent" says="nothing was sent"
def ring_sum(vectors, send):
    return [torch.stack(vectors).sum(0) for _ in vectors]
# %% wrong="to everybody" says="to every other"
def ring_sum(vectors, send):
    sums = [v.clone() for v in vectors]
    for r, v in enumerate(vectors):
        for other in range(len(vectors)):
            if other != r:
                sums[other] += send(r, other, v)
    return sums
# %% wrong="one collects" says="one machine received everything"
def ring_sum(vectors, send):
    total = vectors[0].clone()
    for r in range(1, len(vectors)):
        total += send(r, 0, vectors[r])
    return [total] + [send(0, r, total) for r in range(1, len(vectors))]
# %% wrong="whole vectors" says="whole vectors travel"
def ring_sum(vectors, send):
    n = len(vectors)
    sums, moving = [v.clone() for v in vectors], list(vectors)
    for _ in range(n - 1):
        moving = [send((r - 1) % n, r, moving[(r - 1) % n]) for r in range(n)]
        sums = [a + b for a, b in zip(sums, moving)]
    return sums
# %% wrong="no second phase" says="second phase is missing"
#~ for phase in (0, 1): => for phase in (0,):
# %% wrong="replaced at once" says="the first phase adds"
#~ chunk.clone() if phase else target[which] + chunk => chunk.clone()
# %% wrong="begins with another chunk" says="not complete"
#~ which = (r + phase - k) % count => which = (r + 2 * phase - k) % count
# %% wrong="the mean" says="this is the mean"
#~ return [torch.cat(parts) for parts in chunks] => return [torch.cat(parts) / count for parts in chunks]
# %% wrong="the rest to the first" says="all went to the first"
#~ whole + (i < more) => whole + more * (i == 0)
# %% wrong="replicas without rows left out" says="a replica without rows was left out"
#~ return list(zip(bounds, bounds[1:], strict=False)) => return [(a, b) for a, b in zip(bounds, bounds[1:]) if a < b]
# %% wrong="the second phase adds" says="in the second phase"
#~ chunk.clone() if phase else target[which] + chunk => target[which] + chunk
# %% wrong="in place" says="vectors that came in were changed"
#~ vector.clone().chunk(count) => vector.chunk(count)
#~ chunk.clone() if phase else target[which] + chunk => chunk.clone() if phase else target[which].add_(chunk)
# %% wrong="messages for show" says="do not come from what was sent"
def ring_sum(vectors, send):
    count = len(vectors)
    for r in range(count):
        for k in range(2 * (count - 1)):
            send(r, (r + 1) % count, vectors[r].chunk(count)[k % count])
    return [sum(vectors) for _ in vectors]
# %% wrong="the last one, where the first has no rows" says="a wrong value"
#~ total = sum(rows) => total = sum(rows); gradients, rows = (gradients, rows) if rows[0] else (gradients[-1:], [total])
# %% wrong="the second phase begins with chunk r" says="the first phase adds, and the second begins"
#~ which = (r + phase - k) % count => which = (r - k) % count
