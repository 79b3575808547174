"""A small JSON schema as an automaton over characters, and what a docs-gpt writes with and without its mask."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_letters

import torch

from helpers.chapters.squeeze.choosing import Writer, sampler
from helpers.models.logit_filters import Filter

Moves = list[dict[str, int]]  # moves[state][character] -> the next state

KINDS, FLAGS, LONGEST = ("class", "function", "module"), ("true", "false"), 32
RECORD = '{{"name": "{}", "kind": "{}", "public": {}}}'
EXAMPLES = [("math.sqrt", "function", "true"), ("json", "module", "true"), ("str._find", "function", "false")]
ASKED = {  # an object and its kind
    "torch.nn.Linear": "class", "numpy.zeros": "function", "os.path": "module", "str.split": "function",
    "torch.optim.Adam": "class", "json.loads": "function", "random": "module", "pathlib.Path": "class",
    "scipy.signal": "module", "math.cos": "function",
}  # fmt: skip
MOST = 100  # tokens of a record: no text of the grammar has so many letters


@dataclass
class Grammar:
    """An automaton: its moves, the state in which a text begins, those in which it may end."""

    moves: Moves
    start: int
    final: list[int]


class Parts:
    """States that are made from the end of a text to its beginning, each part in front of those made before."""

    def __init__(self):
        self.moves: Moves = [{}]  # state 0 is the end

    def state(self, moves: dict[str, int]) -> int:
        self.moves.append(moves)
        return len(self.moves) - 1

    def choice(self, options: Sequence[str], then: int) -> int:
        """Return the state in front of one of some texts, none the beginning of another."""
        if not any(options):
            return then
        rests: dict[str, list[str]] = {}
        for option in options:
            rests.setdefault(option[0], []).append(option[1:])
        return self.state({character: self.choice(rest, then) for character, rest in rests.items()})

    def run(self, characters: str, most: int, then: int) -> int:
        """Return the state in front of 1 to `most` of some characters, none of which `then` reads."""
        place = then
        for _ in range(most - 1):
            place = self.state(dict.fromkeys(characters, place) | self.moves[then])
        return self.state(dict.fromkeys(characters, place))


def schema() -> Grammar:
    """Return the grammar of {"name": a dotted name, "kind": one of three, "public": true or false}."""
    parts, texts = Parts(), RECORD.replace("{{", "{").replace("}}", "}").split("{}")
    place = parts.choice([texts[3]], 0)
    place = parts.choice(FLAGS, place)
    place = parts.choice([texts[2]], place)
    place = parts.choice(KINDS, place)
    place = parts.choice([texts[1]], place)
    place = parts.run(ascii_letters + "_.", LONGEST, place)
    return Grammar(parts.moves, parts.choice([texts[0]], place), [0])


def valid(text: str) -> bool:
    """Return whether a text is JSON of the schema, by Python's own reader."""
    try:
        found = json.loads(text)
    except ValueError:
        return False
    if not isinstance(found, dict) or list(found) != ["name", "kind", "public"]:
        return False
    named = isinstance(found["name"], str) and found["name"] != ""
    return named and found["kind"] in KINDS and isinstance(found["public"], bool)


def prompt(name: str, examples: int) -> str:
    """Return what stands before the record of an object: some others with their records, and its name."""
    shown = [f"{other}\n{RECORD.format(other, kind, flag)}\n\n" for other, kind, flag in EXAMPLES[:examples]]
    return "".join([*shown, name, "\n"])


def pieces(writer: Writer) -> list[str]:
    """Return the text of each token; special ones have none."""
    return [writer.tokenizer.decode([i]) for i in range(writer.tokenizer.get_vocab_size())]


def written(
    writer: Writer, constrained: Callable, change: Filter, names: Sequence[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return {way: (object, record) pairs}: freely and by the student's `constrained`, without and with examples."""
    grammar, texts, found = schema(), pieces(writer), {}
    for examples in (0, len(EXAMPLES)):
        choose = sampler(change)
        free, masked = [], []
        for name in names:
            asked = prompt(name, examples)
            page = writer.write(asked, choose, MOST)
            free.append((name, page.text.split("\n")[0]))
            ids = constrained(
                following(writer, asked), partial(choose, ids=[]), grammar.moves, grammar.final, grammar.start, texts,
                writer.end, MOST,
            )  # fmt: skip
            masked.append((name, writer.tokenizer.decode([int(i) for i in ids])))
        found |= {f"freely, {examples} examples": free, f"with your mask, {examples} examples": masked}
    return found


def share_valid(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the share of texts that are valid, of (object, text) pairs."""
    return sum(valid(text) for _, text in pairs) / len(pairs)


def following(writer: Writer, text: str) -> Callable[[Sequence[int]], torch.Tensor]:
    """Return a function from the new ids behind a prompt to the next logits (V,), on the CPU; it keeps a cache."""
    start, caches = writer.tokenizer.encode(text, add_special_tokens=False).ids, []
    device = writer.model.token_embedding.weight.device

    def logits(ids: Sequence[int]) -> torch.Tensor:
        done = caches[0][0].shape[2] if caches else 0
        new = [*start, *map(int, ids)][done:]
        return writer.model.step(torch.tensor([new], device=device), caches)[0].cpu()

    return logits


def table(written: Mapping[str, Sequence[tuple[str, str]]]) -> str:
    """Return by way the share of valid texts, and of those that name the object and its kind rightly.

    written: {way: (object, text) pairs}. The last line always says "function", the commonest kind.
    """
    lines = [f"{'':<34}{'valid':>7}{'the name is right':>19}{'the kind is right':>19}"]
    for way, texts in written.items():
        found = [(name, json.loads(text) if valid(text) else {}) for name, text in texts]
        shares = [
            sum(bool(record) for _, record in found),
            sum(record.get("name") == name for name, record in found),
            sum(record.get("kind") == ASKED[name] for name, record in found),
        ]
        cells = [f"{share / len(texts):.0%}" for share in shares]
        lines.append(f"{way:<34}{cells[0]:>7}{cells[1]:>19}{cells[2]:>19}")
    usual = sum(kind == "function" for kind in ASKED.values()) / len(ASKED)
    return "\n".join([*lines, f"{'always the same record, a function':<34}{1:>7.0%}{0:>19.0%}{usual:>19.0%}"])
