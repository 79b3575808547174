"""What chapter 09 measures with: ways to adapt a small GPT, packed rows, answers, the toy of manners."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.chapters.lora import adaptation, adapters, figures, low_rank, manners, short_answers, sorting
from helpers.chapters.lora.adaptable_gpt import OpenGPT
from helpers.chapters.lora.gpt_classifier import GPTClassifier
from helpers.chapters.lora.instruction_data import Instruction
from helpers.chapters.lora.instruction_tuning import apart_when_packed, filling, pack, packed_inputs, packed_loss
from helpers.experiments.token_rows import Tokens, drawn
from helpers.models.gpt import GPT

LETTERS = "abcdefghijklmnopqrstuvwxyz \n"


class Encoded:
    def __init__(self, ids: list[int]):
        self.ids = ids


class Letters:
    """A tokenizer whose tokens are letters; 28 is the end of a text, 29 the padding."""

    def token_to_id(self, token: str) -> int:
        return {"<|endoftext|>": 28, "<|pad|>": 29}[token]

    def encode(self, text: str, add_special_tokens: bool) -> Encoded:
        assert not add_special_tokens
        return Encoded([LETTERS.index(letter) for letter in text])

    def decode(self, ids: list[int]) -> str:
        return "".join(LETTERS[i] for i in ids)


@pytest.fixture
def tokens() -> Tokens:
    return Tokens(Letters())


@pytest.fixture
def body() -> OpenGPT:
    torch.manual_seed(0)
    gpt = GPT(vocab_size=30, context_length=40, d_model=8, num_layers=2, num_heads=2)
    for weight in gpt.parameters():
        nn.init.normal_(weight, std=0.5)
    return OpenGPT(gpt).eval()


def logprobs(logits, token_ids, answer):
    found = logits[:, :-1].log_softmax(-1).gather(-1, token_ids[:, 1:, None])[..., 0]
    return (found * answer[:, 1:]).sum(1)


def test_rows_are_cut_at_the_front_and_padded_at_the_end(tokens):
    ids, lengths = tokens.padded([tokens.encode("abcde"), tokens.encode("b")], 3)
    assert ids.tolist() == [[2, 3, 4], [1, 29, 29]] and lengths.tolist() == [3, 1]
    assert tokens.joined(["ab", "c", "d"], 3).tolist() == [[0, 1, 28], [2, 28, 3]]


def test_each_round_draws_every_row_once():
    batch = drawn((torch.arange(6), torch.arange(6) * 10), 2, 6)
    rounds = [torch.cat([batch(step)[0] for step in steps]) for steps in (range(3), range(3, 6))]
    assert all(sorted(r.tolist()) == [0, 1, 2, 3, 4, 5] for r in rounds)
    assert all(torch.equal(batch(step)[0] * 10, batch(step)[1]) for step in range(6))


def test_exchange_takes_the_place_of_named_layers_only(body):
    names = ["blocks.0.attention.q_proj", "blocks.1.linear2"]
    adapters.exchange(body, names, lambda layer: nn.Sequential(layer, nn.Identity()))
    kinds = [type(body.get_submodule(name)) for name in names]
    assert kinds == [nn.Sequential] * 2 and isinstance(body.blocks[0].linear2, nn.Linear)


def test_sockets_begin_as_the_identity(body):
    ids = torch.arange(6)[None]
    before = body(ids)
    adapters.fill_sockets(body, 3, compute=lambda x, D, d, U, u: x + F.gelu(x @ D.T + d) @ U.T + u)
    assert torch.equal(body(ids), before)
    assert body.blocks[1].after_feed.D.shape == (3, 8) and body.blocks[1].after_feed.D.any()


def test_what_put_lora_did_is_seen_as_data():
    class Beside(nn.Module):
        def __init__(self, base):
            super().__init__()
            self.base, self.A, self.scale = base.requires_grad_(False), nn.Parameter(torch.zeros(2, 3)), 4.0

    def put(model, r, alpha, targets):
        return adapters.exchange(model.requires_grad_(False), ["a.b.q"], Beside)

    layers = {"a.b.q": (3, 2), "a.b.norm": None, "q": (1, 1)}
    seen = adapters.seen(put, Beside, layers, ("q",), 2, 8.0)
    assert seen["exchanged"] == ["a.b.q"] and seen["trained"] == ["a.b.q.A"]
    assert seen["rank and scale"] == [(2, 4.0)]
    assert seen["each keeps the layer that was there"] and seen["the model that was given"]
    assert adapters.seen(lambda *_: None, Beside, layers, ("q",), 2, 8.0) == {"returned": "NoneType"}


def test_a_classifier_reads_no_padding_and_trains_what_is_named(body):
    model = GPTClassifier(body)
    ids, lengths = torch.tensor([[1, 2, 29, 29], [1, 2, 3, 4]]), torch.tensor([2, 4])
    torch.testing.assert_close(model(ids, lengths)[:1], model(ids[:1, :2], lengths[:1]), rtol=1e-4, atol=1e-5)
    model.train_only(["head.bias", "blocks.1.linear1.weight"])
    moving = [name for name, p in model.named_parameters() if p.requires_grad]
    assert moving == ["body.blocks.1.linear1.weight", "head.bias"]


def test_a_study_measures_what_was_trained(body):
    rows = torch.randint(0, 26, (12, 5)), torch.full((12,), 5), torch.tensor([0, 1] * 6)

    def prepared(kind, size):
        assert (kind, size) == ("head", 0)
        model = GPTClassifier(body)
        model.train_only(["head.weight", "head.bias"])
        return model

    study = adaptation.Study(rows, rows, torch.randint(0, 26, (2, 8)), body=body, prepared=prepared)
    found = study.run("head", 0, 2)
    assert found.trained == 18 and found.forgetting == pytest.approx(1.0) and 0 <= found.f1 <= 1
    assert found.mb > 12 * 18 / 1e6 + adapters.megabytes(found.model)
    line = adaptation.table({"head": [found, found]}).splitlines()[1]
    assert line.split()[:2] == ["head", "18"] and line.endswith("times 1.00")


def test_f1_of_spam_counts_hits():
    class Says(nn.Module):
        head = nn.Linear(1, 2)

        def forward(self, token_ids, lengths):
            return F.one_hot(token_ids[:, 0], 2).float()

    messages = torch.tensor([[1], [1], [0], [0]]), torch.ones(4), torch.tensor([1, 0, 1, 0])
    assert adaptation.spam_f1(Says(), messages) == 0.5


def test_a_move_of_rank_two_has_two_directions():
    before, after = nn.Linear(6, 5), nn.Linear(6, 5)
    with torch.no_grad():
        after.weight.copy_(before.weight + torch.diag(torch.tensor([3.0, 3.0, 0.0, 0.0, 0.0]))[:, [0, 1, 2, 3, 4, 4]])
    move = low_rank.moves(nn.ModuleDict({"q": before}), nn.ModuleDict({"q": after}), ["q"])["q"]
    assert low_rank.directions(move) == 2 and low_rank.directions(move, 0.4) == 1
    assert low_rank.counted({"q": move}) == "q 2"
    np.testing.assert_allclose(low_rank.spectrum(move), [1, 1, 0, 0, 0], atol=1e-6)
    fig, alt = figures.spectra({"q": move}, before.weight.detach())
    assert [len(line.get_xdata()) for line in fig.axes[0].lines] == [5, 5] and "move of q" in alt


def test_packed_rows_are_as_single_ones(body):
    examples = [([1, 2, 3], [-100, 2, 3]), ([4, 5, 6, 7], [-100, -100, 6, 7])]
    places, mask = packed_inputs(torch.tensor([[1, 1, 1, 2, 2, 2, 2]]))
    assert places.tolist() == [[0, 1, 2, 0, 1, 2, 3]] and mask[0, 4].tolist() == [False] * 3 + [True] * 2 + [False] * 2
    assert apart_when_packed(body, examples) < 1e-4
    rows, losses = pack(examples, 9, 0), []
    for ids, labels in examples:
        logits = body(torch.tensor([ids]))[0, :-1]
        losses.append(F.cross_entropy(logits, torch.tensor(labels[1:]), reduction="sum", ignore_index=-100))
    assert packed_loss(body, rows).item() == pytest.approx(sum(losses).item() / 4, rel=1e-4)
    assert (
        filling(examples, rows) == "2 examples in 1 rows of 9: 78% of the places hold text; one by one it would be 88%"
    )


@pytest.mark.parametrize(
    ("answer", "reference", "f1"), [("the Axis", "axis", 2 / 3), ("a a", "a", 2 / 3), ("", "", 1.0), ("x", "y", 0.0)]
)
def test_token_f1(answer, reference, f1):
    assert short_answers.token_f1(answer, reference) == pytest.approx(f1)


class Speller(nn.Module):
    """Writes " ab", whatever it read, then ends the text."""

    context_length = 40

    def __init__(self):
        super().__init__()
        self.token_embedding, self.asked = nn.Embedding(30, 2), []

    def step(self, token_ids, caches):
        if not caches:
            self.asked.append(token_ids[0].tolist())
        caches.append(token_ids)
        return F.one_hot(torch.tensor([[26, 0, 1, 28][len(caches) - 1]]), 30).float()


def test_an_exam_puts_as_many_shots_before_a_question_as_fit(tokens):
    def few_shot(shots, passage, question):
        return "".join(f"{a} {b} {c}\n" for a, b, c in shots) + f"{passage} {question} is an answer"

    solved = [Instruction("type", "q", "p", "a"), Instruction("type", "r", "s", "t" * 9)]
    exam = short_answers.Exam(tokens, [Instruction("type", "q", "p", "ab")], solved, few_shot=few_shot)
    model = Speller()
    assert exam.f1(model, 2) == {"type": [1.0]} and exam.answers(model) == ["ab"]
    assert [tokens.decode(ids) for ids in model.asked] == ["p q a\np q is an answer", "p q is an answer"]
    assert exam.answers(model) == ["ab"] and len(model.asked) == 2, "a model is asked once"
    assert exam.shown(model, 1) == "\nq\n   right: ab\n   tuned: ab"
    table = short_answers.f1_table({"one": {"type": [1.0, 0.0], "default": [1.0]}})
    assert table.splitlines()[1].split() == ["one", "0.667", "1.000", "0.500"]


def test_the_best_constant_is_found_for_each_kind():
    asked = [("type", "int"), ("type", "int"), ("type", "array of int"), ("default", "0"), ("default", "None")]
    constants, f1s = short_answers.best_constants([Instruction(kind, "q", "p", answer) for kind, answer in asked])
    assert constants == {"type": "int", "default": "0"}
    assert f1s == {"type": [1.0, 1.0, 0.5], "default": [1.0, 0.0]}


@pytest.fixture(scope="module")
def world() -> manners.World:
    def logps_of(policy, answers):
        return logprobs(policy(answers), answers, torch.ones_like(answers, dtype=torch.bool))

    def reward_loss(chosen, rejected):
        return -F.logsigmoid(chosen - rejected).mean()

    return manners.World(0, 3, logps_of, lambda chosen, rejected: torch.sigmoid(chosen - rejected), reward_loss)


def test_people_mostly_choose_the_politer_answer_and_the_reward_model_agrees(world):
    chosen, rejected = (manners.quality(part).mean() for part in world.pairs)
    assert chosen > rejected + 0.5 and world.pairs[0].shape == (manners.PAIRS, 7)
    please, oi = (manners.WORDS.index(word) for word in ("please", "oi"))
    assert world.rewards(torch.tensor([[please]])) > world.rewards(torch.tensor([[oi]]))


def test_heard_words_stand_in_their_slots():
    answers = manners.heard(50, torch.Generator().manual_seed(0))
    assert all(
        manners.WORDS[i] in slot for row in answers.tolist() for i, slot in zip(row[1:], manners.SLOTS, strict=True)
    )


def test_a_policy_begins_as_the_reference_and_is_judged_on_the_way(world):
    def loss(policy, world, generator, beta):
        chosen, _ = world.drawn(4, generator)
        return -beta * world.logps_of(policy, chosen).mean()

    run, policy = manners.learned(world, loss, manners.EVERY, tokens=7)
    said = manners.said({"both": policy})
    assert said.count(",") == 10 and said.startswith("both  ")
    assert [point[0] for point in run] == [0, 7 * manners.EVERY]
    assert run[0][2] == 0.0 and run[0][1] == pytest.approx(0.5, abs=0.05) and run[1][2] > 0
    runs = {"DPO": [[(0, 0.5, 0.0, 0), (7, 0.81, 0.2, 1)], [(0, 0.5, 0.0, 0), (7, 0.7, 0.1, 1)]]}
    assert manners.report(runs) == (
        "DPO: win rate 0.70 to 0.81 at the end, KL 0.20 at its largest; first above 0.8 after so many tokens: 7, None"
    )
    assert manners.worst([[(0, 0.5, 0.0, 0), (7, 0.6, 3.1, 1), (14, 0.6, 0.3, 1)]]) == 3.1
    assert manners.ends(runs)[0] in figures.preferences(runs, manners.ends(runs))[1]
    assert math.isclose(manners.KINDNESS.sum(), 0)
    assert "win rate at most 0.81 and 0.81 at the end" in figures.leash({"DPO": runs["DPO"][0]})[1]


def test_people_mind_a_word_out_of_its_slot_and_the_reward_model_does_not(world):
    polite = [0, *(manners.WORDS.index(words[0]) for words in manners.SLOTS)]
    answers = torch.tensor([polite, [polite[0], polite[2], polite[1], *polite[3:]]])
    assert manners.quality(answers).tolist() == [3.0, 0.0]
    torch.testing.assert_close(*world.rewards(answers))


def test_letters_are_in_order_or_not():
    prompts = torch.tensor([[3, 1, 2, 0, sorting.MARK], [0, 0, 5, 1, sorting.MARK]])
    solved = sorting.in_order(prompts)
    assert solved[:, 5:].tolist() == [[0, 1, 2, 3], [0, 0, 1, 5]] and sorting.spelt(solved[0]) == "dbca>abcd"
    wrong = solved.clone()
    wrong[1, 5:] = torch.tensor([0, 1, 0, 5])
    assert sorting.reward(solved).tolist() == [1, 1] and sorting.reward(wrong).tolist() == [1, 0]


def test_the_three_parts_of_the_prompts_share_none():
    task = sorting.Task(0)
    parts = [part[:, :5].tolist() for part in (task.examples, task.asked, task.trial)]
    assert sum(map(len, parts)) == len({tuple(row) for part in parts for row in part}) == 8**4
    assert sorting.reward(task.examples).all()


def test_a_policy_that_tries_is_judged_on_the_way_and_the_beginner_stays():
    task, uses_seen = sorting.Task(0), []

    def trying(policy, reference, prompts, optimizer, uses):
        ids, written = sorting.write(policy, torch.cat(prompts))
        assert written.sum(1).unique().tolist() == [4] and not written[:, :5].any()
        optimizer.zero_grad()
        (-sorting.token_logprobs(policy, sorting.in_order(ids[:, :5])) * written).sum(1).mean().backward()
        optimizer.step()
        uses_seen.append(uses)

    beginner = task.taught(2)
    before = [p.clone() for p in beginner.parameters()]
    seen = task.tried(beginner, trying, 6)
    assert [point.step for point in seen] == [0, 2, 4, 6, 8, 10, 12] and uses_seen == [2] * 6
    assert all(torch.equal(a, b) for a, b in zip(before, beginner.parameters(), strict=True))
    assert seen[0].kinds > 5 and 0 <= seen[0].right < 0.05  # a beginner of two steps draws nearly by chance
    more = task.repeated(beginner, 6)
    paths = {"trying": seen, "more": more}
    assert more[0] == seen[0] and "right 0.0" in sorting.report(paths)
    assert figures.sorted_letters(paths)[1].count(" to ") == 4
    assert len(task.answers({"a": beginner}).split("\n")[0].split(" -> ")[1].split()) == 8


def test_log_probabilities_of_tokens_stand_at_the_tokens():
    task = sorting.Task(1)
    model, ids = task.taught(0), task.examples[:3]
    found = sorting.token_logprobs(model, ids)
    assert found.shape == ids.shape and found[:, 0].tolist() == [0.0] * 3
    assert found[1, 4].item() == pytest.approx(model(ids)[1, 3].log_softmax(-1)[ids[1, 4]].item(), rel=1e-5)
