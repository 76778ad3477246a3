"""The user's own requests to an assistant, with intents and slots: files that stay where they are."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.datasets import Card, Dataset
from core.errors import InvalidDocuments, cell_in_words, suggestion
from core.runtime.seeding import generator
from core.sources import user_files
from core.sources.annotated import Span, overlapping, tagged
from core.spec import path_parameter
from core.text.contents import SUBSETS, Utterances, misplaced

ENDINGS = (".jsonl", ".bio", ".iob", ".conll", ".txt")
"""Endings of the files that are read: lines of JSON, and all others as a word and its tag a line."""
FEWEST = 50
"""Requests without which no experiment makes sense."""
MOST = 200_000
LONGEST = 200
"""Words that a request may have."""
_HELD_OUT = 0.1
"""Share of requests for validation, and for testing, where files do not say so."""


@dataclass(frozen=True)
class _Request:
    """One request, and where it stands."""

    words: tuple[str, ...]
    slots: tuple[str, ...]
    intent: str
    subset: str
    place: str


class OwnRequests(Dataset):
    """Requests to an assistant of your own, with an intent each and a tag a word, copied nowhere.

    Lines of JSON (``.jsonl``) hold a request each: ``words`` with a tag each in ``slots`` (``O`` outside slots,
    ``B-artist`` where an artist begins, ``I-artist`` where it continues), or a ``text`` with ``slots`` as spans
    (``{"start": 5, "stop": 10, "slot": "artist"}``, ``stop`` exclusive); and its ``intent``. Any other file (``.bio``,
    ``.iob``, ``.conll``, ``.txt``) holds a word and its tag a line, with an empty line between requests, and the intent
    of a request in a line ``# intent: play`` before it. A ``subset`` (``train``, ``validation``, ``test``; a line ``#
    subset: test``) may say what a request is for; where none does, a tenth each is drawn for validation and for
    testing. Words are read in lower case. A folder is read file by file. Texts are UTF-8, or else Windows-1252.
    """

    title: ClassVar[str] = "Your own requests"
    card: ClassVar[Card] = Card.own(
        "Requests to an assistant of yours, with intents and slots: JSON lines, or a word and its tag a line."
    )
    holds: ClassVar[type] = Utterances

    source: str = path_parameter(
        "",
        "Path of a .jsonl file, of one with a word and its tag a line (.bio, .iob, .conll, .txt), or of a folder of "
        "such files, where Telltale runs.",
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the content of the files as it is now, wherever they lie."""
        return user_files.by_content(super().identity(), lambda: user_files.content_of(self._files()))

    def load(self) -> Utterances:
        """Return the requests in the order of the files.

        Raises:
            InvalidDocuments: The files cannot be read as requests; the message says where and why.
        """
        requests = [request for file in self._files() for request in _requests(file)]
        name = Path(self.source).name
        if not FEWEST <= len(requests) <= MOST:
            raise InvalidDocuments(f"{name} holds {len(requests):,} requests. There must be {FEWEST} to {MOST:,}.")
        subsets = _subsets(requests, name)
        return Utterances(
            tuple(request.words for request in requests),
            tuple(request.slots for request in requests),
            tuple(request.intent for request in requests),
            subsets,
        )

    def summary(self) -> str:
        """Return what is read, as a sentence.

        Raises:
            InvalidDocuments: As for `load`.
        """
        read = self.load()
        slots = {tag[2:] for tags in read.slots for tag in tags if tag != "O"}
        parts = ", ".join(f"{len(read.of(subset)):,} for {subset}" for subset in SUBSETS)
        intents = len(set(read.intents))
        return (
            f"{len(read):,} requests: {parts}; {intents:,} intent{'s' * (intents != 1)}, {len(slots):,} "
            f"kind{'s' * (len(slots) != 1)} of slots."
        )

    def _files(self) -> list[Path]:
        if not self.source.strip():
            raise InvalidDocuments("No requests are given. Set 'source' to a .jsonl or .bio file.")
        path = user_files.located(self.source)
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        files = [file for file in files if file.is_file() and file.name.lower().endswith(ENDINGS)]
        if not files:
            raise InvalidDocuments(f"{path.name} is no file of requests, and no folder of such ({', '.join(ENDINGS)}).")
        user_files.check_size(path.name, sum(user_files.size_of(file) for file in files))
        return files


def _requests(file: Path) -> Iterator[_Request]:
    """Yield the requests of a file, with words, tags that can follow each other, and an intent."""
    lines = user_files.decoded(file).splitlines()
    read = _of_json if file.name.lower().endswith(".jsonl") else _of_tags
    for request in read(lines, file.name):
        if not request.words or len(request.words) > LONGEST:
            raise InvalidDocuments(
                f"{request.place} must be a request of 1 to {LONGEST} words. It has {len(request.words):,}."
            )
        if len(request.words) != len(request.slots):
            raise InvalidDocuments(
                f"{request.place} has {len(request.slots)} tags for {len(request.words)} words. Give each word one, O "
                "outside slots."
            )
        if (position := misplaced(request.slots)) is not None:
            raise InvalidDocuments(
                f"{request.place} must have O, B-x, or I-x after B-x or I-x. It has {request.slots[position][:60]!r} "
                f"as tag {position + 1}."
            )
        if not request.intent:
            raise InvalidDocuments(f"{request.place} has no intent. Name one, such as 'play'.")
        if request.subset not in ("", *SUBSETS):
            raise InvalidDocuments(
                f"{request.place}: no subset is named {request.subset[:60]!r}.{suggestion(request.subset, SUBSETS)}"
            )
        yield request


def _of_json(lines: list[str], name: str) -> Iterator[_Request]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"Line {number} of {name}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidDocuments(f"{where} is no JSON: {error}.") from None
        match record:
            case {"words": [*words], "slots": [*slots]} if all(isinstance(each, str) for each in (*words, *slots)):
                tokens = (tuple(word.lower().strip() for word in words), tuple(slots))
                if not all(tokens[0]):
                    raise InvalidDocuments(f"{where} has an empty word.")
            case {"text": str(text), **others} if isinstance(spans := others.get("slots", []), list):
                tokens = tagged(text, _spans(spans, text, where))
            case _:
                known = f" It has {', '.join(map(str, record))[:100]}." if isinstance(record, dict) else ""
                raise InvalidDocuments(
                    f"{where} must be an object with words and slots, a tag a word, or with a text and slots as spans."
                    f"{known}"
                )
        fields = {field: record.get(field, "") for field in ("intent", "subset")}
        if not all(isinstance(value, str) for value in fields.values()):
            raise InvalidDocuments(f"{where} must name intent and subset as texts.")
        yield _Request(*tokens, fields["intent"].strip(), fields["subset"].strip().lower(), where)


def _spans(values: list[Any], text: str, where: str) -> list[Span]:
    spans = [_span(value, len(text), where) for value in values]
    if shared := overlapping(spans):
        first, second = shared
        raise InvalidDocuments(
            f"{where} must have slots that do not overlap. {first.slot!r} and {second.slot!r} share "
            f"{text[second.start : min(first.stop, second.stop)][:80]!r}; give one of them."
        )
    return spans


def _span(span: Any, length: int, where: str) -> Span:
    match span:
        case {"start": int(start), "stop": int(stop), "slot": str(slot)} if 0 <= start < stop <= length and slot:
            return Span(start, stop, slot)
    raise InvalidDocuments(
        f"{where} must have slots such as {{'start': 5, 'stop': 10, 'slot': 'artist'}} within its {length:,} "
        f"characters. It has {str(span)[:80]}."
    )


def _of_tags(lines: list[str], name: str) -> Iterator[_Request]:
    words: list[str] = []
    slots: list[str] = []
    comments: dict[str, str] = {}
    start = 0
    for number, line in enumerate([*lines, ""], 1):
        if not line.strip():
            if words:
                yield _Request(
                    tuple(words), tuple(slots), comments.get("intent", ""), comments.get("subset", ""), _at(start, name)
                )
                words, slots, comments = [], [], {}
            continue
        if line.startswith("#") and not words and (sign := next((sign for sign in ":=" if sign in line), "")):
            field, _, value = line[1:].partition(sign)
            comments[field.strip().lower()] = value.strip()
            continue
        word, *others = line.split()
        if not others:
            raise InvalidDocuments(
                f"Line {number} of {name} must be a word and its tag. It is {cell_in_words(line.strip())}."
            )
        start = number if not words else start
        words.append(word.lower())
        slots.append(others[-1])


def _at(line: int, name: str) -> str:
    return f"The request in line {line} of {name}"


def _subsets(requests: list[_Request], name: str) -> tuple[str, ...]:
    """Return what each request is for; where none says so, a tenth each is drawn for validation and testing."""
    named = [request.subset for request in requests]
    if not any(named):
        count = max(round(_HELD_OUT * len(requests)), 1)
        order = generator(0, "own requests").permutation(len(requests))
        drawn = np.full(len(requests), SUBSETS[0], dtype=object)
        drawn[order[:count]], drawn[order[count : 2 * count]] = SUBSETS[1:]
        return tuple(drawn.tolist())
    if without := [request.place for request in requests if not request.subset]:
        raise InvalidDocuments(f"{without[0]} names no subset, as others do. Name one for each request, or for none.")
    counts: Mapping[str, int] = {subset: named.count(subset) for subset in SUBSETS}
    if missing := [subset for subset, count in counts.items() if not count]:
        raise InvalidDocuments(f"{name} holds no requests for {missing[0]}. Name some, or name no subsets at all.")
    return tuple(named)
