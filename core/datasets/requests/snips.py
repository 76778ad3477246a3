"""Snips: written requests to a voice assistant, with seven intents and slots."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.runtime.seeding import generator
from core.sources import Source, on_github, read
from core.sources.annotated import Request, Span, json_of, utterances
from core.text.contents import Utterances

REQUESTS = on_github(
    "snips",
    "sonos/nlu-benchmark@b86ac7f1577868c42158d0dec77db50956046696",
    "2017-06-custom-intent-engines/",
    """
    fee1b4645352e70ed8a40f1f87c3b53fc3bf75f8ebc82252a22b82c107e75b01 833_810
        AddToPlaylist/train_AddToPlaylist_full.json
    14cc9ee49ae477b1452632a6e835498cf4c32da397b16967c82abb3e50403e83 44_160
        AddToPlaylist/validate_AddToPlaylist.json
    7677e82cd6e9a8191f0a4502568c786278c984900b4796d3628e46f1abf73ef4 980_018
        BookRestaurant/train_BookRestaurant_full.json
    4f7258ccc768b777b2eb8916532db9aa50dbd058ddf1ffb0dc59218963e7442a 49_353
        BookRestaurant/validate_BookRestaurant.json
    86f414b2ad8a993134d85d16e25e5d337beae47cef993c0af2a5f440405c60f6 743_646 GetWeather/train_GetWeather_full.json
    60c095e193655d6ca92be220fed3926ca25e18cd70c85664145efe25d80993af 39_612 GetWeather/validate_GetWeather.json
    901ddbe9781d1fdb8196e789c543f80df3d29ca6e237da64947905adcc0312e4 675_343 PlayMusic/train_PlayMusic_full.json
    922212775e26259d5bffeaf79b6048d070ca017d229df00b2cc9800f71c75d20 33_122 PlayMusic/validate_PlayMusic.json
    bb43e4b74134300d5766f6b420d0357a63402987a225f6dc92c806c9c040ce04 506_364 RateBook/train_RateBook_full.json
    c1f8b4114da0bb5e8afd78a8062766e18b2eabb0e717539598db01b09d04619b 52_854 RateBook/validate_RateBook.json
    87b3432de48c71c205aa5238b41d9e3f2d70bdfcd0bea2427544fb9e4bd5e5bb 292_392
        SearchCreativeWork/train_SearchCreativeWork_full.json
    8a5e830eddb185d3e4a9d27ded140a145d04766bdce0e58834676ede32d13e77 31_404
        SearchCreativeWork/validate_SearchCreativeWork.json
    5447e9440c02e2fb08c3ae16b9f58a4d1332b4bc77fd34691402b02aa4399765 364_989
        SearchScreeningEvent/train_SearchScreeningEvent_full.json
    81e1445713e03c7c3e615353c5f3fee05f369fe9834100b9b9735900a96b9498 35_716
        SearchScreeningEvent/validate_SearchScreeningEvent.json
    """,
)

VALIDATION = 700
"""Training utterances held out for validation, as many as in most work on Snips."""


class Snips(Dataset):
    """Requests to a voice assistant: 7 intents, 39 slot types; 13,084 for training, 700 each for validation and test.

    The published validation files are the test subset, as in most work on this collection. The 700 requests for
    validation are drawn from the others here, because no list is published. Words are those of
    `core.sources.annotated.split`, with full stops and question marks. Repeated requests are kept.

    Source: A. Coucke et al. Snips Voice Platform: an embedded Spoken Language Understanding system for
    private-by-design voice interfaces. arXiv:1805.10190, 2018. Split: C. Goo et al. Slot-Gated Modeling for Joint
    Slot Filling and Intent Prediction. NAACL 2018. Use: Parikh et al. 2022, section 4.3.
    """

    title: ClassVar[str] = "Snips voice requests"
    pinned: ClassVar[tuple[Source, ...]] = (REQUESTS,)
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

    def load(self) -> Utterances:
        """Return the utterances in the order of the files, those for testing last."""
        train: list[Request] = []
        test: list[Request] = []
        for path, content in read(REQUESTS).items():
            file = PurePosixPath(path)
            subset = train if file.name.startswith("train_") else test
            subset += _requests(file.name, content, file.parent.name)
        return utterances(REQUESTS.name, train, test, VALIDATION, generator(0, REQUESTS.name))


def _requests(name: str, content: bytes, intent: str) -> Iterator[Request]:
    """Yield the requests of one file."""
    records = json_of(name, _text(name, content))
    if not isinstance(records, dict) or list(records) != [intent] or not isinstance(records[intent], list):
        raise DataCorrupt(f"{name} must be {{{intent!r}: [...]}}. It is {str(records)[:80]!r}.")
    for number, record in enumerate(records[intent], 1):
        match record:
            case {"data": [*pieces]} if all(_is_piece(piece) for piece in pieces):
                yield _request(pieces, intent)
            case _:
                raise DataCorrupt(
                    f"Record {number} of {name} must be {{'data': [...]}} with a text and at most an entity in each "
                    f"piece. It is {str(record)[:80]!r}."
                )


def _text(name: str, content: bytes) -> str:
    """Return a file's text; one file writes an emoji as two surrogates, which UTF-8 does not allow."""
    try:
        return content.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise DataCorrupt(f"{name} must be UTF-8. It is not: {error.reason}.") from None


def _is_piece(piece: Any) -> bool:
    match piece:
        case {"text": str(), "entity": str(entity)}:
            return bool(entity)
        case {"text": str(), **fields}:
            return "entity" not in fields
        case _:
            return False


def _request(pieces: list[dict[str, str]], intent: str) -> Request:
    text, spans = "", []
    for piece in pieces:
        start, text = len(text), text + piece["text"]
        if "entity" in piece:
            spans.append(Span(start, len(text), piece["entity"]))
    return Request(text, intent, tuple(spans))
