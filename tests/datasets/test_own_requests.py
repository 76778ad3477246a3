"""A user's own requests: both forms give the same words and tags, and what is wrong is refused by its line."""

import json
from pathlib import Path

import pytest

from core.datasets.requests.own_requests import OwnRequests
from core.errors import InvalidDocuments

ARTISTS = [f"artist {letter}" for letter in "abcdefghijklmnopqrstuvwxyzäöüßéè"]
TEXTS = [f"{verb} some {artist}" for verb in ("Play", "Stop") for artist in ARTISTS]


def of(path: Path) -> OwnRequests:
    return OwnRequests.parse({"source": str(path)})


def written(path: Path, lines: list[str]) -> OwnRequests:
    path.write_text("\n".join(lines), encoding="utf-8")
    return of(path)


def by_words(text: str) -> dict[str, object]:
    verb, some, first, second = text.split()
    return {"words": [verb, some, first, second], "slots": ["O", "O", "B-artist", "I-artist"], "intent": verb.lower()}


def by_spans(text: str) -> dict[str, object]:
    start = text.index("artist")
    return {"text": text, "slots": [{"start": start, "stop": len(text), "slot": "artist"}], "intent": text[:4].lower()}


def by_lines(text: str) -> list[str]:
    verb, some, first, second = text.split()
    return [f"# intent: {verb.lower()}", f"{verb}\tO", f"{some} O", f"{first} x B-artist", f"{second} I-artist", ""]


def test_both_forms_give_the_same_requests(tmp_path: Path) -> None:
    tagged = written(tmp_path / "a.bio", [line for text in TEXTS for line in by_lines(text)])
    read = tagged.load()
    for form in (by_words, by_spans):
        assert written(tmp_path / "a.jsonl", [json.dumps(form(text)) for text in TEXTS]).load() == read
    assert (read.words[0], read.slots[0]) == (("play", "some", "artist", "a"), ("O", "O", "B-artist", "I-artist"))
    assert set(read.intents) == {"play", "stop"} and len(read.of("train")) == 52
    assert tagged.summary() == "64 requests: 52 for train, 6 for validation, 6 for test; 2 intents, 1 kind of slots."
    (tmp_path / "parts").mkdir()
    (tmp_path / "a.bio").rename(tmp_path / "parts" / "a.txt")
    assert of(tmp_path / "parts").load() == read


def test_files_may_say_what_a_request_is_for(tmp_path: Path) -> None:
    subsets = ["train", "train", "Test", "validation"]
    rows = [{**by_words(text), "subset": subsets[row % 4]} for row, text in enumerate(TEXTS)]
    data = written(tmp_path / "a.jsonl", [json.dumps(row) for row in rows])
    assert data.load().subsets[:4] == ("train", "train", "test", "validation")
    key = data.key
    del rows[5]["subset"]
    with pytest.raises(InvalidDocuments, match=r"Line 6 of a\.jsonl names no subset, as others do"):
        written(tmp_path / "a.jsonl", [json.dumps(row) for row in rows]).load()
    assert of(tmp_path / "a.jsonl").key != key
    none = [{**by_words(text), "subset": "train"} for text in TEXTS]
    with pytest.raises(InvalidDocuments, match=r"a\.jsonl holds no requests for validation"):
        written(tmp_path / "a.jsonl", [json.dumps(row) for row in none]).load()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("{", "Line 3 of a.jsonl is no JSON"),
        ("[1]", "must be an object with words and slots"),
        ('{"word": []}', "must be an object .* It has word"),
        ('{"words": ["a"], "slots": [], "intent": "x"}', "0 tags for 1 words"),
        ('{"words": [], "slots": [], "intent": "x"}', "1 to 200 words. It has 0"),
        ('{"words": ["a", " "], "slots": ["O", "O"], "intent": "x"}', "an empty word"),
        ('{"words": ["a"], "slots": ["I-b"], "intent": "x"}', "It has 'I-b' as tag 1"),
        ('{"words": ["a"], "slots": ["O"]}', "has no intent"),
        ('{"words": ["a"], "slots": ["O"], "intent": 3}', "intent and subset as texts"),
        ('{"words": ["a"], "slots": ["O"], "intent": "x", "subset": "tset"}', "Did you mean 'test'"),
        ('{"text": "abc", "slots": [{"start": 1, "stop": 9, "slot": "x"}], "intent": "x"}', "within its 3 characters"),
        (
            '{"text": "abcd", "slots": [{"start": 0, "stop": 3, "slot": "x"}, {"start": 1, "stop": 2, "slot": "y"}], '
            '"intent": "x"}',
            "slots that do not overlap. 'x' and 'y' share 'b'; give one of them",
        ),
    ],
)
def test_what_is_wrong_is_refused_by_its_line(tmp_path: Path, wrong: str, says: str) -> None:
    lines = [json.dumps(by_words(text)) for text in TEXTS]
    with pytest.raises(InvalidDocuments, match=says):
        written(tmp_path / "a.jsonl", [*lines[:2], wrong, *lines[2:]]).load()


def test_tags_that_lack_or_break_are_refused_by_their_line(tmp_path: Path) -> None:
    lines = [line for text in TEXTS for line in by_lines(text)]
    with pytest.raises(InvalidDocuments, match=r"Line 2 of a\.bio must be a word and its tag\. It is 'Play'"):
        written(tmp_path / "a.bio", [lines[0], "Play", *lines[2:]]).load()
    with pytest.raises(InvalidDocuments, match=r"The request in line 1 of a\.bio has no intent"):
        written(tmp_path / "a.bio", lines[1:]).load()
    with pytest.raises(InvalidDocuments, match=r"holds 1 requests\. There must be 50"):
        written(tmp_path / "a.bio", lines[:6]).load()
    with pytest.raises(InvalidDocuments, match="no file of requests"):
        written(tmp_path / "a.pdf", lines).load()
    with pytest.raises(InvalidDocuments, match="Set 'source'"):
        OwnRequests().load()
