"""The end of `make demo`: the chapter's own spam filter on real messages."""

from autograder.authoring.build import build
from autograder.grading import demo


def test_the_filter_of_the_chapter_learns_from_real_messages():
    build(demo.CHAPTER)
    title, _, ours, library = demo.spam_on_real_messages(steps=60)
    assert "different messages" in title
    for line in (ours, library):
        assert float(line.partition("F1 of spam ")[2].split()[0]) > 0.8
