"""Data sets made from installed packages (dates, names, digits), and real ones of the same types."""

import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from datetime import date
from itertools import islice

import numpy as np
import pytest

from helpers import data
from helpers.data import dates, fetch, images, languages, translations
from helpers.data.dates import Dates
from helpers.data.registry import datasets_folder, find
from helpers.errors import DataError

CARD = data.Card("name", "Title", "source", "licence", "citation")
LATIN = {"de", "en", "es", "fi", "fr", "id", "it", "pt", "sw", "tr", "vi"}


def real(name: str, monkeypatch) -> data.Dataset:
    """The real set from a mirror or the cache, never by download; else skip."""
    with monkeypatch.context() as patch:
        patch.setattr(fetch, "_get", lambda *args: (_ for _ in ()).throw(fetch.Unreachable("test")))
        try:
            return data.load(name)
        except DataError as error:
            pytest.skip(f"the real set is not here: {error}")


@pytest.fixture(scope="module")
def made() -> data.Translations:
    return data.load("dates")


# ------------------------------------------------------------------------------------------ dates
def test_dates_have_their_counts_and_no_day_in_two_splits(made):
    assert {split: len(pairs) for split, pairs in made.splits.items()} == dates.SIZES
    assert list(dates.SIZES.values()) == [20_000, 1_000, 1_000]
    assert made.languages == ("text", "iso") and len(dates.LANGUAGES) == 16
    for column in ("text", "iso"):
        seen = [set(lines[column]) for lines in made.lines.values()]
        assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]
    texts = made.lines["train"]["text"]
    assert len(set(texts)) == len(texts)


def test_the_days_are_a_hundred_years_dealt_out_whole():
    days = [day for split in dates.SHARES for day in dates._days(split)]
    assert len(set(days)) == len(days) == 36_525
    assert (min(days), max(days)) == (date(1950, 1, 1), date(2049, 12, 31)), "two digits must name one year"


@pytest.mark.parametrize(
    "language, text, iso",
    [
        ("fr", "mardi 3 février 2015", "2015-02-03"),
        ("en", "Tuesday, February 3, 2015", "2015-02-03"),
        ("en", "03/02/2015", "2015-02-03"),
        ("de", "03.02.15", "2015-02-03"),
        ("ru", "вторник, 3 февраля 2015 г.", "2015-02-03"),
        ("mr", "मंगळवार, ३ फेब्रुवारी, २०१५", "2015-02-03"),
        ("ar", "٠٣/٠٢/٢٠١٥", "2015-02-03"),
        ("zh", "1999年12月31日星期五", "1999-12-31"),
        ("hi", "3/2/51", "1951-02-03"),
    ],
)
def test_dates_as_people_write_them(language, text, iso):
    written = [style.write(date.fromisoformat(iso)) for style in dates.styles(language)]
    assert text in written
    assert len(set(written)) == len(written) >= 5


def collisions(days: list[date]) -> list[str]:
    """Texts that stand for two of these days, in any language or style."""
    first: dict[str, date] = {}
    styles = [style for language in dates.LANGUAGES for style in dates.styles(language)]
    return [text for style in styles for day in days if first.setdefault(text := style.write(day), day) != day]


# Day, month and the year's last two digits are all at most 12: the days that are easiest to confuse.
CONFUSABLE = [date(2000 + y, m, d) for y in range(1, 13) for m in range(1, 13) for d in range(1, 13)]


def test_a_text_has_one_day():
    assert collisions(CONFUSABLE) == []
    target: dict[str, str] = {}
    for split in dates.SHARES:
        for text, iso in islice(Dates(split).stream(seed=5), 60_000):
            assert target.setdefault(text, iso) == iso


def test_without_the_rule_texts_would_be_ambiguous(monkeypatch):
    monkeypatch.setattr(dates, "reads_one_way", lambda pattern: True)
    monkeypatch.setattr(dates, "styles", dates.styles.__wrapped__)
    assert collisions(CONFUSABLE[:288])


@pytest.mark.parametrize(
    "pattern, plain",
    [
        ("EEEE d MMMM y", True),
        ("MMMM d, y", True),
        ("d 'de' MMMM 'de' y", True),
        ("y年M月d日EEEE", True),
        ("dd/MM/y", True),
        ("d/M/yy", True),
        ("M/d/yy", False),
        ("E, M/d/y", False),
        ("L/d/y", False),
        ("yy. M. d.", False),
    ],
)
def test_which_patterns_read_one_way(pattern, plain):
    assert dates.reads_one_way(pattern) is plain


def test_the_numbers_in_a_text_are_those_of_its_date(made):
    """An oracle that knows no pattern: day, year and (where it is in digits) month are in the text."""
    for text, iso in made.valid:
        year, month, day = map(int, iso.split("-"))
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        assert Counter(numbers) in [
            Counter(fields) for y in (year, year % 100) for fields in ([day, y], [day, month, y])
        ], (text, iso)


def test_texts_are_plain(made):
    characters = set("".join(text for text, _ in made.train))
    assert [hex(ord(c)) for c in characters if (c.isspace() and c != " ") or unicodedata.category(c) == "Cf"] == []
    assert all(text == unicodedata.normalize("NFC", text).strip() for text, _ in made.train)
    assert characters >= set("٠١٢٣٤٥٦٧٨٩०१२३४५६७८९0123456789")


def test_every_language_is_equally_likely():
    """Chinese has the fewest styles and no less than its share of one in sixteen."""
    drawn = islice(Dates().stream(seed=0), 8_000)
    share = sum("年" in text or "周" in text for text, _ in drawn) / 8_000
    assert abs(share - 4 / 5 / 16) < 0.01, "4 of its 5 styles have one of these characters"


def test_stream_and_sample_agree_and_depend_on_the_seed():
    first = list(islice(Dates().stream(seed=1), 300))
    assert first == list(islice(Dates().stream(seed=1), 300))
    assert first != list(islice(Dates().stream(seed=2), 300))
    assert Dates().sample(200, seed=1) == list(dict(first).items())[:200]
    assert len(dict(Dates("test").sample(3_000, seed=1, languages=["fr"]))) == 3_000
    assert Dates().sample(0, seed=1) == []


def test_languages_can_be_chosen():
    for text, _ in Dates("valid").sample(50, seed=0, languages=["ru", "zh"]):
        assert re.search("[а-я年周/]|^[0-9.]+$", text)
    once, twice = (Dates().sample(50, seed=0, languages=languages) for languages in (["fr"], ["fr", "fr"]))
    assert once == twice, "a language that is named twice counts once"


@pytest.mark.parametrize(
    "wrong, says",
    [
        (lambda: Dates("dev"), 'no split "dev" of dates. Choose one of: train, valid, test.'),
        (lambda: Dates().stream(0, ["fr", "xx"]), 'no dates in the language "xx". There are: ar, de,'),
        (lambda: Dates().stream(0, []), "no language was named"),
        (lambda: Dates("test").sample(10**6, 0), "1,000,000 pairs cannot be drawn. Ask for 0 to"),
        (lambda: Dates().sample(-1, 0), "-1 pairs cannot be drawn"),
    ],
)
def test_senseless_wishes_for_dates(wrong, says):
    with pytest.raises(DataError, match=re.escape(says)):
        wrong()


# ----------------------------------------------------------------------------------- translations
def test_multi30k_has_the_published_counts(monkeypatch):
    multi30k = real("multi30k", monkeypatch)
    counts = {split: len(pairs) for split, pairs in multi30k.splits.items()}
    assert counts == {"train": 29_000, "valid": 1_014, "test": 1_000, "test_2017": 1_000}
    assert set(multi30k.languages) == {"en", "de", "fr"}
    source, target = "Two young, White males are outside near many bushes.", "Zwei junge weiße Männer sind im Freien"
    assert multi30k.train[0][0] == source and multi30k.train[0][1].startswith(target)
    english, french = multi30k.between("en", "fr").test[0]
    assert english == multi30k.test[0][0] and french == "Un homme avec un chapeau orange regardant quelque chose."
    assert multi30k.between("fr", "en").test[0] == (french, english)
    assert all(line and line == line.strip() for lines in multi30k.lines["train"].values() for line in lines)


def test_between_takes_languages_that_are_there(made):
    assert made.between("iso", "text").test[0] == made.test[0][::-1]
    with pytest.raises(DataError, match=r'no language "fr"\. There are: text, iso\.'):
        made.between("text", "fr")


def test_lines_end_at_line_feeds_only_and_must_align(tmp_path):
    texts = {"en": "a\u2028b \nc\x85d\re\n", "de": "e\nf\n", "fr": "g\nh\n"}
    paths = [tmp_path / f"train.{language}" for language in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.with_suffix(f"{path.suffix}.x").write_text(text, encoding="utf-8")
    paths = [path.with_suffix(f"{path.suffix}.x") for path in paths]
    assert translations.read_multi30k(paths, CARD).train == [("a\u2028b", "e"), ("c\x85d\re", "f")]
    paths[1].write_text("e\n", encoding="utf-8")
    with pytest.raises(DataError, match="the languages of train differ in length"):
        translations.read_multi30k(paths, CARD)


# -------------------------------------------------------------------------------------- languages
@pytest.mark.parametrize("name, count", [("territories", 256), ("languages", 426)])
def test_names_are_parallel_and_translated(name, count):
    names = data.load(name)
    assert len(names) == count and len(names.languages) == 33
    assert set(names.languages) == {*languages.UDHR, "hy", "id", "it", "ka", "my", "pt"}
    for code, entries in names.entries.items():
        assert len(set(entries)) == count and all(entries), f"{code}: an empty name or one for two things"
        assert not any(map(str.__eq__, entries, names.keys)), f"{code}: a code in place of a name"
        same = sum(map(str.__eq__, entries, names.entries["en"]))
        assert code == "en" or same <= (0.7 * count if code in LATIN else 0), f"{code} falls back to English"
        latin = sum(bool(re.search("[A-Za-z]", entry)) for entry in entries)
        assert code in LATIN or latin <= 2, f"{code}: names in Latin letters"


def test_rows_of_names_mean_the_same():
    territories, names = data.load("territories"), data.load("languages")
    india = {code: entries[territories.keys.index("IN")] for code, entries in territories.entries.items()}
    assert [india[code] for code in ("en", "gu", "ta", "ur", "fi")] == ["India", "ભારત", "இந்தியா", "بھارت", "Intia"]
    gujarati = {code: entries[names.keys.index("gu")] for code, entries in names.entries.items()}
    assert [gujarati[code] for code in ("en", "gu", "ja")] == ["Gujarati", "ગુજરાતી", "グジャラート語"]
    assert not {"EU", "UN", "ZZ"} & set(territories.keys) and not {"und", "zh_Hant"} & set(names.keys)
    assert territories.names["gu"] == "Gujarati"


def test_an_entry_that_one_language_lacks_is_dropped_from_all():
    tables = {"en": {"a": "1", "b": "2", "c": "3"}, "gu": {"c": "૩", "a": "૧"}, "te": {"a": "", "c": "౩", "z": "౯"}}
    parallel = languages._parallel(tables, CARD)
    assert parallel.keys == ["c"] and parallel.entries == {"en": ["3"], "gu": ["૩"], "te": ["౩"]}


def test_udhr_has_27_languages_and_30_articles(monkeypatch):
    udhr = real("udhr", monkeypatch)
    assert udhr.keys == [str(number) for number in range(1, 31)]
    assert udhr.languages == languages.UDHR and len(languages.UDHR) == 27
    assert udhr.entries["en"][2] == "Everyone has the right to life, liberty and the security of person."
    for code, script in {"gu": "GUJARATI", "te": "TELUGU", "am": "ETHIOPIC", "ru": "CYRILLIC", "ur": "ARABIC"}.items():
        letters = [unicodedata.name(c).split()[0] for c in "".join(udhr.entries[code]) if c.isalpha()]
        assert Counter(letters)[script] > 0.99 * len(letters), f"{code} is not in {script}"
    assert all(len(text) > 15 and "[missing]" not in text for texts in udhr.entries.values() for text in texts)


def test_articles_correspond(monkeypatch):
    """Lengths follow the English ones, so a shifted article would show; Punjabi counts two of them otherwise."""
    udhr = real("udhr", monkeypatch)
    english = np.array([len(text) for text in udhr.entries["en"]])
    rows = [i for i, key in enumerate(udhr.keys) if key not in ("17", "18")]
    for code, texts in udhr.entries.items():
        lengths = np.array([len(text) for text in texts])
        ratio = (lengths / lengths.sum()) / (english / english.sum())
        assert ratio[rows].min() > 0.5 and ratio[rows].max() < 2, code
        assert np.corrcoef(lengths[rows], english[rows])[0, 1] > 0.9, code


def test_names_have_the_languages_of_the_udhr():
    assert set(languages.UDHR) < set(data.load("territories").languages)
    assert {path.path for path in find("udhr").files} and len(find("udhr").files) == 27


def test_tico_has_its_sentences_in_eight_languages():
    tico = data.load("tico19")
    assert tico.languages == ("ar", "en", "es", "hi", "mr", "ta", "ur", "zh") and len(tico) == 3071
    assert (tico.keys[0], tico.entries["en"][0]) == ("CMU_1:1", "about how long have these symptoms been going on?")
    assert tico.entries["hi"][0] == "ये लक्षण लगभग कितने समय से चल रहे हैं?"
    assert all(text.strip() for texts in tico.entries.values() for text in texts)
    english = [len(text) for text in tico.entries["en"]]
    for code, texts in tico.entries.items():
        assert np.corrcoef(english, [len(text) for text in texts])[0, 1] > 0.85, f"{code} is shifted"


def test_a_file_in_an_unknown_language_is_refused(tmp_path):
    (tmp_path / "a.xml").write_text('<udhr xmlns="http://efele.net/udhr" xml:lang="tlh"/>', encoding="utf-8")
    with pytest.raises(DataError, match="the language of the file is not one of the 27"):
        languages.read_udhr([tmp_path / "a.xml"], CARD)


# ----------------------------------------------------------------------------------------- images
def test_digits_have_their_counts():
    from sklearn.datasets import load_digits

    digits, original = data.load("digits"), load_digits()
    assert digits.train.shape == (1437, 8, 8) and digits.test.shape == (360, 8, 8)
    assert digits.train.dtype == np.uint8 and digits.train_labels.dtype == np.int64
    assert np.bincount(digits.test_labels).min() >= 34, "stratified"
    pixels = np.rint(np.concatenate([digits.train, digits.test]) * 16.0 / 255)
    labels = np.concatenate([digits.train_labels, digits.test_labels])
    ours = Counter((label, image.tobytes()) for label, image in zip(labels.tolist(), pixels, strict=True))
    theirs = Counter((y, image.tobytes()) for y, image in zip(original.target.tolist(), original.images, strict=True))
    assert ours == theirs, "each digit of scikit-learn once, with its label, and its counts of dots not lost"


def test_captions_are_seeded_and_true():
    digits = data.load("digits")
    captions = digits.captions(seed=3)
    assert captions == digits.captions(seed=3) != digits.captions(seed=4)
    assert len(captions) == 1437 and len(digits.captions(3, split="test")) == 360
    used = Counter()
    for caption, label in zip(captions, digits.train_labels, strict=True):
        assert digits.phrases[label] in caption and digits.classes[label] in caption
        used[caption.replace(digits.phrases[label], "{}")] += 1
    assert set(used) == set(images.TEMPLATES) and len(used) >= 8
    assert min(used.values()) > 0.5 * 1437 / len(used), "the templates are equally likely"
    with pytest.raises(DataError, match=r'no split "valid"\. Choose one of: train, test\.'):
        digits.captions(0, split="valid")


def test_fashion_mnist_has_the_published_counts(monkeypatch):
    fashion = real("fashion_mnist", monkeypatch)
    assert fashion.train.shape == (60_000, 28, 28) and fashion.test.shape == (10_000, 28, 28)
    assert np.bincount(fashion.train_labels).tolist() == [6_000] * 10
    assert np.bincount(fashion.test_labels).tolist() == [1_000] * 10
    assert fashion.train.mean() / 255 == pytest.approx(0.2860, abs=5e-5)
    assert fashion.train.std() / 255 == pytest.approx(0.3530, abs=5e-5)
    assert fashion.train_labels[:4].tolist() == [9, 0, 0, 3] and fashion.classes[9] == "Ankle boot"
    assert fashion.captions(0, "test")[0].find("an ankle boot") >= 0
    fashion.train[0, 0, 0] = 1  # writable, so that torch.from_numpy takes it without a warning


def test_idx_is_read_row_by_row_and_checked(tmp_path):
    path = tmp_path / "array"
    header = b"\0\0\x08\x02" + (2).to_bytes(4, "big") + (3).to_bytes(4, "big")
    path.write_bytes(header + bytes(range(6)))
    assert images.read_idx(path).tolist() == [[0, 1, 2], [3, 4, 5]]
    path.write_bytes(header + bytes(range(5)))
    with pytest.raises(DataError, match=r"5 values, but its header says \(2, 3\)"):
        images.read_idx(path)
    for wrong in (b"", b"\0\0\x0d\x02", header[:7]):
        path.write_bytes(wrong)
        with pytest.raises(DataError, match="not an IDX file of bytes"):
            images.read_idx(path)


# -------------------------------------------------------------------------------------- all of them
MADE = ("dates", "territories", "languages", "digits")


def digest() -> str:
    """One hash of all that is made, rows in order."""
    digits = data.load("digits")
    parts = [data.load("dates").lines, digits.captions(0), digits.test_labels.tolist(), digits.test.tolist()]
    parts += [[data.load(name).entries, data.load(name).keys] for name in ("territories", "languages")]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def test_two_processes_make_the_same():
    code = "import sys; sys.path[:0] = ['.', 'tests']; import test_data_made; print(test_data_made.digest())"
    env = os.environ | {"PYTHONHASHSEED": "7"}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert result.stdout.strip() == digest()


@pytest.mark.parametrize("name", MADE)
def test_made_sets_need_no_file_and_print_their_card(name):
    entry, shown = find(name), repr(data.load(name))
    assert entry.files == () and shown.startswith(entry.title)


def test_cards_say_the_counts():
    cards = {name: (datasets_folder() / "cards" / f"{name}.md").read_text(encoding="utf-8") for name in MADE}
    assert all(number in cards["dates"] for number in ("20,000", "36,525", "sixteen"))
    assert f"{sum(len(dates.styles(language)) for language in dates.LANGUAGES)} in all" in cards["dates"]
    assert "256 countries" in cards["territories"] and "33 languages" in cards["territories"]
    assert "426 languages" in cards["languages"]
    assert "(1437, 8, 8)" in cards["digits"] and "(360, 8, 8)" in cards["digits"]


def test_import_stays_light():
    """What only one reader needs is imported by it."""
    heavy = "{'babel', 'sklearn', 'PIL'}"
    code = f"import helpers.data, sys; print({heavy} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
