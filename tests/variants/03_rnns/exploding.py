# %% wrong="no slope" says="1 - h^2"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = W_h @ product
    return np.array(norms)


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm

# %% wrong="each its own" says="one norm"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * min(1.0, limit / max(float(g.norm()), 1e-30)) for g in gradients], norm

# %% wrong="always scaled" says="below the limit"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = limit / norm if norm else 1.0
    return [g * factor for g in gradients], norm

# %% right="another way, 1"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.svd(product)[1][0])
        product = (W_h @ np.diag(1 - h**2)) @ product
    return np.array(norms)


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    factor = min(1.0, limit / norm) if norm else 1.0
    return [g * factor for g in gradients], norm

# %% right="another way, 2"
def jacobian_norms(states: np.ndarray, W_h: np.ndarray) -> np.ndarray:
    product, norms = np.eye(len(W_h)), []
    for h in states[::-1]:
        norms.append(np.linalg.norm(product, 2))
        product = (W_h * (1 - h**2)) @ product
    return np.array(norms)


def clip_by_norm(gradients: list[torch.Tensor], limit: float) -> tuple[list[torch.Tensor], float]:
    norm = float(torch.cat([g.flatten() for g in gradients]).norm())
    factor = limit / (norm + 1e-6) if norm > limit else 1.0
    return [g * factor for g in gradients], norm
