"""Snips: requests of seven kinds to a voice assistant, written by people, with their slots."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.runtime.seeding import generator
from core.sources import Files, Pinned, Source, read
from core.sources.annotated import Request, Span, json_of, utterances
from core.text.contents import Utterances

REQUESTS = Files(
    name="snips",
    url="https://raw.githubusercontent.com/sonos/nlu-benchmark/b86ac7f1577868c42158d0dec77db50956046696/",
    origin="the GitHub repository sonos/nlu-benchmark",
    pinned=(
        Pinned(
            "2017-06-custom-intent-engines/AddToPlaylist/train_AddToPlaylist_full.json",
            833_810,
            "fee1b4645352e70ed8a40f1f87c3b53fc3bf75f8ebc82252a22b82c107e75b01",
        ),
        Pinned(
            "2017-06-custom-intent-engines/AddToPlaylist/validate_AddToPlaylist.json",
            44_160,
            "14cc9ee49ae477b1452632a6e835498cf4c32da397b16967c82abb3e50403e83",
        ),
        Pinned(
            "2017-06-custom-intent-engines/BookRestaurant/train_BookRestaurant_full.json",
            980_018,
            "7677e82cd6e9a8191f0a4502568c786278c984900b4796d3628e46f1abf73ef4",
        ),
        Pinned(
            "2017-06-custom-intent-engines/BookRestaurant/validate_BookRestaurant.json",
            49_353,
            "4f7258ccc768b777b2eb8916532db9aa50dbd058ddf1ffb0dc59218963e7442a",
        ),
        Pinned(
            "2017-06-custom-intent-engines/GetWeather/train_GetWeather_full.json",
            743_646,
            "86f414b2ad8a993134d85d16e25e5d337beae47cef993c0af2a5f440405c60f6",
        ),
        Pinned(
            "2017-06-custom-intent-engines/GetWeather/validate_GetWeather.json",
            39_612,
            "60c095e193655d6ca92be220fed3926ca25e18cd70c85664145efe25d80993af",
        ),
        Pinned(
            "2017-06-custom-intent-engines/PlayMusic/train_PlayMusic_full.json",
            675_343,
            "901ddbe9781d1fdb8196e789c543f80df3d29ca6e237da64947905adcc0312e4",
        ),
        Pinned(
            "2017-06-custom-intent-engines/PlayMusic/validate_PlayMusic.json",
            33_122,
            "922212775e26259d5bffeaf79b6048d070ca017d229df00b2cc9800f71c75d20",
        ),
        Pinned(
            "2017-06-custom-intent-engines/RateBook/train_RateBook_full.json",
            506_364,
            "bb43e4b74134300d5766f6b420d0357a63402987a225f6dc92c806c9c040ce04",
        ),
        Pinned(
            "2017-06-custom-intent-engines/RateBook/validate_RateBook.json",
            52_854,
            "c1f8b4114da0bb5e8afd78a8062766e18b2eabb0e717539598db01b09d04619b",
        ),
        Pinned(
            "2017-06-custom-intent-engines/SearchCreativeWork/train_SearchCreativeWork_full.json",
            292_392,
            "87b3432de48c71c205aa5238b41d9e3f2d70bdfcd0bea2427544fb9e4bd5e5bb",
        ),
        Pinned(
            "2017-06-custom-intent-engines/SearchCreativeWork/validate_SearchCreativeWork.json",
            31_404,
            "8a5e830eddb185d3e4a9d27ded140a145d04766bdce0e58834676ede32d13e77",
        ),
        Pinned(
            "2017-06-custom-intent-engines/SearchScreeningEvent/train_SearchScreeningEvent_full.json",
            364_989,
            "5447e9440c02e2fb08c3ae16b9f58a4d1332b4bc77fd34691402b02aa4399765",
        ),
        Pinned(
            "2017-06-custom-intent-engines/SearchScreeningEvent/validate_SearchScreeningEvent.json",
            35_716,
            "81e1445713e03c7c3e615353c5f3fee05f369fe9834100b9b9735900a96b9498",
        ),
    ),
)

VALIDATION = 700
"""Utterances held out of those to train on, as many as in the division that most work on Snips uses."""


class Snips(Dataset):
    """Requests to a voice assistant: seven intents, 39 slot types; 13,084 to train on, 700 to validate, 700 to test.

    The published validation files are the test part, as in most work on this collection. Which 700 of the others are
    held out for validation is not said there; they are drawn here. Words are those of `core.sources.annotated.split`,
    stops and question marks among them. A request that was written several times stays in all its places.

    Source: A. Coucke et al. Snips Voice Platform: an embedded Spoken Language Understanding system for
    private-by-design voice interfaces. arXiv:1805.10190, 2018. Division: C. Goo et al. Slot-Gated Modeling for Joint
    Slot Filling and Intent Prediction. NAACL 2018. Use: Parikh et al. 2022, section 4.3.
    """

    title: ClassVar[str] = "Snips voice requests"
    card: ClassVar[Card] = Card(
        summary="14,484 requests to a voice assistant: 7 intents such as playing music, and 39 types of slots.",
        licence="CC0-1.0",
        citation=(
            "A. Coucke, A. Saade, A. Ball, T. Bluche, A. Caulier, D. Leroy, C. Doumouro, T. Gisselbrecht, "
            "F. Caltagirone, T. Lavril, M. Primet, J. Dureau (2018). Snips Voice Platform: an embedded Spoken Language "
            "Understanding system for private-by-design voice interfaces. arXiv:1805.10190."
        ),
        homepage="https://github.com/sonos/nlu-benchmark",
    )
    holds: ClassVar[type] = Utterances

    def sources(self) -> tuple[Source, ...]:
        """Return two files an intent."""
        return (REQUESTS,)

    def load(self) -> Utterances:
        """Return the utterances in the order of the files, those to test on last.

        Raises:
            DataCorrupt: A file is not of the form expected.
        """
        train: list[Request] = []
        test: list[Request] = []
        for path, content in read(REQUESTS).items():
            place = PurePosixPath(path)
            found = train if place.name.startswith("train_") else test
            found += _requests(place.name, content, place.parent.name)
        return utterances(REQUESTS.name, train, test, VALIDATION, generator(0, REQUESTS.name))


def _requests(name: str, content: bytes, intent: str) -> Iterator[Request]:
    """Yield the requests of one file.

    Raises:
        DataCorrupt: The file, or a record of it, is not of the form expected.
    """
    found = json_of(name, _text(name, content))
    if not isinstance(found, dict) or list(found) != [intent] or not isinstance(found[intent], list):
        raise DataCorrupt(f"{name} must be {{{intent!r}: [...]}}. It is {str(found)[:80]!r}.")
    for number, record in enumerate(found[intent], 1):
        match record:
            case {"data": [*pieces]} if all(_is_piece(piece) for piece in pieces):
                yield _request(pieces, intent)
            case _:
                raise DataCorrupt(
                    f"Record {number} of {name} must be {{'data': [...]}} with a text and at most an entity in each "
                    f"piece. It is {str(record)[:80]!r}."
                )


def _text(name: str, content: bytes) -> str:
    """Return a file's text; in one of them a pizza is written as two surrogates, which UTF-8 does not allow.

    Raises:
        DataCorrupt: It is no UTF-8 but for such pairs.
    """
    try:
        return content.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise DataCorrupt(f"{name} must be UTF-8. It is not: {error.reason}.") from None


def _is_piece(piece: Any) -> bool:
    match piece:
        case {"text": str(), "entity": str(entity)}:
            return bool(entity)
        case {"text": str(), **rest}:
            return "entity" not in rest
        case _:
            return False


def _request(pieces: list[dict[str, str]], intent: str) -> Request:
    text, spans = "", []
    for piece in pieces:
        start, text = len(text), text + piece["text"]
        if "entity" in piece:
            spans.append(Span(start, len(text), piece["entity"]))
    return Request(text, intent, tuple(spans))
