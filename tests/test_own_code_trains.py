"""What the student wrote is what trains in the chapter: the functions are watched while the story runs."""

from collections import Counter

import pytest

from autograder import cell_marks, paths
from autograder.authoring.source import read
from autograder.cells import new_shell, run

RUNS = {  # by chapter, what a show cell calls: the functions of the exercises that must have run in it
    "03_rnns": {
        "recall_accuracy(": ("rnn_cell", "lstm_cell", "gru_cell", "train"),
        "train_writer(text": ("train", "token_distribution"),
        "train_tagger(*task)": ("masked_cross_entropy", "viterbi", "spans", "span_scores"),
        "train_translator(lessons": ("encoder_decoder", "masked_cross_entropy", "greedy_decode"),
    },
    "05_transformers": {
        "train(gpt, plays.batch": (
            "train", "warmup_cosine", "adamw_step", "next_token_loss", "gpt_logits", "encoder_block",
        ),
        "bits_per_byte(losses.sum": ("bits_per_byte", "perplexity", "gpt_logits"),
        "plays.page(model, generate": ("generate", "cached_logits", "cached_attention", "draw_token"),
        "writing.cache_gain(": ("generate", "cached_logits", "cached_attention", "layer_norm", "feed_forward"),
        "writing.sample(": ("generate", "penalise", "keep_min_p", "draw_token"),
    },
    "07_contrastive": {
        "few_labels.measure(": ("nt_xent", "shift"),
        "mined(hard_negatives": ("hard_negatives",),
        "phases.trained(": ("train_step", "masked_info_nce", "info_nce", "cosine_similarities"),
    },
    "08_rag": {
        "by_features = Learned(": ("features", "hybrid", "fuse"),
        "reranked.learn(": ("ranking_loss", "pair"),
        "stages_table(ranks, against": ("recall_at", "reciprocal_rank", "ndcg_at", "interval"),
        "said = {(name": (
            "ask", "hybrid", "fuse", "bm25_scores", "best", "dense_top", "features", "pair", "build_prompt", "cited",
            "supported",
        ),
        "links.SecondTurn(": ("linked",),
    },
    "09_lora": {
        "lesson.run(partial(beside_all": ("put_lora", "LoRALinear"),
        "task.tried(beginner, trying": ("train_by_trying", "group_advantages", "grpo_loss"),
        "ways.learned(world, name": ("dpo_loss", "sequence_logprobs", "leashed", "reinforce_loss"),
    },
    "11_beyond": {
        "mixtures.train(alpha": ("route", "mixture", "balance_loss"),
        "lookup.share(mixer, pairs": ("token_shift", "wkv"),
        "digit_views.train(": ("vit", "patch_vectors"),
        "two_digits.train(": ("vit", "clip_loss", "siglip_loss"),
        "talker.train(": ("vlm_logits", "vit", "put_images", "prefix_mask", "answer_labels", "greedy_answers"),
    },
    "12_training": {
        "gradients_that_vanish(gpt": ("scaled_gradients", "packed_targets", "next_scale"),
        "kept_and_seconds(layers": ("recomputed",),
        "race(*plays": ("muon_step", "orthogonal"),
        "mixtures(shelf": ("shingles", "signature", "keep_first", "candidates", "pack", "packed_targets"),
        "final_run(run": (
            "run", "accumulate", "clip_gradients", "snapshot", "restore", "write_safely", "warmup_stable_decay",
            "packed_mask", "packed_positions", "packed_targets",
        ),
    },
}  # fmt: skip
# By chapter, words of the show cells above that define something for them.
NEEDED = {
    "03_rnns": ("CharacterText(",),
    "05_transformers": ("EXAMPLE = ",),
    "07_contrastive": ("digits, augment = ", "doc_pairs.training_pairs("),
    "08_rag": (
        "PART = 1",
        "import Corpus",
        "SIZE = 120",
        "index = build_index(corpus.words)",
        "encoder = load_encoder()",
        "first_search = partial(",
        "prompt, used = build_prompt(example",
        "readers = {",
        "best order",
        "reader.threshold = choose_threshold(",
    ),
    "12_training": ("shelf = Shelf(", "plays = letter_rows("),
}
CALLS = [(chapter, call) for chapter, runs in RUNS.items() for call in runs]


def watched(function, name, calls):
    def call(*args, **kwargs):
        calls[name] += 1
        return function(*args, **kwargs)

    return call


def ran(chapter, home):
    """Run a chapter's given cells, exercises and the show cells named above; {call: {function: times}}."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOW2LORA_HOME", str(home))
        shell, now, found, runs = new_shell(), Counter(), {}, RUNS[chapter]
        names = {name for functions in runs.values() for name in functions}
        run(shell, "from helpers.models.word_vectors import WordVectors")  # a show cell above imports it
        for cell in read(paths.source_text(chapter)):
            known = [call for call in runs if call in cell.source]
            needed = cell.kind in ("given", "exercise") or (
                cell.kind == "show" and (known or any(words in cell.source for words in NEEDED.get(chapter, ())))
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


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """Return how often each function was called, {chapter: {the call in the show cell: {function: times}}}."""
    return {chapter: ran(chapter, tmp_path_factory.mktemp("own")) for chapter in RUNS}


@pytest.mark.parametrize(("chapter", "call"), CALLS)
def test_the_students_functions_run_where_the_chapter_trains(calls, chapter, call):
    for name in RUNS[chapter][call]:
        assert calls[chapter][call].get(name, 0) >= 1, f"{name} never ran"


def test_the_vision_language_model_is_the_students_in_every_step_and_answer(calls):
    found = calls["11_beyond"]["talker.train("]
    assert found["vlm_logits"] == found["put_images"] == found["prefix_mask"] == found["vit"]
    assert found["answer_labels"] >= 12  # steps, small
    assert found["greedy_answers"] == 2 * 5  # five questions, about two pictures each


def test_the_long_memory_task_asks_the_cells_once_a_symbol(calls):
    found = calls["03_rnns"]["recall_accuracy("]
    assert found["train"] == 5  # five rows, one seed
    assert min(found[name] for name in ("rnn_cell", "lstm_cell", "gru_cell")) >= 60 * 12  # steps and symbols, small


def test_the_gpt_of_the_plays_takes_every_step_by_the_students_adamw(calls):
    found = calls["05_transformers"]["train(gpt, plays.batch"]
    assert found["train"] == 1 and found["adamw_step"] >= 6 * 3  # steps, small; tables, norms and biases


def test_every_step_of_the_last_run_is_the_students(calls):
    found = calls["12_training"]["final_run(run"]
    assert found["run"] == 3  # never stopped; killed; resumed
    assert found["accumulate"] == found["clip_gradients"] >= 6 + 6  # steps, small, of both runs


def test_lora_goes_beside_every_linear_layer_of_minilm(calls):
    found = calls["09_lora"]["lesson.run(partial(beside_all"]
    assert found["put_lora"] == 1 and found["LoRALinear"] == 6 * 6  # blocks, linear layers of each


def test_the_policy_learns_to_sort_by_the_students_loop_and_loss_alone(calls):
    found = calls["09_lora"]["task.tried(beginner, trying"]
    assert found["train_by_trying"] == 6 and found["grpo_loss"] == 2 * 6  # six looks of one batch, each used twice
    assert found["group_advantages"] == 6
