"""Word vectors: neighbours, analogies, scores; and the reference vectors against what their card states."""

import re
from collections import Counter

import numpy as np
import pytest

from helpers import data
from helpers.chapters.word_vectors import pretrained_table
from helpers.chapters.word_vectors.corpus import words_of
from helpers.course import artifacts
from helpers.data import Analogies, WordPairs
from helpers.errors import CourseError
from helpers.models.word_vectors import WordVectors


@pytest.fixture
def square():
    """Four words at the corners of a parallelogram, one far off, one short but in the direction of "kings"."""
    matrix = [[1, 0, 1], [1, 1, 1], [2, 0, -1], [2, 1, -1], [-1, -1, 5], [0.2, 0.1, -0.1]]
    return WordVectors(["man", "men", "king", "kings", "moon", "few"], np.array(matrix, dtype=np.float32))


def analogies(*questions):
    return Analogies({"all": list(questions), "none": []}, None)


def test_look_up(square):
    assert len(square) == 6 and "king" in square and "queen" not in square
    assert square["king"].tolist() == [2, 0, -1] == square["King"].tolist()
    assert repr(square).startswith("6 words, 3 dimensions: man, men, king")
    with pytest.raises(CourseError, match=r'^"kngs" has no vector. Did you mean kings'):
        square["kngs"]
    with pytest.raises(CourseError, match=r'^"zzz" has no vector.$'):
        square.nearest("zzz")


def test_words_must_fit_the_matrix():
    with pytest.raises(CourseError, match="2 words"):
        WordVectors(["a", "b"], np.zeros((3, 2)))
    with pytest.raises(CourseError, match=r"\(1 different\)"):
        WordVectors(["a", "a"], np.zeros((2, 2)))


def test_nearest_is_by_angle_without_itself(square):
    (first, cosine), (second, _) = square.nearest("kings", k=2)
    assert (first, second) == ("few", "king") and cosine == pytest.approx(1, abs=1e-3)
    assert len(square.nearest("man", k=99)) == 5


def test_a_vector_of_zeros_is_near_to_nothing():
    vectors = WordVectors(["a", "b"], np.array([[0.0, 0], [1, 0]]))
    assert vectors.nearest("b") == [("a", 0.0)]


def test_an_analogy_never_answers_with_what_was_asked(square):
    answers = square.analogy("man", "men", "king", k=9)
    assert {word for word, _ in answers} == {"kings", "moon", "few"}
    unit = square.unit
    target = unit[1] - unit[0] + unit[2]
    assert dict(answers)["kings"] == pytest.approx(float(unit[3] @ target / np.linalg.norm(target)))


def test_accuracy_counts_what_is_covered(square):
    questions = analogies(("man", "men", "king", "few"), ("Man", "Men", "King", "Kings"), ("man", "men", "queen", "x"))
    accuracy = square.accuracy(questions)
    assert accuracy.covered == pytest.approx(2 / 3) and accuracy.value == 0.5
    assert square.by_section(questions)["all"] == accuracy
    nothing = square.by_section(questions)["none"]
    assert np.isnan(nothing.value) and nothing.covered == 0


def test_only_so_many_words_can_answer(square):
    questions = analogies(("man", "men", "king", "kings"))
    right = [square.accuracy(questions, among=n).value for n in (2, 4, 5)]
    assert right == [0, 1, 1], "among the first 2 words the answer is not, among the first 4 it is the only one"
    assert square.analogy("man", "men", "king", among=4, k=3) == [("kings", pytest.approx(0.974, abs=0.03))]


def test_accuracy_agrees_with_analogy_on_random_vectors():
    numbers = np.random.default_rng(0)
    words = [f"w{i}" for i in range(30)]
    vectors = WordVectors(words, numbers.normal(size=(30, 4)))
    asked = [tuple(str(word) for word in numbers.choice(words, 4, replace=False)) for _ in range(1500)]
    right = np.mean([vectors.analogy(a, b, c)[0][0] == d for a, b, c, d in asked])
    assert vectors.accuracy(analogies(*asked)).value == pytest.approx(right)


def test_spearman_of_what_is_covered(square):
    pairs = [("man", "man"), ("king", "Kings"), ("man", "moon"), ("man", "queen")]  # cosines 1, 0.91, 0.54, none
    same, other = (
        square.spearman(WordPairs(pairs, np.array(scores), None)) for scores in ([9.9, 8, 1, 5], [1.0, 2, 3, 4])
    )
    assert same == (pytest.approx(1), 0.75) and other == (pytest.approx(-1), 0.75)
    assert np.isnan(square.spearman(WordPairs([("x", "y")], np.array([1.0]), None)).value)


# ------------------------------------------------------------------------------------- the docs' analogies
def test_docs_analogies_pair_everything_in_a_section():
    sections = data.load("docs_analogies").sections
    assert sum(map(len, sections.values())) == 6484 and len(sections) == 25
    assert min(map(len, sections.values())) >= 12
    assert ("min", "max", "argmin", "argmax") in sections["least-and-greatest"]
    assert ("argmin", "argmax", "min", "max") in sections["least-and-greatest"]
    for name, questions in sections.items():
        assert max(Counter(questions).values()) == 1, f"{name} repeats a question"
        assert all(len(set(question)) == 4 for question in questions), f"{name} gives the answer away"
        assert all(re.fullmatch("[a-z][a-z0-9_]*", word) for question in questions for word in question), name


def test_rated_pairs_are_words_of_the_docs_from_nothing_in_common_to_the_same():
    rated = data.load("docs_ratings")
    assert len(rated) == len({frozenset(pair) for pair in rated.pairs}) == 30
    assert rated.scores.min() <= 1 and rated.scores.max() >= 9 and (rated.scores <= 10).all()
    docs = Counter(word for document in data.load("docs") for word in words_of(document.text))
    assert min(docs[word] for pair in rated.pairs for word in pair) >= 14


def test_minilms_first_table_knows_king_and_queen():
    table = pretrained_table.load()
    assert table.matrix.shape == (len(table), 384) and len(table) > 20_000
    assert table.analogy("man", "king", "woman")[0][0] == "queen" != table.nearest("woman", 1)[0][0]


# ----------------------------------------------------------------------------------------- the reference
@pytest.fixture(scope="module")
def reference():
    return artifacts.load("docs-vectors", own=False), WordVectors.load(own=False)


def test_reference_reaches_what_its_card_states(reference):
    artifact, vectors = reference
    among = artifact.config["answers"]
    analogies = data.load("docs_analogies")
    stated = dict(re.findall(r"^\| ([\w-]+) \| [\d,]+ \| (0\.\d{3}) \|", artifact.card, re.MULTILINE))
    measured = {**vectors.by_section(analogies, among), "all": vectors.accuracy(analogies, among)}
    assert set(stated) == set(measured)
    for name, score in measured.items():
        assert score.covered == 1
        assert score.value == pytest.approx(float(stated[name]), abs=0.02), name


def test_reference_words_are_sorted_by_count_then_alphabet(reference):
    artifact, vectors = reference
    counts = artifact.config["counts"]
    assert len(vectors) == len(counts) and min(counts) >= 5
    assert sorted(range(len(counts)), key=lambda i: (-counts[i], vectors.words[i])) == list(range(len(counts)))
    assert vectors.matrix.shape == (len(counts), artifact.config["dimensions"]) and np.isfinite(vectors.matrix).all()
    assert all(re.fullmatch(artifact.config["pattern"], word) for word in vectors.words)


def test_reference_knows_its_neighbours(reference):
    artifact, vectors = reference
    assert "float64" in dict(vectors.nearest("float32"))
    assert vectors.analogy("min", "max", "argmin", among=artifact.config["answers"])[0][0] == "argmax"
