# %% wrong="itself" says="not its own neighbour"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.argsort(-(unit @ unit[word]), kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="dot products" says="largest dot products"
def nearest_rows(vectors, word, k):
    scores = (vectors @ vectors[word]).astype(float)
    scores[word] = -np.inf
    return np.argsort(-scores, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="dot products, the first dropped" says="may not be first"
def nearest_rows(vectors, word, k):
    return np.argsort(-(vectors @ vectors[word]), kind="stable")[1 : k + 1]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="distances" says="shortest distance"
def nearest_rows(vectors, word, k):
    apart = np.linalg.norm(vectors - vectors[word], axis=1)
    apart[word] = np.inf
    return np.argsort(apart, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="the farthest" says="farthest"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = np.inf
    return np.argsort(cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="the nearest last" says="order is turned round"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(cosines)[-k:]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="partition without order" says="another order"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.sort(np.argsort(-cosines)[:k])


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="cosines" says="cosines came"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = np.delete(unit @ unit[word], word)
    return np.sort(cosines)[::-1][:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="deleted, so numbers shift" says="numbers shift"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.argsort(-np.delete(unit @ unit[word], word), kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="one too few" says="one neighbour too few"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.argsort(-(unit @ unit[word]), kind="stable")[1:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="own cosine set to 0" says="can be negative"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = 0
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="absolute cosines" says="absolute"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = np.abs(unit @ unit[word])
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="columns scaled" says="columns were scaled"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="vectors scaled in place" says="in place"
def nearest_rows(vectors, word, k):
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% right="sorted upwards, then turned round"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(cosines, kind="stable")[::-1][:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, V), up to the length of the target
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="a, b, c may answer" says="cannot be answers"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    return ((unit[b] - unit[a] + unit[c]) @ unit.T)[:, :among].argmax(axis=1)

# %% wrong="only c forbidden" says="a and b cannot be answers"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    cosines[np.arange(len(c)), c] = -np.inf
    return cosines[:, :among].argmax(axis=1)

# %% wrong="b may answer" says="b cannot be the answer"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    cosines[np.arange(len(c)), a] = cosines[np.arange(len(c)), c] = -np.inf
    return cosines[:, :among].argmax(axis=1)

# %% wrong="a - b + c" says="signs are exchanged"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[a] - unit[b] + unit[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="c subtracted" says="c is added"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] - unit[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="no hats in the sum" says="length 1 before the sum"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (vectors[b] - vectors[a] + vectors[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)

# %% wrong="candidates with their lengths" says="a cosine divides by them"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    scores = (unit[b] - unit[a] + unit[c]) @ vectors.T
    np.put_along_axis(scores, questions, -np.inf, axis=1)
    return scores[:, :among].argmax(axis=1)

# %% wrong="plain dot products" says="nothing was scaled"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    a, b, c = questions.T
    scores = (vectors[b] - vectors[a] + vectors[c]) @ vectors.T
    np.put_along_axis(scores, questions, -np.inf, axis=1)
    return scores[:, :among].argmax(axis=1)

# %% wrong="nearest by distance" says="shortest distance"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    a, b, c = questions.T
    target = vectors[b] - vectors[a] + vectors[c]
    apart = np.linalg.norm(vectors[None] - target[:, None], axis=-1)
    np.put_along_axis(apart, questions, np.inf, axis=1)
    return apart[:, :among].argmin(axis=1)

# %% wrong="among not heeded" says="among was not heeded"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines.argmax(axis=1)

# %% wrong="among cuts the questions' words off, too" says="beyond the first"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = unit[:among]
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines.argmax(axis=1)

# %% wrong="forbidden to all" says="forbidden to all questions"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    cosines[:, questions.ravel()] = -np.inf
    return cosines[:, :among].argmax(axis=1)

# %% wrong="multiplied, 3CosMul" says="3CosMul"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    like = (unit @ unit.T + 1) / 2
    a, b, c = questions.T
    scores = like[b] * like[c] / (like[a] + 1e-3)
    np.put_along_axis(scores, questions, -np.inf, axis=1)
    return scores[:, :among].argmax(axis=1)

# %% wrong="the cosine instead of the row" says="cosines came"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines, kind="stable")[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    target = unit[b] - unit[a] + unit[c]
    cosines = target / np.linalg.norm(target, axis=1, keepdims=True) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].max(axis=1)

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

# %% right="scikit-learn's cosines"
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize


def nearest_rows(vectors, word, k):
    order = cosine_similarity(vectors[word : word + 1], vectors)[0].argsort()[::-1]
    return order[order != word][:k]


def answer_analogies(vectors, questions, among=None):
    unit = normalize(vectors)
    target = unit[questions[:, 1]] - unit[questions[:, 0]] + unit[questions[:, 2]]
    cosines = cosine_similarity(target, unit[:among])
    for line, question in zip(cosines, questions):
        line[[i for i in question if i < len(line)]] = -2
    return cosines.argmax(1)

# %% right="torch"
def nearest_rows(vectors, word, k):
    v = torch.as_tensor(vectors)
    cosines = torch.cosine_similarity(v, v[word][None], dim=1)
    cosines[word] = -torch.inf
    return cosines.topk(k).indices


def answer_analogies(vectors, questions, among=None):
    unit = nn.functional.normalize(torch.as_tensor(vectors), dim=1)
    q = torch.as_tensor(questions)
    target = unit[q] * torch.tensor([-1.0, 1, 1])[:, None]
    scores = target.sum(1) @ unit.T
    return scores.scatter(1, q, -torch.inf)[:, : among or len(unit)].argmax(1)

# %% right="products of cosines, no sums of vectors"
def nearest_rows(vectors, word, k):
    lengths = np.sqrt((vectors**2).sum(axis=1))
    cosines = vectors @ vectors[word] / lengths / lengths[word]
    order = np.lexsort((np.arange(len(vectors)), -cosines)).tolist()
    order.remove(word)
    return np.array(order[:k])


def answer_analogies(vectors, questions, among=None):
    lengths = np.sqrt((vectors**2).sum(axis=1))
    like = vectors @ vectors.T / np.outer(lengths, lengths)
    scores = like[questions[:, 1]] - like[questions[:, 0]] + like[questions[:, 2]]
    forbidden = (questions[:, :, None] == np.arange(len(vectors))).any(axis=1)
    return np.where(forbidden, -9, scores)[:, slice(among)].argmax(axis=1)

# %% right="unseen, right 1"
def nearest_rows(vectors, word, k):
    order = sorted(range(len(vectors)), key=lambda i: -(vectors[i] @ vectors[word]) / np.sqrt(vectors[i] @ vectors[i]))
    return np.array([i for i in order if i != word][:k])


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.sqrt((vectors**2).sum(-1, keepdims=True))
    a, b, c = (unit[questions[:, i]] for i in range(3))
    cosines = (b - a + c) @ unit.T
    np.put_along_axis(cosines, np.asarray(questions), -np.inf, axis=1)
    return cosines[:, : among or len(unit)].argmax(axis=1)

# %% wrong="a not left out" says="a cannot be the answer, either"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = unit @ (unit[b] - unit[a] + unit[c])
        cosines[[b, c]] = -np.inf
        found.append(np.argmax(cosines[:among]))
    return np.array(found)

# %% wrong="left out by zero" says="a cosine can be negative: setting those of a, b and c to 0"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = unit @ (unit[b] - unit[a] + unit[c])
        cosines[[a, b, c]] = 0
        found.append(np.argmax(cosines[:among]))
    return np.array(found)

# %% wrong="itself by zero" says="a cosine can be negative: setting the word's own to 0 does"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = 0
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = unit @ (unit[b] - unit[a] + unit[c])
        cosines[[a, b, c]] = -np.inf
        found.append(np.argmax(cosines[:among]))
    return np.array(found)

# %% right="distance to the target"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = -np.linalg.norm(unit - (unit[b] - unit[a] + unit[c]), axis=1)

        cosines[[a, b, c]] = -np.inf
        found.append(np.argmax(cosines[:among]))
    return np.array(found)

# %% wrong="only the first question" says="only the first question was answered: is the return inside"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = unit @ (unit[b] - unit[a] + unit[c])
        cosines[[a, b, c]] = -np.inf
        found.append(np.argmax(cosines[:among]))
    return np.array(found[:1])

# %% wrong="absolute cosine" says="the absolute cosines came in; the opposite direction is far"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = np.abs(unit @ unit[word])
    cosines[word] = -np.inf
    return np.argsort(-cosines)[:k]


def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for a, b, c in questions:
        cosines = unit @ (unit[b] - unit[a] + unit[c])
        cosines[[a, b, c]] = -np.inf
        found.append(np.argmax(cosines[:among]))
    return np.array(found)
