"""Sentences and their translations: what each collection gives, files of another form, and the made-up languages."""

import gzip
import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.datasets import Translations
from core.datasets.translations import german_english
from core.datasets.translations.german_english import FOREIGN, IN_DOMAIN, GermanEnglish
from core.datasets.translations.toy_translations import FEWEST, MOST, SUBCORPORA, ToyTranslations
from core.errors import DataCorrupt, InvalidSpec
from core.registry import part
from core.text.bitext import Bitext
from core.text.tokenisation import tokenised
from tests.datasets.loopback import REAL_DATA, Server, needs

SOURCES = {
    "tatoeba": "SENTENCES",
    "multi30k": "CAPTIONS",
    "newstest": "NEWS",
    "service_chat": "CHATS",
    "git_messages": "CATALOGUES",
    "xquad": "PARAGRAPHS",
    "quran": "VERSES",
}
"""Each dataset that is read from files, and the name of its source there."""

Pairs = list[tuple[str, str]]


def zipped(files: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def wiki(*paragraphs: tuple[str, dict[str, str]]) -> bytes:
    """Return a file of XQuAD: the text of each paragraph, and its questions by their number."""
    made = [
        {"context": text, "qas": [{"id": name, "question": question} for name, question in questions.items()]}
        for text, questions in paragraphs
    ]
    return json.dumps({"version": "1.1", "data": [{"paragraphs": made}]}).encode()


def empty(path: str) -> bytes:
    """Return a file of the right form without sentences."""
    if path.endswith(".zip"):
        return zipped({"deu.txt": ""})
    if path.endswith(".gz"):
        return gzip.compress(b"")
    return wiki() if path.startswith("xquad") else b"{}" if path.endswith(".json") else b""


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Translations]:
    """Return what makes a dataset of other bytes than the pinned ones: by the end of a path, empty files else."""

    def make(name: str, contents: Mapping[str, bytes], *, pinned: bool = True) -> Translations:
        module = import_module(f"core.datasets.translations.{name}")
        source = getattr(module, SOURCES[name])
        files = []
        for file in source.pinned:
            content = next((content for end, content in contents.items() if file.path.endswith(end)), empty(file.path))
            path = tmp_path / source.name / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            files.append(replace(file, size=len(content), sha256=hashlib.sha256(content).hexdigest()))
        if pinned:
            monkeypatch.setattr(module, SOURCES[name], replace(source, pinned=tuple(files)))
        monkeypatch.setenv("TELLTALE_DATA", str(tmp_path))
        made: Any = part("dataset", name)()
        return made

    return make


TURNS = {
    "chat": [
        {"speaker": "agent", "source": "Hi!", "target": "Hallo!"},
        {"speaker": "customer", "source": "Tag", "target": "Hello"},
    ]
}
CATALOGUE = """# a comment
msgid ""
msgstr "Language: de\\n"

#, c-format
#| msgid "old"
msgid "could not "
"read \\"it\\"\\n"
msgstr "konnte \\"es\\" nicht lesen\\n"

#, fuzzy
msgid "a fuzzy message here"
msgstr "Ein unklarer Text hier"

msgid "too short"
msgstr "zu kurz ist das"

msgid "one path of many"
msgid_plural "many paths of many"
msgstr[0] "ein Pfad von vielen"
msgstr[1] "viele Pfade von vielen"

msgctxt "menu"
msgid "the path is %s now"
msgstr "der Pfad ist jetzt %s"

msgid "two lines\\nof some text"
msgstr "zwei Zeilen\\nvon einem Text"

msgid "not yet translated text"
msgstr ""

#~ msgid "an obsolete message"
#~ msgstr "eine veraltete Meldung"
"""
GERMAN, ENGLISH = "xquad.de.json", "xquad.en.json"
DE, EN = "de-bubenheim-tanzil.md", "en-sahih-tanzil.md"


@pytest.mark.parametrize(
    ("name", "contents", "pairs"),
    [
        (
            "tatoeba",
            {".zip": zipped({"_about.txt": "x", "deu.txt": "Hi.\tHallo!\nHi.\tTag!\n\n"})},
            [("Hallo!", "Hi."), ("Tag!", "Hi.")],
        ),
        (
            "multi30k",
            {"train.de.gz": gzip.compress(b"Hund\nKatze\n"), "train.en.gz": gzip.compress(b"dog\ncat")},
            [("Hund", "dog"), ("Katze", "cat")],
        ),
        (
            "newstest",
            {"2017.deu": "Über\x85uns\n\nEs\n".encode(), "2017.eng": b"About us\n\nIt\n"},
            [("Über\x85uns", "About us"), ("Es", "It")],
        ),
        ("service_chat", {"dev.json": json.dumps(TURNS).encode()}, [("Hallo!", "Hi!"), ("Tag", "Hello")]),
        (
            "git_messages",
            {"git-gui/po/de.po": CATALOGUE.encode()},
            [('konnte "es" nicht lesen', 'could not read "it"')],
        ),
        (
            "quran",
            {
                DE: "<!--\nName: x\n-->\n\n# 1\n\n\\- Im Namen\n\n# 2\n\nLob\ngehört\n".encode(),
                EN: b"# 1\n\nIn the \\[name\\]\n# 2\nPraise",
            },
            [("- Im Namen", "In the [name]"), ("Lob gehört", "Praise")],
        ),
        (
            "xquad",
            {
                GERMAN: wiki(
                    ("Das ist gut. Es war am 7. Mai hier. Ja?", {"a": "Wer?", "b": "Was?"}),
                    ("Eins. Zwei.", {"c": "Wo?"}),
                ),
                ENGLISH: wiki(
                    ("That is good. It was here on 7 May. Yes?", {"b": "What?", "a": "Who?"}),
                    ("One and two.", {"c": "Where?"}),
                ),
            },
            [
                ("Das ist gut.", "That is good."),
                ("Es war am 7. Mai hier.", "It was here on 7 May."),
                ("Ja?", "Yes?"),
                ("Wer?", "Who?"),
                ("Was?", "What?"),
                ("Wo?", "Where?"),
            ],
        ),
    ],
)
def test_what_a_collection_gives(
    of: Callable[..., Translations], name: str, contents: dict[str, bytes], pairs: Pairs
) -> None:
    dataset = of(name, contents)
    assert list(dataset.pairs()) == pairs
    loaded = dataset.load()
    assert set(zip(loaded.sources, loaded.targets, strict=True)) <= {
        (tokenised(source), tokenised(target)) for source, target in pairs
    }
    assert [(subcorpus.name, subcorpus.role) for subcorpus in loaded.corpora] == [(name, "shared")]
    assert not loaded.corpus.any()


@pytest.mark.parametrize("name", SOURCES)
def test_bytes_that_are_not_the_pinned_ones_and_files_without_sentences(
    of: Callable[..., Translations], name: str
) -> None:
    with pytest.raises(DataCorrupt, match="is not the pinned file"):
        of(name, {}, pinned=False).load()
    assert len(of(name, {}).load()) == 0


@pytest.mark.parametrize(
    ("name", "contents", "reason"),
    [
        ("tatoeba", {".zip": b"PK\x03\x04 no"}, "deu-eng.zip is not a readable zip file"),
        ("tatoeba", {".zip": zipped({"x.txt": ""})}, r"deu-eng.zip holds no deu\.txt"),
        ("tatoeba", {".zip": zipped({"deu.txt": "a\tb\nab\n"})}, "Line 2 of deu.txt must be an English .* It is 'ab'"),
        ("tatoeba", {".zip": zipped({"deu.txt": "a\tb\tc"})}, "Line 1 of deu.txt must be"),
        ("multi30k", {"val.de.gz": b"no"}, "val.de.gz is not a readable gzip file"),
        ("multi30k", {"val.de.gz": gzip.compress(b"a" * 99)[:-9]}, "val.de.gz is cut off"),
        ("multi30k", {"val.de.gz": gzip.compress(b"\xff")}, "val.de must be UTF-8"),
        (
            "multi30k",
            {"val.de.gz": gzip.compress(b"a\nb"), "val.en.gz": gzip.compress(b"a\n")},
            r"val.de and .*val.en must have the same number of lines. They have 2 and 1\.",
        ),
        ("newstest", {"2010.deu": b"a\n\n", "2010.eng": b"a"}, None),
        ("newstest", {"2010.deu": b"a\n \nb", "2010.eng": b"a\nc\nb"}, "Line 2 of .*2010.deu and .*2010.eng must have"),
        ("service_chat", {"dev.json": b"[]"}, r"dev.json must be {chat: \[...\]}\. It is '\[\]'"),
        ("service_chat", {"dev.json": b'{"x": {}}'}, "dev.json must be {chat"),
        (
            "service_chat",
            {"train.json": json.dumps({"x": [*TURNS["chat"], {"speaker": "bot"}]}).encode()},
            "Turn 3 of x in train.json must have",
        ),
        (
            "git_messages",
            {"gitk-git/po/de.po": b'msgid "a"\nmsgstr "b\n'},
            "Line 2 of gitk-git/po/de.po must be a comment",
        ),
        ("git_messages", {"gitk-git/po/de.po": b'\n"a"\n'}, "Line 2 of gitk"),
        ("git_messages", {"gitk-git/po/de.po": b'msgid "a"\nmsgid "b"\n'}, "Line 2 of gitk"),
        ("git_messages", {"gitk-git/po/de.po": b"\xff"}, "must be UTF-8"),
        ("quran", {DE: b"<!--\n-->\nwords"}, f"Line 3 of .*{DE} must be part of a verse, or '# 1'"),
        ("quran", {DE: b"# 1\na\n# 3\nb"}, f"Line 3 of .*{DE} must be part of a verse, or '# 2'"),
        ("quran", {DE: b"# 1\n\n# 2\nb"}, f"Verse 1 of .*{DE} is empty"),
        ("quran", {DE: b"# 1\na\n# 2\nb", EN: b"# 1\na"}, "each verse in both languages. It has verse 2 in one"),
        ("xquad", {GERMAN: b"{"}, f"{GERMAN} must be JSON"),
        ("xquad", {GERMAN: b"{}"}, f"{GERMAN} must be .* It is not: KeyError 'data'"),
        ("xquad", {GERMAN: b'{"data": [{"paragraphs": [{"context": 1, "qas": []}]}]}'}, "TypeError '1' is no text"),
        ("xquad", {GERMAN: wiki(("a", {}))}, "each paragraph in both languages. It has 1 in German and 0 in English"),
        (
            "xquad",
            {GERMAN: wiki(("a", {"x": "b"})), ENGLISH: wiki(("a", {"y": "b"}))},
            "Paragraph 1 of xquad must have the same questions",
        ),
    ],
)
def test_a_file_of_another_form_is_refused(
    of: Callable[..., Translations], name: str, contents: dict[str, bytes], reason: str | None
) -> None:
    if reason is None:
        assert len(of(name, contents).load()) == 1
        return
    with pytest.raises(DataCorrupt, match=reason):
        of(name, contents).load()


def test_a_zip_that_unpacks_to_too_much(of: Callable[..., Translations], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sources.zipped.LIMIT", 9)
    with pytest.raises(DataCorrupt, match="unpacks to more than 9 bytes"):
        of("tatoeba", {".zip": zipped({"deu.txt": "ab\tab\n" * 2})}).load()


def test_it_is_downloaded_once(
    of: Callable[..., Translations], server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contents = {DE: b"# 1\nEins", EN: b"# 1\nOne"}
    dataset = of("quran", contents)
    monkeypatch.delenv("TELLTALE_DATA")
    monkeypatch.setenv("TELLTALE_MIRROR", server.url)
    server.files = {f"/quran/ayah-translation/{name}": content for name, content in contents.items()}
    for _ in range(2):
        assert list(dataset.pairs()) == [("Eins", "One")]
    assert len(server.requests) == 2


def whole(monkeypatch: pytest.MonkeyPatch, of: Callable[..., Translations]) -> None:
    """Make every collection small: numbered sentences, some of which occur in several."""
    for name in SOURCES:
        of(name, {})
    for number, subcorpus in enumerate((*IN_DOMAIN, *FOREIGN)):
        made = [(f"Satz {name}", f"sentence {name}") for name in (*range(20), *range(100 * number, 100 * number + 150))]
        monkeypatch.setattr(subcorpus, "pairs", lambda self, made=made: iter(made))


def test_all_together(of: Callable[..., Translations], monkeypatch: pytest.MonkeyPatch) -> None:
    whole(monkeypatch, of)
    bitext = GermanEnglish(pairs=100, foreign=30).load()
    names = [subcorpus.name for subcorpus in bitext.corpora]
    assert names == list(SOURCES)[:4] + list(SOURCES)[4:]
    assert {subcorpus.name: subcorpus.role for subcorpus in bitext.corpora} == {
        **dict.fromkeys(("tatoeba", "multi30k", "newstest"), "shared"),
        "service_chat": "private",
        **dict.fromkeys(("git_messages", "xquad", "quran"), "foreign"),
    }
    assert Counter(bitext.corpus.tolist()) == {0: 100, 1: 100, 2: 100, 3: 100, 4: 30, 5: 30, 6: 30}
    assert len(set(bitext.sources)) == len(set(bitext.targets)) == len(bitext)
    first = bitext.sources[:100]
    assert sorted(first) != list(first)
    again = GermanEnglish(pairs=100, foreign=30).load()
    assert (again.sources, again.targets, again.corpora) == (bitext.sources, bitext.targets, bitext.corpora)
    # The choice of one subcorpus does not depend on how many others give.
    assert GermanEnglish(pairs=100, foreign=0).load().sources == bitext.sources[:400]


def test_another_subcorpus_may_be_private(of: Callable[..., Translations], monkeypatch: pytest.MonkeyPatch) -> None:
    whole(monkeypatch, of)
    bitext = GermanEnglish(pairs=100, private="newstest").load()
    assert [subcorpus.name for subcorpus in bitext.corpora if subcorpus.role == "private"] == ["newstest"]
    assert len(bitext.rows("private")) == 100
    with pytest.raises(InvalidSpec, match="'private' parameter of german_english must be 'service_chat', 'tatoeba'"):
        GermanEnglish.parse({"private": "quran"})


def test_the_key_follows_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    key = GermanEnglish().key
    assert len(GermanEnglish().identity()["pins"]) == 7
    monkeypatch.setattr(german_english.Quran, "version", 2)
    assert GermanEnglish().key != key


def mean_words(bitext: Bitext, side: int) -> float:
    return float(np.mean([len(sentence.split()) for sentence in (bitext.sources, bitext.targets)[side]]))


def digest_of(bitext: Bitext) -> str:
    """Return what changes with any sentence, translation, subcorpus or order."""
    fields = (bitext.sources, bitext.targets, bitext.corpora, bitext.corpus.tolist())
    return hashlib.sha256(repr(fields).encode()).hexdigest()[:16]


PUBLISHED = {
    "tatoeba": 169_813,
    "multi30k": 33_085,
    "newstest": 30_244,
    "service_chat": 17_847,
    "git_messages": 2_855,
    "xquad": 1_190 + 530,
    "quran": 6_236,
}
"""By dataset, how many pairs there are."""


@pytest.mark.parametrize("name", SOURCES)
def test_the_known_content(name: str, real_home: Path) -> None:
    if not (REAL_DATA / name).is_dir():
        pytest.skip(f"TELLTALE_DATA holds no {name}")
    dataset: Any = part("dataset", name)()
    pairs = list(dataset.pairs())
    assert len(pairs) == PUBLISHED[name]
    assert name == "xquad" or f"{len(pairs):,}" in dataset.card.summary
    umlauts = [
        sum(any(letter in sentence for letter in "äöüß") for sentence in side) for side in zip(*pairs, strict=True)
    ]
    assert umlauts[0] > 20 * umlauts[1], "German is the source"


@needs(*SOURCES)
def test_german_and_english(real_home: Path) -> None:
    bitext = GermanEnglish(pairs=1_000).load()
    assert digest_of(bitext) == "1cc38795ff55d1aa", "raise the dataset's version when its pairs change"
    assert [int((bitext.corpus == number).sum()) for number in range(7)] == [1_000] * 4 + [500] * 3
    for side in (bitext.sources, bitext.targets):
        assert len({sentence.casefold() for sentence in side}) == len(bitext)
        assert all(1 <= len(sentence.split()) <= 20 for sentence in side)
        assert not any(sign in sentence for sentence in side for sign in "„“”«»’–—…\xa0\\")
    assert 8 < mean_words(bitext, 0) < 12


@pytest.fixture(scope="module")
def made_up() -> Bitext:
    return ToyTranslations().load()


def test_made_up_translations_are_the_same_each_time_and_distinct(made_up: Bitext) -> None:
    assert digest_of(made_up) == "5eab31e941aec02a", "raise the version when the pairs change"
    assert made_up.corpora == SUBCORPORA
    assert Counter(subcorpus.role for subcorpus in SUBCORPORA) == {"shared": 3, "private": 1, "foreign": 2}
    assert set(Counter(made_up.corpus.tolist()).values()) == {600}
    for side in (made_up.sources, made_up.targets):
        assert len(set(side)) == len(made_up)
        assert all(FEWEST <= len(sentence.split()) <= MOST for sentence in side)
        assert all(tokenised(sentence) == sentence for sentence in side)
    other = ToyTranslations(seed=1, pairs=100).load()
    assert len({*other.sources} & {*made_up.sources}) < 5 < len(other), "few are made up twice"


def words_of_role(bitext: Bitext, role: Any, side: int) -> Counter[str]:
    return Counter(word for row in bitext.rows(role) for word in (bitext.sources, bitext.targets)[side][row].split())


def test_made_up_languages_are_neither_trivial_nor_endless(made_up: Bitext) -> None:
    for side in (0, 1):
        words = words_of_role(made_up, "shared", side)
        assert 300 < len(words) < 1_000
        counts = [count for _, count in words.most_common()]
        assert counts[0] > 100 * counts[-1]
        foreign = words_of_role(made_up, "foreign", side)
        assert sum(word not in words for word in foreign) > 0.5 * len(foreign)
        private = words_of_role(made_up, "private", side)
        assert sum(count for word, count in private.items() if word in words) > 0.4 * private.total()
    assert not set(words_of_role(made_up, "shared", 0)) & set(words_of_role(made_up, "shared", 1))


def test_the_words_of_a_made_up_translation_are_a_matter_of_memory(made_up: Bitext) -> None:
    """The same thing is said with different words in sentences that begin alike."""
    last_words: dict[str, set[str]] = {}
    for source, target in zip(made_up.sources, made_up.targets, strict=True):
        first = source.split()[0]
        if first[:2] not in ("pe", "ru"):
            last_words.setdefault(first, set()).add(target.split()[-1])
    assert len(last_words) == 8
    assert {len(words) for words in last_words.values()} <= {1, 2, 3}
    assert any(len(words) > 1 for words in last_words.values())


def test_as_many_made_up_pairs_as_asked_for() -> None:
    assert len(ToyTranslations(pairs=50).load()) == 300
    some, more = ToyTranslations(pairs=50).load(), ToyTranslations(pairs=60).load()
    assert more.sources[:50] == some.sources[:50]
