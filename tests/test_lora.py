"""Chapter 09's LoRA beside peft: outputs, gradients, merging, on each projection and rank."""

import copy

import peft
import pytest
import torch
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.lora import chat, nf4
from helpers.chapters.lora.adaptable_gpt import PROJECTIONS, OpenGPT
from helpers.chapters.lora.adapters import DoRALinear, Nf4LoRA
from helpers.chapters.lora.instruction_tuning import pack, packed_inputs
from helpers.models.gpt import GPT

SIZES = {"vocab_size": 50, "context_length": 16, "d_model": 32, "num_layers": 2, "num_heads": 4}


@pytest.fixture(scope="module")
def names():
    return definitions(paths.source_text("09_lora"))


@pytest.fixture
def gpt():
    torch.manual_seed(0)
    return OpenGPT(GPT(**SIZES))


def twins(names, gpt, matrix: str, r: int) -> tuple[nn.Module, nn.Module, dict]:
    """The same model with the chapter's LoRA and with peft's, with equal weights; {peft's name: ours}."""
    config = peft.LoraConfig(r=r, lora_alpha=2 * r, target_modules=[matrix])
    theirs = peft.get_peft_model(copy.deepcopy(gpt), config)
    ours = names["put_lora"](gpt, r, 2 * r, targets=(matrix,))
    twin = {
        name: name.removeprefix("base_model.model.").replace("lora_", "").replace(".default.weight", "")
        for name, p in theirs.named_parameters()
        if p.requires_grad
    }
    state = dict(ours.named_parameters())
    with torch.no_grad():
        for name, p in theirs.named_parameters():
            if name in twin:
                state[twin[name]].normal_(std=0.2)
                p.copy_(state[twin[name]])
    return ours, theirs, twin


@pytest.mark.parametrize("matrix", PROJECTIONS)
@pytest.mark.parametrize("r", [1, 4, 16])
def test_outputs_and_gradients_are_pefts(names, gpt, matrix, r):
    ours, theirs, twin = twins(names, gpt, matrix, r)
    token_ids = torch.randint(50, (2, 9))
    logits = [model(token_ids) for model in (ours, theirs)]
    torch.testing.assert_close(*logits, rtol=1e-5, atol=1e-6)
    for found in logits:
        found.square().mean().backward()
    state, moved = dict(ours.named_parameters()), dict(theirs.named_parameters())
    assert len(twin) == 2 * SIZES["num_layers"] == sum(p.requires_grad for p in state.values())
    for name, other in twin.items():
        torch.testing.assert_close(state[other].grad, moved[name].grad, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("matrix", PROJECTIONS)
def test_merged_is_pefts_merged_and_unmerged_is_as_before(names, gpt, matrix):
    ours, theirs, _ = twins(names, gpt, matrix, 4)
    token_ids = torch.randint(50, (2, 9))
    before = ours(token_ids)
    layers = [m for m in ours.modules() if isinstance(m, names["LoRALinear"])]
    for layer in layers:
        names["merge"](layer)
    torch.testing.assert_close(ours(token_ids), before, rtol=0, atol=1e-5)
    torch.testing.assert_close(ours(token_ids), theirs.merge_and_unload()(token_ids), rtol=0, atol=1e-5)
    for layer in layers:
        names["unmerge"](layer)
    torch.testing.assert_close(ours(token_ids), before, rtol=0, atol=1e-5)


def test_two_adapters_share_one_base(names, gpt):
    base = copy.deepcopy(gpt).state_dict()
    token_ids, files, logits = torch.randint(50, (2, 9)), [], []
    model = names["put_lora"](gpt, 2, 4)
    for seed in (1, 2):
        torch.manual_seed(seed)
        for name, p in model.named_parameters():
            if name.endswith((".A", ".B")):
                nn.init.normal_(p, std=0.3)
        logits.append(model(token_ids).detach())
        files.append({name: value.clone() for name, value in names["adapter_state"](model.state_dict()).items()})
    for file, found in zip(files, logits, strict=True):
        model.load_state_dict(file, strict=False)
        torch.testing.assert_close(model(token_ids), found)
    kept = {name.replace(".base.", "."): value for name, value in model.state_dict().items() if name not in files[0]}
    assert all(torch.equal(kept[name], value) for name, value in base.items())
    assert not torch.allclose(*logits)


def test_an_adapter_of_rank_one_is_under_one_percent_of_the_docs_gpt(names):
    model = names["put_lora"](names["opened"](), 1, 2, targets=("q_proj", "v_proj"))
    file = names["adapter_state"](model.state_dict())
    whole = sum(p.numel() for name, p in model.named_parameters() if name not in file)
    assert 0 < sum(v.numel() for v in file.values()) < 0.01 * whole


def test_packed_rows_have_the_losses_of_single_examples(names, gpt):
    examples = [names["example_of"]([3, 4, 5], [6, 7], 0), names["example_of"]([8, 9], [10, 11, 12], 0)]
    ids, labels, owner = pack(examples, 14, 1)
    places, mask = packed_inputs(owner)
    assert places.tolist() == [[0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1]]
    packed = names["answer_loss"](gpt(ids, places, mask), labels) * (labels != -100).sum()
    alone = [
        names["answer_loss"](gpt(torch.tensor([i])), torch.tensor([y])) * sum(v != -100 for v in y) for i, y in examples
    ]
    torch.testing.assert_close(packed, sum(alone), rtol=1e-5, atol=1e-5)


def test_dora_is_pefts(names):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 5))
    config = peft.LoraConfig(r=2, lora_alpha=3, target_modules=["0"], use_dora=True)
    theirs = peft.get_peft_model(copy.deepcopy(net), config).base_model.model[0]
    ours = DoRALinear(names["LoRALinear"](net[0], 2, 3.0))
    with torch.no_grad():
        ours.B.normal_()
        theirs.lora_A["default"].weight.copy_(ours.A)
        theirs.lora_B["default"].weight.copy_(ours.B)
    x = torch.randn(4, 6)
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-4, atol=1e-5)
    for layer in (ours, theirs):
        layer(x).square().sum().backward()
    parts = (theirs.lora_A, theirs.lora_B, theirs.lora_magnitude_vector)
    others = [part["default"].weight for part in parts]
    for mine, other in zip((ours.A, ours.B, ours.magnitude), others, strict=True):
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-3, atol=1e-4)


def test_the_levels_of_nf4_are_those_that_were_published():
    """Dettmers et al. (2023), appendix E."""
    below = (-1.0, -0.6961928, -0.5250730, -0.3949175, -0.2844414, -0.1847734, -0.0910500)
    above = (0.0795803, 0.1609302, 0.2461123, 0.3379152, 0.4407098, 0.5626170, 0.7229568, 1.0)
    torch.testing.assert_close(nf4.levels(), torch.tensor([*below, 0.0, *above]), rtol=0, atol=1e-6)
    block = torch.zeros(1, 64)
    block[0, :4] = torch.tensor([0.5, -2.0, 0.1, 1.0])  # the worked example
    codes, scales = nf4.quantize(block)
    assert codes[0, :5].tolist() == [10, 0, 8, 12, 7] and scales.tolist() == [2.0]
    restored = nf4.restored(codes, scales, (1, 64))
    assert (restored - block).abs().max() < 2 * 0.1 and restored[0, 4] == 0
    assert nf4.quantize(torch.zeros(1, 64))[0].eq(7).all()


def test_a_base_in_nf4_takes_half_a_byte_a_weight_and_stays_near(names):
    torch.manual_seed(0)
    layer = names["LoRALinear"](nn.Linear(64, 32), 2, 4.0)
    coarse = Nf4LoRA(layer, compute=names["int8_lora"])
    assert coarse.packed.numel() == 64 * 32 / 2 and coarse.scales.numel() == 32
    x = torch.randn(5, 64)
    assert (coarse(x) - layer(x)).abs().max() < 0.15 * layer(x).abs().max()
    coarse(x).sum().backward()
    assert coarse.B.grad.abs().sum() > 0


@pytest.mark.parametrize("turns", [3, 5])
def test_a_chat_of_the_students_examples_is_what_transformers_makes_of_the_template(names, turns):
    ids, labels = [], []
    for prompt, answer in chat.answers(chat.TALK[:turns]):
        more = names["example_of"](prompt, answer, chat.end_id())
        ids, labels = ids + more[0], labels + more[1]
    said = chat.compared(chat.TALK[:turns], ids, labels)
    assert said.count("True") == 3 and "False" not in said
    assert chat.compared(chat.TALK[:turns], ids, ids).count("False") == 1  # labels in the prompt, too
    assert chat.compared(chat.TALK[:turns], ids[1:], labels[1:]).count("False") == 3


def test_the_marks_of_a_chat_are_one_token_each_and_every_text_comes_back():
    begin, end = chat.encoded(chat.BEGIN + chat.END)
    assert end == chat.end_id() != begin
    text = "é, 你 and\n  blanks"
    assert chat.tokenizer().decode(chat.encoded(text)) == text and len(chat.encoded(text)) == len(text.encode())
