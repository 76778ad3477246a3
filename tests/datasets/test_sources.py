"""Downloads, digests, archives and the commands on data, against a loopback server."""

import errno
import hashlib
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.datasets.dictionaries import common_words
from core.datasets.dictionaries.common_words import CommonWords
from core.errors import DataCorrupt, DataUnavailable, StoreFull, StoreReadOnly, UnknownPart
from core.sources import Archive, Bundled, Files, Pinned, archive, check, downloads, fetch, read, status
from core.sources.records import tree_digest
from core.text.contents import Words
from tests.datasets.loopback import Server, tar

CONTENT = b"".join(b"%s %d\n" % (word, 5) for word in (b"the", b"of", b"don't", b"and", b"3")) * 400
TREE = {"box/a.txt": b"first", "box/deep/b.txt": b"second"}


def pinned(path: str, content: bytes) -> Pinned:
    return Pinned(path, len(content), hashlib.sha256(content).hexdigest())


def files(*named: tuple[str, bytes]) -> Files:
    return Files("things", "http://127.0.0.1:9/", "a test", tuple(pinned(*one) for one in named))


FILES = files(("in/words.txt", CONTENT))
ARCHIVE = Archive("things", "http://127.0.0.1:9/", "a test", "things.tar.gz", 1000, ("box",), 2, tree_digest(TREE))


@pytest.fixture
def mirror(server: Server, home: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setenv("TELLTALE_MIRROR", server.url)
    server.files["/things/in/words.txt"] = CONTENT
    server.files["/things/things.tar.gz"] = tar({f"top-1/{path}": content for path, content in TREE.items()})
    return server


def left_behind(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "data").rglob("*") if path.is_file())


def test_a_file_is_downloaded_once_and_then_read_from_the_cache(mirror: Server, home: Path) -> None:
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert mirror.requests == [("/things/in/words.txt", None)]
    assert left_behind(home) == ["words.txt"]


def test_the_named_folder_comes_before_cache_and_network(
    mirror: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "given" / "things" / "in" / "words.txt"
    file.parent.mkdir(parents=True)
    file.write_bytes(CONTENT)
    monkeypatch.setenv("TELLTALE_DATA", str(tmp_path / "given"))
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert mirror.requests == []
    file.write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(DataCorrupt, match=r"things/in/words\.txt .*given.*Expected SHA-256 .*, found"):
        read(FILES)
    assert file.exists()


@pytest.mark.parametrize("served", [CONTENT[:-1] + b"!", CONTENT[:100], CONTENT + b"more", b""])
def test_a_tampered_or_truncated_download_is_refused_by_name_and_removed(
    mirror: Server, home: Path, served: bytes
) -> None:
    mirror.files["/things/in/words.txt"] = served
    with pytest.raises(DataCorrupt) as caught:
        read(FILES)
    message = str(caught.value)
    assert "things/in/words.txt" in message
    assert FILES.pinned[0].sha256 in message
    assert left_behind(home) == []
    mirror.files["/things/in/words.txt"] = CONTENT
    assert read(FILES) == {"in/words.txt": CONTENT}


def test_a_web_page_in_place_of_the_file_is_refused(mirror: Server, home: Path) -> None:
    mirror.behaviour = "portal"
    with pytest.raises(DataCorrupt, match=r"words\.txt"):
        read(FILES)
    assert left_behind(home) == []


@pytest.mark.parametrize(("behaviour", "reason"), [("fails", "500"), ("always breaks", "broke")])
def test_a_server_that_fails_leaves_a_message_that_says_what_to_do(mirror: Server, behaviour: str, reason: str) -> None:
    mirror.behaviour = behaviour
    with pytest.raises(DataUnavailable, match=reason) as caught:
        read(FILES, dataset="words")
    message = str(caught.value)
    assert "'words'" in message
    assert "TELLTALE_DATA" in message
    assert "python -m core data fetch words" in message
    assert "127.0.0.1" not in message
    assert len(mirror.requests) == 3


def test_a_file_the_server_lacks_is_not_asked_for_twice(mirror: Server) -> None:
    del mirror.files["/things/in/words.txt"]
    with pytest.raises(DataUnavailable, match="404"):
        read(FILES)
    assert len(mirror.requests) == 1


def test_no_network(home: Path) -> None:
    with pytest.raises(DataUnavailable, match="no connection"):
        read(FILES)
    assert left_behind(home) == []


def test_a_mirror_that_is_no_address(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLTALE_MIRROR", "not an address")
    with pytest.raises(DataUnavailable, match="TELLTALE_MIRROR is no http address"):
        read(FILES)


def test_a_broken_connection_goes_on_where_it_broke(mirror: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "_CHUNK", 100)
    mirror.behaviour = "breaks once"
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert mirror.requests[1] == ("/things/in/words.txt", f"bytes={len(CONTENT) // 2}-")


def test_a_later_process_goes_on_where_an_earlier_one_was_killed(mirror: Server, home: Path) -> None:
    part = home / "data" / "things" / "in" / "words.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT[:1000])
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert mirror.requests == [("/things/in/words.txt", "bytes=1000-")]
    assert left_behind(home) == ["words.txt"]


@pytest.mark.parametrize("start", [b"wrong from the beginning", CONTENT, CONTENT + b"too long"])
def test_a_bad_start_is_downloaded_anew(mirror: Server, home: Path, start: bytes) -> None:
    part = home / "data" / "things" / "in" / "words.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(start)
    assert read(FILES) == {"in/words.txt": CONTENT}
    assert left_behind(home) == ["words.txt"]


def test_a_server_without_ranges_sends_all_again(mirror: Server, home: Path) -> None:
    mirror.behaviour = "ignores ranges"
    part = home / "data" / "things" / "in" / "words.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT[:1000])
    assert read(FILES) == {"in/words.txt": CONTENT}


def test_a_flipped_byte_in_the_cache_is_downloaded_again(
    mirror: Server, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(FILES)
    cached = home / "data" / "things" / "in" / "words.txt"
    for damage in (b"?" + CONTENT[1:], CONTENT[:50]):
        cached.write_bytes(damage)
        assert read(FILES) == {"in/words.txt": CONTENT}
        assert cached.read_bytes() == CONTENT
    cached.write_bytes(b"?" + CONTENT[1:])
    monkeypatch.setenv("TELLTALE_MIRROR", "http://127.0.0.1:9")
    with pytest.raises(DataCorrupt, match=r"words\.txt .*removed, but not replaced"):
        read(FILES)
    assert left_behind(home) == []


def test_an_archive_counts_by_its_tree_not_its_bytes(mirror: Server, home: Path) -> None:
    assert read(ARCHIVE) == TREE
    reordered = dict(sorted(TREE.items(), reverse=True))
    other = tar({"another-top/outside.txt": b"x"} | {f"another-top/{path}": reordered[path] for path in reordered})
    assert other != mirror.files["/things/things.tar.gz"]
    (home / "data" / "things" / "things.tar.gz").write_bytes(other)
    assert read(ARCHIVE) == TREE
    assert len(mirror.requests) == 1


@pytest.mark.parametrize(
    "served",
    [
        pytest.param(tar({"t/box/a.txt": b"first"}), id="a file less"),
        pytest.param(tar({"t/box/a.txt": b"first", "t/box/deep/b.txt": b"changed"}), id="a file changed"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE} | {"t/box/c": b""}), id="a file more"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE})[:-30], id="truncated"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE}, "bz2"), id="not gzip"),
        pytest.param(b"<html></html>", id="a web page"),
        pytest.param(b"", id="nothing"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE} | {"t/../../evil": b"x"}), id="upwards"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE} | {"/etc/evil": b"x"}), id="absolute"),
        pytest.param(tar({f"t/{path}": TREE[path] for path in TREE}, links=(("t/box/l", "/etc/passwd"),)), id="link"),
    ],
)
def test_a_bad_archive_is_refused_and_removed(mirror: Server, home: Path, served: bytes) -> None:
    mirror.files["/things/things.tar.gz"] = served
    with pytest.raises(DataCorrupt, match=r"things/things\.tar\.gz"):
        read(ARCHIVE)
    assert left_behind(home) == []
    assert not list(home.parent.rglob("evil"))


def test_an_archive_that_unpacks_to_too_much_is_refused(mirror: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_LIMIT", 1000)
    with pytest.raises(DataCorrupt, match="unpacks to more than"):
        read(ARCHIVE)


def _read_in_a_process(_: int) -> int:
    return len(read(FILES)["in/words.txt"])


def test_two_processes_download_once(mirror: Server) -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_read_in_a_process, range(2), chunksize=1) == [len(CONTENT)] * 2
    assert len(mirror.requests) == 1


def test_a_home_that_cannot_be_written(mirror: Server, home: Path) -> None:
    home.write_text("a file where the folder should be")
    with pytest.raises(StoreReadOnly, match="TELLTALE_HOME"):
        read(FILES)


@pytest.mark.parametrize(
    ("number", "expected"), [(errno.ENOSPC, StoreFull), (errno.EDQUOT, StoreFull), (errno.EROFS, StoreReadOnly)]
)
def test_a_full_disk_leaves_nothing_half_written(
    mirror: Server, home: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: type[Exception]
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(expected, match="TELLTALE_HOME"):
        read(FILES)
    assert left_behind(home) == []


def test_the_pin_changes_with_any_digest() -> None:
    assert FILES.pin == replace(FILES, url="elsewhere").pin
    assert FILES.pin != files(("in/words.txt", CONTENT + b"!")).pin
    assert ARCHIVE.pin != replace(ARCHIVE, tree_sha256="0" * 64).pin


def test_a_package_that_is_not_there(home: Path) -> None:
    source = Bundled("things", "", "a test", (pinned("x", b""),), package="no_such_package", folder="data")
    with pytest.raises(DataUnavailable, match="pip install --force-reinstall no_such_package"):
        read(source)


@pytest.fixture
def words(mirror: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Let the list of common words be a small one that the mirror serves."""
    source = replace(FILES, name="common_words")
    monkeypatch.setattr(common_words, "LIST", source)
    monkeypatch.setattr(CommonWords, "pinned", (source,))
    mirror.files["/common_words/in/words.txt"] = CONTENT
    return mirror


def test_fetch_status_and_check(words: Server, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert [file.state for file in status("common_words")] == ["missing"]
    assert [file.state for file in check("common_words")] == ["missing"]
    assert [file.state for file in fetch("common_words")] == ["verified"]
    out, err = capfd.readouterr()
    assert out == ""
    assert "common_words/words.txt: 100%" in err
    assert fetch("common_words", progress=False)[0].path == home / "data" / "common_words" / "in" / "words.txt"
    assert capfd.readouterr().err == ""
    assert [file.state for file in status("common_words")] == ["present"]
    assert [file.state for file in check("common_words")] == ["verified"]
    assert CommonWords().load() == Words(("the", "of", "and"))
    cached = home / "data" / "common_words" / "in" / "words.txt"
    cached.write_bytes(CONTENT[:-1])
    (damaged,) = check("common_words")
    assert damaged.state == "corrupt"
    assert "common_words/in/words.txt" in damaged.problem
    assert cached.exists()


def test_bundled_files_are_found_without_importing_their_package(home: Path) -> None:
    assert [file.state for file in check("wikipedia_excerpt")] == ["verified"]
    assert [file.state for file in fetch("lee_news")] == ["verified"]
    assert status("documents") == ()


def test_an_unknown_dataset_is_named_with_the_nearest(home: Path) -> None:
    with pytest.raises(UnknownPart, match="Did you mean 'enron_spam'"):
        fetch("enron_spamm")
