"""All attacks, by class, in a fixed order."""

from types import ModuleType

from .attack import Attack
from .classes import (
    arrays,
    detached,
    essays,
    handin,
    hooks,
    injection,
    insider,
    kernel,
    lies,
    machines,
    metadata,
    names,
    network,
    outputs,
    patches,
    pipe,
    reading,
    resources,
    runtime,
    signals,
    trusted,
    writing,
)

MODULES: tuple[ModuleType, ...] = (
    metadata, hooks, outputs, patches, lies, reading, writing, detached, signals, pipe, resources, network, injection,
    names, insider, runtime, arrays, kernel, handin, essays, trusted, machines,
)  # fmt: skip
CLASSES: dict[str, list[Attack]] = {module.__name__.rpartition(".")[2]: module.ATTACKS for module in MODULES}
TITLES: dict[str, str] = {module.__name__.rpartition(".")[2]: module.__doc__ for module in MODULES}


# At least one of each class: those by which most would be won or lost; a minute and a half for all of them.
WORST = """
    skip-tags transformer-pass ast-transformer result-file patched-case import-hook equal-to-all matrix-that-peeks
    source-notebook inputs-in-a-later-cell inputs-by-value gradebook results-of-others later-points orphan kill-all
    memory-of-parents forged-replies forged-nodes memory processes tcp abstract-socket html-in-an-essay escapes-printed
    linked-classmate own-libraries reply-twice same-hashes memory-given-back left-for-the-next inputs-turned-round
    codecs-that-lie subclass-of-array locks-that-others-see new-calls keys-twice formula-with-a-script
    cell-too-deep cell-of-blank-lines own-limit counters-of-processors
    folder-in-folder burst-of-processes
"""


def worst() -> list[Attack]:
    """Return the attacks that every run of the tests tries."""
    return [attack for attack in all_attacks() if attack.name in WORST.split()]


def all_attacks() -> list[Attack]:
    """Return every attack."""
    return [attack for attacks in CLASSES.values() for attack in attacks]


def spread(max_attacks: int) -> dict[str, list[Attack]]:
    """Return at most so many attacks of each class, from its whole length."""
    steps = {kind: -(-len(attacks) // max_attacks) for kind, attacks in CLASSES.items()}
    return {kind: attacks[:: steps[kind]] for kind, attacks in CLASSES.items()}


def without(classes: dict[str, list[Attack]], names: set[str]) -> dict[str, list[Attack]]:
    """Return the classes without the attacks of these names."""
    return {kind: [a for a in attacks if a.name not in names] for kind, attacks in classes.items()}
