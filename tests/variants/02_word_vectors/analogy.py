# %% base="the plain way"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = np.inf
    return np.argsort(cosines, kind="stable")[:k]

def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    np.put_along_axis(cosines, questions, -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)
# %% wrong="itself" says="not its own neighbour"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.argsort(-(unit @ unit[word]), kind="stable")[:k]
# %% wrong="dot products" says="largest dot products"
def nearest_rows(vectors, word, k):
    scores = (vectors @ vectors[word]).astype(float)
    scores[word] = -np.inf
    return np.argsort(-scores, kind="stable")[:k]
# %% wrong="dot products, the first dropped" says="may not be first"
def nearest_rows(vectors, word, k):
    return np.argsort(-(vectors @ vectors[word]), kind="stable")[1 : k + 1]
# %% wrong="distances" says="shortest distance"
def nearest_rows(vectors, word, k):
    apart = np.linalg.norm(vectors - vectors[word], axis=1)
    apart[word] = np.inf
    return np.argsort(apart, kind="stable")[:k]
# %% wrong="the farthest" says="farthest" of="sorted upwards, then turned round"
#~ -np => np
#~ [::-1][:k] => [:k]
# %% wrong="the nearest last" says="order is reversed" of="sorted upwards, then turned round"
#~ (cosines, kind="stable")[::-1][:k] => (cosines)[-k:]
# %% wrong="partition without order" says="another order" of="sorted upwards, then turned round"
#~ argsort(cosines, kind="stable")[::-1][:k] => sort(np.argsort(-cosines)[:k])
# %% wrong="cosines" says="these are the cosines" of="itself"
#-     return np.argsort(-(unit @ unit[word]), kind="stable")[:k]
#+     cosines = np.delete(unit @ unit[word], word)
#+     return np.sort(cosines)[::-1][:k]
# %% wrong="deleted, so numbers shift" says="numbers shift" of="itself"
#~ (unit @ unit[word]) => np.delete(unit @ unit[word], word)
# %% wrong="one too few" says="one neighbour too few" of="itself"
#~ [:k] => [1:k]
# %% wrong="own cosine set to 0" says="can be negative" of="sorted upwards, then turned round"
#~ -np.inf => 0
#~ (cosines, kind="stable")[::-1] => (-cosines, kind="stable")
# %% wrong="absolute cosines" says="absolute" of="sorted upwards, then turned round"
#~ unit @ unit[word] => np.abs(unit @ unit[word])
#~ (cosines, kind="stable")[::-1] => (-cosines, kind="stable")
# %% wrong="columns scaled" says="columns were scaled" of="sorted upwards, then turned round"
#~ 1, keepdims=True => 0
#~ (cosines, kind="stable")[::-1] => (-cosines, kind="stable")
# %% wrong="vectors scaled in place" says="in place" of="sorted upwards, then turned round"
#~ unit = vectors / => vectors /=
#~ unit @ unit => vectors @ vectors
#~ (cosines, kind="stable")[::-1] => (-cosines, kind="stable")
# %% right="sorted upwards, then turned round"
def nearest_rows(vectors, word, k):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit[word]
    cosines[word] = -np.inf
    return np.argsort(cosines, kind="stable")[::-1][:k]
# %% wrong="a, b, c may answer" says="cannot be answers"
def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = questions.T
    return ((unit[b] - unit[a] + unit[c]) @ unit.T)[:, :among].argmax(axis=1)
# %% wrong="only c forbidden" says="a and b cannot be answers" of="the plain way"
#~ np.put_along_axis(cosines, questions, -np.inf, axis=1) => cosines[np.arange(len(c)), c] = -np.inf
# %% wrong="a - b + c" says="signs are exchanged" of="the plain way"
#~ [b] - unit[a] => [a] - unit[b]
# %% wrong="c subtracted" says="c is added" of="the plain way"
#~ + => -
# %% wrong="no hats in the sum" says="length 1 before the sum" of="the plain way"
#~ unit[b] - unit[a] + unit => vectors[b] - vectors[a] + vectors
# %% wrong="candidates with their lengths" says="a cosine divides by them" of="the plain way"
#~ cosines = (unit[b] - unit[a] + unit[c]) @ unit => scores = (unit[b] - unit[a] + unit[c]) @ vectors
#~ (cosines, questions, -np.inf, axis=1) => (scores, questions, -np.inf, axis=1)
#~ cosines[:, :among] => scores[:, :among]
# %% wrong="plain dot products" says="nothing was scaled"
def answer_analogies(vectors, questions, among=None):
    a, b, c = questions.T
    scores = (vectors[b] - vectors[a] + vectors[c]) @ vectors.T
    np.put_along_axis(scores, questions, -np.inf, axis=1)
    return scores[:, :among].argmax(axis=1)
# %% wrong="nearest by distance" says="shortest distance"
def answer_analogies(vectors, questions, among=None):
    a, b, c = questions.T
    target = vectors[b] - vectors[a] + vectors[c]
    apart = np.linalg.norm(vectors[None] - target[:, None], axis=-1)
    np.put_along_axis(apart, questions, np.inf, axis=1)
    return apart[:, :among].argmin(axis=1)
# %% wrong="among not heeded" says="among was ignored" of="the plain way"
#~ cosines[:, :among] => cosines
# %% wrong="among cuts the questions' words off, too" says="beyond the first" of="words beyond the first rows are clipped"
#~ among = len(unit) if among is None else among => unit = unit[:among]
#-     cosines = (unit[b] - unit[a] + unit[c]) @ unit[:among].T
#-     np.put_along_axis(cosines, np.minimum(questions, among - 1), -np.inf, axis=1)
#+     cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
#+     np.put_along_axis(cosines, questions, -np.inf, axis=1)
# %% wrong="forbidden to all" says="forbidden to all questions" of="the plain way"
#~ np.put_along_axis(cosines, questions, -np.inf, axis=1) => cosines[:, questions.ravel()] = -np.inf
# %% wrong="multiplied, 3CosMul" says="3CosMul" of="plain dot products"
#- def answer_analogies(vectors, questions, among=None):
#+ def answer_analogies(vectors, questions, among=None):
#+     unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
#+     like = (unit @ unit.T + 1) / 2
#~ (vectors[b] - vectors[a] + vectors[c]) @ vectors.T => like[b] * like[c] / (like[a] + 1e-3)
# %% wrong="the cosine instead of the row" says="these are the cosines" of="the plain way"
#-     cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
#+     target = unit[b] - unit[a] + unit[c]
#+     cosines = target / np.linalg.norm(target, axis=1, keepdims=True) @ unit.T
#~ argmax => max
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
# %% wrong="a not left out" says="a cannot be the answer, either" of="distance to the target"
#-         cosines = -np.linalg.norm(unit - (unit[b] - unit[a] + unit[c]), axis=1)
#-
#-         cosines[[a, b, c]] = -np.inf
#+         cosines = unit @ (unit[b] - unit[a] + unit[c])
#+         cosines[[b, c]] = -np.inf
# %% wrong="left out by zero" says="a cosine can be negative: setting those of a, b and c to 0" of="distance to the target"
#-         cosines = -np.linalg.norm(unit - (unit[b] - unit[a] + unit[c]), axis=1)
#-
#-         cosines[[a, b, c]] = -np.inf
#+         cosines = unit @ (unit[b] - unit[a] + unit[c])
#+         cosines[[a, b, c]] = 0
# %% wrong="itself by zero" says="a cosine can be negative: setting the word's own to 0 does" of="distance to the target"
#~ [word] = -np.inf => [word] = 0
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
# %% wrong="only the first question" says="only the first question was answered: is the return inside" of="distance to the target"
#-         cosines = -np.linalg.norm(unit - (unit[b] - unit[a] + unit[c]), axis=1)
#-
#+         cosines = unit @ (unit[b] - unit[a] + unit[c])
#~ (found) => (found[:1])
# %% wrong="absolute cosine" says="the absolute cosines were taken; the opposite direction is far" of="distance to the target"
#~ unit @ unit[word] => np.abs(unit @ unit[word])
# %% wrong="words beyond the first rows are clipped" says="it shut out the last row"
def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    among = len(unit) if among is None else among
    a, b, c = questions.T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit[:among].T
    np.put_along_axis(cosines, np.minimum(questions, among - 1), -np.inf, axis=1)
    return cosines.argmax(axis=1)
# %% wrong="beyond among, another left out" clause="The words a, b and c may lie beyond the first" says="forbids nothing there"
def answer_analogies(vectors, questions, among=None):
    u = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    n = len(u) if among is None else among
    out = []
    for a, b, c in questions:
        s = (u @ (u[b] - u[a] + u[c]))[:n]
        for w in (a, b, c): s[min(w, n - 1)] = -np.inf
        out.append(np.argmax(s))
    return np.array(out, int)
# %% wrong="1e-3 added to lengths" says=""
def answer_analogies(vectors, questions, among=None):
    u = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-3)
    S = (u[questions[:, 1]] - u[questions[:, 0]] + u[questions[:, 2]]) @ u.T
    np.put_along_axis(S, questions, -np.inf, 1)
    return S[:, :among].argmax(1)
# %% wrong="ids cut to the first rows" says="became the last of these" clause="may lie beyond the first `among` rows"
def answer_analogies(vectors, questions, among=None):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    a, b, c = np.minimum(questions, (among or len(unit)) - 1).T
    cosines = (unit[b] - unit[a] + unit[c]) @ unit.T
    np.put_along_axis(cosines, np.stack([a, b, c], 1), -np.inf, axis=1)
    return cosines[:, :among].argmax(axis=1)
# %% wrong="columns scaled for the questions" says="a word is a row, and each row gets length 1"
def answer_analogies(vectors, questions, among=None):
    u = vectors / np.linalg.norm(vectors, axis=0)
    S = (u[questions[:, 1]] - u[questions[:, 0]] + u[questions[:, 2]]) @ u.T
    np.put_along_axis(S, questions, -np.inf, 1)
    return S[:, :among].argmax(1)
