"""The public sets: published counts, and for each trap in a file what a naive reader would lose."""

import csv
import io
import json
import re
import tarfile
from collections import Counter
from functools import cache
from itertools import chain, pairwise
from zipfile import ZipFile

import numpy as np
import pytest

from helpers import data
from helpers.data import fetch
from helpers.data.archives import read_bytes
from helpers.data.registry import find, registry
from helpers.data.tagged import bio
from helpers.errors import DataError


def refuse(*args):
    raise fetch.Unreachable("tests do not download")


@pytest.fixture(scope="module")
def real():
    """real(name): the set, read once, never from a public address; one that is not bundled may be skipped."""

    @cache
    def load(name: str) -> data.Dataset:
        try:
            return data.load(name)
        except DataError as error:
            if find(name).bundled or "no network" not in str(error):  # a damaged file must fail
                raise
            pytest.skip(f"the set is to be downloaded: {error}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetch, "_get", refuse)
        yield load


def only_a_cache(monkeypatch, tmp_path) -> None:
    """No mirror, an empty cache, no grading."""
    for name in ("BOW2LORA_DATA", "BOW2LORA_GRADING", "NBGRADER_EXECUTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOW2LORA_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No mirror, an empty cache, no network, no grading."""
    only_a_cache(monkeypatch, tmp_path)
    monkeypatch.setattr(fetch, "_get", refuse)


def contents(name: str) -> list[str]:
    """The files of a set as text, line ends as they are; ask for the set with `real` first."""
    return [read_bytes(path).decode() for path in fetch.obtain(find(name), download=False)]


# --------------------------------------------------------------------------------- text: WikiText-2
def words_with_eos(text: str) -> list[str]:
    return [word for line in text.splitlines() for word in [*line.split(), "<eos>"]]


def test_wikitext_has_the_published_counts(real):
    text = real("wikitext2")
    words = {name: words_with_eos(part) for name, part in text.splits.items()}
    assert {name: len(part) for name, part in words.items()} == {"train": 2088628, "valid": 217646, "test": 245569}
    assert [len(text.train.split()), len(text.valid.split()), len(text.test.split())] == [2051910, 213886, 241211]
    assert len(set(words["train"])) == 33278 == len(set().union(*words.values())), "no word is only in valid or test"


def test_wikitext_traps(real):
    """An empty line is a space, so `if line` keeps it; `if line.strip()` and `split(" ")` give other counts."""
    train = real("wikitext2").train
    assert train.count("\n") == 36718 and all(train.splitlines())
    assert sum(1 for line in train.splitlines() if line.strip()) == 36718 - 12951, "lines, and <eos>, lost"
    assert len(train.split(" ")) - len(train.split()) == 36719, "line ends counted as words"
    assert train.split().count("<unk>") == 54625, "one word in 38 is not known"


# -------------------------------------------------------------------------- text: Shakespeare, mini
def test_shakespeare_has_the_published_counts(real):
    text = real("tiny_shakespeare")
    whole = text.train + text.valid
    assert (len(whole), whole.count("\n"), len(set(whole))) == (1115394, 40000, 65)
    assert (len(text.train), len(text.valid)) == (1003854, 111540)
    assert whole.startswith("First Citizen:\nBefore we proceed any further") and text.test == ""


def test_mini_has_the_counts_of_the_lecture():
    text = data.load("mini")
    tokens = re.findall(r"\w+|[.!]", text.train.lower())
    bigrams = Counter(pairwise(tokens))
    assert len(tokens) == 26 and sorted(set(tokens)) == ["!", ".", "ate", "cat", "dog", "ran", "the", "zoo"]
    assert (bigrams.total(), len(bigrams)) == (25, 15)
    assert (bigrams["the", "dog"], bigrams["the", "cat"], bigrams["the", "zoo"]) == (4, 2, 2)
    assert text.valid == text.test == ""


# --------------------------------------------------------------------------------------------- words
def test_analogies_have_the_published_counts(real):
    analogies = real("questions_words")
    assert (len(analogies), len(analogies.sections)) == (19544, 14)
    assert (len(analogies.semantic), len(analogies.syntactic)) == (8869, 10675)
    assert len(analogies.sections["family"]) == 506 and len(analogies.sections["gram8-plural"]) == 1332
    assert all(len(question) == 4 for question in analogies.semantic + analogies.syntactic)
    assert analogies.semantic[0] == ("Athens", "Greece", "Baghdad", "Iraq")


def test_analogies_traps(real):
    """Headings are lines, too; and all words of knowledge are capitalised, which lower-casing must not forget."""
    analogies = real("questions_words")
    assert len(contents("questions_words")[0].splitlines()) == 19544 + 14, "headings counted as questions"
    capital = sum(any(word != word.lower() for word in question) for question in analogies.semantic)
    assert capital > 7000, "these fail against a vocabulary in lower case"


def test_wordsim_has_the_published_counts(real):
    pairs = real("wordsim353")
    assert len(pairs) == 353 and pairs.scores.shape == (353,) and pairs.scores.dtype == np.float64
    assert pairs.pairs[0] == ("love", "sex") and pairs.scores[0] == 6.77
    assert (pairs.scores.min(), pairs.scores.max()) == (0.23, 10.0)
    assert pairs.pairs[pairs.scores.argmax()] == ("tiger", "tiger")


def test_wordsim_traps(real):
    """Two pairs were rated twice, one of them turned round: a dict of pairs is smaller."""
    pairs = real("wordsim353")
    assert len(dict(zip(pairs.pairs, pairs.scores, strict=True))) == 352
    assert len({frozenset(pair) for pair in pairs.pairs}) == 351
    assert len(contents("wordsim353")[0].splitlines()) == 354, "the header is a line"


def test_simlex_has_the_published_counts(real):
    pairs = real("simlex999")
    assert len(pairs) == 999 and pairs.scores.shape == (999,)
    assert pairs.pairs[0] == ("old", "new") and pairs.scores[0] == 1.58
    assert pairs.scores.min() >= 0 and pairs.scores.max() == 9.8
    assert len({word for pair in pairs.pairs for word in pair}) == 1028


def test_simlex_traps(real):
    """Lines end in CRLF: cut at LF, the last column keeps a CR in its name and in its values."""
    real("simlex999")
    with ZipFile(fetch.obtain(find("simlex999"), download=False)[0]) as archive:
        header = archive.read("SimLex-999/SimLex-999.txt").decode().split("\n")[0].split("\t")
    assert len(header) == 10 and header[3] == "SimLex999" and header[-1] == "SD(SimLex)\r"


# ----------------------------------------------------------------------------- tagged: Web Treebank
EWT = {"train": (12544, 204577), "valid": (2001, 25147), "test": (2077, 25094)}


def test_ewt_has_the_published_counts(real):
    """Sentences and words as stats.xml of the treebank gives them."""
    tagged = real("ud_ewt")
    counts = {name: (len(part), sum(len(s.tokens) for s in part)) for name, part in tagged.splits.items()}
    assert counts == EWT
    assert len(tagged.tags) == 17
    assert all(len(s.tokens) == len(s.tags) > 0 for part in tagged.splits.values() for s in part)
    assert tagged.valid[0] == (
        ["From", "the", "AP", "comes", "this", "story", ":"],
        ["ADP", "DET", "PROPN", "VERB", "DET", "NOUN", "PUNCT"],
    )


def test_ewt_traps(real):
    """Multiword tokens ("don't" before "do", "n't") and empty nodes look like words; a word may be "#"."""
    tagged, texts = real("ud_ewt"), contents("ud_ewt")
    rows = [line.split("\t") for line in texts[0].split("\n") if line and not line.startswith("#")]
    assert len(rows) == 204577 + 2614 + 37, "fused tokens and empty nodes taken for words"
    assert {row[3] for row in rows if not row[0].isdecimal() and "-" in row[0]} == {"_"}, "an 18th tag"
    assert sum(sentence.tokens.count("#") for sentence in tagged.train) > 0, "a word, not a comment"
    quoted = csv.reader(io.StringIO(texts[0]), delimiter="\t")
    assert sum(1 for row in quoted if row and row[0].isdecimal()) < 204577 - 2000, "words swallowed by quotes"


# ------------------------------------------------------------------------------------ tagged: inbox
def chunks(tokens: list[str], tags: list[str]) -> list[tuple[str, str]]:
    """The entities that BIO tags spell, as (label, characters)."""
    found = []
    for token, tag in zip(tokens, tags, strict=True):
        if tag.startswith("B-"):
            found.append((tag[2:], token))
        elif tag.startswith("I-"):
            label, text = found.pop()
            assert label == tag[2:], "an entity goes on under another name"
            found.append((label, text + token))
    return found


def squeeze(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_inbox_tags_lose_no_character_and_no_entity():
    inbox = data.load("inbox")
    for text, entities in zip(inbox.texts, inbox.entities, strict=True):
        sentence = bio(text, entities)
        assert "".join(sentence.tokens) == squeeze(text)
        spans = [(entity.label, squeeze(text[entity.start : entity.end])) for entity in entities]
        assert chunks(*sentence) == spans


def test_inbox_tags_are_all_of_the_inbox_split_by_core_sentence():
    inbox, tagged = data.load("inbox"), data.load("inbox_tags")
    parts = {name: ["".join(sentence.tokens) for sentence in part] for name, part in tagged.splits.items()}
    assert sorted(chain(*parts.values())) == sorted(map(squeeze, inbox.texts))
    assert {name: len(part) for name, part in parts.items()} == {"train": 4008, "valid": 488, "test": 504}
    tags = Counter(tag for part in tagged.splits.values() for sentence in part for tag in sentence.tags)
    assert sum(n for tag, n in tags.items() if tag.startswith("B-")) == sum(map(len, inbox.entities)) == 12484
    assert len(tags) == 15 and set(tags) == set(tagged.tags)


@pytest.mark.parametrize(
    "text, entities, tokens, tags",
    [
        ("Dr Varga, 8.45", [(0, 8, "PERSON"), (10, 14, "TIME")], "Dr Varga , 8.45", "B-PERSON I-PERSON O B-TIME"),
        ("ParisRome", [(0, 5, "PLACE"), (5, 9, "PLACE")], "Paris Rome", "B-PLACE B-PLACE"),
        ("at9pm", [(2, 5, "TIME")], "at 9pm", "O B-TIME"),
        ("don't :)", [], "don't : )", "O O O"),
        ("", [], "", ""),
    ],
)
def test_bio(text, entities, tokens, tags):
    assert bio(text, entities) == (tokens.split(), tags.split())


# ----------------------------------------------------------------------------------------- intents
def test_clinc_has_the_published_counts(real):
    requests = real("clinc150")
    assert {name: len(part) for name, part in requests.splits.items()} == {"train": 15000, "valid": 3000, "test": 4500}
    outside = {name: {request.intent for request in part} for name, part in requests.out_of_scope.items()}
    assert outside == {"train": {"oos"}, "valid": {"oos"}, "test": {"oos"}}
    assert [len(part) for part in requests.out_of_scope.values()] == [100, 100, 1000]
    assert len(requests.intents) == 150 and {len(intents) for intents in requests.domains.values()} == {15}
    for part, each in ((requests.train, 100), (requests.valid, 20), (requests.test, 30)):
        assert Counter(request.intent for request in part) == dict.fromkeys(requests.intents, each)
    assert requests.test[0] == ("how would you say fly in italian", "translate")


def test_clinc_traps(real):
    """A model of the 150 intents alone has no right answer for a request out of scope, and five texts stand twice."""
    requests = real("clinc150")
    assert "oos" not in requests.intents
    texts = {name: {request.text for request in part} for name, part in requests.splits.items()}
    assert len(texts["train"] & texts["test"]) == 2 and len(texts["train"] & texts["valid"]) == 3
    assert not any(text != text.lower() for part in texts.values() for text in part), "capitals tell nothing here"


# --------------------------------------------------------------------------------------- sentences
def test_stsb_has_the_published_counts(real):
    """The table of the readme: genres by split."""
    pairs = real("stsb")
    genres = {name: Counter(pair.genre for pair in part) for name, part in pairs.splits.items()}
    assert genres["train"] == {"news": 3299, "captions": 2000, "forum": 450}
    assert genres["valid"] == {"news": 500, "captions": 625, "forum": 375}
    assert genres["test"] == {"news": 500, "captions": 625, "forum": 254}
    assert {pair.score for pair in pairs.valid} >= {0.0, 5.0}
    assert all(0 <= pair.score <= 5 and pair.first.strip() and pair.second.strip() for pair in pairs.train)
    assert pairs.train[0] == ("A plane is taking off.", "An air plane is taking off.", 5.0, "captions")


def test_stsb_traps(real):
    """The default quoting loses rows; nine columns in some; the forum has two names."""
    real("stsb")
    texts = contents("stsb")
    assert [len(list(csv.reader(io.StringIO(text), delimiter="\t"))) for text in texts] == [5711, 1470, 1119]
    columns = [Counter(line.count("\t") + 1 for line in text.splitlines()) for text in texts]
    assert [count[9] for count in columns] == [197, 22, 284], "rows that go on with their sources"
    assert [text.count("main-forums\t") for text in texts] == [0, 375, 254], "and main-forum in train"


# --------------------------------------------------------------------------------------- retrieval
def test_scifact_has_the_published_counts(real):
    search = real("scifact")
    assert len(search) == 5183
    assert {split: len(queries) for split, queries in search.queries.items()} == {"train": 809, "test": 300}
    assert not search.queries["train"].keys() & search.queries["test"].keys(), "1,109 queries in all"
    gains = {split: [g for judged in each.values() for g in judged.values()] for split, each in search.relevant.items()}
    assert {split: len(each) for split, each in gains.items()} == {"train": 919, "test": 339}
    assert set(gains["train"] + gains["test"]) == {1} and search.answers == {}
    for split, judged in search.relevant.items():
        assert judged.keys() == search.queries[split].keys()
        assert all(passage in search.passages for relevant in judged.values() for passage in relevant)


def test_scifact_traps(real):
    """Judgements have a header and end in CRLF: a gain compared as text is never "1"."""
    real("scifact")
    lines = contents("scifact")[3].split("\n")
    assert lines[0] == "query-id\tcorpus-id\tscore\r"
    assert not any(line.endswith("\t1") for line in lines) and sum(line.endswith("\t1\r") for line in lines) == 339


def test_squad_has_the_published_counts_and_right_spans(real):
    search = real("squad")
    assert len({passage.title for passage in search.passages.values()}) == 48
    assert len(search.passages) == 2067 and len(search.queries["valid"]) == 10570
    answers = search.answers["valid"]
    assert answers.keys() == search.relevant["valid"].keys() and sum(map(len, answers.values())) == 34726
    for query, spans in answers.items():
        ((passage, gain),) = search.relevant["valid"][query].items()
        text = search.passages[passage].text
        assert gain == 1 and all(text[a.start : a.start + len(a.text)] == a.text for a in spans), query


def test_squad_traps(real):
    """Starts count characters of the text as it is: not bytes, and not after tidying the spaces."""
    search = real("squad")
    in_bytes = tidied = 0
    for query, spans in search.answers["valid"].items():
        text = search.passages[next(iter(search.relevant["valid"][query]))].text
        for answer, start in spans:
            in_bytes += not text.encode()[start:].startswith(answer.encode())
            tidied += not " ".join(text.split())[start:].startswith(answer)
    assert (in_bytes, tidied) == (5632, 164), "spans that go wrong, of 34,726"


# ----------------------------------------------------------------------------------------- choices
def test_bbq_has_the_published_counts_in_equal_parts(real):
    choices = real("bbq")
    counts = Counter(choice.category for choice in choices.questions)
    assert len(choices) == 11956 and choices.categories == list(counts)
    assert list(counts.values()) == [3680, 1556, 3080, 1576, 1200, 864]
    quarters = Counter((choice.category, choice.condition, choice.polarity) for choice in choices.questions)
    assert all(4 * count == counts[category] for (category, _, _), count in quarters.items())
    assert len(quarters) == 24


def test_bbq_labels_and_targets(real):
    """In doubt the right answer is that one cannot know, else never; half of the facts fit the stereotype."""
    choices = real("bbq").questions
    for row in (json.loads(line) for text in contents("bbq") for line in text.splitlines()):
        groups = {group.lower() for group in row["additional_metadata"]["stereotyped_groups"]}
        assert sum(not groups.isdisjoint(map(str.lower, names)) for names in row["answer_info"].values()) == 1
    assert all((choice.label == choice.unknown) == (choice.condition == "ambig") for choice in choices)
    assert all(choice.target != choice.unknown for choice in choices)
    clear = [choice for choice in choices if choice.condition == "disambig"]
    assert 2 * sum(choice.target == choice.label for choice in clear) == len(clear) == 5978
    first = choices[0]
    assert first.answers == ("The grandfather", "The grandson", "Can't be determined")
    assert (first.label, first.unknown, first.target, first.stereotyped) == (2, 2, 0, ("old",))


def test_bbq_traps(real):
    """Row numbers begin anew in each file, and "unknown" is said in ten ways at changing places."""
    choices = real("bbq").questions
    numbers = {re.search(r'"example_id": (\d+)', line)[1] for text in contents("bbq") for line in text.splitlines()}
    assert len(numbers) == 3680, "a dict by number keeps 3,680 of 11,956"
    sayings = Counter(choice.answers[choice.unknown] for choice in choices)
    assert len(sayings) == 10 and sayings["Can't be determined"] == 1180
    assert len({choice.unknown for choice in choices}) == 3


# ---------------------------------------------------------------------- sets that are not bundled
@pytest.mark.parametrize("name", ["stsb", "simlex999"])
def test_a_set_reads_the_same_after_a_download(real, tmp_path, monkeypatch, name):
    """Served as the first addresses serve it: plain, or as members of one zip or tar.gz; packed in the cache."""
    expected, pages = real(name), {}
    for file, path in zip(find(name).files, fetch.obtain(find(name), download=False), strict=True):
        pages.setdefault(file.sources[0].url, {})[file.sources[0].member] = read_bytes(path)
    only_a_cache(monkeypatch, tmp_path)
    monkeypatch.setattr(fetch, "_get", lambda title, url, host, path: path.write_bytes(served(url, pages.pop(url))))
    loaded = data.load(name)
    assert repr(loaded) == repr(expected) and not pages, "every address once"
    assert all(path.is_relative_to(fetch.cache_folder()) for path in fetch.obtain(find(name), download=False))
    assert vars(loaded).keys() == vars(expected).keys()
    for field in vars(loaded).keys() - {"scores"}:
        assert getattr(loaded, field) == getattr(expected, field)


def served(url: str, members: dict[str, bytes]) -> bytes:
    """The one file of an address, or an archive of its members."""
    if "" in members:
        return members[""]
    buffer = io.BytesIO()
    if url.endswith(".zip"):
        with ZipFile(buffer, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
    else:
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for member, content in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


@pytest.mark.parametrize("name", [entry.name for entry in registry().values() if not entry.bundled])
def test_a_set_that_is_not_bundled_says_so_in_one_line(nowhere, monkeypatch, name):
    with pytest.raises(DataError, match=r"^.*: no network\. To get the set, connect .*$"):
        data.load(name)
    monkeypatch.setenv("BOW2LORA_GRADING", "1")
    with pytest.raises(DataError, match=r"no download while grading\. Work on a set that lies in the box\.$"):
        data.load(name)
