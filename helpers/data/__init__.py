"""The data sets of the course: `load("sms_spam")`; nearly all lie in the box, a few are downloaded.

One concept per module: `registry` knows what there is, `fetch` brings the files, `archives` unpacks them; the
others hold one type of data set each, and its readers, which the registry names.

In: a name of datasets/registry.toml. Out: a data set with its card.
May import: errors, files, device.
"""

import pkgutil

from helpers.data.bias_questions import Choices
from helpers.data.dataset import Card, Dataset
from helpers.data.dates import Dates
from helpers.data.docs import Docs, Document
from helpers.data.fetch import obtain
from helpers.data.images import Images
from helpers.data.intents import Intents
from helpers.data.languages import Parallel
from helpers.data.messages import Entity, Messages
from helpers.data.preferences import Preferences
from helpers.data.questions import DocsQuestions, PoisonedDocs
from helpers.data.registry import find, names
from helpers.data.retrieval import Retrieval
from helpers.data.sentences import SentencePairs
from helpers.data.tagged import Tagged
from helpers.data.text import Text
from helpers.data.translations import Translations
from helpers.data.words import Analogies, WordPairs
from helpers.device import grading
from helpers.errors import DataError

__all__ = [
    "Analogies",
    "Card",
    "Choices",
    "DataError",
    "Dataset",
    "Dates",
    "Docs",
    "DocsQuestions",
    "Document",
    "Entity",
    "Images",
    "Intents",
    "Messages",
    "Parallel",
    "PoisonedDocs",
    "Preferences",
    "Retrieval",
    "SentencePairs",
    "Tagged",
    "Text",
    "Translations",
    "WordPairs",
    "load",
    "names",
]


def load(name: str) -> Dataset:
    """Load a data set by name; print the result to see its card.

    Nearly all lie in the box. The few that do not are taken from BOW2LORA_DATA, the cache or the network.

    Args:
        name: one of `names()`.

    Raises:
        DataError: there is no such set, or it cannot be had; while grading nothing is downloaded.
    """
    entry = find(name)
    card = Card(entry.name, entry.title, entry.home, entry.license, entry.citation)
    read = pkgutil.resolve_name(entry.reader)
    return read(obtain(entry, download=not grading()), card)
