"""Instructions made from the docs: of each kind, with the answer in the passage, the same for the same seed."""

from collections import Counter

from helpers.chapters.lora.instruction_data import TEMPLATES, defaults, instructions, passage
from helpers.data.docs import Document


def document(i: int) -> Document:
    told = "Where along the shape things are taken."
    body = f"Return thing number {i}.\n\nParameters\n----------\naxis : int\n    {told}"
    told = {"axis": f"(int) {told}"}
    return Document("numpy", f"numpy.f{i}", "function", "numpy", "(x, axis=0, *, how='a')", body[:22], body, told, "")


def test_all_kinds_are_made_and_every_answer_stands_in_its_passage():
    made = instructions([document(i) for i in range(40)], 60, most=60, seed=1)
    assert len(made) == 60 and {item.kind for item in made} == set(TEMPLATES)
    assert all(item.answer in item.passage and "numpy.f" in item.question for item in made)


def test_the_seed_decides():
    many = [document(i) for i in range(40)]
    first, again, other = (instructions(many, 30, most=30, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_no_answer_comes_too_often():
    made = instructions([document(i) for i in range(40)], 60, most=7, seed=1)
    assert Counter((item.kind, item.answer) for item in made) == {
        ("type", "int"): 7, ("default", "0"): 7, ("default", "'a'"): 7,
    }  # fmt: skip


def test_defaults_are_read_from_the_signature():
    assert defaults(document(1)) == [("axis", "0"), ("how", "'a'")]


def test_a_passage_is_cut_between_words():
    text = "word " * 100 + "the answer stands here " + "word " * 100
    cut = passage(text, "answer\nstands", around=30)
    assert "the answer stands here" in cut and set(cut.split()) <= {"word", "the", "answer", "stands", "here"}
    assert passage(text, "absent") == ""
