"""What chapter 07 trains and measures with: views, probes, pairs of the docs, tasks, captions, maps."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from matplotlib import pyplot as plt

from helpers.chapters.contrastive import (
    circle,
    collapse,
    doc_pairs,
    docs_search,
    e5_table,
    few_labels,
    figures,
    image_text,
    image_views,
    minilm_tuning,
    new_classes,
    phases,
    pooling,
    sentence_pairs,
    short_and_late,
    simclr,
    text_tasks,
    topics,
)
from helpers.chapters.contrastive.encoders import Clip, ImageEncoder, SmallTransformer
from helpers.chapters.contrastive.word_means import WordMeans
from helpers.data import load
from helpers.models.docs_encoder import Encoder, TextEncoder, shared_reader
from helpers.search.task import Task


def cosines(a, b):
    return F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T


def info_nce(queries, keys, temperature=0.05):
    return F.cross_entropy(cosines(queries, keys) / temperature, torch.arange(len(queries)))


def same_place(images, down, right):
    return images


def drawn(pair):
    """Draw to the end, as `show` does; returns (axes, alt)."""
    fig, alt = pair
    fig.savefig(io.BytesIO())
    plt.close(fig)
    return fig.axes, alt


@pytest.fixture(scope="module")
def digits():
    return load("digits")


@pytest.fixture(scope="module")
def pairs():
    return doc_pairs.training_pairs(60)


# Images


def test_points_on_a_circle_sort_themselves_only_with_the_right_sign():
    def margin(positive, negative):
        return torch.clamp(negative - positive + 0.5, min=0).mean()

    right, wrong = circle.train(margin, 60), circle.train(margin, 60, sign=-1)
    torch.testing.assert_close(right[0].norm(dim=-1), torch.ones(20))
    assert right[2] > 0.8 > wrong[2]
    z = torch.tensor([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]])
    assert circle.neighbours_right(z, torch.tensor([0, 0, 1, 1])) == 1
    assert circle.neighbours_right(z, torch.tensor([0, 1, 0, 1])) == 0


def test_a_view_is_another_image_of_the_same_kind(digits):
    images = image_views.to_tensor(digits.train[:5])
    assert images.max() <= 1 and images.min() == 0
    asked = []

    def shift(images, down, right):
        asked.append((down, right))
        return images

    seen = image_views.augmentation(shift)(images)
    assert seen.shape == images.shape and seen.min() >= 0 and seen.max() <= 1
    assert not torch.equal(seen, images)
    assert all(part.abs().max() <= 1 for part in asked[0])  # an eighth of 8 pixels
    holes = image_views.patches(7, 8, 8)
    assert (holes == 0).sum(dim=(1, 2)).tolist() == [4] * 7


def test_few_rows_and_the_probe():
    labels = np.array([0, 1] * 10)
    rows = few_labels.few_rows(labels, 3, seed=1)
    assert labels[rows].tolist() == [0] * 3 + [1] * 3 and len(set(rows)) == 6
    vectors = torch.from_numpy(labels[:, None] * 2.0 - 1)
    assert few_labels.probe(vectors[rows], labels[rows], vectors, labels) == 1
    assert few_labels.probe(vectors[rows], labels[rows], -vectors, labels) == 0


def test_a_run_of_one_seed_measures_four_ways_and_collapse(digits):
    augment = image_views.augmentation(same_place)
    run = few_labels.measure(digits, lambda a, b: info_nce(a, b, 0.5), augment, (1, 2), seed=0, steps=2)
    assert list(run.curve) == ["raw pixels", "SimCLR", "SimCLR, behind the head", "supervised"]
    assert all(0 <= v <= 1 for values in run.curve.values() for v in values)
    more = few_labels.Run(
        1, (1, 2), {name: [v + 0.2 for v in values] for name, values in run.curve.items()}, run.encoder
    )
    np.testing.assert_allclose(few_labels.mean([run, more])["SimCLR"], np.array(run.curve["SimCLR"]) + 0.1)
    lines = few_labels.summary([run, more], digits).split("\n")
    assert lines[0] == "accuracy on 360 test digits, mean of 2 seeds, by labels for each class"
    assert lines[1].split() == ["1", "2"] and len(lines) == 6
    constant = simclr.untrained(0)
    torch.nn.init.zeros_(constant.head[2].weight)  # the same answer for every image: collapse

    def align(a, b):
        return (a - b).square().sum(-1).mean()

    def spread(z):
        return torch.pdist(F.normalize(z, dim=-1)).square().mul(-2).exp().mean().log()

    stages = {
        name: collapse.measure(model, digits, augment, align, spread)
        for name, model in {"trained": run.encoder, "constant": constant}.items()
    }
    assert stages["constant"].alignment == 0 and abs(stages["constant"].uniformity) < 1e-6
    assert stages["constant"].accuracy < 0.2 < stages["trained"].accuracy
    assert collapse.table(stages).split("\n")[2].split()[:3] == ["constant", "0.000", "0.000"]
    axes, alt = drawn(figures.spheres(stages, digits.test_labels, plane_of="trained"))
    assert len(axes) == 2 and "constant: alignment 0.00, uniformity 0.00" in alt


def test_the_vectors_of_images_are_those_of_the_model(digits):
    model, images = ImageEncoder().eval(), image_views.to_tensor(digits.test[:7])
    with torch.no_grad():
        torch.testing.assert_close(simclr.vectors_of(model, images), model(images))
        torch.testing.assert_close(simclr.vectors_of(model, images, head=True), model.head(model(images)))
    batch = simclr.batches(images, seed=3)
    assert torch.equal(batch(5), batch(5)) and not torch.equal(batch(5), batch(6))


def test_pictures_of_views_and_circles(digits):
    seen, names = image_views.examples(digits, image_views.augmentation(same_place))
    assert seen.shape == (4, 6, 8, 8)
    axes, alt = drawn(figures.views(seen, names))
    assert len(axes) == 24 and names[5] in alt
    z = F.normalize(torch.randn(20, 2), dim=-1)
    axes, alt = drawn(figures.circles({"one": (z, torch.arange(20) % 2, 0.25), "two": (z, torch.arange(20) % 2, 1.0)}))
    assert len(axes) == 2 and "one: the nearest neighbour is of the same class for 25%" in alt


# Captions


def test_captions_of_training_use_seven_templates_and_name_the_class(digits):
    captions = image_text.random_captions(digits, torch.tensor([3, 7] * 40))
    assert all(digits.phrases[(3, 7)[i % 2]] in caption for i, caption in enumerate(captions))
    assert len(image_text.SEEN) == 7 and len(set(captions)) > 10
    assert not any("blurry" in caption for caption in captions)


def test_zero_shot_takes_the_nearest_caption(digits):
    def prototypes(vectors, labels, num_classes):
        return F.normalize(F.one_hot(labels, num_classes).T.float() @ F.normalize(vectors, dim=-1), dim=-1)

    def nearest(vectors, points):
        return cosines(vectors, points).argmax(1)

    torch.manual_seed(0)
    zero_shot = image_text.ZeroShot(Clip().eval(), digits, prototypes, nearest)
    with torch.no_grad():
        words = zero_shot.model.captions(["zero", "one"])
    zero_shot.vectors = torch.cat([words, words[:1]])
    assert zero_shot.guesses(["{word}"]).tolist() == [0, 1, 0]
    zero_shot.images = SimpleNamespace(
        test_labels=np.array([0, 1, 1]), phrases=digits.phrases[:2], classes=digits.classes[:2]
    )
    assert zero_shot.accuracy(["{word}"]) == 2 / 3
    assert zero_shot.confusion(["{word}"]).tolist() == [[1, 0], [1, 1]]
    assert 0.1 < image_text.few_shot(ImageEncoder().eval(), digits, 5, prototypes, nearest) <= 1


# Texts


def test_pairs_of_the_docs_are_cut_and_grouped(pairs):
    assert len(pairs) == 60
    pair = pairs.pairs[0]
    assert np.concatenate(pair.sentences)[: len(pair.body)].tolist() == pair.body.tolist()
    sentence, rest = pair.torn()
    assert len(sentence[0]) and len(rest[0])
    summaries, bodies = pairs.bags(torch.tensor([2, 5]))
    assert len(summaries) == len(bodies) == 2
    assert len(pairs.bodies(torch.tensor([[1, 2], [3, 4]]))) == 4
    pairs.pairs[7].summary_text = pairs.pairs[3].summary_text.upper()
    groups = pairs.groups()
    assert groups[7] == groups[3] and len(groups.unique()) == len({pair.summary_text.lower() for pair in pairs})


def test_mined_negatives_see_every_query_once_with_its_own_body(pairs, monkeypatch):
    monkeypatch.setattr(doc_pairs, "CHUNK", 25)
    rows = []

    def hard_negatives(scores, right, k, skip):
        rows.extend(right)
        assert scores.shape == (len(right), 60) and (k, skip) == (2, 1)
        return np.stack([right, right], axis=1)

    mined = pairs.mined(hard_negatives, k=2, skip=1)
    assert rows == list(range(60)) and mined[:, 0].tolist() == rows


def test_a_batch_of_the_docs_is_made_of_runs_of_neighbours():
    rows = phases.runs(1000, seed=0)(0)
    assert len(rows) == phases.BATCH == len(rows.unique())
    assert (rows.view(-1, phases.RUN).diff(dim=1) == 1).all()


def stepped(optimizer, loss: torch.Tensor) -> float:
    """Take a step of the optimizer against this loss."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def test_phases_train_the_base(pairs):
    def step(model, optimizer, rows):
        return stepped(optimizer, info_nce(*(model(bags) for bags in pairs.bags(rows))))

    base, taught = phases.trained(pairs, {"base": [], "taught": [step]}, seed=0, steps=2).values()
    rare = [shared_reader()("the")[0], int(pairs.pairs[0].body[-1])]
    assert base.model.importance.shape == taught.model.importance.shape and base.dimensions == phases.D_MODEL
    assert not torch.equal(base.model.importance, taught.model.importance)
    assert base.model.importance[rare[0]] < base.model.importance.max()


def test_plans_that_begin_alike_share_their_beginning_and_end_as_if_alone(pairs):
    steps = []

    def first(model, optimizer, rows):
        steps.append("first")
        return stepped(optimizer, info_nce(*(model(bags, 0.3) for bags in pairs.torn(rows))))

    def second(model, optimizer, rows, times=1):
        return stepped(optimizer, times * info_nce(*(model(bags, 0.3) for bags in pairs.bags(rows))))

    def other(*step):
        return second(*step, times=2)

    plans = {"one": [first], "both": [first, second], "other": [first, other]}
    shared = phases.trained(pairs, plans, seed=1, steps=2)
    assert steps == ["first"] * 2
    for name in plans:
        alone = phases.trained(pairs, {name: plans[name]}, seed=1, steps=2)[name].model.state_dict()
        torch.testing.assert_close(dict(shared[name].model.state_dict()), dict(alone), rtol=0, atol=0)


def test_the_encoders_of_each_plan_are_tried_seed_by_seed():
    class Times:
        def __init__(self, factor):
            self.factor = factor

        def similarity(self, queries, passages):
            return self.factor * np.outer(queries, passages)

    task = SimpleNamespace(queries=[1, 2], passages=[3])
    found = phases.similarities([{"base": Times(1)}, {"base": Times(10)}], task)
    assert [table.tolist() for table in found["base"]] == [[[3], [6]], [[30], [60]]]


def test_each_pooling_trains_and_is_judged_by_the_first_ten(pairs):
    def first_token(hidden, mask, how):
        assert how == "cls" and mask[:, 0].all() and hidden.shape[:2] == mask.shape
        return hidden[:, 0]

    model, run = pooling.train(first_token, "cls", info_nce, pairs, seed=0, steps=1)
    assert isinstance(model, SmallTransformer) and len(run.losses) == 1
    ones = torch.eye(60)
    assert pooling.found_at_10(model, pairs, lambda a, b: ones[: len(a), : len(b)]) == 1
    assert pooling.found_at_10(model, pairs, lambda a, b: 1 - ones[: len(a), : len(b)]) == 0


def test_the_search_table():
    task = Task(["a", "b"], ["?", "?"], ["x", "y", "z"], np.array([0, 2]))
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
    header, row = docs_search.table(task, {"mine": scores}).split("\n")
    assert header.split() == ["recall@10", "MRR@10"] and row.split() == ["mine", "1.000", "0.750"]


def test_the_difference_of_two_searches_has_its_interval():
    task = Task(["a", "b"], ["?", "?"], list("xyzuvwabcdef"), np.array([0, 2]))
    right, wrong = np.eye(12)[[0, 2]], 1 - np.eye(12)[[0, 2]]
    assert docs_search.difference(task, right, wrong) == "+2 of 2 questions, +1.000 (+1.000 to +1.000)"
    half = np.stack([right[0], wrong[1]])
    assert docs_search.difference(task, right, half) == "+1 of 2 questions, +0.500 (+0.000 to +1.000)"


def test_a_table_over_seeds_gives_mean_worst_and_best():
    task = Task(["a", "b"], ["?", "?"], list("xyzuvwabcdef"), np.array([0, 2]))
    right, wrong = np.eye(12)[[0, 2]], 1 - np.eye(12)[[0, 2]]
    header, row = docs_search.over_seeds(task, {"mine": [right, wrong]}).split("\n")
    assert header.split() == ["recall@10", "mean", "worst", "best"] and row.split() == [
        "mine",
        "0.500",
        "0.000",
        "1.000",
    ]


def test_a_style_of_each_digit_is_left_out_and_never_drawn():
    kinds = new_classes.left_out(torch.arange(10))
    digits, seen = load("digits"), []
    assert [new_classes.caption(digits, k, "{style} {digit}") for k in kinds[:2].tolist()] == [
        "bright the digit zero",
        "dim the digit one",
    ]

    def loss(pictures, captions, classes):
        seen.extend(classes.tolist())
        return (pictures - captions).square().mean()

    def points(vectors, labels, num_classes):
        return F.normalize(F.one_hot(labels, num_classes).T.float() @ F.normalize(vectors, dim=-1), dim=-1)

    model = new_classes.train(digits, loss, lambda images: images, seed=0, steps=2)
    assert len(seen) == 256 and not set(seen) & set(kinds.tolist())
    lines = new_classes.table(model, digits, points, lambda v, p: cosines(v, p).argmax(1)).split("\n")
    counts = [int(line.split()[-2].replace(",", "")) for line in lines]
    assert counts == [2 * len(digits.test), len(digits.test)]
    framed = new_classes.styled(torch.zeros(1, 8, 8), torch.tensor([2]))
    assert framed[0, :, 0].sum() == framed[0, :, -1].sum() == 8 and framed.sum() == 16


def test_the_first_few_are_ordered_anew_and_stay_in_front():
    class Below:
        def __call__(self, texts):
            return [torch.tensor([[float(len(text)), 1.0]]) for text in texts]

    class Top(torch.nn.Module):
        def tokens(self, states):
            return short_and_late.padded(states)

    encoder = SimpleNamespace(below=Below(), top=Top())
    task = Task(["a"], ["q"], ["x", "xxx", "xx"], np.array([1]))
    scores = np.array([[0.9, 0.8, 0.1]])
    found = short_and_late.reordered(task, encoder, scores, lambda q, qm, p, pm: p[None, :, 0, 0], first=2)
    assert found[0].argsort().tolist() == [2, 0, 1] and found[0, 2] == 0.1 and scores[0, 0] == 0.9


def test_vectors_are_cut_and_measured_at_each_size():
    vectors = {"q": [1.0, 0.0], "a": [0.0, 1.0], "b": [1.0, 0.5]}
    encoder = SimpleNamespace(encode=lambda texts: np.array([vectors[text] for text in texts], dtype=np.float32))
    task = Task(["b"], ["q"], ["a", "b"], np.array([1]))
    table = short_and_late.cut_table(task, {"mine": encoder}, [1, 2], lambda v, size: v[:, :size])
    assert table.split("\n")[1].split() == ["mine", "1.000", "1.000"]


def test_kinds_of_sentence_pairs():
    first, second, kinds = sentence_pairs.drawn(30, seed=0)
    assert len(first) == len(second) == 30 and kinds.tolist() == [0, 1, 2] * 10
    assert min(map(len, first + second)) > sentence_pairs.LONG


def test_a_head_that_sees_distances_tells_what_one_without_them_cannot():
    def logits(u, v, weight, bias):
        return torch.cat([u, v, (u - v).abs()], dim=-1) @ weight.T + bias

    kinds = np.array([0, 1, 2] * 60)
    u = torch.from_numpy(np.random.default_rng(0).choice([-1.0, 1.0], size=(180, 2)))
    v = u.clone()
    v[kinds == 1, 0] *= -1  # kind 1 differs in the first number, kind 2 in the second
    v[kinds == 2, 1] *= -1
    assert sentence_pairs.head_accuracy(logits, u, v, kinds) == 1
    assert sentence_pairs.head_accuracy(logits, u, v, kinds, (0, 0, 1)) == 1
    assert sentence_pairs.head_accuracy(logits, u, v, kinds, (1, 1, 0)) < 0.6


def test_the_mean_of_word_vectors():
    words = WordMeans()
    same, twice, unknown = words.encode(["matrix", "Matrix matrix", "§"])
    np.testing.assert_allclose(same, twice, atol=1e-6)
    assert abs(np.linalg.norm(same) - 1) < 1e-5 and not unknown.any()


def test_tasks_give_what_they_can_measure():
    assert text_tasks.ndcg_at(list("abcd"), {"b": 1, "d": 2, "x": 1}, 3) == pytest.approx(0.2015152)
    task = Task(["a", "b"], ["spline", "thread"], ["a spline", "nothing", "join a thread"], np.array([0, 2]))
    tasks = text_tasks.TextTasks(task, 120, (), lambda classes, clusters: float(len(classes) == len(clusters)))
    assert tasks.lexical(np.array([[2.0, 1, 0], [2, 0, 1]])) == {
        text_tasks.DOCS: pytest.approx((1 + 1 / np.log2(3)) / 2)
    }
    model = TextEncoder(Encoder(shared_reader().tokenizer.get_vocab_size(), 64), shared_reader())
    found = tasks.judge(model.encode)
    assert found[text_tasks.DOCS] == found[text_tasks.CLUSTERS] == 1 and 0 <= found[text_tasks.PROBE] <= 1
    lines = text_tasks.table({"one": found, "two": {text_tasks.STS: 0.25}}).split("\n")
    assert lines[1].split()[:4] == ["one", "1.000", "-", "-"] and lines[2].split() == [
        "two",
        "-",
        "-",
        "0.250",
        "-",
        "-",
    ]


def test_a_map_names_its_clusters_and_titles_do_not_cover_one_another():
    documents = [
        SimpleNamespace(name=f"d{i}", library=("numpy", "torch")[i % 2], summary=f"Return the {word} of :func: it.")
        for i, word in enumerate(["matrix", "thread"] * 4)
    ]
    plane = np.random.default_rng(0).normal(size=(8, 2)) * 1e-3
    plane[0] = 1, 1
    found = topics.DocsMap(documents, np.array([0, 1] * 4), plane)
    counts, words = found.word_counts()
    assert counts[:, list(words).index("matrix")].tolist() == [4, 0] and "func" not in words
    titles = found.titles()
    assert [title.split(", ")[0] for title in titles] == ["matrix", "thread"]
    assert found.table(titles).split("\n")[0].endswith("4 documents, such as d0, d2, d4")
    axes, alt = drawn(figures.topic_map(plane, found.clusters, titles, found.libraries))
    (_, low), (_, high) = sorted((text.get_position() for text in axes[0].texts), key=lambda place: place[1])
    assert high - low >= np.ptp(plane[:, 1]) / 40 and "2 libraries, each of 2 clusters" in alt


@pytest.fixture(scope="module")
def minilm():
    return minilm_tuning.MiniLM()


def test_layers_below_and_on_top_are_the_encoder_as_it_comes(minilm):
    texts = ["Return the sum.", "Add the numbers of a list, and say what they come to.", "no"]
    np.testing.assert_allclose(minilm.as_it_comes.encode(texts), minilm.model.encode(texts), atol=1e-3)
    assert len(minilm.below(["Add the numbers of a list."], length=4)[0]) == 4


def test_tuning_changes_the_top_alone_and_repeats(minilm):
    texts = [("Return the sum.", "It adds the numbers."), ("Open a file.", "A path is read.")] * 2
    before = minilm.as_it_comes.encode(["Return the sum."])
    first, again, other = (
        minilm.tuned(texts, lambda a, b: -cosines(a, b).diagonal().mean(), seed, 2).encode(["Return the sum."])
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert abs(first - other).max() > 0 < abs(first - before).max()  # dropout follows the seed
    np.testing.assert_array_equal(before, minilm.as_it_comes.encode(["Return the sum."]))


def test_pairs_of_labels_share_the_label_and_each_round_has_all():
    texts, labels = ["a0", "a1", "a2", "b0", "b1", "c0"], np.array([0, 0, 0, 1, 1, 2])
    pairs = minilm_tuning.label_pairs(texts, labels, rounds=4, seed=0)
    assert all(one[0] == two[0] and (one != two or one == "c0") for one, two in pairs)
    assert [sorted(one[0] for one, _ in pairs[i : i + 3]) for i in range(0, 12, 3)] == [list("abc")] * 4
    assert pairs == minilm_tuning.label_pairs(texts, labels, 4, 0) != minilm_tuning.label_pairs(texts, labels, 4, 1)


def test_the_averages_of_e5s_table_come_out_but_for_one_that_was_rounded_twice():
    again = np.average(e5_table.means(), axis=1, weights=list(e5_table.SETS.values()))
    printed = np.array([row[-1] for row in e5_table.TABLE.values()])
    apart = np.abs(again - printed) > 0.05
    assert sum(e5_table.SETS.values()) == 56 and len(printed) == 16
    assert [name for name, off in zip(e5_table.TABLE, apart, strict=True) if off] == ["SimCSE, dropout"]
    assert np.abs(again - printed).max() < 0.1  # as far as rounding can bring it
    marked = [line for line in e5_table.beside(again).split("\n") if line.endswith("apart")]
    assert len(marked) == 1 and "45.5   45.44" in marked[0]
    assert e5_table.rough_pairs().endswith("together 271")
