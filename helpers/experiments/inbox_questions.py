"""Questions about messages of the inbox, whose answers are spans: who, when, where, how much."""

from helpers import data

QUESTIONS = {"DATE": "On which date?", "PERSON": "Which person?", "PLACE": "At which place?", "MONEY": "How much?"}


def asked_of(messages: data.Messages) -> list[tuple[str, str, data.Entity]]:
    """Return (question, text, entity) for each label of which a message has exactly one entity."""
    asked = []
    for text, entities in zip(messages.texts, messages.entities, strict=True):
        for label, question in QUESTIONS.items():
            found = [e for e in entities if e.label == label]
            if len(found) == 1:
                asked.append((question, text, found[0]))
    return asked
