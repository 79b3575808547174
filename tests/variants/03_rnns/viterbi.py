# %% wrong="transposed" says="column to row"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[b][a] for a, b in zip(tags, tags[1:], strict=False)))


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions.T  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions.T, axis=0) + row
    return float(np.logaddexp.reduce(total))

# %% wrong="best tag alone" says="taken alone"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    return [int(t) for t in emissions.argmax(axis=1)]
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))

# %% wrong="the maximum" says="best path"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    path = viterbi(emissions, transitions, start)
    return path_score(emissions, transitions, start, path)

# %% right="another way, 1"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(before.tolist()[path[-1]])
    return path[::-1]


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.logaddexp.reduce(total[:, None] + transitions, axis=0) + row
    return float(np.logaddexp.reduce(total))

# %% right="another way, 2"
def path_score(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray, tags: Sequence[int]) -> float:
    score = start[tags[0]] + sum(emissions[t][tag] for t, tag in enumerate(tags))
    return float(score + sum(transitions[a][b] for a, b in zip(tags, tags[1:], strict=False)))


def viterbi(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> list[int]:
    best, notes = start + emissions[0], []
    for row in emissions[1:]:
        table = best[:, None] + transitions  # (from, to)
        notes.append(table.argmax(axis=0))
        best = table.max(axis=0) + row
    path = [int(best.argmax())]
    for before in reversed(notes):
        path.append(int(before[path[-1]]))
    return path[::-1]


def log_partition(emissions: np.ndarray, transitions: np.ndarray, start: np.ndarray) -> float:
    total = start + emissions[0]
    for row in emissions[1:]:
        total = np.array([torch.logsumexp(torch.tensor(total + transitions[:, j]), 0).item() for j in range(len(start))]) + row
    return float(np.logaddexp.reduce(total))
