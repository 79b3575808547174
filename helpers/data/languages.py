"""The same entries in many languages: names of territories and of languages (CLDR), the UDHR by article, TICO-19."""

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from helpers.data.archives import open_bytes
from helpers.data.dataset import Card, Dataset
from helpers.errors import DataError

# The 27 languages of our copy of the UDHR, and six more with scripts or words that differ from theirs.
UDHR = (
    *("am", "ar", "bn", "de", "el", "en", "es", "fi", "fr", "gu", "he", "hi", "ja", "kn"),
    *("ko", "ml", "mr", "pa", "ru", "sw", "ta", "te", "th", "tr", "ur", "vi", "zh"),
)
LANGUAGES = sorted([*UDHR, "hy", "id", "it", "ka", "my", "pt"])
NOT_TERRITORIES = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}  # unions, remainders and what tests of software use
NOT_LANGUAGES = {"mul", "und", "zxx"}  # "multiple", "unknown", "no linguistic content"
XML = {"udhr": "http://efele.net/udhr"}
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass(frozen=True, repr=False, eq=False)
class Parallel(Dataset):
    """n entries, each in every language.

    entries: language code (ISO 639-1, as in CLDR) -> n strings; row i means the same in every language
    keys:    n codes of what the rows are: "IN" for India, "gu" for Gujarati, "26" for article 26, "PubMed_8:1"
    """

    entries: dict[str, list[str]]
    keys: list[str]
    card: Card

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages."""
        return tuple(self.entries)

    @property
    def names(self) -> dict[str, str]:
        """Code -> the language's English name, for the labels of a figure."""
        from babel import Locale

        return {code: Locale("en").languages[code] for code in self.entries}

    def rows(self) -> str:
        """Return how many entries in how many languages."""
        characters = sum(len(text) for texts in self.entries.values() for text in texts)
        return f"{len(self):,} entries in each of {len(self.entries)} languages, {characters:,} characters"


def read_territories(paths: list[Path], card: Card) -> Parallel:
    """Names of countries and territories by their ISO 3166 code; there is no file to read."""
    return _parallel({code: _names(code, "territories", "[A-Z]{2}", NOT_TERRITORIES) for code in LANGUAGES}, card)


def read_languages(paths: list[Path], card: Card) -> Parallel:
    """Names of languages by their ISO 639 code, without those of scripts and countries ("zh_Hant")."""
    return _parallel({code: _names(code, "languages", "[a-z]{2,3}", NOT_LANGUAGES) for code in LANGUAGES}, card)


def _names(code: str, kind: str, pattern: str, left_out: set[str]) -> dict[str, str]:
    """Key -> name in the language `code`, for the keys of this form that CLDR translates into it."""
    from babel import Locale

    names = getattr(Locale(code), kind)
    # Where the name is the code, it may be a name ("fon" in French) or the want of one ("gan" in Urdu): left out.
    return {
        key: name for key, name in names.items() if re.fullmatch(pattern, key) and key not in left_out and name != key
    }


def read_udhr(paths: list[Path], card: Card) -> Parallel:
    """Read the XML of the UDHR project: the text of each article, paragraphs on lines of their own.

    Titles ("Article 1"), the numbers of list items and the transcribers' "[missing]" are left out. The preamble goes
    as a whole, since the Amharic file has none.
    """
    tables = {}
    for path in paths:
        with open_bytes(path) as file:
            root = ElementTree.parse(file).getroot()
        code = root.get(XML_LANG, "").split("-")[0]  # "de-1996" is German in the spelling of 1996
        if code not in UDHR:
            raise DataError(f"{path}: the language of the file is not one of the 27.", "Replace the file.")
        tables[code] = {article.get("number"): _text(article) for article in root.findall("udhr:article", XML)}
    return _parallel(dict(sorted(tables.items())), card)


def read_tico(paths: list[Path], card: Card) -> Parallel:
    """Read translation memories (TMX 1.4), each English and one other language, of the same sentences in one order.

    The English is that of the first file. In the others a few sentences of it are written otherwise.
    """
    tables: dict[str, dict[str, str]] = {}
    for path in paths:
        with open_bytes(path) as file:
            units = list(ElementTree.parse(file).iter("tu"))
        for unit in units:
            for version in unit.iter("tuv"):
                code = version.get(XML_LANG, "").split("-")[0]  # "es-LA" is Spanish of Latin America
                tables.setdefault(code, {}).setdefault(unit.get("tuid", ""), version.findtext("seg", ""))
    return _parallel(dict(sorted(tables.items())), card)


def _text(article: ElementTree.Element) -> str:
    paragraphs = ("".join(paragraph.itertext()).strip() for paragraph in article.iterfind(".//udhr:para", XML))
    return "\n".join(paragraph for paragraph in paragraphs if paragraph not in ("", "[missing]"))


def _parallel(tables: dict[str, dict[str, str]], card: Card) -> Parallel:
    """Keep the keys that every language has, in the order of the English ones."""
    keys = list(tables["en"])
    for table in tables.values():
        keys = [key for key in keys if table.get(key)]
    texts = {code: list(map(table.get, keys)) for code, table in tables.items()}
    return Parallel(texts, keys, card)
