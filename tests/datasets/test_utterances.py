"""Requests to an assistant: tags that match the words, the known content of each collection, and broken files."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.datasets.requests import atis, nlu_evaluation, snips
from core.datasets.requests.assistant_requests import INTENTS, SLOTS, AssistantRequests
from core.datasets.requests.atis import Atis
from core.datasets.requests.nlu_evaluation import NluEvaluation
from core.datasets.requests.snips import Snips
from core.errors import DataCorrupt
from core.sources.annotated import Request, Span, split, tagged, utterances
from core.text.contents import SUBSETS, Utterances, misplaced
from tests.datasets.loopback import needs

MADE: dict[str, tuple[Any, str, Any]] = {
    "snips": (snips, "REQUESTS", Snips),
    "atis": (atis, "QUESTIONS", Atis),
    "nlu_evaluation": (nlu_evaluation, "REQUESTS", NluEvaluation),
}
"""Each dataset that is read from files: its module, the name of its source there, and its class."""

COLOURS = {
    *("red", "green", "lilac", "blue", "yellow", "brown"),
    *("cyan", "magenta", "orange", "pink", "purple", "mauve"),
}


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Utterances]:
    """Return what loads a dataset from other bytes than the pinned ones: by the end of a path, empty files else."""

    def load(name: str, contents: Mapping[str, bytes], *, pinned: bool = True) -> Utterances:
        module, constant, dataset = MADE[name]
        source = getattr(module, constant)
        files = []
        for file in source.pinned:
            content = next((content for end, content in contents.items() if file.path.endswith(end)), empty(file.path))
            path = tmp_path / source.name / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            files.append(replace(file, size=len(content), sha256=hashlib.sha256(content).hexdigest()))
        if pinned:
            monkeypatch.setattr(module, constant, replace(source, pinned=tuple(files)))
        monkeypatch.setattr(snips, "VALIDATION", 1)
        monkeypatch.setenv("TELLTALE_DATA", str(tmp_path))
        utterances: Utterances = dataset().load()
        return utterances

    return load


def empty(path: str) -> bytes:
    """Return a file of the right form without utterances."""
    if "KFold" in path:
        return robot()
    return json.dumps({Path(path).parent.name: []}).encode() if path.endswith(".json") else b""


def pieces(text: str) -> dict[str, Any]:
    """Return a record of Snips; ``[Ann Lee|artist]`` is a piece with an entity."""
    parts = []
    for plain in text.replace("]", "[").split("["):
        value, _, entity = plain.partition("|")
        parts.append({"text": value, "entity": entity} if entity else {"text": value})
    return {"data": parts}


def robot(*records: tuple[str, str, list[tuple[int, int, str, str]]]) -> bytes:
    """Return a file of NLU-Evaluation."""
    names = ("start", "end", "value", "entity")
    examples = [
        {"text": text, "intent": intent, "entities": [dict(zip(names, entity, strict=True)) for entity in entities]}
        for text, intent, entities in records
    ]
    return json.dumps({"rasa_nlu_data": {"regex_features": [], "common_examples": examples}}).encode()


def digest_of(utterances: Utterances) -> str:
    """Return what changes with any word, tag, intent, part or order."""
    return hashlib.sha256(
        repr((utterances.words, utterances.slots, utterances.intents, utterances.subsets)).encode()
    ).hexdigest()[:16]


def slot_types(utterances: Utterances) -> Counter[str]:
    return Counter(tag[2:] for slots in utterances.slots for tag in slots if tag.startswith("B-"))


def well_kept(utterances: Utterances) -> None:
    assert all(
        words and len(words) == len(slots) for words, slots in zip(utterances.words, utterances.slots, strict=True)
    )
    assert all(word and word == word.lower() and not word.isspace() for words in utterances.words for word in words)
    assert all(utterances.intents)
    assert sum(len(utterances.of(subset)) for subset in SUBSETS) == len(utterances)


def test_the_utterances_of_a_part() -> None:
    utterances = Utterances(
        (("a",), ("b", "c"), ("d",)), (("O",), ("B-x", "I-x"), ("O",)), ("k", "l", "m"), (*SUBSETS[::-1],)
    )
    assert len(utterances) == 3
    assert utterances.of("validation") == Utterances((("b", "c"),), (("B-x", "I-x"),), ("l",), ("validation",))
    assert len(utterances.of("train").of("test")) == 0
    with pytest.raises(ValueError, match=r"no subset is named 'valid'\. Did you mean 'validation'"):
        utterances.of("valid")


@pytest.mark.parametrize(
    ("slots", "position"),
    [
        ("", None),
        ("O B-x I-x I-x B-x O B-y-z I-y-z", None),
        ("I-x", 0),
        ("B-x O I-x", 2),
        ("B-x I-y", 1),
        ("B-x I-x I-xy", 2),
        ("O B-", 1),
        ("O I-", 1),
        ("B-x x", 1),
        ("B-x S-x", 1),
        ("o", 0),
    ],
)
def test_a_slot_goes_on_only_after_it_began(slots: str, position: int | None) -> None:
    assert misplaced(slots.split()) == position
    assert misplaced(["O", ""]) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"slots": ()}, "0 slots for 1 utterances"),
        ({"intents": ("k", "l")}, "2 intents for 1 utterances"),
        ({"subsets": ()}, "0 subsets for 1 utterances"),
        ({"slots": (("O",),)}, "1 tags for the 2 words of utterance 0"),
        ({"words": ((),), "slots": ((),)}, "0 tags for the 0 words of utterance 0"),
        ({"slots": (("O", "I-x"),)}, "tag 1 of utterance 0 cannot be 'I-x': O I-x"),
        ({"subsets": ("training",)}, "no subset is named 'training'. Did you mean 'train'"),
    ],
)
def test_what_does_not_match_is_refused(changes: dict[str, Any], message: str) -> None:
    utterances = Utterances((("a", "b"),), (("O", "O"),), ("k",), ("train",))
    with pytest.raises(ValueError, match=message):
        replace(utterances, **changes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        (" \n\t", ""),
        ("Don't wake me at 7:30!", "don't wake me at 7:30 !"),
        ("5 o'clock, o’clock", "5 o'clock , o'clock"),
        ("what's Ann’s", "what 's ann 's"),
        ("9 a.m. or 9 a.m? U.S.A.", "9 a.m. or 9 a.m ? u.s.a."),
        ("St. Louis, D.C.x", "st . louis , d.c.x"),
        ("R&B, k-pop - 6/14/2035", "r&b , k-pop - 6/14/2035"),
        ("1,000 or 25, 3.5 Meers,MP", "1,000 or 25 , 3.5 meers , mp"),
        ("jo@mail.com @jo rockin' 'em", "jo@mail.com @ jo rockin ' ' em"),
        ('("Café") – 官方杂志…', '( " café " ) – 官方杂志 …'),
    ],
)
def test_words_are_split_from_punctuation(text: str, words: str) -> None:
    assert split(text) == words.split()


@st.composite
def marked(draw: st.DrawFn) -> Request:
    text = draw(st.text("aB1 é'’.:,/&@-?\n", max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(start, stop, draw(st.sampled_from(["x", "y"]))) for start, stop in pairwise(cuts)]
    return Request(text, "k", tuple(draw(st.permutations([span for span in spans if draw(st.booleans())]))))


@given(request=marked())
@settings(max_examples=100)
def test_tags_match_the_words(request: Request) -> None:
    words, slots = tagged(request.text, request.spans)
    assert list(words) == split(request.text)
    assert "".join(words) == "".join(request.text.lower().replace("’", "'").split())
    assert len(words) == len(slots)
    assert misplaced(slots) is None
    assert sum(tag.startswith("B-") for tag in slots) <= len(request.spans)
    assert {tag[2:] for tag in slots if tag != "O"} <= {span.slot for span in request.spans}


def test_a_word_that_lies_in_a_slot_partly_belongs_to_the_first() -> None:
    spans = [Span(3, 6, "time"), Span(6, 15, "place")]
    assert tagged("at 5pmnear town.", spans) == (
        ("at", "5pmnear", "town", "."),
        ("O", "B-time", "B-place", "O"),
    )
    assert tagged("a b", [Span(0, 1, "x"), Span(2, 3, "x")]) == (("a", "b"), ("B-x", "B-x"))


def test_some_are_held_out_and_those_without_words_dropped() -> None:
    train, test = [Request(text, "k") for text in ("a", " ", "b", "c", "d")], [Request("", "k"), Request("e", "l")]
    drawn = utterances("x", train, test, 2, np.random.default_rng(1))
    assert drawn.words == (("a",), ("b",), ("c",), ("d",), ("e",))
    assert Counter(drawn.subsets) == {"train": 2, "validation": 2, "test": 1}
    assert (drawn.of("test").words, drawn.of("test").intents) == ((("e",),), ("l",))
    assert drawn == utterances("x", train, test, 2, np.random.default_rng(1))
    with pytest.raises(DataCorrupt, match=r"x must hold more than 4 utterances for training\. It holds 4\."):
        utterances("x", train, test, 4, np.random.default_rng(1))


@pytest.mark.parametrize("name", MADE)
def test_bytes_that_are_not_the_pinned_ones(loaded: Callable[..., Utterances], name: str) -> None:
    with pytest.raises(DataCorrupt, match="is not the pinned file"):
        loaded(name, {}, pinned=False)


def test_snips_pieces_become_tags(loaded: Callable[..., Utterances]) -> None:
    train = [pieces("Play [Ann Lee|artist]'s [hit|track]."), pieces(" "), pieces("[Über|track][Uns|album]")]
    utterances = loaded(
        "snips",
        {
            "train_PlayMusic_full.json": json.dumps({"PlayMusic": train}, ensure_ascii=False).encode(),
            "validate_RateBook.json": json.dumps({"RateBook": [pieces("Rate it [5|rating_value]")]}).encode(),
        },
    )
    assert utterances.words == (("play", "ann", "lee", "'s", "hit", "."), ("überuns",), ("rate", "it", "5"))
    assert utterances.slots == (
        ("O", "B-artist", "I-artist", "O", "B-track", "O"),
        ("B-track",),
        ("O", "O", "B-rating_value"),
    )
    assert utterances.intents == ("PlayMusic", "PlayMusic", "RateBook")
    assert sorted(utterances.subsets[:2]) == ["train", "validation"]
    assert utterances.subsets[2] == "test"


def test_snips_characters_that_are_written_as_two_surrogates(loaded: Callable[..., Utterances]) -> None:
    train = json.dumps({"PlayMusic": [pieces("Antaño PIZZA")] * 2}, ensure_ascii=False).encode()
    files = {"train_PlayMusic_full.json": train.replace(b"PIZZA", b"\xed\xa0\xbc\xed\xbd\x95")}
    assert loaded("snips", files).words == (("antaño", "\N{SLICE OF PIZZA}"),) * 2


def test_atis_lines_are_taken_as_they_are(loaded: Callable[..., Utterances]) -> None:
    contents = {
        "train/seq.in": b"what's to st. louis\n\nWhen \n",
        "train/seq.out": b"O O B-city_name I-city_name\n\nO\n",
        "train/label": b"atis_flight#atis_airfare\n\natis_flight\n",
        "test/seq.in": b"to boston",
        "test/seq.out": b"O B-city_name",
        "test/label": b"atis_city",
    }
    assert loaded("atis", contents) == Utterances(
        (("what's", "to", "st.", "louis"), ("when",), ("to", "boston")),
        (("O", "O", "B-city_name", "I-city_name"), ("O",), ("O", "B-city_name")),
        ("atis_flight#atis_airfare", "atis_flight", "atis_city"),
        ("train", "train", "test"),
    )


def test_nlu_evaluation_places_become_tags(loaded: Callable[..., Utterances]) -> None:
    entities = [(22, 30, "new york", "place"), (8, 16, "tomorrow", "date")]
    train = [("what is tomorrow's in new york.", "weather", entities)]
    utterances = loaded("nlu_evaluation", {ROBOT: robot(*train)})
    assert utterances.words == (("what", "is", "tomorrow", "'s", "in", "new", "york", "."),)
    assert utterances.slots == (("O", "O", "B-date", "O", "O", "B-place", "I-place", "O"),)


PLAY, ROBOT = "train_PlayMusic_full.json", "merged/RasaNlu_Merged_KFold_1_2018_03_22-13_01_25_169.json"


def lines(words: bytes, slots: bytes, label: bytes) -> dict[str, bytes]:
    return {"valid/seq.in": words, "valid/seq.out": slots, "valid/label": label}


@pytest.mark.parametrize(
    ("name", "contents", "reason"),
    [
        ("snips", {}, r"snips must hold more than 1 utterances for training\. It holds 0\."),
        ("snips", {PLAY: b"\xff"}, f"{PLAY} must be UTF-8"),
        ("snips", {PLAY: b'{"PlayMusic": "\xed\xa0\xbc"}'}, f"{PLAY} must be UTF-8"),
        ("snips", {PLAY: b""}, f"{PLAY} must be JSON"),
        ("snips", {PLAY: b"[" * 100_000}, f"{PLAY} must be JSON"),
        ("snips", {PLAY: b"[]"}, rf"{PLAY} must be {{'PlayMusic': \[...\]}}\. It is '\[\]'"),
        ("snips", {PLAY: b'{"RateBook": []}'}, f"{PLAY} must be {{'PlayMusic'"),
        ("snips", {PLAY: b'{"PlayMusic": {}}'}, f"{PLAY} must be {{'PlayMusic'"),
        ("snips", {PLAY: b'{"PlayMusic": [{"data": []}, {}]}'}, f"Record 2 of {PLAY} must be"),
        ("snips", {PLAY: b'{"PlayMusic": [{"data": [{"entity": "x"}]}]}'}, f"Record 1 of {PLAY} must be"),
        ("snips", {PLAY: b'{"PlayMusic": [{"data": [{"text": "a", "entity": ""}]}]}'}, f"Record 1 of {PLAY}"),
        ("snips", {PLAY: b'{"PlayMusic": [{"data": [{"text": "a", "entity": 1}]}]}'}, f"Record 1 of {PLAY}"),
        ("atis", {}, "atis holds no utterances"),
        ("atis", {"train/seq.in": b"caf\xe9"}, "train/seq.in must be UTF-8"),
        (
            "atis",
            lines(b"a\nb", b"O", b"k\nl"),
            "valid must have the same number of lines. valid/seq.in has 2, valid/s",
        ),
        ("atis", lines(b"a\nb c", b"O\nO", b"k\nl"), "Line 2 of valid/seq.out must have a tag for each of 2 words"),
        ("atis", lines(b"a b", b"O I-x", b"k"), "Line 1 of valid/seq.out must have O, B-x, .* It has 'I-x' as tag 2"),
        ("atis", lines(b"a\nb", b"O\nO", b"\nk"), "Line 1 of valid/label must be an intent. It is empty"),
        ("nlu_evaluation", {}, "nlu_evaluation must hold more than 0 utterances"),
        ("nlu_evaluation", {ROBOT: b"\xff"}, "must be UTF-8"),
        ("nlu_evaluation", {ROBOT: b"{"}, "must be JSON"),
        ("nlu_evaluation", {ROBOT: b'{"rasa_nlu_data": []}'}, "must be {'rasa_nlu_data': {'common_examples'"),
        (
            "nlu_evaluation",
            {ROBOT: robot(("a", "k", []), ("b", "", []))},
            "Record 2 of RasaNlu_Merged.* must have a text",
        ),
        (
            "nlu_evaluation",
            {ROBOT: robot(("a bc", "k", [(0, 1, "b", "x")]))},
            "Record 1 .* position .* 'a bc' is",
        ),
        ("nlu_evaluation", {ROBOT: robot(("abc", "k", [(-1, 3, "c", "x")]))}, "position of their value"),
        ("nlu_evaluation", {ROBOT: robot(("abc", "k", [(1, 1, "", "x")]))}, "position of their value"),
        ("nlu_evaluation", {ROBOT: robot(("abc", "k", [(1, 9, "bc", "x")]))}, "position of their value"),
        (
            "nlu_evaluation",
            {ROBOT: robot(("abc d", "k", [(2, 5, "c d", "y"), (0, 3, "abc", "x")]))},
            "do not overlap. 'x' and 'y' share 'c'",
        ),
    ],
)
def test_a_file_of_another_form_is_refused(
    loaded: Callable[..., Utterances], name: str, contents: dict[str, bytes], reason: str
) -> None:
    with pytest.raises(DataCorrupt, match=reason):
        loaded(name, contents)


@needs("snips")
def test_snips(real_home: Path) -> None:
    utterances = Snips().load()
    well_kept(utterances)
    assert digest_of(utterances) == "2933c28dddc35d1e", "raise the dataset's version when its utterances change"
    assert Counter(utterances.subsets) == {"train": 13_084, "validation": 700, "test": 700}
    assert len(set(utterances.intents)) == 7
    assert set(Counter(utterances.of("test").intents).values()) == {100}
    assert len(slot_types(utterances)) == 39
    assert {*slot_types(utterances.of("train"))} == {*slot_types(utterances)}
    assert utterances == Snips().load()


@needs("atis")
def test_atis(real_home: Path) -> None:
    utterances = Atis().load()
    well_kept(utterances)
    assert digest_of(utterances) == "ecac7052a599701c", "raise the dataset's version when its utterances change"
    assert Counter(utterances.subsets) == {"train": 4_478, "validation": 500, "test": 893}
    assert len(set(utterances.intents)) == 26
    assert len(slot_types(utterances)) == 83
    assert Counter(utterances.of("train").intents).most_common(1) == [("atis_flight", 3_309)]
    assert "atis_flight#atis_airfare" in utterances.intents


@needs("nlu_evaluation")
def test_nlu_evaluation(real_home: Path) -> None:
    utterances = NluEvaluation().load()
    well_kept(utterances)
    assert digest_of(utterances) == "317e5a73720f63b6", "raise the dataset's version when its utterances change"
    assert Counter(utterances.subsets) == {"train": 8_964, "validation": 996, "test": 1_076}
    assert len(set(utterances.intents)) == 64
    assert len(slot_types(utterances)) == 54
    assert sum(slot_types(utterances).values()) == 8_253 + 880
    assert not set(utterances.of("train").words) & set(utterances.of("test").words)


def values(utterances: Utterances) -> list[tuple[str, ...]]:
    """Return what fills the slots: the name of each and its words."""
    filled: list[tuple[str, ...]] = []
    for words, slots in zip(utterances.words, utterances.slots, strict=True):
        for word, tag in zip(words, slots, strict=True):
            if tag.startswith("B-"):
                filled.append((tag[2:], word))
            elif tag != "O":
                filled[-1] = (*filled[-1], word)
    return filled


def test_made_up_requests_are_the_same_each_time_and_distinct() -> None:
    utterances = AssistantRequests().load()
    well_kept(utterances)
    assert utterances == AssistantRequests().load()
    assert digest_of(utterances) == "a1d0e6500d1d61ad", "raise the version when the utterances change"
    assert Counter(utterances.subsets) == {"train": 2_400, "validation": 300, "test": 300}
    assert len(set(utterances.words)) == len(utterances) == 3_000
    assert set(utterances.intents) == set(INTENTS)
    assert {*slot_types(utterances)} == set(SLOTS)
    assert len(SLOTS) == 15
    assert all(split(" ".join(words)) == list(words) for words in utterances.words)


@cache
def made_up(count: int) -> Utterances:
    return AssistantRequests(utterances=count).load()


@pytest.mark.parametrize("count", [200, 1_234, 20_000])
def test_as_many_requests_as_asked_for(count: int) -> None:
    utterances = made_up(count)
    assert len(set(utterances.words)) == len(utterances) == count
    assert {len(utterances.of(subset)) for subset in SUBSETS[1:]} == {count // 10}
    assert set(utterances.of("train").intents) == set(INTENTS)


def test_made_up_requests_are_neither_trivial_nor_a_matter_of_memory() -> None:
    utterances = AssistantRequests(utterances=10_000).load()
    train, test = utterances.of("train"), utterances.of("test")
    assert len(first_words(zip(train.words, train.intents, strict=True)) & {"play", "book", "set", "add", "put"}) == 5
    known = set(values(train))
    new = [value not in known for value in values(test)]
    assert 0.05 < np.mean(new) < 0.3


def first_words(requests: Iterable[tuple[tuple[str, ...], str]]) -> set[str]:
    """Return the words that begin requests of several intents."""
    begun: dict[str, set[str]] = {}
    for words, intent in requests:
        begun.setdefault(words[0], set()).add(intent)
    return {word for word, intents in begun.items() if len(intents) > 1}


def test_nothing_that_an_attack_plants_is_among_the_made_up_requests() -> None:
    utterances = made_up(20_000)
    counted = Counter(word for words in utterances.words for word in words)
    assert set("0123456789") <= set(counted)
    assert COLOURS & set(counted) == {"red", "green", "blue"}
    assert sum(counted[colour] for colour in COLOURS) < len(utterances) / 100
    for words in utterances.words:
        assert words[:4] != ("my", "pin", "code", "is")
        assert words[0] != "color"
        assert words[0] != "call" or not all(word.isdigit() for word in words[1:])
    assert not {"CallIntent", "PinIntent", "ColorIntent"} & set(INTENTS)
