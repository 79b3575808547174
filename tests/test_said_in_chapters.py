"""What the texts of 07 and 09 to 11 say of their claims: each number is the mean, or the range, of those measured."""

from statistics import fmean

from autograder import paths
from autograder.authoring.measured import measured

RECORD = measured()


def text_of(chapter: str) -> str:
    """Return a chapter's source on one line, without the marks of comments."""
    lines = paths.source_text(chapter).read_text(encoding="utf-8").splitlines()
    return " ".join(" ".join(line.removeprefix("#").strip() for line in lines).split())


def sides(chapter: str, claim: str) -> tuple[list[float], list[float]]:
    kept = RECORD[chapter]["claims"][claim]
    return kept["better"], kept["worse"]


def means(chapter: str, claim: str) -> tuple[float, float]:
    better, worse = sides(chapter, claim)
    return fmean(better), fmean(worse)


def test_manners_stand_beside_imitation():
    rival = "win rate above that of imitating the preferred answers"
    dpo, imitated = means("09_lora", f"Manners, DPO: {rival}")
    tried, _ = means("09_lora", f"Manners, REINFORCE: {rival}")
    said = f"at the end they win {dpo:.2f} and {tried:.2f} of the comparisons, imitation {imitated:.2f} (means of five"
    assert said in text_of("09_lora")
    assert len(sides("09_lora", f"Manners, DPO: {rival}")[0]) == 5


def test_a_teacher_stands_beside_its_choices():
    what = "Digits, five labels of each kind:"
    taught, few = means("10_squeeze", f"{what} a student with a teacher above one without")
    chosen, _ = means("10_squeeze", f"{what} the teacher's choices as labels above the five alone")
    text = text_of("10_squeeze")
    assert f"{few:.2f} right without it, {taught:.2f} with its probabilities (means of five seeds)" in text
    assert f"does as well, {chosen:.3f} against {taught:.3f}" in text
    claim = "Digits, share of 3s that a student who never saw one recognises: T = 8 above T = 1"
    hot, cold = means("10_squeeze", claim)
    assert cold == 0 and f"no 3 at all, at $T = 8$ {hot:.2f} of them" in text


def test_a_vit_and_a_small_clip_stand_beside_a_logistic_regression():
    text = text_of("11_beyond")
    linear, vit = means("11_beyond", "The digits: a logistic regression on the pixels above a ViT with positions")
    assert f"*ahead*, {linear:.3f} against {vit:.3f} (means of five seeds; it is ahead with each)" in text
    claim = "Numbers never seen: two logistic regressions, one for each half of the picture, above a small CLIP"
    halves, clip = means("11_beyond", claim)
    low, high = (f(sides("11_beyond", claim)[1]) for f in (min, max))
    assert f"({clip:.2f}, the mean of five seeds; {low:.2f} to {high:.2f})" in text
    assert f"in each half, and {halves:.2f} are right" in text


def test_what_a_matrix_recalls_stands_beside_a_plain_sum():
    once = "Look-up among the most pairs, each told once: a matrix that only adds above the delta rule"
    twice = "Four names told twice, the later digit asked:"
    (added, *_), (delta, *_) = sides("11_beyond", once)
    (later, *_), (newer, *_) = sides("11_beyond", f"{twice} the delta rule above a matrix that only adds")
    (attention, *_), _ = sides("11_beyond", f"{twice} attention above the delta rule")
    text = text_of("11_beyond")
    said = f"the plain sum is right in {added:.2f} of the texts and the delta rule in {delta:.2f} (seed 0)"
    assert said in text and f"with {newer:.2f} against the delta rule's {later:.2f} (seed 0)" in text
    assert f"comes close to attention, which has {attention:.2f}." in text


def test_what_the_loss_adds_to_minilm_is_said_with_its_spread():
    claim = "Recall@10 on the docs: MiniLM tuned by the student's loss above MiniLM as it comes"
    tuned, as_it_comes = sides("07_contrastive", claim)
    gained = [round(200 * (a - b)) for a, b in zip(tuned, as_it_comes, strict=True)]
    assert len(gained) == 5 and (min(gained), max(gained)) == (1, 5)
    assert "with five seeds, one to five questions of 200" in text_of("07_contrastive")
