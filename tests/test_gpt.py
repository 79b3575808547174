"""helpers.models.gpt: the same logits as torch's own layers, with and without a cache, and back from an artifact."""

import pytest
import torch
from torch import nn

from helpers.course import artifacts
from helpers.models.gpt import GPT, chosen, load_gpt, tokenizer_of

SIZES = {"vocab_size": 11, "context_length": 9, "d_model": 12, "num_layers": 2, "num_heads": 3}


@pytest.fixture
def model():
    torch.manual_seed(0)
    made = GPT(**SIZES)
    for weight in made.parameters():
        nn.init.normal_(weight, std=0.5)
    return made.eval()


@pytest.fixture
def token_ids():
    return torch.randint(11, (2, 7), generator=torch.Generator().manual_seed(1))


def by_the_library(model, token_ids):
    """The same model of torch's encoder layers, with the weights copied."""
    x = model.token_embedding(token_ids) + model.position_embedding.weight[: token_ids.shape[1]]
    for block in model.blocks:
        layer = nn.TransformerEncoderLayer(12, 3, 48, 0.0, "gelu", batch_first=True, norm_first=True)
        layer.load_state_dict(block.state_dict())
        x = layer(x, src_mask=nn.Transformer.generate_square_subsequent_mask(token_ids.shape[1]))
    return model.final_norm(x) @ model.token_embedding.weight.T


def test_logits_are_those_of_the_librarys_layers(model, token_ids):
    torch.testing.assert_close(model(token_ids), by_the_library(model, token_ids), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("cuts", [(7,), (3, 4), (1,) * 7, (4, 1, 2)])
def test_a_cache_changes_nothing(model, token_ids, cuts):
    caches, whole = [], model(token_ids)
    for part, end in zip(token_ids.split(cuts, dim=1), torch.tensor(cuts).cumsum(0), strict=True):
        logits = model.step(part, caches)
        torch.testing.assert_close(logits, whole[:, end - 1], rtol=1e-4, atol=1e-4)
    assert caches[0][0].shape == (2, 3, 7, 4)


def test_the_future_changes_nothing(model, token_ids):
    other = token_ids.clone()
    other[:, 4:] = (other[:, 4:] + 1) % 11
    torch.testing.assert_close(model(token_ids)[:, :4], model(other)[:, :4])


def test_it_comes_back_from_an_artifact(model, token_ids, tmp_path, monkeypatch):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    artifacts.save(artifacts.Artifact("docs-gpt", dict(model.state_dict()), SIZES, "", "# docs-gpt"))
    again = load_gpt(own=True)
    assert not again.training
    torch.testing.assert_close(again(token_ids), model(token_ids), rtol=5e-2, atol=5e-2)  # kept in half precision


def test_an_own_docs_gpt_that_sees_too_little_is_replaced_and_that_is_said(model, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BOW2LORA_HOME", str(tmp_path))
    own = artifacts.load_tokenizer(own=False).to_str()
    artifacts.save(artifacts.Artifact("docs-gpt", dict(model.state_dict()), SIZES, own, "# docs-gpt: my own"))
    assert chosen(9).own and capsys.readouterr().out == ""
    assert not chosen(10).own and "sees 9 tokens at once, and 10 are needed" in capsys.readouterr().out


def test_a_docs_gpt_comes_with_the_tokenizer_that_it_was_trained_with(model):
    tokenizer = artifacts.load_tokenizer(own=False)
    tokenizer.add_tokens(["bow2lora"])
    with_own = artifacts.Artifact("docs-gpt", dict(model.state_dict()), SIZES, tokenizer.to_str(), "")
    assert tokenizer_of(with_own).token_to_id("bow2lora") == 8192
    without = tokenizer_of(artifacts.load("docs-gpt", own=False))
    assert without.token_to_id("bow2lora") is None and without.get_vocab_size() == 8192
    assert len(without.encode("<|endoftext|>", add_special_tokens=False).ids) > 1
