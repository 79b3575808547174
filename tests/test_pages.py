"""The pages that go with all chapters: released as they are, and true to the last digit."""

import datetime
import math
import re
import runpy
import tomllib
from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.special import softmax
from torch.nn.functional import cross_entropy

from autograder import paths
from autograder.authoring import glossary, pages, references, start_page
from autograder.authoring.measured import measured

MISPRINTS = paths.SOLUTIONS / "pages" / "misprints.md"
SCORES, VALUES = np.array([[-6.0, -3], [4, 2]]), np.array([[2.0, -5], [-1, 1]])
DOCUMENTS = {"spring": (1, 1, 0), "flowers": (2, 0, 0), "bounce": (0, 1, 0), "ball": (0, 1, 2)}
DOCUMENTS |= {"game": (0, 0, 2), "like": (3, 3, 2), "person": (3, 3, 3)}


def attention(scale: float) -> str:
    """The exercise's output, as the page prints it."""
    rows = softmax(SCORES * scale, axis=-1) @ VALUES
    return " and ".join(f"({a:.4f}, {b:.4f})" for a, b in rows)


def together() -> dict[str, np.ndarray]:
    """How often two words stand in one document: a row for each word."""
    counts = np.array(list(DOCUMENTS.values()))
    return dict(zip(DOCUMENTS, counts @ counts.T, strict=True))


def sums() -> list[int]:
    return [int(counts.sum()) for counts in together().values()]


def row(word: str) -> str:
    return " ".join(map(str, together()[word]))


def bert_large() -> float:
    """Millions: embeddings with their norm, 24 layers of attention, feed-forward and two norms, the pooler."""
    d, layers = 1024, 24
    embeddings = (30522 + 512 + 2) * d + 2 * d
    layer = 4 * (d * d + d) + (d * 4 * d + 4 * d) + (4 * d * d + d) + 4 * d
    return (embeddings + layers * layer + d * d + d) / 1e6


def gpt_3() -> float:
    """Billions: tied token embeddings, positions, 96 layers, the last norm."""
    d, layers = 12288, 96
    return ((50257 + 2048) * d + layers * (12 * d * d + 13 * d) + 2 * d) / 1e9


def wordpiece(pair: tuple[str, str]) -> float:
    words = [["r", "#a", "#w"], ["h", "#o", "#w"], ["h", "#o", "#w"], ["w", "#o", "#w"], ["w", "#o", "#w"]]
    words.append(["w", "#h", "#o"])
    together = sum((a, b) == pair for word in words for a, b in pairwise(word))
    return together / np.prod([sum(word.count(piece) for word in words) for piece in pair])


@pytest.mark.parametrize(
    "text",
    [
        f"{np.log10(2 / 3):.4f}: every shared word",
        f"which sums to 19 | {row('spring')}, which sums to {together()['spring'].sum()};",
        f"| {row('flowers')}, {row('bounce')}, {row('game')}, {row('like')} and {row('person')} |",
        f"| {' '.join(map(str, sums()))}, in all {sum(sums())} |",
        f"the output is {attention(1 / 2)} |",
        f"| {attention(2**-0.5)} |",
        f"its score is {wordpiece(('h', '#o')):.1f}, as is that of (a, w); (r, a) with {wordpiece(('r', '#a')):.0f}",
        f"{bert_large():.1f} M by the formula",
        f"{gpt_3():.1f} B by the formula",
    ],
)
def test_the_page_prints_what_comes_out(text):
    assert text in MISPRINTS.read_text(encoding="utf-8")


def calculus() -> list[str]:
    """The examples of the notation page, each computed by torch."""
    a, b, z = torch.tensor([1, 2]), torch.tensor([4, 3]), torch.tensor([0.0, 1, 2], requires_grad=True)
    w, bias = torch.tensor(3.0, requires_grad=True), torch.tensor(-1.0, requires_grad=True)
    (w * 2 + bias).square().backward()
    cross_entropy(z, torch.tensor(2)).backward()
    written = [
        f"= {(*(a * b).tolist(),)}$, $(1, 2) \\cdot (4, 3) = {a @ b}$",
        f"= {torch.tensor([0.5, 0.25]).log().sum():.4f}$",
    ]
    written += [f"2fx = {w.grad:.0f}$", f"2f = {bias.grad:.0f}$", f"uniform over 8 words: {math.log(8):.4f} nats"]
    written += [f"{vector(softmax(z.detach() / t, -1))} for $\\tau = {t}$" for t in (1, 2)] + [vector(z.grad)]
    return written + [f"{torch.tensor(2 / t).sigmoid():.4f} for $\\tau = {t}$" for t in (1, 2)]


def vector(numbers) -> str:
    return "(" + ", ".join(f"{number:.4f}" for number in numbers) + ")"


@pytest.mark.parametrize("text", calculus())
def test_the_mathematics_of_the_notation_page_is_right(text):
    assert text in (paths.SOLUTIONS / "pages" / "notation.md").read_text(encoding="utf-8")


NOTATION = (paths.SOLUTIONS / "pages" / "notation.md").read_text(encoding="utf-8")


def test_the_names_of_the_notation_page_are_those_of_the_chapters_code():
    axes, values = (NOTATION.partition(f"## {part}\n")[2].partition("\n## ")[0] for part in ("Axes", "Values"))
    columns = [row.split(" | ")[1] for row in (axes + values).splitlines() if row.startswith("| ")]
    names = [name for column in columns for name in re.findall("`(.+?)`", column)]
    code = "\n".join(story(name) for name in paths.chapters())
    assert len(names) > 12
    for name in names:
        assert re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", code), name


@pytest.mark.parametrize("chapter", paths.chapters())
def test_the_vocabulary_has_one_letter(chapter):
    """It is V; M is what 07 calls its candidates."""
    texts = [story(chapter), *(p.read_text("utf-8") for p in (paths.SOLUTIONS / chapter).rglob("*.md"))]
    for text in texts:
        assert not re.search(r"\|V\||\\lvert V|\$M\$ (different )?(words|tokens)|vocabulary (has|of) \$[^V$]\$", text)


def test_students_get_the_pages_as_they_are_written():
    names = {"START.ipynb", "map.svg", "labels.svg", "notation.md", "misprints.md", "bring_your_own_model.md"}
    names |= {"glossary.md", "references.md", "concepts.md", "ai_assistant.md", "AGENTS.md"}
    assert {page.name for page in pages.pages()} == names
    assert all(pages.release_pages(check=True).values())


def test_a_stale_page_is_found_and_written_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "RELEASE", tmp_path)
    assert not any(pages.release_pages(check=True).values()) and not list(tmp_path.iterdir())
    pages.release_pages()
    assert all(pages.release_pages(check=True).values())


# ------------------------------------------------------------------------------------------ START
START = (paths.SOLUTIONS / "pages" / "START.py").read_text(encoding="utf-8").replace("\n# ", "\n")
MAP = paths.SOLUTIONS / "pages" / "figures" / "map.py"


@pytest.fixture
def two_more(tmp_path, monkeypatch):
    """Two chapters, 20 and 21, that START, its map and its paths do not name."""
    for name in paths.chapters():
        (tmp_path / name).symlink_to(paths.SOLUTIONS / name)
    for name, title in (("20_more", "20 More of it: what else there is"), ("21_most", "21 Most")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(f"# %% [markdown]\n# # {title}\n#\n# *60 minutes, ★★, 9 points*\n")
    monkeypatch.setattr(paths, "SOLUTIONS", tmp_path)


def test_start_has_the_hours_of_every_chapter_and_of_all():
    text = start_page.filled(START)
    for name in paths.chapters():
        assert re.search(rf"\]\({name}/{name}\.ipynb\) \| .+ \| \d+½? \|", text), name
    assert re.search(r"a search by words.*\* \| 5½ \|", text) and " ? |" not in text
    assert re.search("some [89]0 hours", text)


def test_start_says_what_each_chapter_won_with_the_figures_last_measured():
    rows = [row for row in start_page.filled(START).splitlines() if row.startswith("| [")]
    assert len(rows) == len(paths.chapters()) and all(re.search(r"<br>\*.*\d.*\* \| ", row) for row in rows)
    claim = tomllib.loads((paths.SOLUTIONS / "04_attention" / start_page.HEADLINE).read_text(encoding="utf-8"))["claim"]
    claims = measured()["04_attention"]["claims"][claim]
    assert f"<br>*{np.mean(claims['better']):.0%} of series without an error" in rows[3]
    assert all(start_page.headline(name, measured()) in row for name, row in zip(paths.chapters(), rows, strict=True))


def test_a_chapter_that_was_not_measured_says_nothing(two_more):
    record = measured()
    assert start_page.headline("01_spam", record) == start_page.headline("20_more", record) == ""
    assert "a search by words | 5½ |" in start_page.filled(START)


def test_a_chapter_without_words_of_its_own_has_a_row_and_a_place_on_the_map(two_more):
    text = start_page.filled(START)
    rows = text.splitlines()
    new = rows.index("| [20 More of it](20_more/20_more.ipynb) | what else there is | 1½ |")
    assert rows[new - 1].startswith("| [12 ") and rows[new + 1] == "| [21 Most](21_most/21_most.ipynb) |  | 1½ |"
    assert re.search(r"01 to 21 in order, some (9|10)0 hours", text)
    picture = runpy.run_path(str(MAP))["draw"]().svg().decode()
    assert all(words in picture for words in ("20 More of it", "what else there is", "21 Most", "09 LoRA"))


def needs(number: str) -> str:
    """What a chapter says that it needs, with the chapters that make the artifacts it names."""
    name = next(each for each in paths.chapters() if each.startswith(number))
    top = story(name).split("# %% given")[0].replace("\n#", " ")
    said = re.split(r"\*\*What you need\.\*\*", top)[1].partition("**")[0]
    return said.replace("*docs-tokenizer*", "chapter 06")


def test_an_arrow_of_the_map_leads_to_a_chapter_that_names_what_it_comes_from():
    known = runpy.run_path(str(MAP))
    ways = [way.split() for way in (*known["BESIDE"], *known["OVER"], *known["BELOW"], *known["ACROSS"])]
    for before, after in ways:
        assert re.search(rf"\b{before}\b", needs(after)), f"{after} does not say that it needs {before}"
    chapters = {name[:2] for name in paths.chapters()}
    assert {number for way in ways for number in way} == set(known["CHAPTERS"]) == chapters
    assert not re.search(r"picture\.arrow\(.*colour", MAP.read_text(encoding="utf-8"))  # all have one
    assert "an arrow leads to what builds on it" in known["draw"]().svg().decode()


def test_a_course_without_chapters_leaves_the_text_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "SOLUTIONS", tmp_path)
    assert start_page.filled(START) == START


def test_no_page_counts_the_chapters():
    for path in [*(paths.SOLUTIONS / "pages").rglob("*.py"), paths.ROOT / "README.md"]:
        assert not re.search(r"(?i)\b(nine|ten|eleven|twelve) chapters", path.read_text(encoding="utf-8")), path


# ------------------------------------------------------------------------------------------ concepts
CONCEPTS, SYSTEMS = (paths.SOLUTIONS / "pages" / "concepts.md").read_text(encoding="utf-8").split("\n## Systems")


def story(chapter: str) -> str:
    return (paths.SOLUTIONS / chapter / f"{chapter}.py").read_text(encoding="utf-8")


def test_every_exercise_builds_a_concept_and_every_name_is_an_exercise():
    written = {(name[:2], each) for name in paths.chapters() for each in re.findall('exercise="(.+?)"', story(name))}
    rows = [row.split(" | ")[1] for row in CONCEPTS.splitlines() if row.startswith("| ") and " | " in row]
    parts = [part.strip() for row in rows for part in row.split(";")]
    named = {(part[:2], each) for part in parts for each in re.findall("`(.+?)`", part)}
    assert named == written
    assert len(rows) > 100 and not [part for part in parts if not re.match(r"\d\d `|none: |exercise", part)]


def test_a_system_is_named_in_its_chapters_and_in_no_other():
    listed = re.findall(r"\| ([\w-]+) \| (\d\d(?:, \d\d)*)(?= )", SYSTEMS)
    assert len(listed) > 25
    for system, chapters in listed:
        named = [name[:2] for name in paths.chapters() if re.search(rf"\b{system}\b", story(name))]
        assert named == chapters.split(", "), system


# ------------------------------------------------------------------------------------------ references
def test_every_paper_that_a_chapter_links_is_listed_and_no_other():
    listed = {paper.link for paper in references.papers()}
    for chapter in paths.chapters():
        assert references.linked(chapter) - listed == set(), f"{chapter} links papers that {references.SOURCE} lacks"
    assert listed - {link for chapter in paths.chapters() for link in references.linked(chapter)} == set()


@pytest.mark.parametrize("paper", references.papers(), ids=lambda paper: paper.link)
def test_a_reference_has_the_right_form(paper):
    assert sum(map(bool, (paper.arxiv, paper.doi, paper.url))) == 1
    assert not paper.arxiv or re.fullmatch(r"\d\d(0[1-9]|1[0-2])\.\d{4,5}", paper.arxiv)
    assert not paper.doi or re.fullmatch(r"10\.\d{4,9}/[^\s\"<>]+", paper.doi)
    assert not paper.url or paper.url.startswith("https://")
    first = 2000 + int(paper.arxiv[:2]) if paper.arxiv else 1950
    assert first <= paper.year <= (first + 4 if paper.arxiv else datetime.date.today().year)
    assert paper.title == paper.title.strip(" .") and len(paper.title) > 8
    assert paper.authors.count(",") + paper.authors.count(" and ") <= 5 and "et al" not in paper.authors


def test_the_page_names_the_year_of_the_preprint_where_it_is_another():
    page = references.page()
    assert "E. J. Hu and others (2022, preprint 2021). [LoRA" in page and "A. Vaswani and others (2017). [" in page


def test_the_page_is_in_the_order_of_years_and_within_a_year_of_the_alphabet():
    listed = re.findall(r"(?m)^- (.+?) \((\d{4})[,)]", references.page())
    assert len(listed) == len(references.papers()) and listed == sorted(listed, key=lambda entry: int(entry[1]))
    names = ["DeepSeek-AI", "Gemma Team", "Kimi Team", "A. Liu", "M. N. Nguyen", "Team OLMo", "OpenAI", "Z. Qiu"]
    last = [authors for authors, year in listed if year == "2025"]
    places = [next((i for i, authors in enumerate(last) if authors.startswith(name)), -1) for name in names]
    found = [place for place in places if place >= 0]
    assert len(found) > 4 and found == sorted(found)
    known = [references.Paper(1972, "K. Spärck Jones", ""), references.Paper(2018, "A. van den Oord, Y. Li", "")]
    assert [paper.surname for paper in known] == ["sparck jones", "oord"]


def test_no_paper_is_listed_twice():
    papers = references.papers()
    assert len({paper.link for paper in papers}) == len({paper.title.lower() for paper in papers}) == len(papers)


# ------------------------------------------------------------------------------------------ glossary
@pytest.mark.parametrize("term", glossary.terms(), ids=lambda term: term.term)
def test_a_term_stands_in_its_chapter_and_in_none_before(term):
    uses = [name[:2] for name in paths.chapters() if term.stands_in(glossary.prose(name))]
    assert uses[:1] == [term.first]
    assert not term.built or (term.built in uses and term.built > term.first)
    assert 10 <= len(term.meaning) <= 100 and "|" not in term.meaning and not term.meaning.endswith(".")


def test_terms_are_listed_once_and_what_is_code_or_a_link_is_no_use_of_them():
    names = [term.term.lower() for term in glossary.terms()]
    assert len(names) == len(set(names)) > 120
    assert "chunk" not in glossary.NO_PROSE.sub(" ", "see `sums.chunk(4)` and [it](chunk.md) <code>chunk</code>")
    assert glossary.Term("BLEU", "", "03").stands_in("by BLEU,")
    assert not glossary.Term("CLIP", "", "07").stands_in("clip")
    assert glossary.Term("hard negative", "", "07").stands_in("Hard\nnegatives")
