"""Whole documents: three searches, what a question names, and the features that come of them."""

import numpy as np
import pytest

from helpers.chapters.rag.document_features import WholeDocuments, four_letters
from helpers.data.docs import Document

TEXTS = {
    "numpy.pad": "Pad an array with zeros.",
    "torch.nn.functional.pad": "Pads tensor.",
    "numpy.sort": "Return a sorted copy of an array.",
    "json.dumps": "Serialize obj to a JSON formatted string.",
}


class Letters:
    """An encoder that counts letters."""

    def encode(self, texts):
        counts = np.array([[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts], float)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def whole():
    def one(name, text):
        return Document(name.split(".")[0], name, "function", "", "(a)", text, text, {}, "")

    return WholeDocuments([one(name, text) for name, text in TEXTS.items()], Letters())


def test_runs_of_four_letters_stay_within_words():
    assert four_letters("sorting it") == four_letters("sorting") == [" sor", "sort", "orti", "rtin", "ting", "ing "]
    assert " sor" in four_letters("np.sorted") and set(four_letters("sort")) <= {" sor", "sort", "ort "}
    assert four_letters("x of") == [" x "] and four_letters("") == []


def test_what_is_named_is_found_whatever_the_scores(whole):
    scores = np.zeros((5, 4))
    assert set(whole.found("What does dumps do?", scores, max_documents=1)) == {0, 3}
    assert whole.found("What does pad do?", scores, max_documents=1) == [0]  # names of three letters are too common


def test_a_name_and_its_library_are_taken_at_their_word(whole):
    question = "What does np.pad do to an array?"
    scores = whole.scores(question)
    assert scores.shape == (5, 4)
    rows = whole.features(question, [0, 1, 2, 3], scores, {"pad": 2.0, "array": 1.0})
    assert rows.shape == (4, 18) and np.isfinite(rows).all()
    named, exact, library, other = rows[:, 8], rows[:, 12], rows[:, 13], rows[:, 14]
    assert named.tolist() == [1, 1, 0, 0] and exact.tolist() == [1, 0, 0, 0]
    assert library.tolist() == [1, 0, 1, 0] and other.tolist() == [0, 1, 0, 1]
    assert rows[:, 15].argmax() == 0 and rows[0, 5] == pytest.approx(0.1)  # most words, first by stems


def test_features_do_not_depend_on_which_others_are_asked_for(whole):
    scores = whole.scores("sorted arrays")
    together = whole.features("sorted arrays", [3, 2, 0], scores, {})
    np.testing.assert_allclose(whole.features("sorted arrays", [2], scores, {})[0], together[1])
