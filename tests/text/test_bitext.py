"""Sentences written in one way, each once, whatever the collection they are from."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.bitext import ROLES, Bitext, Role, Subcorpus, prepared
from core.text.tokenisation import tokenised

ONE, TWO, FOREIGN = Subcorpus("one", "One"), Subcorpus("two", "Two", "private"), Subcorpus("far", "Far", "foreign")
TRICKY = st.text("aBßİ1 .,'’-–—\"“»&;#39amplqot\u0301\u093f\xad…!%:/\u200b\x84\x85\t\n`n’t$()", max_size=30)
SENTENCES = st.lists(st.sampled_from(["a", "A", "b", "b c", "C", "ß", "SS", " ", "d e f g"]), max_size=3).map(" ".join)
CORPORA = st.fixed_dictionaries(
    {subcorpus: st.lists(st.tuples(SENTENCES, SENTENCES), max_size=12) for subcorpus in (FOREIGN, ONE, TWO)}
)


def sides(bitext: Bitext) -> list[tuple[str, str, str]]:
    return [
        (bitext.corpora[number].name, source, target)
        for number, source, target in zip(bitext.corpus, bitext.sources, bitext.targets, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        (" \xa0\u200b\t", ""),
        ("Hallo, Welt!", "Hallo , Welt !"),
        ("Hallo , Welt !", "Hallo , Welt !"),
        ("„Ja“, sagte er. »Nein«", '" Ja " , sagte er . " Nein "'),
        ("``Yes'' and ‘no’", "\" Yes \" and ' no '"),
        ("\x84Ja\x93 \x96 gut\x85", '" Ja " - gut ...'),
        ("it’s don`t O'Neil dogs'", "it's don't O'Neil dogs '"),
        ("I do n't , it 's I 'm we 'll", "I don't , it's I'm we'll"),
        ("say 's' now", "say ' s ' now"),
        ("wait…  or. . . ....", "wait ... or ..."),
        ("a – b — c -- d e—f g--h", "a - b - c - d e - f g - h"),
        ("2010–2012 well\u2011known", "2010-2012 well-known"),
        ("Rot- und Blau-, Grün-", "Rot- und Blau- , Grün -"),
        ("3,50 1.000 7:30 1, 2: a,b a:b", "3,50 1.000 7:30 1 , 2 : a , b a : b"),
        ("z.B. the U.S. a.m. end.", "z.B. the U.S. a.m. end ."),
        ("50% $5 R&D &amp;amp; &quot;x&quot; &#38; &nope; A&B;", '50 % $ 5 R & D & " x " & & nope ; A & B ;'),
        ("use --force or -v, -5 of x-y", "use --force or - v , -5 of x-y"),
        ("Cafe\u0301 Za\xadhl हिन्दी", "Café Zahl हिन्दी"),
        ("STRASSE Straße", "STRASSE Straße"),
    ],
)
def test_a_sentence_is_written_in_one_way(text: str, words: str) -> None:
    assert tokenised(text) == words
    assert tokenised(words) == words


@given(text=TRICKY | st.text(max_size=30))
@settings(max_examples=150)
def test_what_is_written_so_stays(text: str) -> None:
    written = tokenised(text)
    assert tokenised(written) == written
    assert unicodedata.is_normalized("NFC", written)
    assert written == " ".join(written.split())
    assert all(character.isprintable() or unicodedata.category(character)[0] in "MC" for character in written)
    assert not set(written) & set("„“”«»’‘`–—…\xad\u200b\xa0")


@given(words=st.lists(st.sampled_from(["Haus", "3,5", "z.B.", ",", ".", "!", "it's", "(", "-", '"']), max_size=8))
def test_spaces_around_marks_make_no_difference(words: list[str]) -> None:
    text = " ".join(words)
    assert tokenised(text.replace(" ,", ",").replace(" !", "!").replace("( ", "(")) == tokenised(text)


def test_each_sentence_stands_once_and_foreign_ones_lose() -> None:
    kept = prepared(
        {
            FOREIGN: [("Hallo Welt", "far away"), ("neu", "new"), ("a b c d", "long")],
            ONE: [("Hallo , Welt", "hello"), ("HALLO, Welt", "other"), ("hier", "Hello"), ("hello", "hallo, welt")],
            TWO: [("", "x"), ("x", " "), ("hier", "here"), ("Hallo Welt", "hi")],
        },
        longest=3,
    )
    # A word that is a source may be a target; "hallo, welt" stands on each side once.
    assert sides(kept) == [
        ("one", "Hallo , Welt", "hello"),
        ("one", "hello", "hallo , welt"),
        ("two", "hier", "here"),
        ("two", "Hallo Welt", "hi"),
        ("far", "neu", "new"),
    ]
    assert kept.corpora == (FOREIGN, ONE, TWO)


def test_no_more_than_asked_for_are_kept_or_read() -> None:
    def endless() -> object:
        number = 0
        while True:
            yield f"w{number // 2}", f"v{number}"
            number += 1

    most: dict[Role, int] = {"shared": 3, "foreign": 0}
    kept = prepared({ONE: endless(), TWO: [("a", "b"), ("c", "d")], FOREIGN: [("e", "f")]}, 5, most)  # type: ignore[dict-item]
    assert sides(kept) == [
        *(("one", f"w{number}", f"v{2 * number}") for number in range(3)),
        ("two", "a", "b"),
        ("two", "c", "d"),
    ]
    assert len(prepared({}, 5)) == len(prepared({ONE: []}, 5)) == 0


@given(corpora=CORPORA, longest=st.integers(1, 4), most=st.dictionaries(st.sampled_from(ROLES), st.integers(0, 4)))
@settings(deadline=None)
def test_what_is_prepared_is_unique_on_either_side_and_misses_nothing(
    corpora: dict[Subcorpus, list[tuple[str, str]]], longest: int, most: dict[Role, int]
) -> None:
    bitext = prepared(corpora, longest, most)
    for side in (bitext.sources, bitext.targets):
        assert len({sentence.casefold() for sentence in side}) == len(bitext)
        assert all(1 <= len(sentence.split()) <= longest for sentence in side)
    kept = sides(bitext)
    for subcorpus, pairs in corpora.items():
        count = sum(name == subcorpus.name for name, _, _ in kept)
        assert count <= most.get(subcorpus.role, len(pairs))
        if count == most.get(subcorpus.role):
            continue
        for source, target in (tuple(map(tokenised, pair)) for pair in pairs):
            usable = all(1 <= len(side.split()) <= longest for side in (source, target))
            assert not usable or any(
                source.casefold() == other.casefold() or target.casefold() == translation.casefold()
                for _, other, translation in kept
            )
    again = {subcorpus: [(s, t) for name, s, t in kept if name == subcorpus.name] for subcorpus in corpora}
    assert sides(prepared(again, longest, most)) == kept


@given(corpora=CORPORA, more=st.lists(st.tuples(SENTENCES, SENTENCES), max_size=12))
@settings(deadline=None)
def test_foreign_sentences_take_none_from_the_others(
    corpora: dict[Subcorpus, list[tuple[str, str]]], more: list[tuple[str, str]]
) -> None:
    plain, fuller = prepared(corpora, 4), prepared({**corpora, FOREIGN: more}, 4)
    assert [pair for pair in sides(plain) if pair[0] != "far"] == [pair for pair in sides(fuller) if pair[0] != "far"]
