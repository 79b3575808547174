# %% wrong="no norm" says="`final_norm` is missing"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += [*(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% wrong="the first blocks" says="these are the first blocks"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(top))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% wrong="one block always" says="`top` is ignored"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - 1, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% wrong="biases without the head's weight" says="its weights did not"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% wrong="no gradients" says="gradients are missing"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + states * sum(sizes[name] for name in trained))

# %% wrong="states for all" says="trained weights only"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes.values()))

# %% wrong="numbers" says="not bytes"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 1 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% wrong="frozen weights forgotten" says="frozen weights are in memory"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes[name] for name in trained) + (1 + states) * sum(sizes[name] for name in trained))

# %% right="a loop and sets"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    found = []
    for name in names:
        if any(name.startswith(b) for b in begins):
            found.append(name)
    return found


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    return 4 * (sum(sizes.values()) + (1 + states) * sum(sizes[name] for name in trained))

# %% right="by parts of the name"
def trained_names(names: list[str], method: str, num_layers: int, top: int = 1) -> list[str]:
    """Return those of `names` that `method` ("full", "head", "top" or "biases") trains, in their order."""
    if method == "full":
        return list(names)
    if method == "biases":
        return [name for name in names if name.startswith("head.") or name.endswith(".bias")]
    begins = ["head."]
    if method == "top":
        begins += ["final_norm.", *(f"blocks.{i}." for i in range(num_layers - top, num_layers))]
    return [name for name in names if name.startswith(tuple(begins))]


def training_bytes(sizes: dict[str, int], trained: list[str], states: int = 2) -> int:
    """Return the bytes of all weights, and of gradients and optimiser states of the trained ones, 4 for each number."""
    total = 0
    for name, size in sizes.items():
        total += 4 * size
        if name in set(trained):
            total += 4 * size + 4 * states * size
    return total
