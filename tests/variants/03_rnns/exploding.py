# %% base="the plain way"
def jacobian_norms(states, W_h):
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)
def clip_by_norm(gradients, limit):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = max(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm
# %% wrong="no slope" says="1 - h^2" of="another way, 1"
#~ svd(product)[1][0] => norm(product, 2)
#~ (W_h @ np.diag(1 - h**2)) => W_h
# %% wrong="each its own" says="one norm"
#~ factor for => min(1.0, limit / max(float(g.norm()), 1e-30)) for
# %% wrong="always scaled" says="below the limit"
#~ min(1.0, limit / norm) => limit / norm
# %% right="another way, 1"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.svd(product)[1][0])
        product = (W_h @ np.diag(1 - h**2)) @ product
    return np.array(norms)
# %% right="another way, 2" of="a small number under the fraction, as torch has it"
#~ (gradients, limit) => (gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]
#~ math.sqrt(sum(float((g**2).sum()) for g in gradients)) => float(torch.cat([g.flatten() for g in gradients]).norm())
# %% wrong="the rows are scaled, not the columns" says="columns" of="the plain way"
#~ (product) => (product, 2)
#~ (1 - h**2) => (1 - h**2)[:, None]
# %% wrong="multiplied from the right" says="left" of="the plain way"
#~ (product) => (product, 2)
#~ (W_h * (1 - h**2)) @ product => product @ (W_h * (1 - h**2))
# %% wrong="from the first state on" says="began at h_1" of="the plain way"
#~ states[::-1] => states
#~ (product) => (product, 2)
#~ (W_h * (1 - h**2)) @ product => product @ (W_h * (1 - h**2))
# %% wrong="the Frobenius norm" says="Frobenius" of="another way, 1"
#~ (states: np.ndarray, W_h: np.ndarray) -> np.ndarray => (states, W_h)
#~ svd(product)[1][0] => norm(product)
#~ @ np.diag(1 - h**2) => * (1 - h**2)
# %% wrong="the largest eigenvalue" says="eigenvalue" of="the plain way"
#~ linalg.norm(product) => abs(np.linalg.eigvals(product)).max()
# %% wrong="the largest column sum" says="sum of a column" of="the plain way"
#~ (product) => (product, 1)
# %% wrong="the product of the norms" says="multiply the matrices" of="the plain way"
#~ product, norms = np.eye(len(W_h)) => norm, norms = 1.0
#~ np.linalg.norm(product) => norm
#~ product = (W_h * (1 - h**2)) @ product => norm *= np.linalg.norm(W_h * (1 - h**2), 2)
# %% wrong="each Jacobian alone" says="product"
def jacobian_norms(states, W_h):
    return np.array([1.0] + [np.linalg.norm(W_h * (1 - h**2), 2) for h in states[:0:-1]])
# %% wrong="without the identity" says="identity" of="another way, 1"
#~ (states: np.ndarray, W_h: np.ndarray) -> np.ndarray => (states, W_h)
#~ norms.append(np.linalg.svd(product)[1][0]) => product = (W_h * (1 - h**2)) @ product
#~ product = (W_h @ np.diag(1 - h**2)) @ product => norms.append(np.linalg.norm(product, 2))
# %% wrong="one too many" says="k = T" of="another way, 1"
#~ (states: np.ndarray, W_h: np.ndarray) -> np.ndarray => (states, W_h)
#~ [] => [1.0]
#~ norms.append(np.linalg.svd(product)[1][0]) => product = (W_h * (1 - h**2)) @ product
#~ product = (W_h @ np.diag(1 - h**2)) @ product => norms.append(np.linalg.norm(product, 2))
# %% wrong="the slope is 1 - h" says="1 - h" of="the plain way"
#~ (product) => (product, 2)
#~ h**2 => h
# %% wrong="tanh once more" says="already" of="the plain way"
#~ (product) => (product, 2)
#~ h**2 => np.tanh(h) ** 2
# %% wrong="one state too early" says="that of h_(T-1)"
def jacobian_norms(states, W_h):
    product, norms = np.eye(len(W_h)), [1.0]
    for h in states[-2::-1]:
        product = (W_h * (1 - h**2)) @ product
        norms.append(np.linalg.norm(product, 2))
    return np.array(norms)
# %% wrong="in the order of time" says="the result is reversed" of="the plain way"
#~ (product) => (product, 2)
#~ (norms) => (norms[::-1])
# %% wrong="smallest singular value" says="largest is asked" of="the plain way"
#~ (product) => (product, -2)
# %% wrong="in place" says="changed"
def clip_by_norm(gradients, limit):
    norm = float(torch.nn.utils.clip_grad_norm_([], 1.0)) if not gradients else math.sqrt(
        sum(float((g**2).sum()) for g in gradients))
    if norm > limit:
        for g in gradients:
            g.mul_(limit / norm)
    return gradients, norm
# %% right="the given tensors below the limit" of="by value"
#~ [g.clamp(-limit, limit) for g in gradients], norm => ([g * (limit / norm) for g in gradients] if norm > limit else gradients), norm
# %% wrong="the norm after clipping" says="before" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
#~ , norm => , norm * factor
# %% wrong="no root" says="root" of="a small number under the fraction, as torch has it"
#~ math.sqrt(sum(float((g**2).sum()) for g in gradients)) => sum(float((g**2).sum()) for g in gradients)
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
# %% wrong="the sum of the norms" says="norms of the tensors were added" of="a small number under the fraction, as torch has it"
#~ math.sqrt(sum(float((g**2).sum()) for g in gradients)) => sum(float(g.norm()) for g in gradients)
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
# %% wrong="the largest norm" says="largest norm" of="a small number under the fraction, as torch has it"
#~ math.sqrt(sum(float((g**2).sum()) for g in gradients)) => max(float(g.norm()) for g in gradients)
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
# %% wrong="by value" says="value"
def clip_by_norm(gradients, limit):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    return [g.clamp(-limit, limit) for g in gradients], norm
# %% wrong="absolute values" says="absolute" of="a small number under the fraction, as torch has it"
#~ math.sqrt(sum(float((g**2).sum()) for g in gradients)) => sum(float(g.abs().sum()) for g in gradients)
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
# %% wrong="the mean of the squares" says="averaged" of="a small number under the fraction, as torch has it"
#~ .sum => .mean
#~ limit / (norm + 1e-6) if norm > limit => min(1.0, limit / norm) if norm
# %% wrong="divided by the norm, the limit forgotten" says="limit" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) => 1 / norm
# %% wrong="the inverse factor" says="inverted" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) => norm / limit
# %% wrong="a norm of 0 is divided by" says="norm is 0" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) if norm > limit else 1.0 => min(1.0, limit / norm)
# %% wrong="not the norm, the gradients only" says="norm" of="by value"
#~ [g.clamp(-limit, limit) for g in gradients], norm => [g * min(1.0, limit / max(norm, limit)) for g in gradients]
# %% wrong="flattened" says="shape" of="by value"
#~ g.clamp(-limit, limit) => (g * min(1.0, limit / max(norm, limit))).flatten()
# %% wrong="max where min belongs" says="take the smaller" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) if norm > limit => max(1.0, limit / norm) if norm
# %% right="a small number under the fraction, as torch has it"
def clip_by_norm(gradients, limit):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = limit / (norm + 1e-6) if norm > limit else 1.0
    return [g * factor for g in gradients], norm
# %% right="torch's own clipping, on copies"
def clip_by_norm(gradients, limit):
    norm = float(torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in gradients])))
    return [g.clone() if norm <= limit else g * (limit / norm) for g in gradients], norm
def jacobian_norms(states, W_h):
    product, norms = np.eye(W_h.shape[0]), [1.0]
    for t in range(len(states) - 1, 0, -1):
        product = np.einsum("ij,jk->ik", W_h @ np.diag(1 - states[t] ** 2), product)
        norms.append(np.sqrt(np.linalg.eigvalsh(product @ product.T)[-1]))
    return norms
# %% right="each product from nothing"
def jacobian_norms(states, W_h):
    T, out = len(states), []
    for k in range(T):
        factors = [W_h @ np.diag(1 - states[t] ** 2) for t in range(T - k, T)]
        product = np.linalg.multi_dot(factors) if k > 1 else factors[0] if k else np.eye(len(W_h))
        out.append(np.linalg.svd(product, compute_uv=False).max())
    return np.array(out)
def clip_by_norm(gradients, limit):
    everything = torch.cat([g.flatten().double() for g in gradients])
    norm = everything.norm().item()
    factor = limit / norm if norm > limit else 1.0
    return tuple(factor * g for g in gradients), norm
# %% wrong="the limit over the larger of both" says="infinity divided by infinity"
def clip_by_norm(gradients, limit):
    norm = torch.cat([g.flatten().double() for g in gradients]).norm().item()
    return [g * (limit / max(norm, limit)) for g in gradients], norm
# %% wrong="one dtype for all" says="each gradient keeps its dtype" of="by value"
#~ return [g.clamp(-limit, limit) for g in gradients], norm => return [(g * (limit / norm if norm > limit else 1.0)).float() for g in gradients], norm
# %% right="torch for the product"
def jacobian_norms(states, W_h):
    W, product, norms = torch.tensor(W_h), torch.eye(len(W_h), dtype=torch.float64), []
    for h in torch.tensor(states).flip(0):
        norms.append(torch.linalg.matrix_norm(product, 2).item())
        product = W @ ((1 - h**2)[:, None] * product)
    return norms
def clip_by_norm(gradients, limit):
    total = 0.0
    for g in gradients:
        total += torch.sum(g * g).item()
    norm = total**0.5
    if norm <= limit:
        return [g.clone() for g in gradients], norm
    return [g / norm * limit for g in gradients], norm
# %% right="unseen, right 1"
def jacobian_norms(states, W_h):
    product = np.eye(len(W_h))
    norms = [1.0]
    for h in states[:0:-1]:
        product = W_h * (1 - h**2) @ product
        norms.append(np.linalg.svd(product, compute_uv=False)[0])
    return np.array(norms)
def clip_by_norm(gradients, limit):
    norm = torch.linalg.vector_norm(torch.cat([g.flatten().double() for g in gradients])).item()
    return [g.clone() if norm <= limit else g / norm * limit for g in gradients], norm
# %% wrong="unit when above" says="the gradients were divided by their norm and not multiplied" of="a small number under the fraction, as torch has it"
#~ limit / (norm + 1e-6) => 1 / norm
# %% right="copies below the limit, norm in double"
def clip_by_norm(gradients, limit):
    norm = float(torch.sqrt(sum(g.double().pow(2).sum() for g in gradients)))
    return [g.clone() if norm <= limit else g * (limit / norm) for g in gradients], norm
# %% wrong="divided by a norm of 0" clause="If the norm is at most the limit, nothing is scaled" says="do not divide by it"
def clip_by_norm(gradients, limit):
    n = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    f = min(1.0, limit / n)
    return [g * f for g in gradients], n
# %% wrong="infinity over infinity, seen" clause="the limit may be math.inf" says="infinity"
def clip_by_norm(gradients, limit):
    n = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    return [g * limit / max(n, limit) if n else g for g in gradients], n
