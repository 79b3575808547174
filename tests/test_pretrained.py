"""Pretrained models by name: the bundled MiniLM, folders, what is not there; causal models with and without a chat."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from autograder import paths
from autograder.authoring.source import definitions
from helpers import pretrained
from helpers.assistant.generators import CausalModel, load_generator
from helpers.course import artifacts
from helpers.data.registry import datasets_folder
from helpers.errors import CourseError
from helpers.search import Task

TEXTS = ["How do I sort a list?", "", "sort: return a sorted copy of an array", "cats " * 400, "Paris is in France."]
CHAT = (
    "{% for m in messages %}<|user|>{{ m['content'] }}{% endfor %}{% if short is defined %}!{% endif %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tokenizer_of(chat: str = "") -> transformers.PreTrainedTokenizerFast:
    ends = {"eos_token": "<|endoftext|>", "pad_token": "<|pad|>"}
    found = transformers.PreTrainedTokenizerFast(tokenizer_object=artifacts.load_tokenizer(own=False), **ends)
    if chat:
        found.chat_template = chat
    return found


def causal(folder, chat: str = "") -> str:
    """Save a small random Llama with docs-tokenizer; returns its folder."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.LlamaConfig(vocab_size=8192, max_position_embeddings=128, eos_token_id=0, **sizes)
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer_of(chat).save_pretrained(folder)
    return str(folder)


def encoder(folder) -> str:
    """Save a small random BERT with docs-tokenizer; returns its folder."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    transformers.BertModel(transformers.BertConfig(vocab_size=8192, **sizes)).save_pretrained(folder)
    tokenizer_of().save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def minilm():
    return pretrained.load("minilm")


# ----------------------------------------------------------------------------------------------- the bundled encoder
def test_the_bundled_model_encodes_as_sentence_transformers_does(minilm):
    from sentence_transformers import SentenceTransformer

    with pretrained.quiet():
        theirs = SentenceTransformer(str(datasets_folder() / "artifacts" / "minilm"), device="cpu")
    found = minilm.encode(TEXTS, batch_size=2)
    assert found.shape == (5, 384) and found.dtype == np.float32
    np.testing.assert_allclose(found, theirs.encode(TEXTS), atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_near_texts_are_near(minilm):
    asked, near, far = TEXTS[0], TEXTS[2], TEXTS[4]
    (row,) = minilm.similarity([asked], [near, far])
    assert row[0] > 0.5 > 0.2 > row[1]


def test_it_says_what_it_took(capsys):
    for name in pretrained.NAMES:
        found = pretrained.load(name)
        line = f"{name}: bundled with the course, 22,713,216 weights, float32 on cpu"
        assert capsys.readouterr().out == line + "\n" and found.source == line
    assert pretrained.load("minilm", dtype="auto").model.dtype == torch.float32, "the config asks for it"


def test_no_texts_give_no_vectors_and_a_training_model_goes_on_training(minilm):
    assert minilm.encode([]).shape == (0, 384)
    minilm.model.train()
    once, again = minilm.encode(TEXTS[:1]), minilm.encode(TEXTS[0])
    assert minilm.model.training and (once == again).all()
    minilm.model.eval()


def test_the_bundle_is_the_model_in_half_precision_with_its_licence():
    from safetensors.torch import load_file

    folder = datasets_folder() / "artifacts" / "minilm"
    weights = load_file(folder / "model.safetensors")
    assert {w.dtype for w in weights.values()} == {torch.float16}
    assert sum(w.numel() for w in weights.values()) == 22_713_216
    for file in ("LICENSE", "card.md"):
        assert "Apache License" in (folder / file).read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------------------------- other names
def test_a_folder_pools_and_cuts_as_its_settings_say(tmp_path, capsys):
    folder = encoder(tmp_path)
    mean = pretrained.load(folder)
    assert "from this folder" in capsys.readouterr().out and (mean.length, mean.pooling) == (512, "mean")
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 4}))
    first = pretrained.load(folder)
    assert (first.length, first.pooling) == (4, "cls")
    ids = first.tokenizer(TEXTS[0], return_tensors="pt", truncation=True, max_length=4)
    expected = first.model(**ids).last_hidden_state[:, 0].detach().numpy()
    np.testing.assert_allclose(first.encode(TEXTS[:1], normalise=False), expected, atol=1e-6)
    assert not np.allclose(first.encode(TEXTS[:1]), mean.encode(TEXTS[:1]))


def test_gradients_flow_through_pooled(tmp_path):
    found = pretrained.load(encoder(tmp_path))
    found.pooled(TEXTS).sum().backward()
    assert found.model.embeddings.word_embeddings.weight.grad.abs().sum() > 0


def test_weights_that_are_not_in_the_file_are_told(tmp_path, capsys):
    pretrained.load(encoder(tmp_path), task="generate")
    assert "tensors are not in its file and are random" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nobody/nothing", "no-such-folder/at/all", "tests"])
def test_what_is_not_there_is_one_line(name, monkeypatch, tmp_path):
    monkeypatch.setattr(pretrained, "_no_hub", lambda: "the hub does not answer")
    with pytest.raises(CourseError, match=r"an encoder: not bundled, no folder .* the hub does not answer") as error:
        pretrained.load(name)
    assert "\n" not in str(error.value)


def test_nothing_is_downloaded_while_grading(monkeypatch):
    monkeypatch.setenv("BOW2LORA_GRADING", "1")
    with pytest.raises(CourseError, match="nothing is downloaded while grading"):
        pretrained.load("nobody/nothing")


def test_a_hub_that_does_not_answer_is_asked_once(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(CourseError, match=r"http://127\.0\.0\.1:9 does not answer"):
        pretrained.load("nobody/nothing")


def test_a_damaged_folder_and_wrong_options_are_one_line(tmp_path):
    folder = encoder(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(CourseError, match="cannot be loaded as an encoder"):
        pretrained.load(folder)
    with pytest.raises(CourseError, match="dtype float32"):
        pretrained.load(dtype="int8")
    with pytest.raises(CourseError, match="task can be encode, generate"):
        pretrained.load(task="guess")
    with pytest.raises(CourseError, match="There is no device 'nowhere' here"):
        pretrained.load(device="nowhere")


def snapshot(cache: Path) -> Path:
    """Return the folder that the Hugging Face cache has for the model someone/small."""
    commit, home = "0" * 40, cache / "models--someone--small"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(commit)
    return home / "snapshots" / commit


def test_a_cached_model_is_taken_without_asking_the_network(tmp_path, monkeypatch, capsys):
    def refuse(*given, **more):
        raise AssertionError("the network was asked")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr(pretrained, "_no_hub", refuse)
    encoder(snapshot(tmp_path))
    assert pretrained.load("someone/small").encode(TEXTS).shape == (5, 16)
    assert "from the Hugging Face cache" in capsys.readouterr().out


def test_half_a_model_in_the_cache_is_downloaded_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    half = snapshot(tmp_path / "cache")
    half.mkdir(parents=True)
    (half / "config.json").write_text('{"model_type": "bert"}')
    whole = encoder(tmp_path / "hub")
    monkeypatch.setattr(pretrained, "_no_hub", lambda: "")
    monkeypatch.setattr(pretrained, "_download", lambda name: Path(whole))
    assert pretrained.load("someone/small").encode(TEXTS).shape == (5, 16)
    assert "downloaded from the Hugging Face hub" in capsys.readouterr().out


def test_a_download_that_fails_is_one_line(monkeypatch):
    def gated(name, **options):
        raise OSError("Access to this model is restricted.\nAsk for it.")

    monkeypatch.setattr("huggingface_hub.snapshot_download", gated)
    monkeypatch.setattr(pretrained, "_no_hub", lambda: "")
    with pytest.raises(CourseError, match=r"cannot be downloaded from the hub \(Access to this model is restricted\)"):
        pretrained.load("someone/gated")


def test_transformers_is_as_loud_as_before(tmp_path):
    logging = transformers.utils.logging
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    pretrained.load(encoder(tmp_path))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


# ------------------------------------------------------------------------------------------------------ causal models
def test_an_answer_is_the_first_line_or_up_to_a_stop(tmp_path):
    answers = load_generator(causal(tmp_path), max_new_tokens=12)
    whole = load_generator(str(tmp_path), max_new_tokens=12, stop=[])
    text = whole("The docs say")
    assert answers("The docs say") == text.split("\n")[0].strip()
    stop = text[len(text) // 2 :][:2]
    assert (
        load_generator(str(tmp_path), max_new_tokens=12, stop=[stop])("The docs say")
        == text[: text.index(stop)].strip()
    )


def test_an_answer_is_shown_while_it_is_written(tmp_path):
    pieces = []
    answers = load_generator(causal(tmp_path), max_new_tokens=12, stop=[])
    text = answers("The docs say", pieces.append)
    assert len(pieces) > 3 and "".join(pieces).strip() == text


def test_the_chat_template_frames_the_prompt(tmp_path):
    answers = CausalModel(causal(tmp_path, CHAT), max_new_tokens=4)
    decode = answers.tokenizer.decode
    assert decode(answers._given("Why?")["input_ids"][0]) == "<|user|>Why?<|assistant|>"
    assert answers.stop == [], "a conversation may have several lines"
    more = CausalModel(str(tmp_path), max_new_tokens=4, template={"short": True})
    assert decode(more._given("Why?")["input_ids"][0]) == "<|user|>Why?!<|assistant|>"
    assert answers("Why?") == answers("Why?")


def test_a_special_token_ends_the_answer(tmp_path):
    free = CausalModel(causal(tmp_path, CHAT), max_new_tokens=8)
    ids = free.model.generate(**free._given("Why?"), max_new_tokens=8, do_sample=False)
    third = int(ids[0, -6])
    ended = CausalModel(str(tmp_path), max_new_tokens=8, stop=["<|passage|>"])
    assert ended.ends == [ended.tokenizer.convert_tokens_to_ids("<|passage|>")]
    ended.ends = [third]
    assert len(ended.tokenizer(ended("Why?")).input_ids) < len(free.tokenizer(free("Why?")).input_ids)


def test_a_long_prompt_keeps_its_end(tmp_path):
    answers = CausalModel(causal(tmp_path), max_new_tokens=8)
    given = answers._given("word " * 500 + "end")
    assert given["input_ids"].shape == given["attention_mask"].shape == (1, 120)
    assert answers.tokenizer.decode(given["input_ids"][0]).endswith("end")


def test_a_causal_model_in_half_precision(tmp_path, capsys):
    answers = CausalModel(causal(tmp_path), dtype="bfloat16", max_new_tokens=4)
    assert answers.model.dtype == torch.bfloat16 and "bfloat16 on cpu" in capsys.readouterr().out
    assert isinstance(answers("Why?"), str)


# ----------------------------------------------------------------------------------------------- the page on all this
def test_each_block_of_the_page_runs(tmp_path, monkeypatch, capsys):
    text = (paths.SOLUTIONS / "pages" / "bring_your_own_model.md").read_text(encoding="utf-8")
    names = {"BAAI/bge-small-en-v1.5": encoder(tmp_path / "encoder")}
    names["HuggingFaceTB/SmolLM2-360M-Instruct"] = causal(tmp_path / "causal", CHAT)
    monkeypatch.chdir(tmp_path)
    task = Task(["a", "b"], ["one", "two"], ["body two", "body one", "body three"], np.array([1, 0]))
    given = definitions(paths.source_text("07_contrastive")) | definitions(paths.source_text("09_lora"))
    given |= {"STEPS": 2, "task": task, "chunks": [("title", "text")], "prompt": "Why?", "pairs": [("a", "b")] * 40}
    given["examples"] = [("Why?", "Because."), ("Who?", "You.")]
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for block in blocks:
        for name, folder in names.items():
            block = block.replace(name, folder)
        exec(compile(block, "bring_your_own_model.md", "exec"), given)
    printed = capsys.readouterr().out
    assert len(blocks) == 11 and "minilm: bundled with the course, 22,713,216 weights, float32 on cpu" in text
    trained = 2 * 8 * (16 + 16)  # two matrices of 16 x 16, rank 8
    assert f"{trained:,} of " in printed and f"trainable params: {trained:,} " in printed
    layers = [layer for layer in given["model"].modules() if isinstance(layer, given["LoRALinear"])]
    assert len(layers) == 2 and all(layer.merged and layer.B.abs().sum() > 0 for layer in layers)
    assert given["vectors"].shape == (1, 16) and (tmp_path / "my-adapter" / "adapter_model.safetensors").is_file()
