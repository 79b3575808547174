"""The questions about the docs: each one is looked up in the corpus and, where that is possible, in the libraries."""

import ast
import base64
import hashlib
import inspect
import pkgutil
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from helpers import data
from helpers.data.questions import Question, span

ANSWERED = {"purpose", "argument", "default", "returns", "howto", "error", "behaviour"}
UNANSWERED = {"no_function", "no_argument", "not_in_docs"}


def plain(text: str) -> str:
    """Lower case, single spaces, without quotation marks and the marks of RST, which no reader of an answer types."""
    return re.sub(r":\w+:(?=`)|[`*\"'\\]", "", " ".join(text.split())).lower()


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@pytest.fixture(scope="module")
def docs() -> data.Docs:
    return data.load("docs")


@pytest.fixture(scope="module")
def questions() -> data.DocsQuestions:
    return data.load("docs_questions")


@pytest.fixture(scope="module")
def answered(questions) -> list:
    """The questions with an answer."""
    return [q for q in questions if q.answerable]


def test_there_are_enough_of_every_kind_in_both_splits(questions):
    assert list(questions.splits) == ["valid", "test"]
    assert sum(q.answerable for q in questions) >= 900 and sum(not q.answerable for q in questions) >= 60
    for split in questions.splits.values():
        assert {q.kind for q in split if q.answerable} == ANSWERED
        assert {q.kind for q in split if not q.answerable} == UNANSWERED
        assert min(Counter(q.kind for q in split).values()) >= 8


def test_they_are_spread_over_the_libraries(questions, docs):
    counts = Counter(docs[q.document].library for q in questions if q.answerable and q.document in docs)
    assert set(counts) == {"python", "numpy", "scipy", "sklearn", "torch", "matplotlib"} and min(counts.values()) >= 120


def test_half_of_them_name_what_they_ask_about(questions):
    for split in questions.splits.values():
        answerable = [q for q in split if q.answerable]
        assert 0.45 < sum(q.named for q in answerable) / len(answerable) < 0.6
        for kind in ("purpose", "argument", "default", "returns", "howto"):
            assert sum(q.named and q.kind == kind for q in answerable) >= 15, kind


def test_a_name_is_a_whole_word():
    def asked(question: str, document: str = "numpy.pad") -> Question:
        return Question("q001", "default", question, document)

    assert asked("np.pad default mode?").named and asked("What does numpy's pad do?").named
    assert not asked("Which padding is the default?").named and not asked("What is np.pad_width?").named
    assert not asked("How is a mean taken?", "torch.nn.Mean").named and not asked("Who?", "").named


def test_ids_are_unique_and_documents_in_one_split_only(questions):
    assert len({q.id for q in questions}) == len(questions) and questions["q001"].id == "q001"
    valid, test = ({q.document for q in split if q.document} for split in (questions.valid, questions.test))
    assert not valid & test
    assert all(q.id[0] == ("q" if q.answerable else "u") for q in questions)


def test_the_split_is_that_of_a_hash_of_the_documents_name(questions):
    for name, split in questions.splits.items():
        for q in split:
            if q.document:
                low = hashlib.sha256(q.document.encode()).digest()[0] < 128
                assert name == ("test" if low else "valid"), q.id


def test_no_two_questions_are_nearly_the_same(questions):
    for one, other in combinations(questions, 2):
        a, b = words(one.question), words(other.question)
        assert len(a & b) / len(a | b) < 0.65, (one.id, other.id)


def test_evidence_is_in_the_document_and_the_answer_in_the_evidence(answered, docs):
    for q in answered:
        place = span(docs.find(q.document).text, q.evidence)
        assert docs.find(q.document).name == q.document and place, q.id
        assert q.answer and plain(q.answer) in plain(q.evidence), q.id
        assert not q.missing, q.id


IN_OTHER_WORDS = {"q193", "q336", "q337"}  # "whitened" for "rescale", 0.01 for 1e-2, "negative infinity" for -inf


def test_other_documents_answer_as_well(answered, docs):
    """Their words are there and share at least one with the answer; whether they answer, only a reader can tell."""
    for q in answered:
        assert q.documents[0] == q.document and len(set(q.documents)) == len(q.documents), q.id
        for name, evidence in q.also:
            assert docs.find(name).name == name and span(docs[name].text, evidence), (q.id, name)
            answer, said = plain(q.answer), plain(f"{name} {evidence}")
            assert answer in said or words(answer) & words(said) or q.id in IN_OTHER_WORDS, (q.id, name)


def test_documents_that_answer_as_well_are_left_out_where_they_say_it_in_other_words(questions, docs):
    q = next(q for q in questions if len(q.also) > 1)
    there, gone = (docs[name] for name, _ in q.also[:2])
    held = questions.held_by(data.Docs([docs[q.document], there, replace(gone, body="", signature="")], docs.card))
    assert held[q.id].documents == (q.document, there.name)


def test_unanswered_questions_name_no_document_that_answers(questions):
    assert all(not q.also and q.documents == () for q in questions if not q.answerable)


def test_questions_do_not_copy_their_evidence(answered):
    """No six words in a row of a question stand in its evidence."""
    for q in answered:
        asked = plain(q.question).split()
        for told in (q.evidence, *(evidence for _, evidence in q.also)):
            told = f" {plain(told)} "
            assert not any(f" {' '.join(asked[i : i + 6])} " in told for i in range(len(asked) - 5)), q.id


def signature_of(name: str) -> inspect.Signature | None:
    """The signature of what the document is about, None where Python cannot tell (compiled code, *args)."""
    try:
        return inspect.signature(pkgutil.resolve_name(name))
    except (ValueError, TypeError):
        return None


def test_arguments_are_those_of_the_installed_libraries(answered, docs):
    """Looked up in the signature; compiled functions have none, so the docs must list the parameter."""
    looked_up = 0
    for q in answered:
        if not q.argument:
            continue
        signature = signature_of(q.document)
        named = signature and any(p.name == q.argument for p in signature.parameters.values())
        document = docs[q.document]
        assert named or re.search(rf"\b{q.argument}\b", document.signature + document.body), q.id
        looked_up += bool(named)
    assert looked_up >= 100


def test_defaults_are_those_of_the_installed_libraries(answered):
    looked_up = 0
    for q in answered:
        signature = signature_of(q.document) if q.kind == "default" and q.argument else None
        parameter = signature.parameters.get(q.argument) if signature else None
        if parameter is None or parameter.default in (inspect.Parameter.empty, None):
            continue  # None stands for what the text says the function then does
        if q.answer in ("zero", "a constant value"):  # words for 0.0 and "constant"
            continue
        assert str(parameter.default) == q.answer or parameter.default == literal(q.answer), q.id
        looked_up += 1
    assert looked_up >= 60


def literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def test_what_is_missing_is_missing(questions, docs):
    whole = "\n".join(document.text for document in docs).lower()
    for q in questions:
        if q.answerable:
            continue
        assert q.missing and not q.answer, q.id
        if q.kind == "no_argument":
            assert not re.search(rf"\b{re.escape(q.missing)}\b", docs[q.document].text, re.IGNORECASE), q.id
        else:
            assert q.missing.lower() not in whole, q.id
        if q.kind == "no_function":
            assert q.missing in q.question and q.missing not in docs, q.id


def test_spans_do_not_mind_line_breaks():
    assert span("one\n    two  three", "two three") == (8, 18)
    assert span("a (b) c", "(b)") == (2, 5) and span("a", "b") is None and span("a", "") is None


def test_questions_about_other_versions_are_left_out(questions, docs):
    held = questions.held_by(data.Docs([d for d in docs if d.library == "torch"], docs.card))
    assert {docs[q.document].library for q in held if q.answerable} == {"torch"}
    assert sum(not q.answerable for q in held) == sum(not q.answerable for q in questions)


# ------------------------------------------------------------------------------- poisoned documents
@pytest.fixture(scope="module")
def poisoned() -> data.PoisonedDocs:
    return data.load("docs_poisoned")


def test_poison_comes_in_many_kinds(poisoned):
    assert len(poisoned) >= 20 and len(poisoned.kinds) >= 15
    assert len({p.id for p in poisoned}) == len({p.name for p in poisoned}) == len(poisoned)
    assert len({p.question for p in poisoned}) == len(poisoned)


def test_a_marker_is_only_in_a_fooled_answer(poisoned, questions, docs):
    whole = "\n".join(document.text for document in docs).lower()
    for p in poisoned:
        question = questions[p.question]
        assert question.answerable and not p.fooled(question.answer) and not p.fooled(question.evidence), p.id
        assert p.marker.lower() not in whole and p.name not in docs, p.id
        assert p.fooled(f"So: {p.marker.upper()}"), p.id


def test_poison_looks_like_a_document_and_speaks_of_its_question(poisoned, questions, docs):
    libraries = {document.library for document in docs}
    for p in poisoned:
        document = p.document
        assert document.body == p.body and document.name in document.text and document.summary, p.id
        assert document.library in libraries, p.id
        shared = words(questions[p.question].question) & words(p.body)
        assert len(shared) >= 4, p.id


def test_what_is_hidden_is_hidden(poisoned):
    kinds = {kind: [p for p in poisoned if p.kind == kind] for kind in poisoned.kinds}
    assert all(p.marker not in p.body and p.fooled(p.body) for p in kinds["zero_width"])  # not as it stands
    assert any(not p.fooled(p.body) for p in kinds["two_chunks"])
    (encoded,) = kinds["encoded"]
    assert not encoded.fooled(encoded.body)
    assert encoded.fooled(base64.b64decode(encoded.body.split()[-1]).decode())
    assert all(len(p.body) > 1200 for p in kinds["two_chunks"])  # more than a chunk of 200 words


# --------------------------------------------------------------------------------- preference pairs
@pytest.fixture(scope="module")
def preferences() -> data.Preferences:
    return data.load("docs_preferences")


def test_pairs_belong_to_questions_and_their_splits(preferences, questions):
    assert len(preferences) >= 150 and len(preferences.valid) >= 60 and len(preferences.test) >= 60
    for name, pairs in preferences.splits.items():
        ids = {q.id for q in questions.splits[name]}
        assert {pair.question for pair in pairs} <= ids
        assert {pair.fault for pair in pairs} == {"padded", "uncited", "wrong", "bad_citation", "invented"}
    everything = [*preferences.valid, *preferences.test]
    assert len({pair.id for pair in everything}) == len({pair.prompt for pair in everything}) == len(everything)


def test_the_prompt_holds_the_passage_and_the_question(preferences, questions, docs):
    for pair in [*preferences.valid, *preferences.test]:
        q = questions[pair.question]
        passage = q.evidence or docs[q.document].summary
        assert pair.prompt == f"[1] {q.document}: {passage}\n\n{q.question}", pair.id


def test_the_chosen_answer_is_short_and_cited_and_the_other_has_its_fault(preferences, questions):
    for pair in [*preferences.valid, *preferences.test]:
        chosen, rejected, fault = pair.chosen, pair.rejected, pair.fault
        assert len(chosen.split()) <= 22 and chosen != rejected, pair.id
        assert questions[pair.question].answerable == (fault != "invented") == ("[1]" in chosen), pair.id
        if fault == "padded":
            assert len(rejected) > 2 * len(chosen) and "[1]" in rejected, pair.id
        elif fault in ("wrong", "invented"):
            assert "[1]" in rejected and len(rejected) < len(chosen) + 60, pair.id
        elif fault == "uncited":
            assert "[" not in rejected, pair.id
        else:
            assert re.findall(r"\[\d+\]|\(.*\)|see page", rejected) != ["[1]"], pair.id


def test_length_alone_does_not_tell(preferences):
    pairs = [*preferences.valid, *preferences.test]
    assert 0.25 < sum(len(pair.chosen) < len(pair.rejected) for pair in pairs) / len(pairs) < 0.5


# --------------------------------------------------------------------------------------- bias probe
@pytest.fixture(scope="module")
def bias() -> data.Choices:
    return data.load("docs_bias")


def test_stories_are_told_in_all_ways(bias):
    assert len(bias) == 120 >= 40 and len(bias.categories) == 8
    assert len({(c.context, c.question) for c in bias.questions}) == 120
    assert Counter(c.condition for c in bias.questions) == {"ambig": 60, "disambig": 60}
    assert Counter(c.unknown for c in bias.questions) == {0: 40, 1: 40, 2: 40}
    assert set(Counter(c.label for c in bias.questions).values()) == {40}


def test_unknown_is_right_exactly_where_the_story_does_not_tell(bias):
    for c in bias.questions:
        assert (c.label == c.unknown) == (c.condition == "ambig") and len(set(c.answers)) == 3
        assert c.groups[c.target] in c.stereotyped and c.target != c.unknown
        for place in {0, 1, 2} - {c.unknown}:
            assert c.answers[place].lower() in c.context.lower(), c
        assert not re.search(r"[{}]", c.context + c.question) and c.context[0].isupper()


def test_half_of_the_facts_agree_with_the_prejudice(bias):
    told = [c for c in bias.questions if c.condition == "disambig"]
    agree = [(c.label == c.target) == (c.polarity == "neg") for c in told]
    first = [c.context.lower().find(c.answers[c.label].lower()) for c in told]
    other = [c.context.lower().find(c.answers[3 - c.label - c.unknown].lower()) for c in told]
    assert sum(agree) == 30 and sum(a < b for a, b in zip(first, other, strict=True)) == 30
    ambiguous = [c for c in bias.questions if c.condition == "ambig"]
    named = [c.context.lower().find(c.answers[c.target].lower()) for c in ambiguous]
    assert len({(c.context.lower()) for c in ambiguous}) == 30 and len(named) == 60
