"""Packing, the encoder and its masked texts: helpers.chapters.transformers.packing, bert, and masked pre-training."""

import pytest
import torch
from torch import nn

from autograder import paths
from autograder.authoring.source import definitions
from helpers.chapters.transformers import masked_pretraining, next_sentence
from helpers.chapters.transformers.bert import Encoder, Headed, inbox_bert
from helpers.chapters.transformers.packing import CLS, END, MASK, PAD, SEP, SPECIAL, encode, pack, pack_texts
from helpers.course import artifacts

SIZES = {"vocab_size": 30, "context_length": 12, "d_model": 8, "num_layers": 2, "num_heads": 2}


@pytest.fixture(scope="module")
def chapter():
    return definitions(paths.source_text("05_transformers"))


@pytest.fixture(scope="module")
def tokenizer():
    return artifacts.load_tokenizer(own=False)


@pytest.fixture
def encoder(chapter):
    torch.manual_seed(0)
    return Encoder(**SIZES, block=chapter["encoder_block"]).eval()


def test_the_special_ids_are_those_of_the_tokenizer(tokenizer):
    ids = [tokenizer.token_to_id(name) for name in artifacts.SPECIAL_TOKENS]
    assert ids[:5] == [END, PAD, CLS, SEP, MASK] and max(ids) < SPECIAL


def test_two_texts_in_one_row():
    ids, segments = pack([[20, 21], [22] * 9], [[23], [24] * 9], length=8)
    assert ids[0].tolist() == [CLS, 20, 21, SEP, 23, SEP, PAD, PAD]
    assert segments[0].tolist() == [0, 0, 0, 0, 1, 1, 0, 0]
    assert ids[1].tolist() == [CLS, *[22] * 6, SEP]  # no room for the second
    ids, segments = pack([[20] * 9], length=6)
    assert ids.tolist() == [[CLS, 20, 20, 20, 20, SEP]] and segments.sum() == 0


def test_texts_are_packed_as_their_ids(tokenizer):
    texts = ["a mean", "the gradient of it"]
    for mine, wanted in zip(pack_texts(tokenizer, texts, texts), pack(*[encode(tokenizer, texts)] * 2), strict=True):
        assert torch.equal(mine, wanted)


def test_attention_leaves_padding_out(encoder):
    ids, segments = torch.tensor([[CLS, 20, 21, SEP]]), torch.zeros(1, 4, dtype=torch.long)

    def padded(n):
        return encoder(nn.functional.pad(ids, (0, n), value=PAD), nn.functional.pad(segments, (0, n)))[:, :4]

    # The convolution shows the last token one neighbour, so that one place of padding is there in both.
    torch.testing.assert_close(padded(8), padded(1), rtol=1e-4, atol=1e-5)
    assert encoder.guess(padded(1)[0]).shape == (4, 30)


def test_a_head_on_the_mean_leaves_padding_out(encoder):
    headed = Headed(encoder, 2, whole=True)
    ids = torch.tensor([[CLS, 20, 21, SEP, PAD, PAD]])
    vectors = encoder(ids, torch.zeros_like(ids))
    torch.testing.assert_close(headed(ids, torch.zeros_like(ids)), headed.head(vectors[:, :4].mean(dim=1)))
    assert Headed(encoder, 5, whole=False)(ids, torch.zeros_like(ids)).shape == (1, 6, 5)


def test_masked_texts_and_their_loss(chapter, tokenizer):
    texts = masked_pretraining.MaskedTexts(
        tokenizer, ["the parcel", "a prize"], "the mean of an axis", 8, chapter["mask_tokens"]
    )
    torch.manual_seed(0)
    inputs, labels, segments = texts.batch(0)
    assert inputs.shape == labels.shape == segments.shape == (32, 8)
    holes = labels != -100
    known = texts.token_ids.tolist()
    assert holes.any() and all(row in known for row in torch.where(holes, labels, inputs).tolist())
    logs = texts.log_frequencies()
    (often,), (seldom,) = encode(tokenizer, ["the"]), encode(tokenizer, [" axis"])
    assert logs[often] == pytest.approx(logs[seldom].item() + torch.log(torch.tensor(6.0)).item(), abs=1e-4)  # 1.2, 0.2


def test_the_loss_looks_at_the_holes_alone(encoder):
    inputs = torch.tensor([[CLS, 20, MASK, SEP]])
    labels, segments = torch.tensor([[-100, -100, 7, -100]]), torch.zeros(1, 4, dtype=torch.long)
    wanted = -encoder.guess(encoder(inputs, segments))[0, 2].log_softmax(-1)[7]
    torch.testing.assert_close(masked_pretraining.masked_loss(encoder, (inputs, labels, segments)), wanted)


def test_holes_in_words(tokenizer):
    ids, segments = pack_texts(tokenizer, ["the mean"], length=8)
    holes, labels = ids.clone(), torch.full_like(ids, -100)
    holes[0, 2], labels[0, 2] = MASK, ids[0, 2]
    told = masked_pretraining.in_words(tokenizer, holes[0], labels[0], segments[0])
    assert told == "[CLS] the [MASK] [SEP]\n  segments 0000\n  to guess mean (shown: [MASK])"


def test_inbox_bert_fills_a_hole(chapter, tokenizer):
    told = masked_pretraining.fill_in(
        inbox_bert(chapter["encoder_block"]), tokenizer, "Click the[MASK] to verify.", k=3
    )
    text, guesses = told.split("\n")
    assert text == "Click the[MASK] to verify."
    assert guesses.startswith("    ' app' 0.") and len(guesses.split(", ")) == 3


def test_half_of_the_pairs_are_neighbours_and_strangers_keep_their_place():
    texts = [f"a{i}. b{i}. c{i}." for i in range(400)] + ["alone"]
    pairs = next_sentence.sentence_pairs(texts, seed=1)
    assert len(pairs) == 400 and pairs == next_sentence.sentence_pairs(texts, seed=1)
    assert 0.4 < sum(follows for _, _, follows in pairs) / 400 < 0.6
    for i, (first, second, follows) in enumerate(pairs):
        assert first[1:] == f"{i}." and follows == (second[1:] == first[1:]) and ord(second[0]) == ord(first[0]) + 1


def test_heads_read_a_pair_without_its_padding(tokenizer):
    class Whole(nn.Module):
        bias = torch.zeros(1)

        def forward(self, ids, segments):
            return torch.stack([ids.double(), segments.double()], dim=-1)

    pairs = [("the mean", "of an axis", True), ("a", "b", False)]
    read = next_sentence.vectors(Whole(), tokenizer, pairs)
    one, two = (encode(tokenizer, [text])[0] for text in ("the mean", "of an axis"))
    row = [CLS, *one, SEP, *two, SEP]
    assert read["[CLS]"][0].tolist() == [CLS, 0] and read["last token"][0].tolist() == [SEP, 1]
    assert read["mean"][0].tolist() == pytest.approx([sum(row) / len(row), (len(two) + 1) / len(row)])
    assert next_sentence.shared_words([("the mean of it", "The mean value it", True)]).tolist() == [[0.75]]


def test_a_head_finds_what_its_vectors_hold():
    follows = torch.arange(200) % 2 == 0
    assert min(next_sentence.accuracies(follows[:, None].double().numpy(), follows.numpy())) == 1
    found = {"a": {"[CLS]": [0.5, 0.75]}}
    assert next_sentence.table(found).splitlines()[1].split() == ["[CLS]", "0.625", "(0.500", "to", "0.750)"]
