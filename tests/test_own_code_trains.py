"""What the student wrote in chapter 03 is what trains there: the functions are watched while the story runs."""

from collections import Counter

import pytest

from autograder import cell_marks, paths
from autograder.authoring.source import read
from autograder.cells import new_shell, run

CHAPTER = "03_rnns"
RUNS = {  # what a show cell calls: the functions of the exercises that must have run in it
    "recall_accuracy(": ("rnn_cell", "lstm_cell", "gru_cell", "train"),
    "train_writer(text": ("train", "token_distribution"),
    "train_tagger(*task)": ("masked_cross_entropy", "viterbi", "spans", "span_scores"),
    "train_translator(lessons": ("encoder_decoder", "masked_cross_entropy", "greedy_decode"),
}


def watched(function, name, calls):
    def call(*args, **kwargs):
        calls[name] += 1
        return function(*args, **kwargs)

    return call


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """Return how often each function was called, {the call in the show cell: {function: times}}."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOW2LORA_HOME", str(tmp_path_factory.mktemp("own")))
        shell, now, found = new_shell(), Counter(), {}
        names = {name for functions in RUNS.values() for name in functions}
        run(shell, "from helpers.models.word_vectors import WordVectors")  # a show cell above imports it
        for cell in read(paths.source_text(CHAPTER)):
            known = [call for call in RUNS if call in cell.source]
            needed = cell.kind in ("given", "exercise") or (
                cell.kind == "show" and (known or "CharacterText(" in cell.source)
            )
            if not needed:
                continue
            now.clear()
            source, sizes = cell_marks.without_sizes(cell_marks.CLAIMS.sub("", cell.source))
            outcome = run(shell, cell_marks.sized(source, sizes.get("small", {})))
            assert outcome.error is None, f"{cell.grade_id}: {outcome.error!r}"
            if cell.kind == "exercise":
                for name in names & set(shell.user_ns):
                    if not hasattr(shell.user_ns[name], "watched"):
                        shell.user_ns[name] = watched(shell.user_ns[name], name, now)
                        shell.user_ns[name].watched = True
            for call in known:
                found[call] = dict(now)
    return found


@pytest.mark.parametrize("call", RUNS)
def test_the_students_functions_run_where_the_chapter_trains(calls, call):
    for name in RUNS[call]:
        assert calls[call].get(name, 0) >= 1, f"{name} never ran"


def test_the_long_memory_task_asks_the_cells_once_a_symbol(calls):
    found = calls["recall_accuracy("]
    assert found["train"] == 5  # five rows, one seed
    assert min(found[name] for name in ("rnn_cell", "lstm_cell", "gru_cell")) >= 60 * 12  # steps and symbols, small
