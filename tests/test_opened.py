"""The docs-gpt taken apart gives the same logits, with a cache, with a mask and with places too."""

import torch

from helpers.chapters.lora.adaptable_gpt import PROJECTIONS, OpenGPT
from helpers.models.gpt import GPT

SIZES = {"vocab_size": 17, "context_length": 12, "d_model": 8, "num_layers": 2, "num_heads": 2}


def pair() -> tuple[GPT, OpenGPT]:
    torch.manual_seed(0)
    gpt = GPT(**SIZES).eval()
    for weight in gpt.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    return gpt, OpenGPT(gpt).eval()


def test_the_logits_are_the_same():
    gpt, model = pair()
    ids = torch.randint(17, (3, 9))
    torch.testing.assert_close(model(ids), gpt(ids), rtol=1e-4, atol=1e-5)
    assert sum(p.numel() for p in model.parameters()) == sum(p.numel() for p in gpt.parameters())
    assert all(hasattr(model.blocks[1].attention, name) for name in PROJECTIONS)


def test_token_by_token_with_a_cache():
    gpt, model = pair()
    ids, caches = torch.randint(17, (2, 7)), []
    torch.testing.assert_close(model.step(ids[:, :4], caches), gpt(ids[:, :4])[:, -1], rtol=1e-4, atol=1e-5)
    for i in range(4, 7):
        found = model.step(ids[:, i : i + 1], caches)
        torch.testing.assert_close(found, gpt(ids[:, : i + 1])[:, -1], rtol=1e-4, atol=1e-5)


def test_two_texts_in_one_row_with_a_mask_are_as_each_alone():
    gpt, model = pair()
    first, second = torch.randint(17, (1, 4)), torch.randint(17, (1, 5))
    owner = torch.tensor([[1, 1, 1, 1, 2, 2, 2, 2, 2]])
    mask = (owner[:, :, None] == owner[:, None, :]) & torch.ones(9, 9, dtype=torch.bool).tril()
    places = torch.tensor([[0, 1, 2, 3, 0, 1, 2, 3, 4]])
    logits = model(torch.cat([first, second], dim=1), places, mask)
    torch.testing.assert_close(logits[:, :4], gpt(first), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(logits[:, 4:], gpt(second), rtol=1e-4, atol=1e-5)
