"""helpers.data.docs: the corpus as it is shipped, and the forms that it is given."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from extractor import sources
from extractor.near import shingles
from extractor.splits import group

from helpers import data
from helpers.data.docs import Docs, Document
from helpers.data.docs.corpus import SHORTEST
from helpers.errors import DataError


@pytest.fixture(scope="module")
def docs() -> Docs:
    return data.load("docs")


def test_it_is_the_corpus_of_the_card(docs):
    """The same on every Python and beside every version of the libraries."""
    card = (data.registry.datasets_folder() / "cards" / "docs.md").read_text(encoding="utf-8")
    counts = Counter(document.library for document in docs)
    for library, version in docs.versions.items():
        (row,) = re.findall(rf"\| {library} \| ([\d,]+) \| ([\d,]+) \| [\d,]+ \| ([\d.]+) \|", card)
        size = sum(len(document.body.encode()) for document in docs.library(library))
        assert row == (f"{counts[library]:,}", f"{size:,}", version)
    assert docs.library("torch").versions == docs.versions


def test_rest_is_the_body_without_the_summary():
    fields = {"library": "toy", "kind": "function", "module": "toy", "parameters": {}, "returns": ""}
    document = Document(name="toy.f", signature="(x)", summary="Add two things.", body="Add two\nthings. So.", **fields)
    assert document.rest == "So."
    assert document.query == "toy.f: Add two things.\n(x)"
    assert Document(name="f", signature="", summary="", body="So.", **fields).query == "f"


def test_enough_documents(docs):
    assert len(docs) >= 12_000
    assert sum(len(document.body.encode()) for document in docs) >= 12_000_000
    assert {document.library for document in docs} == {library.name for library in sources.LIBRARIES}
    kinds = Counter(document.kind for document in docs)
    assert set(kinds) == {"module", "class", "function", "method", "property", "topic"} and min(kinds.values()) >= 50
    assert "documents" in repr(docs) and "licence" in repr(docs)


def test_names_are_unique_public_and_in_order(docs):
    names = [document.name for document in docs]
    assert len(set(names)) == len(names)
    assert not [name for name in names if re.search(r"(^|\.)_(?!_)|\.tests?\.", name)]
    order = [(library.name, topic) for library in sources.LIBRARIES for topic in (False, True)]
    keys = [(order.index((d.library, d.kind == "topic")), d.name) for d in docs]
    assert keys == sorted(keys)


def test_texts_are_distinct_and_clean(docs):
    texts = {" ".join(document.body.lower().split()) for document in docs}
    assert len(texts) == len(docs)
    assert min(len(document.body) for document in docs) >= SHORTEST
    assert not [d.name for d in docs if d.body != d.body.strip() or d.body.startswith(" ") or "\t \n" in d.body]
    assert not [d.name for d in docs if re.search(r"^\s*%\(\w+\)s\s*$|^\s*\{\w+\}\s*$", d.body, re.M)]
    assert all("\n" not in document.summary for document in docs)


@pytest.mark.parametrize(
    "name, signature, summary, see_also",
    [
        ("torch.matmul", "(input, other, *, out=None) -> Tensor", "Matrix product of two tensors.", "torch.mm"),
        ("torch.nn.Conv2d", "(in_channels: int, ", "Applies a 2D convolution over an input signal", ""),
        ("torch.optim.AdamW", "(params: ", "Implements AdamW algorithm", ""),
        ("torch.Tensor.view", "(*shape) -> Tensor", "Returns a new tensor with the same data", "torch.Tensor.reshape"),
        ("numpy.linalg.norm", "(x, ord=None, ", "Matrix or vector norm.", "scipy.linalg.norm"),
        ("numpy.ndarray.sort", "(axis=-1, ", "Sort an array in-place.", "numpy.sort"),
        (
            "sklearn.linear_model.LogisticRegression",
            "(penalty=",
            "Logistic Regression",
            "sklearn.linear_model.SGDClassifier",
        ),
        ("scipy.stats.norm", "", "A normal continuous random variable.", ""),
        (
            "matplotlib.axes.Axes.set_xlim",
            "(left=None, ",
            "Set the x-axis view limits.",
            "matplotlib.axes.Axes.get_xlim",
        ),
        ("json.loads", "(s, *, cls=None, ", "Deserialize ``s``", ""),
        ("topics.lambda", "", "Lambdas", ""),
    ],
)
def test_documents_that_must_be_there(docs, name, signature, summary, see_also):
    found = docs[name]
    assert found.signature.startswith(signature) and found.summary.startswith(summary)
    assert not see_also or see_also in found.see_also


def test_parameters_and_links(docs):
    assert docs["torch.matmul"].parameters["input"] == "(Tensor) the first tensor to be multiplied"
    assert docs["numpy.linalg.norm"].parameters["axis"].startswith("({None, int, 2-tuple of ints}, optional.)")
    assert docs["numpy.linalg.norm"].returns.startswith("(float or ndarray) Norm of the matrix")
    assert sum(bool(document.parameters) for document in docs) > 6000
    links = [(document.name, other) for document in docs for other in document.see_also]
    assert len(links) > 6000 and all(other in docs and other != name for name, other in links)


def test_finding(docs):
    assert docs.find("np.dot").name == "numpy.dot" and docs["LogisticRegression"].name.endswith("LogisticRegression")
    assert docs[0] == next(iter(docs)) and docs[-1:] == [docs.documents[-1]] and "torch.abs" in docs
    with pytest.raises(DataError, match=r'no document "torch.nn.Liner". Did you mean torch.nn.Linear or'):
        docs["torch.nn.Liner"]
    with pytest.raises(DataError, match=r"Did you mean numpy\.sort or torch\.sort"):
        docs.find("sort")
    with pytest.raises(DataError, match=r'"plt\.plot"\. Did you mean .*matplotlib\.axes\.Axes\.plot'):
        docs.find("plt.plot")
    with pytest.raises(DataError, match="Names are like"):
        docs.find("qqqqqq")


def test_libraries_splits_and_text(docs):
    torch_docs = docs.library("torch")
    assert {document.library for document in torch_docs} == {"torch"} and len(torch_docs) > 3000
    text = torch_docs.text()
    assert text.startswith(torch_docs[0].text) and torch_docs[5].text + "\n\n\n" + torch_docs[6].text in text
    with pytest.raises(DataError, match=r'no library "pandas". There are: python, numpy'):
        docs.library("pandas")
    with pytest.raises(DataError, match=r'no split "dev". There are: train, valid, test'):
        docs.split("dev")
    sizes = {split: len(docs.split(split)) / len(docs) for split in ("train", "valid", "test")}
    assert sizes == pytest.approx({"train": 0.8, "valid": 0.1, "test": 0.1}, abs=0.02)


def test_pairs(docs):
    pairs = docs.pairs()
    everything = [pair for split in pairs.values() for pair in split]
    assert len(everything) > 9_000 and min(len(split) for split in pairs.values()) > 800
    assert len({pair.query for pair in everything}) == len({pair.name for pair in everything}) == len(everything)
    for pair in everything:
        document = docs[pair.name]
        assert pair.body and document.summary and pair.query.startswith(f"{pair.name}: {document.summary}")
        assert document.summary not in pair.body and pair.query not in pair.body
    groups = [{group(docs[pair.name]) for pair in split} for split in pairs.values()]
    assert not groups[0] & groups[1] and not groups[0] & groups[2] and not groups[1] & groups[2]
    assert {docs[pair.name].library for pair in pairs["test"]} == {library.name for library in sources.LIBRARIES}


def test_no_pair_of_the_test_set_is_nearly_one_of_the_training_set(docs):
    """Exact similarities, by an index of all shingles: what MinHash missed would be found here."""
    pairs = docs.pairs()
    train = [shingles(pair.body) for pair in pairs["train"]]
    owners: dict[int, list[int]] = {}
    for i, hashes in enumerate(train):
        for value in hashes.tolist():
            owners.setdefault(value, []).append(i)
    near = 0
    for pair in pairs["test"]:
        hashes = shingles(pair.body)
        common = Counter(i for value in hashes.tolist() for i in owners.get(value, ()))
        near += any(count / (len(hashes) + len(train[i]) - count) >= 0.8 for i, count in common.items())
    assert near <= 2  # MinHash misses one near copy in 5,000


def test_stand_ins(docs):
    text = data.load("docs_text")
    assert set(text.splits) == {"train", "valid", "test"} and len(text.train) > 10_000_000
    assert text.test == docs.split("test").text()
    search = data.load("docs_search")
    assert len(search) == sum(len(split) for split in docs.pairs().values())
    for split, queries in search.queries.items():
        assert queries.keys() == search.relevant[split].keys() and queries.keys() <= search.passages.keys()
    asked = [text for queries in search.queries.values() for text in queries.values()]
    assert len(set(asked)) == len(asked) > 0.85 * len(search)
    query = next(iter(search.queries["test"]))
    assert search.queries["test"][query] == docs[query].summary and search.relevant["test"][query] == {query: 1}


def test_importing_the_data_sets_does_not_import_what_the_extractor_needs():
    code = "import helpers.data, sys; print({'extractor', 'numpydoc', 'tqdm', 'pooch', 'sphinx'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
