"""The data sets of the course: `load("sms_spam")`; nearly all lie in the box, a few are downloaded.

One concept per module: `registry` knows what there is, `fetch` brings the files, `archives` unpacks them; the
others hold one type of data set each, and its readers.

In: a name of datasets/registry.toml. Out: a data set with its card.
May import: errors, files, device.
"""

from collections.abc import Callable
from pathlib import Path

from helpers.data.bias_questions import Choices, read_bbq, read_docs_bias
from helpers.data.dataset import Card, Dataset
from helpers.data.dates import Dates, read_dates
from helpers.data.docs import Docs, Document, read_docs, read_docs_search, read_docs_text
from helpers.data.fetch import obtain
from helpers.data.images import Images, read_digits, read_fashion_mnist
from helpers.data.intents import Intents, read_clinc
from helpers.data.languages import Parallel, read_languages, read_territories, read_tico, read_udhr
from helpers.data.messages import Entity, Messages, read_inbox, read_sms
from helpers.data.preferences import Preferences, read_docs_preferences
from helpers.data.questions import DocsQuestions, PoisonedDocs, read_docs_poisoned, read_docs_questions
from helpers.data.registry import find, names
from helpers.data.retrieval import Retrieval, read_scifact, read_squad
from helpers.data.sentences import SentencePairs, read_stsb
from helpers.data.tagged import Tagged, read_conllu, read_inbox_tags
from helpers.data.text import Text, read_shakespeare, read_text, read_wikitext
from helpers.data.translations import Translations, read_multi30k
from helpers.data.words import (
    Analogies,
    WordPairs,
    read_analogies,
    read_docs_analogies,
    read_simlex,
    read_wordsim,
)
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

READERS: dict[str, Callable[[list[Path], Card], Dataset]] = {
    "sms_spam": read_sms,
    "clinc150": read_clinc,
    "inbox": read_inbox,
    "wikitext2": read_wikitext,
    "tiny_shakespeare": read_shakespeare,
    "mini": read_text,
    "questions_words": read_analogies,
    "wordsim353": read_wordsim,
    "simlex999": read_simlex,
    "ud_ewt": read_conllu,
    "inbox_tags": read_inbox_tags,
    "stsb": read_stsb,
    "scifact": read_scifact,
    "squad": read_squad,
    "bbq": read_bbq,
    "dates": read_dates,
    "territories": read_territories,
    "languages": read_languages,
    "digits": read_digits,
    "tico19": read_tico,
    "multi30k": read_multi30k,
    "udhr": read_udhr,
    "fashion_mnist": read_fashion_mnist,
    "docs": read_docs,
    "docs_text": read_docs_text,
    "docs_search": read_docs_search,
    "docs_analogies": read_docs_analogies,
    "docs_questions": read_docs_questions,
    "docs_poisoned": read_docs_poisoned,
    "docs_preferences": read_docs_preferences,
    "docs_bias": read_docs_bias,
}


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
    return READERS[entry.name](obtain(entry, download=not grading()), card)
