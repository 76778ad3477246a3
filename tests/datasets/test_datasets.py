"""What holds for every dataset, and the known content of each."""

import hashlib
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.datasets import Dataset
from core.datasets.dictionaries.common_words import CommonWords
from core.datasets.lee_news import LeeNews
from core.datasets.mail import enron_mailboxes
from core.datasets.mail.enron import Enron
from core.datasets.mail.enron_mailboxes import EnronMailboxes
from core.datasets.mail.enron_mailboxes import _text as mailbox_text
from core.datasets.mail.enron_spam import PEOPLE, EnronSpam
from core.datasets.mail.r_mailing_lists import RMailingLists
from core.datasets.wikipedia_excerpt import WikipediaExcerpt, plain_text
from core.datasets.wikipedia_people import WikipediaPeople
from core.datasets.wikitext2 import Wikitext2, _paragraphs
from core.errors import DataUnavailable
from core.registry import parts
from core.sources import Bundled
from core.text.contents import Documents, Words
from core.text.corpus import words_of
from tests.datasets.loopback import needs

EVERY: tuple[Any, ...] = parts("dataset")
PINNED = [dataset for dataset in EVERY if dataset().sources()]


def content_digest(documents: Documents) -> str:
    """Return what changes with any text, owner or order."""
    return hashlib.sha256(repr((documents.texts, documents.owners)).encode()).hexdigest()[:16]


def mean_words(documents: Documents) -> float:
    return float(np.mean([len(words_of(text)) for text in documents.texts]))


@pytest.mark.parametrize("dataset", EVERY, ids=lambda dataset: dataset.part_name())
def test_every_dataset_says_what_it_is(dataset: type[Dataset]) -> None:
    assert dataset.title
    assert dataset.card.summary.endswith(".")
    assert dataset.card.licence
    assert dataset.card.citation
    assert dataset.load is not Dataset.load
    assert dataset.card.offline or dataset().sources()
    for source in dataset().sources():
        assert dataset.card.homepage.startswith("https://")
        assert isinstance(source, Bundled) == dataset.card.offline
        for file in source.files:
            assert len(file.sha256) == 64
            assert file.size > 0


@pytest.mark.parametrize("dataset", PINNED, ids=lambda dataset: dataset.part_name())
def test_the_key_holds_the_pins(dataset: type[Dataset]) -> None:
    assert dataset().identity()["pins"] == [source.pin for source in dataset().sources()]


@pytest.mark.parametrize(
    "dataset", [one for one in PINNED if not one.card.offline], ids=lambda dataset: dataset.part_name()
)
def test_without_files_and_network_the_message_says_what_to_do(dataset: type[Dataset], home: Path) -> None:
    with pytest.raises(DataUnavailable, match=r"python -m core data fetch .*TELLTALE_DATA"):
        dataset().load()


def test_declaring_datasets_imports_nothing_heavy_and_the_excerpt_needs_no_gensim(home: Path) -> None:
    code = (
        "import sys; from core.registry import parts; parts('dataset'); "
        "assert not {'gensim', 'torch', 'pandas', 'pooch', 'pyarrow', 'requests'} & set(sys.modules); "
        "from core.datasets.wikipedia_excerpt import WikipediaExcerpt as W; W().load(); W().load(); "
        "assert 'gensim' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_excerpt_is_clean_text_of_106articles(home: Path) -> None:
    loaded = WikipediaExcerpt().load()
    assert content_digest(loaded) == "dc25e19248ba9d83", "raise the dataset's version when its documents change"
    assert len(set(loaded.owners)) == 106
    assert loaded.owners[0] == "Anarchism"
    assert loaded.texts[0].startswith("Anarchism is a political philosophy that advocates self-governed societies")
    assert 130 < mean_words(loaded) < 170
    joined = "\n".join(loaded.texts)
    for markup in ("[[", "]]", "{{", "}}", "<ref", "{|", "'''", "&nbsp;", "|-"):
        assert joined.count(markup) < 10, markup
    assert all(words_of(text) for text in loaded.texts)


def test_the_excerpt_tells_people_apart() -> None:
    plain, labelled = WikipediaExcerpt().load(), WikipediaPeople().load()
    assert (labelled.texts, labelled.owners) == (plain.texts, plain.owners)
    people = {owner for owner, label in zip(labelled.owners, labelled.labels, strict=True) if label == "person"}
    assert len(people) == 11
    assert {"Aristotle", "Ayn Rand"} <= people
    assert labelled.labels.count("person") == 441


def test_markup_inside_markup() -> None:
    markup = (
        "{{Box|{{x}}|[[y]]}}\n[[File:a.jpg|thumb|A [[cat]] and a [http://x dog].]]'''Cats''' are [[animal]]s "
        "([http://example.org source]).<ref name=a/>\n{| class=x\n|-\n| 1 || {|\n| 2\n|}\n|}\n* a &amp; b\n"
        "==References==\n* gone"
    )
    assert plain_text(markup) == ["Cats are animals (source).", "a & b"]


def test_the_news_corpus(home: Path) -> None:
    loaded = LeeNews().load()
    assert content_digest(loaded) == "91510335908961f3", "raise the dataset's version when its documents change"
    assert len(loaded) == 300
    assert loaded.owners == ()
    once = LeeNews(near_copies="left out").load()
    assert len(once) == 289, "the card says so"
    assert set(once.texts) < set(loaded.texts)


def test_wikitext_paragraphs_and_their_article() -> None:
    line = " A well @-@ known <unk> of 1 @,@ 000 " + "words " * 25 + ". "
    text = f" \n = Robert <unk> Boulter = \n \n{line}\n = = Career = = \n short \n{line}\n = Other = \n{line}\n"
    paragraphs = list(_paragraphs(text))
    assert [article for _, article in paragraphs] == ["Robert Boulter", "Robert Boulter", "Other"]
    assert paragraphs[0][0].startswith("A well-known of 1,000 words words")


def test_a_mailbox_file_loses_the_proposed_subjects() -> None:
    content = "Lunch is at noon.\nSee you.\n\n@subject\nRe: lunch\n\n@ann0\nnoon\n\n@ann1\nfood"
    assert mailbox_text(content) == "lunch\nLunch is at noon.\nSee you."


@needs("common_words")
def test_the_common_words(real_home: Path) -> None:
    words = CommonWords().load()
    assert words.words[:3] == ("you", "i", "the")
    assert len(words.words) == len(set(words.words)) == 46_968
    assert all(words_of(word) == [word] for word in words.words)
    smaller = CommonWords(size=1000).load()
    assert smaller == Words(words.words[: len(smaller.words)])


@needs("wikitext2")
def test_wikitext2(real_home: Path) -> None:
    loaded = Wikitext2().load()
    assert content_digest(loaded) == "91de794c220bd733", "raise the dataset's version when its documents change"
    assert "<unk>" not in "".join(loaded.texts)


@needs("enron_spam", "enron_spam_1")
def test_the_first_part_is_the_same_either_way(real_home: Path) -> None:
    loaded = EnronSpam(near_copies="kept").load()
    assert content_digest(loaded) == "959c141395f09745", "raise the dataset's version when its documents change"
    assert set(loaded.owners) == set(PEOPLE.values())
    quick = EnronSpam(parts="first", near_copies="kept").load()
    assert len(quick) == 3672
    farmer = [number for number, owner in enumerate(loaded.owners) if owner == "farmer-d"]
    assert quick == loaded.select(farmer)


@needs("enron_spam_1")
def test_spam_stands_beside_ham(real_home: Path) -> None:
    both, ham, spam = (
        EnronSpam(parts="first", label=label, near_copies="kept").load() for label in ("both", "ham", "spam")
    )
    assert len(both) == len(ham) + len(spam)
    assert set(spam.owners) == {"spam"}
    assert (set(ham.labels), set(spam.labels)) == ({"ham"}, {"spam"})
    assert both.labels.count("spam") == len(spam)
    assert min(ham.dates) == "1999-12-10" and len(ham.dates) == len(ham)


@needs("enron_mailboxes")
def test_the_mailboxes(real_home: Path) -> None:
    loaded = EnronMailboxes().load()
    assert content_digest(loaded) == "48e78bd88c605284", "raise the dataset's version when its documents change"
    assert len(loaded) == 18_302
    assert len(EnronMailboxes(near_copies="left out").load()) == 16_062, "the card says so"
    assert len(set(loaded.owners)) == 145
    assert "@ann" not in "".join(loaded.texts)
    sent, received = (EnronMailboxes(folder=folder).load() for folder in ("sent", "inbox"))
    assert round(len(received) / len(loaded), 2) == 0.57, "the page says so"
    assert sorted((*sent.texts, *received.texts)) == sorted(loaded.texts)
    assert sum(count >= 100 for count in Counter(sent.owners).values()) == 21


def test_sent_mail_is_the_owners_and_an_inbox_is_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "x/allen-p_inbox_3.subject": b"Lunch at noon?\n\n@subject\nRe: lunch\n\n@ann0\nfood\n",
        "y/allen-p_sent_1.subject": b"Yes, at noon.\n\n@subject\nlunch\n",
        "y/arnold-j_sent_9.subject": b"Sold.\n\n@subject\ngas\n",
    }
    monkeypatch.setattr(enron_mailboxes, "read", lambda source: files)
    monkeypatch.setattr(enron_mailboxes, "remembered", lambda name, parse: parse())
    read = {folder: EnronMailboxes(folder=folder).load() for folder in ("all", "sent", "inbox")}
    assert read["all"].owners == ("allen-p", "allen-p", "arnold-j")
    assert read["sent"].owners == ("allen-p", "arnold-j") and read["sent"].texts[0] == "lunch\nYes, at noon."
    assert read["inbox"].texts == ("lunch\nLunch at noon?",)
    assert EnronMailboxes().key == "07b0a78d60231efc", "results from before there was a choice keep their keys"
    assert len({EnronMailboxes(folder=folder).key for folder in read}) == 3
    cut = EnronMailboxes(fewest=4, beginning=3).load()
    assert cut.texts == ("lunch\nLunch at", "lunch\nYes, at") and cut.owners == ("allen-p", "allen-p")
    assert EnronMailboxes(beginning=3).key != EnronMailboxes(fewest=3).key


def test_what_is_sent_and_received_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = b"We meet at the door of the old station at nine.\n\n@subject\nlunch\n"
    files = {
        "x/allen-p_sent_1.subject": asked,
        "y/arnold-j_inbox_9.subject": asked.replace(b"nine.", b"nine. Bring the map, please."),
        "z/arnold-j_sent_1.subject": b"Sold all of it.\n\n@subject\ngas\n",
    }
    monkeypatch.setattr(enron_mailboxes, "read", lambda source: files)
    monkeypatch.setattr(enron_mailboxes, "remembered", lambda name, parse: parse())
    once = EnronMailboxes(near_copies="left out")
    assert len(EnronMailboxes().load()) == 3
    assert once.load().owners == ("arnold-j", "arnold-j"), "the longest copy is taken"
    assert once.key != EnronMailboxes().key


@needs("enron_spam", "enron_mailboxes")
def test_enron_holds_each_message_once(real_home: Path) -> None:
    loaded = Enron().load()
    assert content_digest(loaded) == "c7bc6228e66faf2c", "raise the dataset's version when its documents change"
    assert set(PEOPLE.values()) < set(loaded.owners)
    assert min(len(words_of(text)) for text in loaded.texts) >= 5
    exact = sorted(" ".join(words_of(text)) for text in loaded.texts)
    assert all(one != other for one, other in pairwise(exact))


@needs("r_mailing_lists")
def test_the_r_lists_name_nobody(real_home: Path) -> None:
    loaded = RMailingLists().load()
    assert content_digest(loaded) == "a9f9e58639c04076", "raise the dataset's version when its documents change"
    assert all(len(owner) == 64 and int(owner, 16) for owner in loaded.owners)
    assert not any(line.startswith(">") for text in loaded.texts for line in text.splitlines()[1:])
    assert min(loaded.dates) == "1997-04-01T08:35:48+00:00" and max(loaded.dates) < "2026-06"
    apart = RMailingLists(years="early and late").load()
    assert {date < "2001" or date >= "2015" for date in apart.dates} == {True}
    early = sum(date < "2001" for date in apart.dates)
    assert (early, len(apart) - early) == (4173, 4194), "about a quarter each of all 16,790"
    assert RMailingLists().key != RMailingLists(years="early and late").key
