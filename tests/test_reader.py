"""The reader, what stands behind a prompt, and the panel."""

import copy
import runpy
import sys

import pytest
import torch
import transformers

from helpers.assistant.generators import UNKNOWN, CopyReader, SentenceReader, load_generator, parts
from helpers.chapters.rag.panel import Reply, page, panel
from helpers.course import artifacts
from helpers.data import load
from helpers.data.registry import datasets_folder
from helpers.errors import CourseError
from helpers.models.docs_reader import NOTHING, DocsReader, best_spans, load_reader, new_reader, stacked, windows

PROMPT = (
    "Answer from the passages.\n\n[1] json.dumps(obj)\nIf ``indent`` is 0, only newlines are inserted.\n\n"
    "[2] numpy.mean\nCompute the mean along the axis.\n\nQuestion: What is inserted if indent is 0?\nAnswer:"
)


@pytest.fixture(scope="module")
def training():
    """What the script that trains the docs-reader defines."""
    folder = datasets_folder() / "reference"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder), *sys.path])
        return runpy.run_path(str(folder / "reader.py"))


@pytest.fixture(scope="module")
def untaught(training):
    """MiniLM with an adapter that has learned nothing, and its tokenizer."""
    torch.manual_seed(0)
    model, tokenizer = new_reader(training["with_lora"])
    return model.eval(), tokenizer


def test_a_prompt_is_taken_apart():
    question, passages = parts(PROMPT)
    assert question == "What is inserted if indent is 0?"
    assert [number for number, _ in passages] == [1, 2]
    assert passages[1][1] == "numpy.mean\nCompute the mean along the axis."
    assert parts("nothing") == ("", []) or parts("nothing")[1] == []


def test_windows_keep_the_places_of_their_words(untaught):
    passage = "The arguments of json: indentation, an array, and the rest."
    window = windows(untaught[1], "Which argument has the indentation?", passage)[0]
    assert len(window.token_ids) == len(window.segments) == len(window.offsets)
    told = [passage[a:b] for (a, b), segment in zip(window.offsets, window.segments, strict=True) if segment]
    assert "".join(told) == passage.replace(" ", "")
    assert untaught[1].decode(window.token_ids, skip_special_tokens=False).startswith("[CLS] which argument")
    assert window.segments[0] == window.segments[-1] == 0


def test_a_long_passage_is_cut_into_windows_that_overlap(untaught):
    passage = "one two three four five six seven eight nine ten " * 30
    made = windows(untaught[1], "What?", passage, 128)
    assert len(made) > 2 and all(len(w.token_ids) <= 128 for w in made)
    assert max(end for w in made for _, end in w.offsets) >= len(passage.rstrip())
    assert made[1].offsets[3][0] < made[0].offsets[-2][0]


def test_an_adapter_begins_as_nothing_and_its_artifact_gives_the_same_function(untaught, training):
    model, tokenizer = untaught
    made = stacked([windows(tokenizer, "What is sorted?", "Return a sorted copy of an array.")[0]])
    torch.manual_seed(1)
    plain = new_reader()[0].eval()
    plain.ends.load_state_dict(model.ends.state_dict())
    adapted = copy.deepcopy(model)
    with torch.no_grad():
        torch.testing.assert_close(plain(*made), model(*made))
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                weight.normal_(std=0.02)
        assert not torch.allclose(adapted(*made), plain(*made), atol=1e-3)
        taken = plain.take(training["adapter"](adapted))
        torch.testing.assert_close(taken(*made), adapted(*made), rtol=1e-4, atol=1e-4)


def test_only_the_adapter_and_the_ends_learn(untaught, training):
    learned = training["adapter"](untaught[0])
    assert {name.rpartition(".")[2] for name in learned} == {"A", "B", "weight", "bias"}
    assert all(name.startswith("ends.") or name.endswith((".A", ".B")) for name in learned)
    assert len(learned) == 6 * 6 * 2 + 2  # six linear layers in each of six blocks
    assert learned.keys() == artifacts.load("docs-reader", own=False).weights.keys()


def test_the_best_span_is_that_of_all_pairs_and_no_longer_than_allowed():
    torch.manual_seed(0)
    scores = torch.randn(3, 40, 2)
    found = [row.tolist() for row in best_spans(scores)]
    for b in range(3):
        pairs = [(i, j) for i in range(1, 40) for j in range(i, min(i + 30, 40))]
        best = max(pairs, key=lambda p: float(scores[b, p[0], 0] + scores[b, p[1], 1]))
        assert (found[1][b], found[2][b]) == best
        assert found[0][b] == pytest.approx(float(scores[b, best[0], 0] + scores[b, best[1], 1] - scores[b, 0].sum()))


def test_spans_are_words_of_the_passage(untaught):
    passages = ["Return the mean of x.", "If `axis` is None, the array is flattened.", ""]
    found = DocsReader(*untaught, 0.0).read("What is flattened?", passages)
    for span, passage in zip(found[:2], passages, strict=False):
        assert span.text and passage[span.start :].startswith(span.text)
    assert found[2] == NOTHING


def test_padding_and_company_change_nothing(untaught):
    model, tokenizer = untaught
    short, long = (windows(tokenizer, "Why?", text)[0] for text in ("Because of it.", "one two three " * 9))
    with torch.no_grad():
        together, alone = model(*stacked([short, long]))[:1], model(*stacked([short]))
    torch.testing.assert_close(together[:, : alone.shape[1]], alone, rtol=1e-4, atol=1e-4)


def test_only_the_passage_and_the_first_place_can_be_an_end(untaught):
    window = windows(untaught[1], "Why not?", "Because of it.")[0]
    with torch.no_grad():
        scores = untaught[0](*stacked([window]))[0]
    can = (scores > -1e3).all(dim=-1).tolist()
    assert can == [i == 0 or segment == 1 for i, segment in enumerate(window.segments)]


def test_the_bundled_reader_answers_with_a_citation_or_says_why_not():
    reader, threshold = CopyReader(threshold=-1e9), load_reader().threshold
    text, mark, why = reader.answer_with_place(PROMPT)
    words, _, number = text.rpartition(" ")
    assert reader(PROMPT) == text and number in ("[1]", "[2]") and words in PROMPT and why == ""
    passage = parts(PROMPT)[1][mark[0] - 1][1]
    assert passage[mark[1] : mark[2]] == words and f"[{mark[0]}]" == number
    reader.threshold = 1e9
    assert reader(PROMPT) == UNKNOWN
    assert reader.answer_with_place(PROMPT).mark is None and "score above" in reader.answer_with_place(PROMPT).why
    assert CopyReader().threshold == threshold


def test_the_bundled_adapter_is_small():
    artifact = artifacts.load("docs-reader", own=False)
    assert sum(weight.numel() for weight in artifact.weights.values()) * 2 < 3e6
    assert artifact.config["measured"]["command"].startswith("python ")


def test_the_baseline_cites_its_sentence():
    assert SentenceReader()(PROMPT) == "If ``indent`` is 0, only newlines are inserted. [1]"
    assert SentenceReader(least=1.0)(PROMPT) == UNKNOWN
    assert load_generator("sentence")("no prompt at all") == UNKNOWN


def test_a_causal_model_of_transformers_stands_behind_the_same_call(tmp_path):
    tokenizer = artifacts.load_tokenizer(own=False)
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
    passages = [("a<b>", "<img src=x onerror=alert(1)>", 0.5)]
    reply = Reply("<script>alert(1)</script> [1]", passages, {"read": 0.01}, mark=(1, 5, 9), why="<b>")
    assert "<script>" not in page(reply) and "<img" not in page(reply) and "<b>why" not in page(reply)
    assert "read 10 ms" in page(reply) and "<mark>&lt;img</mark>" in page(reply)
    widget = panel(lambda question: reply)
    box, button = widget.children[0].children
    button.click()
    assert "Type a question" in widget.children[1].value
    box.value = "Why?"
    assert "&lt;script&gt;" in widget.children[1].value


def test_the_panel_opens_with_an_answer_whose_words_are_marked():
    passages = [("f(a)", "Default: 1.", 0.5), ("g(b=2)", "b is 2.", 0.4)]
    value = panel(lambda question: Reply("2 [2]", passages, mark=(2, 4, 5)), "What is b?").children[1].value
    assert value.count("<mark>") == 1 and "g(b=<mark>2</mark>)" in value
    assert value.count("<details>") == 1 and value.count("<details open>") == 1


def test_the_panel_says_why_it_is_silent():
    value = page(Reply("I do not know.", [], why="No passage has words that score above 2.00."))
    assert "Time" not in value  # none was measured
    assert "score above 2.00" in value and "<mark>" not in value


def test_the_panel_shows_an_error_of_the_course_in_one_line():
    def ask(question):
        raise CourseError("no <reader>")

    assert "no &lt;reader&gt;" in panel(ask, "Why?").children[1].value


@pytest.fixture
def reference(monkeypatch):
    """The modules of datasets/reference by name, as the scripts there import each other."""
    folder = datasets_folder() / "reference"
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return lambda name: runpy.run_path(str(folder / f"{name}.py"))


def test_questions_made_by_rule_point_at_their_answers(reference):
    made = reference("reader_questions")["questions"](list(load("docs"))[::60], 300)
    answered = [m for m in made if m.answer]
    assert len(made) == 300 and 0.05 < 1 - len(answered) / len(made) < 0.45
    for question, passage, (start, end) in answered:
        assert question and 0 <= start < end <= len(passage) and passage[start:end] == passage[start:end].strip()


def test_rows_hold_the_answer_or_point_at_the_first_place(reference, untaught):
    import random

    module, draw = reference("reader_rows"), random.Random(0)
    passage = "one two three four five six seven eight nine ten " * 20 + "The answer is `forty_two`, as ever."
    place = (passage.index("forty"), passage.index("forty") + len("forty_two"))
    for length in (48, 96, 160):
        found = module["row"](untaught[1], module["Made"]("What is it?", passage, place), length, draw)
        assert len(found.window.token_ids) <= length
        assert untaught[1].decode(found.window.token_ids[found.first : found.last + 1]) == "forty _ two"
        none = module["row"](untaught[1], module["Made"]("What is it?", passage, None), length, draw)
        assert (none.first, none.last) == (0, 0)


def test_written_questions_have_their_answers_in_documents_that_no_test_question_asks_about(reference):
    """All but a few: some of Python's own docs differ from one of its releases to the next."""
    module, docs = reference("reader_questions"), load("docs")
    asked = {name for q in load("docs_questions").splits["test"] for name in q.documents}
    written, unsaid = module["written"](), []
    for question, answer, ((name, evidence),) in written:
        assert name not in asked
        texts = [module["passage"](piece) for piece in module["pieces"](docs[name])] if name in docs else []
        if not any(module["told"](text, evidence, answer) for text in texts):
            unsaid.append(question)
    assert len(unsaid) <= len(written) / 50, unsaid
