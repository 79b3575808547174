"""What chapter 08 shows beside its exercises: approximate search, links between documents, judges of answers."""

import re

import numpy as np
import pytest
import torch
import transformers

from helpers import data
from helpers.assistant.generators import load_generator
from helpers.chapters.rag import inverted_file, judges, links
from helpers.course import artifacts
from helpers.data.docs import Document
from helpers.data.questions import Question, span
from helpers.experiments.chunks import Corpus
from helpers.words import stems


def dense_top(queries, vectors, k):
    scores = queries @ vectors.T
    rows = np.argsort(-scores, axis=1)[:, :k]
    return rows, np.take_along_axis(scores, rows, axis=1)


def test_an_inverted_file_that_reads_all_lists_finds_what_exact_search_finds():
    vectors = np.random.default_rng(0).normal(size=(400, 8)).astype(np.float32)
    file = inverted_file.InvertedFile(vectors)
    assert sorted(np.concatenate(file.lists).tolist()) == list(range(400)) and len(file.lists) == 20
    for query in vectors[:5]:
        exact = dense_top(query[None], vectors, 10)[0][0]
        assert file.search(query, 10, probes=20).tolist() == exact.tolist()
        few = file.search(query, 10, probes=1)
        assert len(few) <= 10 and any(set(few.tolist()) <= set(one.tolist()) for one in file.lists)


def test_more_lists_find_more_and_faiss_has_its_rows():
    vectors = np.random.default_rng(0).normal(size=(900, 8)).astype(np.float32)
    points = inverted_file.compare(vectors, vectors[:20], dense_top)
    recalls = [point.recall for point in points["inverted file"]]
    assert recalls == sorted(recalls) and recalls[0] < recalls[-1] == 1
    assert [point.read for point in points["inverted file"]][-1] == 1
    pytest.importorskip("faiss")
    assert set(points) == {"exact", "inverted file", "FAISS, inverted file", "FAISS, HNSW"}
    assert "FAISS, HNSW" in inverted_file.approximate_table(points)


@pytest.fixture(scope="module")
def docs():
    return data.load("docs")


def test_joined_questions_need_both_documents(docs):
    documents = list(docs)
    place, linked = {d.name: i for i, d in enumerate(documents)}, links.links_of(documents)
    joined = links.joined_questions()
    assert len(joined) == len({q.second for q in joined}) == 30
    for q in joined:
        assert place[q.second] in linked[place[q.first]], q
        assert span(docs[q.second].text, q.evidence) and not span(docs[q.first].text, q.evidence), q
        assert not re.search(rf"(?<!\w){q.second.rpartition('.')[2]}(?!\w)", q.question), q


def made(name, body):
    return Document(name.split(".")[0], name, "function", "", "()", body.split(".")[0], body, {}, "", ())


DOCUMENTS = [
    made("json.dump", "Write an object. It is made text by the class `Encoder`."),
    made("json.Encoder", "An encoder of text. A tuple becomes an array."),
    made("json.load", "Read an object."),
    made("numpy.dump", "Write an array, as json.dump writes an object."),
]


def test_links_are_names_from_the_own_module_outwards():
    assert links.links_of(DOCUMENTS) == [{1}, set(), set(), {0}]


def test_a_second_turn_finds_what_the_first_document_names():
    corpus = Corpus(DOCUMENTS, lambda text, size: [text], 50)
    asked = []

    def search(question):
        asked.append(question)
        return [1] if "Encoder" in question else [0]

    def bm25_scores(words, n):
        return np.arange(n, dtype=float)

    def linked(ranking, graph, scores, first, k):
        named = set().union(*(graph[d] for d in ranking[:first])) - set(ranking)
        return ranking[:first] + sorted(named, key=lambda d: -scores[d])

    turn = links.SecondTurn(corpus, search, bm25_scores, stems, linked)
    assert turn.count() == 2
    assert turn.alone("Which type?") == [0] and turn.linked("Which type?") == [0, 1]
    assert turn.again("Which type?") == [0, 1] and asked[-1] == "Which type? json.Encoder"
    joined = [links.Joined("Which type?", "json.dump", "json.Encoder", "array")]
    single = [Question("q1", "purpose", "What is written?", "json.dump", "Write an object.", "an object")]
    found, table = turn.compared(joined, single, lambda question: [2], lambda values, draws: (0.0, 1.0))
    hits = {"BM25": [0], "the whole search": [0], "and links": [1], "asked again": [1]}
    assert {name: hit.tolist() for name, hit in found.items()} == hits
    assert table.startswith("2 links between 4 documents") and "links minus the whole search: +1.00" in table


ANSWERS = [
    judges.Judged("How many?", "128", "128", True),
    judges.Judged("How many?", "128", "the default is 128", True),
    judges.Judged("How many?", "128", "129", False),
    judges.Judged("How many?", "128", "no limit", False),
]


def test_kappa_is_agreement_beyond_chance():
    yes = np.array([True, True, False, False])
    assert judges.kappa(yes, yes) == 1 and judges.kappa(~yes, yes) == -1
    assert judges.kappa(np.array([True, False, True, False]), yes) == 0
    assert judges.kappa(np.ones(4, bool), np.ones(4, bool)) == 0
    assert judges.kappa(np.array([True, False, False, False]), yes) == pytest.approx(0.5)


def test_judges_vote_and_a_model_that_nobody_asked_has_no_votes():
    exact = judges.by_rule(lambda given, right: float(given == right), ANSWERS)
    assert exact.tolist() == [True, False, False, False]

    def encode(texts):
        return np.array([[float("128" in text), 0.1] for text in texts])

    assert judges.by_meaning(encode, ANSWERS, ANSWERS).tolist() == [True, True, False, False]
    asked = []

    def generate(prompt):
        asked.append(prompt)
        return " Yes." if "Given answer: 128" in prompt else "no"

    assert judges.by_model(generate, ANSWERS).tolist() == [True, False, False, False]
    assert "Right answer: 128\nGiven answer: 129" in asked[2]
    table = judges.judges_table({"exact match": exact, "a language model": None}, np.array([True, True, False, False]))
    assert "50%" in table.splitlines()[0] and table.splitlines()[2].split()[-3:] == ["25%", "75%", "0.50"]
    assert table.splitlines()[3].endswith(judges.NOBODY)


def test_any_causal_model_may_judge(tmp_path):
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=8192, n_positions=128, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    ends = {
        "tokenizer_object": artifacts.load_tokenizer(own=False),
        "eos_token": "<|endoftext|>",
        "pad_token": "<|pad|>",
    }
    transformers.PreTrainedTokenizerFast(**ends).save_pretrained(tmp_path)
    votes = judges.by_model(load_generator(str(tmp_path)), ANSWERS)
    assert votes.dtype == bool and votes.shape == (4,)


def test_half_of_the_judged_answers_choose_the_level_and_half_are_voted_on():
    def never(given, right):
        return 0.0

    def alike(texts):
        return np.ones((len(texts), 2))

    votes, verdicts = judges.all_votes(never, never, alike, lambda prompt: "yes")
    assert list(votes) == ["exact match", "token F1 of at least 0.5", "MiniLM's cosine", "a language model"]
    assert len(verdicts) == len(judges.judged_answers()) // 2
    assert not votes["exact match"].any() and votes["a language model"].all()
    assert judges.all_votes(never, never, alike, None)[0]["a language model"] is None


def test_judged_answers_have_both_verdicts_and_no_citation():
    answers = judges.judged_answers()
    assert len(answers) >= 100 and {each.verdict for each in answers} == {True, False}
    assert not any("[" in each.given[-4:] for each in answers)
