# %% wrong="itself" says="not its own neighbour"
def nearest_rows(vectors: np.ndarray, word: int, k: int) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors: np.ndarray, questions: np.ndarray, among: int | None = None) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="a, b, c may answer" says="cannot be answers"
def nearest_rows(vectors: np.ndarray, word: int, k: int) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors: np.ndarray, questions: np.ndarray, among: int | None = None) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    return cosines[:, :among].argmax(axis=1)

# %% wrong="lengths count" says="length 1 before the sum"
def nearest_rows(vectors: np.ndarray, word: int, k: int) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors: np.ndarray, questions: np.ndarray, among: int | None = None) -> np.ndarray:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (vectors[b] - vectors[a] + vectors[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% right="loops"
def cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


def nearest_rows(vectors, word, k):
    others = [i for i in range(len(vectors)) if i != word]
    return sorted(others, key=lambda i: -cosine(vectors[i], vectors[word]))[:k]


def answer_analogies(vectors, questions, among=None):
    unit = [v / np.linalg.norm(v) for v in vectors]
    answers = []
    for a, b, c in questions:
        target = unit[b] - unit[a] + unit[c]
        possible = [i for i in range(len(unit))[:among] if i not in (a, b, c)]
        answers.append(max(possible, key=lambda i: unit[i] @ target))
    return answers
