"""helpers.data: what is loaded, from where, and what is said when that fails."""

import csv
import errno
import gzip
import hashlib
import http.server
import io
import os
import pkgutil
import re
import socket
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

from helpers import data
from helpers.data import archives, fetch, registry
from helpers.data.registry import Entry, File, Source
from helpers.errors import CourseError, DataError

ROWS = [
    ("ham", "see you at 5"),
    ("spam", 'win "cash'),
    ("ham", "see you at 5"),
    ("ham", "naïve café"),
    ("spam", "loan"),
]
SMS_READER = "helpers.data.messages:read_sms"
TSV = "".join(f"{label}\t{text}\n" for label, text in ROWS).encode()


def zipped(content: bytes, *members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members or ["SMSSpamCollection"]:
            archive.writestr(member, content)
    return buffer.getvalue()


def tarred(content: bytes, *members: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for member in members or ["SMSSpamCollection"]:
            info = tarfile.TarInfo(member)
            info.type, info.size = kind, len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves `server.pages`; a page given as (body, claimed length) breaks off early."""

    def do_GET(self):
        self.server.asked.append(self.path)
        body, length = self.server.pages.get(self.path, (None, 0))
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    """A local web server: set `server.pages[path] = (body, length)`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.pages, server.asked = {}, []
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """An empty cache, no mirror, no grading, no proxy."""
    for name in ("BOW2LORA_DATA", "BOW2LORA_GRADING", "NBGRADER_EXECUTION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOW2LORA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def offer(monkeypatch, *sources: Source, content: bytes = TSV, path: str = "sms_spam/small") -> None:
    """Let sms_spam be the small file `content`, offered at these addresses."""
    real = registry.registry()
    file = File(path, len(content), hashlib.sha256(content).hexdigest(), sources)
    entry = Entry("sms_spam", "Small SMS", "nowhere", "none", "none", (file,), SMS_READER)
    monkeypatch.setattr(registry, "registry", lambda: {**real, "sms_spam": entry})


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def closed_port() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/file"


def forbid_network(monkeypatch) -> None:
    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


# ----------------------------------------------------------------------------- the real collection
@pytest.fixture
def sms():
    return data.load("sms_spam")


def test_sms_has_the_published_counts(sms):
    assert len(sms) == 5574, "5,572 rows mean that quotes were treated as quotes"
    assert sms.labels.sum() == 747
    assert sms.labels.dtype == np.int64
    assert len(sms.without_repeats()) == 5171
    assert sms.intents == [] and sms.entities == []


def test_the_default_quoting_would_lose_two_rows(sms):
    text = "".join(f"{'spam' if y else 'ham'}\t{t}\n" for y, t in zip(sms.labels, sms.texts, strict=True))
    assert len(list(csv.reader(io.StringIO(text), delimiter="\t"))) == 5572


def test_sms_prints_its_card(sms):
    card = repr(sms)
    for part in (
        "SMS Spam Collection",
        "5,574 messages, 747 spam (13.4%)",
        "source",
        "licence",
    ):
        assert part in card


# ------------------------------------------------------------------------------- the type Messages
def test_without_repeats_keeps_the_first_of_each(cache, server, monkeypatch):
    server.pages["/a"] = (TSV, len(TSV))
    offer(monkeypatch, Source(server.url + "/a"))
    small = data.load("sms_spam")
    assert small.texts == [text for _, text in ROWS]
    assert small.without_repeats().texts == ["see you at 5", 'win "cash', "naïve café", "loan"]
    assert small.without_repeats().labels.tolist() == [0, 1, 0, 1]


def test_split_is_stratified_seeded_and_disjoint():
    messages = data.load("sms_spam").without_repeats()
    train, test = messages.split(test=0.2, seed=3)
    assert len(train) + len(test) == len(messages)
    assert not set(train.texts) & set(test.texts)
    assert test.labels.sum() == round(0.2 * messages.labels.sum())
    assert test.texts == messages.split(test=0.2, seed=3)[1].texts
    assert test.texts != messages.split(test=0.2, seed=4)[1].texts


def test_split_keeps_the_columns_of_a_row_together():
    inbox = data.load("inbox")
    row = {text: i for i, text in enumerate(inbox.texts)}
    for part in inbox.split(seed=1):
        rows = [row[text] for text in part.texts]
        assert part.labels.tolist() == inbox.labels[rows].tolist()
        assert part.intents == [inbox.intents[i] for i in rows]
        assert part.entities == [inbox.entities[i] for i in rows]
        assert part.noisy.tolist() == inbox.noisy[rows].tolist()


@pytest.mark.parametrize("share", [0, 1, -0.2, 20, float("nan")])
def test_a_senseless_split_is_refused(share):
    with pytest.raises(DataError, match="between 0 and 1"):
        data.load("inbox").split(test=share)


# -------------------------------------------------------------------------------------- downloads
def test_good_download_then_cache(cache, server, monkeypatch, capsys):
    server.pages["/sms.zip"] = (zipped(TSV), len(zipped(TSV)))
    offer(monkeypatch, Source(server.url + "/sms.zip", member="SMSSpamCollection"))
    assert len(data.load("sms_spam")) == 5
    assert files_in(cache) == ["sms_spam/small"]
    output = capsys.readouterr()
    assert "Small SMS: 100%" in output.out and output.err == "", "the bar belongs on stdout"
    forbid_network(monkeypatch)
    assert len(data.load("sms_spam")) == 5


def test_wrong_checksum(cache, server, monkeypatch):
    server.pages["/a"] = (TSV.replace(b"5", b"6"), len(TSV))
    offer(monkeypatch, Source(server.url + "/a"))
    with pytest.raises(DataError, match="wrong checksum"):
        data.load("sms_spam")
    assert not files_in(cache)


@pytest.mark.parametrize("claimed, says", [(len(TSV), "broke off"), (len(TSV) - 9, "truncated")])
def test_truncated(cache, server, monkeypatch, capsys, claimed, says):
    server.pages["/a"] = (TSV[:-9], claimed)
    offer(monkeypatch, Source(server.url + "/a"))
    with pytest.raises(DataError, match=says):
        data.load("sms_spam")
    assert not files_in(cache)


@pytest.mark.parametrize(
    "archive, says",
    [
        (b"<html>log in to the wifi</html>", "broken packing"),
        (zipped(TSV, "other"), "no member SMSSpamCollection"),
        (zipped(TSV)[:-30], "broken packing"),
        (zipped(TSV).replace(b"see you", b"see him"), "broken packing"),
        (tarred(TSV, "other"), "no member SMSSpamCollection"),
        (tarred(TSV)[:-30], "truncated"),
        (tarred(TSV, kind=tarfile.DIRTYPE), "SMSSpamCollection is not a file"),
    ],
    ids=["page", "zip without it", "zip cut off", "zip changed", "tar without it", "tar cut off", "folder in tar"],
)
def test_damaged_archive(cache, server, monkeypatch, archive, says):
    server.pages["/z"] = (archive, len(archive))
    offer(monkeypatch, Source(server.url + "/z", member="SMSSpamCollection"))
    with pytest.raises(DataError, match=rf"the archive from .* cannot be read \({says}\)"):
        data.load("sms_spam")
    assert not files_in(cache)


# ---------------------------------------------------------------------------------- packed files
@pytest.mark.parametrize(
    "page, member",
    [
        (TSV, ""),
        (gzip.compress(TSV, mtime=7), ""),
        (zipped(TSV), "SMSSpamCollection"),
        (zipped(gzip.compress(TSV), "a.gz"), "a.gz"),
        (tarred(TSV, "folder/a"), "folder/a"),
    ],
    ids=["plain", "gzip", "zip", "gzip in zip", "tar.gz"],
)
def test_a_packed_file_is_cached_packed_and_checked_unpacked(cache, server, monkeypatch, page, member):
    server.pages["/a"] = (page, len(page))
    offer(monkeypatch, Source(server.url + "/a", member), path="sms_spam/small.gz")
    assert fetch.obtain(registry.find("sms_spam")) == [cache / "sms_spam/small.gz"]
    assert files_in(cache) == ["sms_spam/small.gz"]
    assert gzip.decompress((cache / "sms_spam/small.gz").read_bytes()) == TSV
    forbid_network(monkeypatch)
    assert fetch.obtain(registry.find("sms_spam")) == [cache / "sms_spam/small.gz"]


def test_what_we_pack_has_the_same_bytes_every_time(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(TSV)
        os.utime(tmp_path / name, (len(name), 1e9 if name == "one" else 2e9))
        archives.pack(tmp_path / name, tmp_path / f"{name}.gz")
    packed = (tmp_path / "one.gz").read_bytes()
    assert packed == (tmp_path / "two.gz").read_bytes()
    assert packed[3:8] == bytes(5), "no name, no time"


def test_content_is_read_whatever_the_packing(tmp_path):
    text = "naïve\r\ncafé\n"
    (tmp_path / "plain").write_bytes(text.encode())
    (tmp_path / "packed.gz").write_bytes(gzip.compress(text.encode()))
    for path in (tmp_path / "plain", tmp_path / "packed.gz"):
        assert archives.read_bytes(path) == text.encode()
        with archives.open_text(path) as lines, archives.open_text(path, newline="") as exact:
            assert (lines.read(), exact.read()) == ("naïve\ncafé\n", text)


@pytest.mark.parametrize(
    "page, says",
    [
        (gzip.compress(TSV)[:-9], "truncated"),
        (gzip.compress(TSV)[:-5] + b"12345", "broken packing"),
        (gzip.compress(TSV[:-1]), "truncated: .* of .* bytes"),
        (gzip.compress(TSV.replace(b"5", b"6")), "wrong checksum"),
        (b"<html>log in</html>", "truncated: 19 of"),
    ],
    ids=["cut off", "wrong sum", "short", "changed", "page"],
)
def test_a_damaged_packed_file(cache, server, monkeypatch, tmp_path, page, says):
    server.pages["/a"] = (page, len(page))
    offer(monkeypatch, Source(server.url + "/a"), path="sms_spam/small.gz")
    with pytest.raises(DataError, match=rf"is not the expected one \({says}"):
        data.load("sms_spam")
    assert not files_in(cache)
    (tmp_path / "mirror/sms_spam").mkdir(parents=True)
    (tmp_path / "mirror/sms_spam/small.gz").write_bytes(page)
    monkeypatch.setenv("BOW2LORA_DATA", str(tmp_path / "mirror"))
    with pytest.raises(DataError, match=r"small\.gz is damaged \(.*\)\. Replace it or unset"):
        data.load("sms_spam")


def test_the_disk_fills_up_while_packing(cache, server, monkeypatch):
    server.pages["/a"] = (TSV, len(TSV))
    offer(monkeypatch, Source(server.url + "/a"), path="sms_spam/small.gz")

    def full(path, target):
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "pack", full)
    with pytest.raises(DataError, match="the disk is full"):
        data.load("sms_spam")
    assert not files_in(cache)


def offer_members(monkeypatch, *urls: str) -> None:
    """Let sms_spam be two members, "a" and "b", of the archive at these addresses."""
    real, size, digest = registry.registry(), len(TSV), hashlib.sha256(TSV).hexdigest()
    files = [File(f"sms_spam/{name}", size, digest, tuple(Source(url, name) for url in urls)) for name in "ab"]
    entry = Entry("sms_spam", "Small SMS", "nowhere", "none", "none", tuple(files), SMS_READER)
    monkeypatch.setattr(registry, "registry", lambda: {**real, "sms_spam": entry})


@pytest.mark.parametrize("pack", ["zip", "tar"])
def test_an_archive_is_downloaded_once_per_load(cache, server, monkeypatch, pack):
    page = zipped(TSV, "a", "b") if pack == "zip" else tarred(TSV, "a", "b")
    server.pages["/z"] = (page, len(page))
    offer_members(monkeypatch, server.url + "/gone", server.url + "/z")
    assert len(data.load("sms_spam")) == 5
    assert server.asked == ["/gone", "/z"], "each address once, the dead one too"
    assert files_in(cache) == ["sms_spam/a", "sms_spam/b"]


def test_only_what_is_missing_is_downloaded_and_what_came_is_kept(cache, server, monkeypatch):
    page = zipped(TSV, "a")
    server.pages["/z"] = (page, len(page))
    offer_members(monkeypatch, server.url + "/z")
    with pytest.raises(DataError, match="no member b"):
        data.load("sms_spam")
    assert files_in(cache) == ["sms_spam/a"]
    page = zipped(TSV, "b")
    server.pages["/z"] = (page, len(page))
    assert len(data.load("sms_spam")) == 5
    assert files_in(cache) == ["sms_spam/a", "sms_spam/b"]


def test_dead_and_wrong_addresses_fall_to_the_backup(cache, server, monkeypatch):
    server.pages["/b"] = (TSV, len(TSV))
    offer(monkeypatch, Source(closed_port()), Source(server.url + "/gone"), Source(server.url + "/b"))
    assert len(data.load("sms_spam")) == 5
    assert server.asked == ["/gone", "/b"]
    assert files_in(cache) == ["sms_spam/small"]


def test_no_network_is_one_line(cache, monkeypatch, capsys):
    offer(monkeypatch, Source(closed_port()), Source(closed_port()))
    with pytest.raises(DataError, match=r"^Small SMS: no network\. To get the set, .*$"):
        data.load("sms_spam")
    assert capsys.readouterr() == ("", "") and not files_in(cache)


def test_full_disk(cache, server, monkeypatch):
    server.pages["/a"] = (TSV, len(TSV))
    offer(monkeypatch, Source(server.url + "/a"), Source(server.url + "/b"))

    def full(*args):
        Path(args[-1]).write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fetch, "_get", full)
    with pytest.raises(DataError, match=r"the disk is full. Make room in"):
        data.load("sms_spam")
    assert not files_in(cache)


def test_cache_that_cannot_be_written(cache, server, monkeypatch):
    cache.write_text("a file where the folder should be")
    offer(monkeypatch, Source(server.url + "/a"))
    with pytest.raises(DataError, match=r"cannot write to .* Set BOW2LORA_CACHE"):
        data.load("sms_spam")


def test_interrupted_download_leaves_nothing(cache, server, monkeypatch):
    def interrupt(*args):
        Path(args[-1]).write_bytes(b"half")
        raise KeyboardInterrupt

    offer(monkeypatch, Source(server.url + "/a"))
    monkeypatch.setattr(fetch, "_get", interrupt)
    with pytest.raises(KeyboardInterrupt):
        data.load("sms_spam")
    assert not files_in(cache)


def test_damaged_cache_is_fetched_again(cache, server, monkeypatch):
    server.pages["/a"] = (TSV, len(TSV))
    offer(monkeypatch, Source(server.url + "/a"))
    (cache / "sms_spam").mkdir(parents=True)
    (cache / "sms_spam/small").write_bytes(TSV[:7])
    assert len(data.load("sms_spam")) == 5
    assert (cache / "sms_spam/small").read_bytes() == TSV


# ----------------------------------------------------------------------------------------- mirror
def test_mirror_comes_first(cache, tmp_path, monkeypatch):
    (tmp_path / "mirror/sms_spam").mkdir(parents=True)
    (tmp_path / "mirror/sms_spam/small").write_bytes(TSV)
    monkeypatch.setenv("BOW2LORA_DATA", str(tmp_path / "mirror"))
    offer(monkeypatch, Source("https://example.org/small"))
    forbid_network(monkeypatch)
    assert len(data.load("sms_spam")) == 5
    (tmp_path / "mirror/sms_spam/small").write_bytes(TSV[:-1])
    with pytest.raises(DataError, match=r"small is damaged \(truncated: .* bytes\)\. Replace it or unset"):
        data.load("sms_spam")


def test_mirror_that_is_no_folder(cache, monkeypatch):
    monkeypatch.setenv("BOW2LORA_DATA", "/no/such/folder")
    with pytest.raises(DataError, match="BOW2LORA_DATA names /no/such/folder, which is not a folder"):
        data.load("stsb")
    assert len(data.load("sms_spam")) == 5574, "what lies in the box is not looked for elsewhere"


# --------------------------------------------------------------------------------- what is bundled
BUNDLED = [entry for entry in registry.registry().values() if entry.bundled and entry.files]


def test_what_is_bundled_needs_no_network_no_mirror_and_no_cache(cache, monkeypatch):
    forbid_network(monkeypatch)
    for entry in BUNDLED:
        assert len(fetch.obtain(entry)) == len(entry.files)
    assert not cache.exists()


def test_the_bundled_sets_are_at_most_25_mb_and_packed_without_time_or_name():
    paths = {path for entry in BUNDLED for path in fetch.obtain(entry)}
    assert sum(path.stat().st_size for path in paths) < 25e6
    for path in paths:
        if path.suffix == ".gz":
            assert path.read_bytes()[3:8] == bytes(5), path


def test_a_damaged_bundled_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "datasets_folder", lambda: tmp_path)
    (tmp_path / "sms_spam").mkdir()
    (tmp_path / "sms_spam/SMSSpamCollection.gz").write_bytes(gzip.compress(TSV))
    with pytest.raises(DataError, match=r"SMSSpamCollection.gz is damaged \(truncated.*\)\. Reinstall bow2lora\."):
        data.load("sms_spam")


def test_the_notice_names_every_folder_of_others_and_every_licence_text():
    folder = registry.datasets_folder()
    notice = (folder / "NOTICE").read_text(encoding="utf-8")
    by_others = [entry for entry in BUNDLED if not entry.license.startswith("same as the course")]
    theirs = {file.path.split("/")[0] for entry in by_others for file in entry.files}
    assert theirs == set(re.findall(r"\((\w+)/\)$", notice, re.MULTILINE))
    texts = {path.name for path in (folder / "licences").iterdir()}
    assert texts == set(re.findall(r"licences/([\w.-]+\.(?:txt|md))", notice))


def test_a_row_that_is_not_label_tab_text(cache, server, monkeypatch):
    bad = TSV + b"eggs without a tab\n"
    server.pages["/a"] = (bad, len(bad))
    offer(monkeypatch, Source(server.url + "/a"), content=bad)
    with pytest.raises(DataError, match="line 6: not label, tab, text"):
        data.load("sms_spam")


# ------------------------------------------------------------------------- grading, names, imports
@pytest.mark.parametrize("variable", ["NBGRADER_EXECUTION", "BOW2LORA_GRADING"])
def test_grading_downloads_nothing(cache, monkeypatch, capsys, variable):
    monkeypatch.setenv(variable, "autograde")
    forbid_network(monkeypatch)
    assert len(data.load("sms_spam")) == 5574
    with pytest.raises(DataError, match="no download while grading"):
        data.load("stsb")
    assert capsys.readouterr() == ("", "")


def test_unknown_name():
    with pytest.raises(DataError) as error:
        data.load("sms_spma")
    assert str(error.value) == 'There is no data set "sms_spma". Did you mean sms_spam?'
    with pytest.raises(DataError, match=r"Did you mean wikitext2"):
        data.load("wikitext")
    with pytest.raises(DataError, match=r"There are: .*inbox, .*sms_spam"):
        data.load("zzz")


def test_missing_datasets_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "PLACES", (tmp_path / "a", tmp_path / "b"))
    with pytest.raises(DataError, match=r"no registry.toml in .* Reinstall"):
        registry.datasets_folder()


def test_every_entry_is_complete():
    for entry in registry.registry().values():
        assert all([entry.title, entry.home, entry.license, entry.citation]), entry.name
        assert callable(pkgutil.resolve_name(entry.reader)), entry.name
        card = (registry.datasets_folder() / "cards" / f"{entry.name}.md").read_text(encoding="utf-8")
        parts = re.findall(r"^\*\*(What|Who|How made|Rows|Licence|Known problems)\b", card, re.MULTILINE)
        assert {"What", "Who", "How made", "Rows", "Licence", "Known problems"} == set(parts), entry.name
        assert all(len(file.sha256) == 64 and file.bytes for file in entry.files)
        assert entry.bundled or all(file.sources for file in entry.files), f"{entry.name}: a file without address"


@pytest.mark.parametrize("name", data.names())
def test_every_set_loads_and_prints_its_card(monkeypatch, name):
    monkeypatch.setattr(fetch, "_get", lambda *args: (_ for _ in ()).throw(fetch.Unreachable("test")))
    try:
        card = repr(data.load(name))
    except DataError as error:
        if registry.find(name).bundled or "no network" not in str(error):  # a damaged file must fail
            raise
        pytest.skip(f"the set is to be downloaded: {error}")
    title, *lines = card.splitlines()
    assert title == registry.find(name).title
    assert [line.split()[0] for line in lines if line[2] != " "] == ["rows", "source", "licence"]
    assert all(len(line) <= 88 or len(line.split()) == 1 for line in lines), card  # a lone long address may stick out
    assert re.search(r"[1-9]", lines[0])


def test_a_notebook_shows_one_line():
    assert DataError("This.", "That.")._render_traceback_() == ["DataError: This. That."]
    assert issubclass(DataError, CourseError)


def test_import_is_quick():
    """Nothing that only a download needs is imported with the package."""
    heavy = "{'pooch', 'requests', 'tqdm', 'sklearn', 'torch'}"
    code = f"import helpers.data, sys; print({heavy} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
