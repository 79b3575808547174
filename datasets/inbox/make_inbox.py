"""Write the synthetic campus inbox: `python datasets/inbox/make_inbox.py`.

A message is a small grammar run backwards: an intent gives the sentences, a voice gives the greeting, the
farewell and the habits of typing, and words.toml fills the slots. A message is kept as a list of segments
(text, entity label or None), so that every change of the text leaves the entity spans right.

Only `random.Random.random` draws: it is the one method whose sequence Python promises to keep, so the same
seed gives the same bytes on every machine.
"""

import gzip
import hashlib
import io
import itertools
import json
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
SEED = 20240917
NUM_MESSAGES = 5000
NOISE = 0.014  # share of rows whose label is flipped on purpose
DISGUISE = {"spam": 0.16, "ham": 0.01}  # friends write fr33, too

Segment = tuple[str, str | None]  # (text, entity label or None)

CHOICE = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(?:([A-Z]+):)?(\w+)\}")
WORD = re.compile(r"(?<![\w./@-])[^\W\d_]+(?![\w/@]|[.-]\w|:/)")  # a plain word, not a part of a link
STOP = re.compile(r"[.](?=\s|$)")  # the full stop of a sentence


class Dice:
    """Seeded draws that are the same in every version of Python."""

    def __init__(self, seed: int):
        self.random = random.Random(seed).random

    def pick(self, items: list):
        """One item of a list, all equally likely."""
        return items[int(self.random() * len(items))]

    def weighted(self, weights: dict[str, float]) -> str:
        """One key, with probability proportional to its weight."""
        point = self.random() * sum(weights.values())
        edges = itertools.accumulate(weights.values())
        return next(key for key, edge in zip(weights, edges, strict=True) if point < edge)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability

    def shuffled(self, items: list) -> list:
        """A new list in random order."""
        return [item for _, item in sorted((self.random(), i) for i in items)]


# ------------------------------------------------------------------------------------------ grammar
def expand(template: str, words: dict[str, list[str]], dice: Dice) -> list[Segment]:
    """Fill a template: choices first, then slots, which may hold templates themselves."""
    while match := CHOICE.search(template):
        choice = dice.pick(match[1].split("|"))
        template = template[: match.start()] + choice + template[match.end() :]
    segments, end = [], 0
    for slot in SLOT.finditer(template):
        segments.append((template[end : slot.start()], None))
        segments += fill(slot[1], slot[2], words, dice)
        end = slot.end()
    return merge([*segments, (template[end:], None)])


def merge(segments: list[Segment]) -> list[Segment]:
    """Join neighbors that are plain text, so that a link is never cut where its slots met."""
    merged: list[Segment] = []
    for text, label in segments:
        if merged and label is None and merged[-1][1] is None:
            text = merged.pop()[0] + text
        merged.append((text, label))
    return merged


def fill(label: str | None, name: str, words: dict[str, list[str]], dice: Dice) -> list[Segment]:
    """The segments of one slot; a slot with a label becomes a single entity, whatever is inside."""
    inside = expand(dice.pick(words[name]), words, dice)
    label = label or (name if name.isupper() else None)
    return [("".join(text for text, _ in inside), label)] if label else inside


# ------------------------------------------------------------------------------- habits of typing
def change_text(segments: list[Segment], change: Callable[[str], str]) -> list[Segment]:
    """Apply a change to the plain text and leave the entities as they are."""
    return [(text if label else change(text), label) for text, label in segments]


def change_all(segments: list[Segment], change: Callable[[str], str]) -> list[Segment]:
    """Apply a change to every segment: an entity stays one, in its new spelling."""
    return [(change(text), label) for text, label in segments]


def typo(word: str, dice: Dice) -> str:
    """Swap, drop or double one inner letter of a word of four letters or more."""
    if len(word) < 4 or not dice.chance(0.12):
        return word
    i = 1 + int(dice.random() * (len(word) - 2))
    swapped = word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return dice.pick([swapped, word[:i] + word[i + 1 :], word[:i] + word[i] + word[i:]])


def disguise(word: str, kind: str, changes: dict) -> str:
    """Hide a word from a filter that looks words up: fr33, f r e e, or look-alike Cyrillic letters."""
    if kind == "spaced":
        return " ".join(word)
    table = changes["leet" if kind == "leet" else "lookalikes"]
    return "".join(table.get(letter, letter) for letter in word)


def on_words(change: Callable[[str], str]) -> Callable[[str], str]:
    """Turn a change of one word into a change of a text; links and addresses stay whole."""
    return lambda text: WORD.sub(lambda match: change(match[0]), text)


def without_articles(text: str) -> str:
    """Drop the articles, as many learners of English do."""
    return re.sub(r"\b(?:[Tt]he|[Aa]n?) (?=\w)", "", text)


def with_capital(segments: list[Segment]) -> list[Segment]:
    """The first letter of the message as a capital."""
    (text, label), *rest = [segment for segment in segments if segment[0]]
    return [(text[0].upper() + text[1:], label), *rest]


def type_as(voice: dict, segments: list[Segment], changes: dict, dice: Dice) -> list[Segment]:
    """The same message as this voice would type it."""
    if dice.chance(voice.get("capital", 0)):
        segments = with_capital(segments)
    if dice.chance(voice.get("articles", 0)):
        segments = change_text(segments, without_articles)
    if dice.chance(voice.get("abbreviations", 0)):
        short = changes["abbreviations"]
        often = on_words(lambda word: short.get(word.lower(), word) if dice.chance(0.7) else word)
        segments = change_text(segments, often)
    if dice.chance(voice.get("typos", 0)):
        segments = change_text(segments, on_words(lambda word: typo(word, dice)))
    if dice.chance(voice.get("bangs", 0)):
        segments = change_text(segments, lambda text: STOP.sub(lambda _: dice.pick(["!", "!!", "!!!"]), text))
    if dice.chance(voice.get("lower", 0)):
        segments = change_all(segments, str.lower)
    if dice.chance(voice.get("shout", 0)):
        segments = change_all(segments, str.upper)
    return segments


def hide_words(segments: list[Segment], changes: dict, dice: Dice) -> list[Segment]:
    """Disguise the words that filters know; one kind of disguise per message."""
    kind = dice.pick(["leet", "spaced", "lookalike"])
    known = set(changes["disguised"])
    return change_text(segments, on_words(lambda w: disguise(w, kind, changes) if w.lower() in known else w))


# ------------------------------------------------------------------------------------------ messages
def compose(intent: dict, voice: dict, grammar: dict, dice: Dice) -> tuple[list[Segment], int]:
    """The segments of one message, and the number of its core sentence."""
    words = grammar["words"]
    core = int(dice.random() * len(intent["core"]))
    parts = [intent["core"][core]]
    parts += dice.shuffled(intent["more"])[: dice.pick([0, 0, 1, 1, 2])]
    if dice.chance(voice["aside"]):
        parts.insert(dice.pick([0, len(parts)]), dice.pick(words["aside"]))
    if dice.chance(voice["open"]):
        parts.insert(0, dice.pick(voice["hello"]))
    if dice.chance(voice["close"]):
        parts.append(dice.pick(voice["bye"]))
    return [segment for part in parts for segment in say(part, words, dice)], core


def say(part: str, words: dict[str, list[str]], dice: Dice) -> list[Segment]:
    """One sentence and a space; a template in capitals is filled with capitals."""
    loud = SLOT.sub("", part).isupper()
    segments = expand(part + " ", words, dice)
    return change_all(segments, str.upper) if loud else segments


def one_message(grammar: dict, dice: Dice) -> dict:
    """One row of the file: text, label, intent, template, entities."""
    intents = grammar["intents"]
    name = dice.weighted({name: intent["share"] for name, intent in intents.items()})
    intent = intents[name]
    voice = grammar["voices"][dice.weighted(intent["voices"])]
    segments, core = compose(intent, voice, grammar, dice)
    segments = type_as(voice, merge(segments), grammar["changes"], dice)
    if dice.chance(DISGUISE[intent["label"]]):
        segments = hide_words(segments, grammar["changes"], dice)
    text, entities = join(segments)
    return {"text": text, "label": intent["label"], "intent": name, "template": core, "entities": entities}


def join(segments: list[Segment]) -> tuple[str, list[tuple[int, int, str]]]:
    """The text, and the entities as (start, end, label) in it, with single spaces throughout."""
    text, entities = "", []
    for piece, label in segments:
        piece = re.sub(r"\s+", " ", re.sub(r"\s+(?=[.,!?](?:\s|$))", "", piece))
        if piece[:1] in {".", ",", "!", "?"}:  # an empty choice may leave a space before it
            text = text.rstrip()
        elif not text or text.endswith(" "):
            piece = piece.lstrip()
        if label:
            entities.append((len(text), len(text) + len(piece), label))
        text += piece
    return text.rstrip(), entities


def messages(seed: int = SEED, count: int = NUM_MESSAGES) -> list[dict]:
    """`count` rows, no text twice; NOISE of them carry the wrong label and say so (`noisy`)."""
    dice = Dice(seed)
    grammar = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))
    grammar |= tomllib.loads((HERE / "templates.toml").read_text(encoding="utf-8"))
    rows: dict[str, dict] = {}
    while len(rows) < count:
        row = one_message(grammar, dice)
        rows.setdefault(row["text"].lower(), row)
    rows_list = list(rows.values())
    for i in dice.shuffled(list(range(count)))[: round(NOISE * count)]:
        flipped = "ham" if rows_list[i]["label"] == "spam" else "spam"
        rows_list[i] |= {"label": flipped, "noisy": True}
    return rows_list


def to_jsonl(rows: list[dict]) -> bytes:
    """One JSON object per line, UTF-8."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def to_gzip(data: bytes) -> bytes:
    """Gzip without time or file name; GzipFile writes the same header on every system."""
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


if __name__ == "__main__":
    content = to_jsonl(messages())
    (HERE / "inbox.jsonl.gz").write_bytes(to_gzip(content))
    print(f'in registry.toml:\n  bytes = {len(content)}\n  sha256 = "{hashlib.sha256(content).hexdigest()}"')
