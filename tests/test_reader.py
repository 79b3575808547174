"""The reader, what stands behind a prompt, and the panel."""

import re
import runpy
import sys

import numpy as np
import pytest
import torch
import transformers

from helpers.assistant.generators import UNKNOWN, CopyReader, SentenceReader, load_generator, parts
from helpers.assistant.panel import Reply, page, panel
from helpers.course import artifacts
from helpers.data import load
from helpers.data.registry import datasets_folder
from helpers.errors import CourseError
from helpers.models import span_features as wide
from helpers.models.docs_reader import (
    ASKED,
    NEAR,
    NOTHING,
    OTHER,
    SAME,
    STEM,
    TOLD,
    DocsReader,
    Reader,
    Wide,
    character_marks,
    known_of,
    load_reader,
    pointed,
    windows,
)
from helpers.models.sentence_features import SECTIONS, encoder, sentences, signs, surroundings
from helpers.models.span_features import MOST_WORDS, candidates, features

PROMPT = (
    "Answer from the passages.\n\n[1] json.dumps(obj)\nIf ``indent`` is 0, only newlines are inserted.\n\n"
    "[2] numpy.mean\nCompute the mean along the axis.\n\nQuestion: What is inserted if indent is 0?\nAnswer:"
)


@pytest.fixture(scope="module")
def tokenizer():
    return artifacts.load_tokenizer(own=False)


@pytest.fixture
def model():
    torch.manual_seed(0)
    size = {"vocab_size": 8192, "context_length": 64, "d_model": 16, "num_layers": 2, "num_heads": 2}
    return Reader(**size).eval()


def test_a_prompt_is_taken_apart():
    question, passages = parts(PROMPT)
    assert question == "What is inserted if indent is 0?"
    assert [number for number, _ in passages] == [1, 2]
    assert passages[1][1] == "numpy.mean\nCompute the mean along the axis."
    assert parts("nothing") == ("", []) or parts("nothing")[1] == []


def test_windows_mark_words_and_keep_their_places(tokenizer):
    passage = "The arguments of json: indentation, an array, and the rest."
    window = windows(tokenizer, "Which argument has the indentation of lists?", passage)[0]
    assert len(window.token_ids) == len(window.marks) == len(window.offsets)
    said = {}
    for mark, (start, end) in zip(window.marks, window.offsets, strict=True):
        said.setdefault(mark, []).append(passage[start:end].strip())
    assert window.marks[0] == OTHER and ASKED in window.marks
    assert "indentation".startswith(said[SAME][0])
    assert any("argument".startswith(piece[:8]) for piece in said[STEM])
    assert set(window.marks) <= {OTHER, ASKED, TOLD, NEAR, STEM, SAME}


def test_a_long_passage_is_cut_into_windows_that_overlap(tokenizer):
    passage = "one two three four five six seven eight nine ten " * 30
    made = windows(tokenizer, "What?", passage, 128)
    assert len(made) > 2 and all(len(w.token_ids) <= 128 for w in made)
    seen = {o for w in made for o in w.offsets if o != (0, 0)}
    assert max(end for _, end in seen) >= len(passage.rstrip())


def test_spans_are_words_of_the_passage(model, tokenizer):
    passages = ["Return the mean of x.", "If `axis` is None, the array is flattened.", ""]
    near = sentences("Why?", "a", encoder())
    width = known_of("Why?", "a", [(0, 1)], np.zeros(1), near).shape[1]
    reader = DocsReader(model, tokenizer, Wide(width, len(signs("Why?", "a", near, np.zeros(1)))).eval(), 0.0)
    found = reader.read("What is flattened?", passages)
    for span, passage in zip(found[:2], passages, strict=False):
        assert span.text and passage[span.start :].startswith(span.text)
    assert found[2] == NOTHING


def test_candidates_stay_between_marks_and_are_short():
    passage = "Default: 1e-5. If dim is None, raise a ValueError"
    texts = {passage[a:b] for a, b in candidates(passage)}
    assert {"1e-5", "None", "ValueError", "If dim is None"} <= texts
    assert not any(":" in text or "," in text for text in texts)
    assert max(len(text.split()) for text in texts) <= MOST_WORDS
    assert candidates("") == []


def slowly(question, passage, span, marks):
    """The features of one span, one after the other as they are defined: what the arrays must agree with."""
    (start, end), asks = span, np.array([bool(p.search(question)) for p in wide.ASKED], float)
    text, before = passage[span[0] : span[1]], passage[span[0] - 1 : span[0]]
    head, total, size = max(0, passage.find("\n")), float(marks.sum()) + 1, len(marks)
    parameters = list(wide.PARAMETER.finditer(passage))
    named = {m[1] for m in parameters} | set(re.findall(r"(\w+)(?:: [^=,()]+)? ?=", passage[:head]))
    kinds = [bool(p.match(text)) for p in wide.KIND] + [text in named, start in {m.start(1) for m in parameters}]
    kinds += [bool(wide.DEFAULT.search(passage, max(0, start - 24), start)), start < head and before == "="]
    kinds = np.array([*kinds, before in ("`", "'", '"', "*")], float)

    def around(a, b):
        return marks[min(max(a, 0), size) : min(max(b, 0), size)].sum() / total

    asked, words = set(re.findall(r"\w+", question.lower())), text.lower().split()
    shared = sum(w.strip("`'\"().,") in asked for w in words) / len(words)
    rest = [around(start - 60, start), around(end, end + 60), around(start - 160, start), around(end, end + 200)]
    rest += [around(start, end), shared, shared == 1, words[0] in wide.LOOSE, words[-1] in wide.LOOSE, start < head]
    rest += [*(len(words) == n for n in (1, 2, 3, 4)), len(words) > 4, start / len(passage), np.log1p(total) / 5]
    rest += [around(0, head)]
    return np.concatenate([kinds, rest, np.outer(asks, kinds).ravel(), asks * around(end, end + 200), [1]])


@pytest.mark.parametrize("question", ["Which argument of add is the default, and how many are passed?", "Why?"])
def test_features_of_all_spans_at_once_are_those_of_each(question):
    bodies = ["f(x, y=None)\nx : int\n    Default: 3. Raise a ValueError if `x` is passed.", "no line break at all"]
    for passage in bodies + [f"{d.name}{d.signature}\n{d.body[:600]}" for d in list(load("docs"))[::900]]:
        found, marks = candidates(passage), character_marks(question, passage)
        if found:
            right = np.array([slowly(question, passage, span, marks) for span in found])
            np.testing.assert_allclose(features(question, passage, found, marks), right, rtol=0, atol=1e-12)


TWO = "pad(array, width, mode='constant')\nPad an array.\n\nmode : str\n    How the edges are filled. Default: zeros."


def test_sentences_lie_in_the_passage_and_the_one_asked_for_is_nearest():
    near = sentences("How are the edges filled?", TWO, encoder())
    texts = [TWO[a:b].strip() for a, b in zip(near.starts, near.ends, strict=True)]
    assert texts[0] == "pad(array, width, mode='constant')" and "Pad an array." in texts
    assert texts[near.covered.argmax()] == texts[near.cosines.argmax()] == "mode : str\n    How the edges are filled."
    assert near.covered.max() == pytest.approx(1.0) and near.of(np.array([0, len(TWO) - 1])).tolist() == [
        0, len(texts) - 1]  # fmt: skip


def test_surroundings_know_whose_entry_a_span_is_in_and_what_it_is_assigned_to():
    spans = [(TWO.index("constant"), TWO.index("constant") + 8), (TWO.index("zeros"), TWO.index("zeros") + 5)]
    asked, other = ("What is the default mode of pad?", "What is the default width?")
    rows = [surroundings(q, TWO, spans, sentences(q, TWO, encoder())) for q in (asked, other)]
    assert np.isfinite(rows[0]).all() and rows[0].shape == rows[1].shape
    exact, _, _, _, assigned, _, given, first, quoted = range(-9 - len(SECTIONS), -len(SECTIONS))
    assert rows[0][:, exact].tolist() == [0, 1] and rows[1][:, exact].tolist() == [0, 0]
    assert rows[0][:, assigned].tolist() == [1, 0] and rows[1][:, assigned].tolist() == [0, 0]
    assert rows[0][:, given].tolist() == rows[0][:, first].tolist() == rows[0][:, quoted].tolist() == [1, 0]


def test_signs_see_a_name_that_the_passage_lacks():
    near = sentences("What does np.softmax return?", TWO, encoder())
    there, lacks = (
        signs(f"What does np.{name} return?", TWO, near, np.array([2.0, 1.0])) for name in ("pad", "softmax")
    )
    assert there[6:9].tolist() == [1, 1, 0] and lacks[6:9].tolist() == [1, 0, 1]
    assert there[:2].tolist() == [2, 1] and lacks[3] > there[3] and lacks[4] > there[4]


def test_the_deep_scores_of_all_spans_at_once_are_those_of_each(tokenizer):
    torch.manual_seed(0)
    model = Reader(vocab_size=8192, context_length=256, d_model=16, num_layers=1, num_heads=2).eval()
    passage = "The `axis` is None, or one of the axes of the array. " * 25  # more than one window
    found, question = candidates(passage), "Which axis?"
    together = pointed(model, tokenizer, question, passage, found)
    alone = [pointed(model, tokenizer, question, passage, [span])[0] for span in found[::20]]
    np.testing.assert_allclose(together[::20], alone, rtol=1e-6)
    assert (together > -40).any()


def test_padding_changes_nothing(model):
    ids, marks = torch.tensor([[2, 100, 7, 200, 300]]), torch.tensor([[0, 1, 0, 2, 5]])
    wide = torch.cat([ids, torch.ones(1, 3, dtype=torch.long)], 1), torch.cat([marks, torch.zeros(1, 3).long()], 1)
    with torch.no_grad():
        torch.testing.assert_close(model(*wide)[:, :5], model(ids, marks), rtol=1e-4, atol=1e-5)


def test_only_the_passage_and_the_first_place_can_be_an_end(model):
    ids, marks = torch.tensor([[2, 100, 8, 200, 300]]), torch.tensor([[0, 1, 0, 2, 5]])
    scores = model(ids, marks)[0]
    assert (scores[[1, 2]] <= -1e4).all() and (scores[[0, 3, 4]] > -1e3).all()


def test_the_bundled_reader_answers_with_a_citation_or_not_at_all():
    reader, threshold = CopyReader(threshold=-1e9), load_reader().threshold
    text = reader(PROMPT)
    assert text.endswith(("[1]", "[2]")) and text.rpartition(" [")[0] in PROMPT
    reader.threshold = 1e9
    assert reader(PROMPT) == UNKNOWN
    assert CopyReader().threshold == threshold


def test_the_baseline_cites_its_sentence():
    assert SentenceReader()(PROMPT) == "If ``indent`` is 0, only newlines are inserted. [1]"
    assert SentenceReader(least=1.0)(PROMPT) == UNKNOWN
    assert load_generator("sentence")("no prompt at all") == UNKNOWN


def test_a_causal_model_of_transformers_stands_behind_the_same_call(tokenizer, tmp_path):
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=8192, n_positions=96, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    end = {"eos_token": "<|endoftext|>", "pad_token": "<|pad|>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **end).save_pretrained(tmp_path)
    answers = load_generator(str(tmp_path))
    assert answers(PROMPT) == answers(PROMPT)
    assert "\n" not in answers(PROMPT)


def test_a_model_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(CourseError, match="cannot be loaded as a causal model"):
        load_generator(str(tmp_path / "nothing"))


def test_the_panel_escapes_what_documents_say():
    reply = Reply("<script>alert(1)</script> [1]", [("a<b>", "<img src=x onerror=alert(1)>", 0.5)], {"read": 0.01})
    assert "<script>" not in page(reply) and "<img" not in page(reply) and "read 10 ms" in page(reply)
    widget = panel(lambda question: reply, "Why?")
    box, button = widget.children[0].children
    button.click()
    assert "&lt;script&gt;" in widget.children[1].value
    box.value = " "
    button.click()
    assert "Type a question" in widget.children[1].value


def test_the_panel_shows_an_error_of_the_course_in_one_line():
    def ask(question):
        raise CourseError("no <reader>")

    widget = panel(ask, "Why?")
    widget.children[0].children[1].click()
    assert "no &lt;reader&gt;" in widget.children[1].value


def test_questions_made_by_rule_point_at_their_answers(monkeypatch):
    folder = datasets_folder() / "reference"
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    made = runpy.run_path(str(folder / "reader_questions.py"))["questions"](list(load("docs").split("train"))[::60])
    answered = [m for m in made if m.answer]
    assert 0.15 < 1 - len(answered) / len(made) < 0.5
    for question, passage, (start, end) in answered:
        assert question and 0 <= start < end <= len(passage) and passage[start:end] == passage[start:end].strip()
