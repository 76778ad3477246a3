"""NLU-Evaluation: requests of 64 kinds to a home robot, written by people, with their slots."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.runtime.seeding import generator
from core.sources import Files, Pinned, Source, read
from core.sources.annotated import Request, Span, json_of, utterances
from core.sources.tables import text_of
from core.text.contents import Utterances

REQUESTS = Files(
    name="nlu_evaluation",
    url="https://raw.githubusercontent.com/xliuhw/NLU-Evaluation-Data/f6071b496b17d71e6eb43f543af0707f4ff30557/",
    origin="the GitHub repository xliuhw/NLU-Evaluation-Data",
    pinned=(
        Pinned(
            "CrossValidation/out4RasaReal/rasa_json_2018_03_22-13_01_25_169_80Train/CrossValidation/KFold_1/merged/RasaNlu_Merged_KFold_1_2018_03_22-13_01_25_169.json",
            2_501_775,
            "35b624b21309a7e4810f1d8c6346a2d6079929ff2581fda4a5f1f4311b5df7cf",
        ),
        Pinned(
            "CrossValidation/out4RasaReal/rasa_json_2018_03_22-13_01_25_169_80Train/CrossValidation/KFold_1/mergedTestset/RasaNluTestset_Merged_2018_03_22-13_01_25_169.json",
            269_226,
            "664a67b977ebb552303d8adc3661c0d3cf670a2e6c39e330c09d9b44900bfb54",
        ),
    ),
)

_HELD_OUT = 10
"""One in so many of the utterances to train on is held out for validation."""


class NluEvaluation(Dataset):
    """Requests to a home robot: 64 intents, 54 slot types; 8,964 to train on, 996 to validate, 1,076 to test.

    The first of the ten published divisions. It has no validation part; a tenth of those to train on is drawn here.
    Words are those of `core.sources.annotated.split`. A slot stands in the files as the places where it begins and
    ends and as the text between them; both agree everywhere, and a file where they do not, or where two slots share a
    character, is refused.

    Source: X. Liu, A. Eshghi, P. Swietojanski, V. Rieser. Benchmarking Natural Language Understanding Services for
    building Conversational Agents. IWSDS 2019. Use: Parikh et al. 2022, section 4.3.
    """

    title: ClassVar[str] = "Home robot requests"
    card: ClassVar[Card] = Card(
        summary="11,036 requests to a home robot: 64 intents such as setting an alarm, and 54 types of slots.",
        licence="CC-BY-4.0",
        citation=(
            "X. Liu, A. Eshghi, P. Swietojanski, V. Rieser (2019). Benchmarking Natural Language Understanding "
            "Services for building Conversational Agents. International Workshop on Spoken Dialogue Systems Technology."
        ),
        homepage="https://github.com/xliuhw/NLU-Evaluation-Data",
    )
    holds: ClassVar[type] = Utterances

    def sources(self) -> tuple[Source, ...]:
        """Return the requests to train and to test on."""
        return (REQUESTS,)

    def load(self) -> Utterances:
        """Return the utterances in the order of the files, those to test on last.

        Raises:
            DataCorrupt: A file is not of the form expected.
        """
        train, test = (list(_requests(PurePosixPath(path).name, file)) for path, file in read(REQUESTS).items())
        return utterances(REQUESTS.name, train, test, len(train) // _HELD_OUT, generator(0, REQUESTS.name))


def _requests(name: str, content: bytes) -> Iterator[Request]:
    """Yield the requests of one file.

    Raises:
        DataCorrupt: The file, or a record of it, is not of the form expected.
    """
    match json_of(name, text_of(name, content)):
        case {"rasa_nlu_data": {"common_examples": [*records]}}:
            pass
        case other:
            raise DataCorrupt(
                f"{name} must be {{'rasa_nlu_data': {{'common_examples': [...]}}}}. It is {str(other)[:80]!r}."
            )
    for number, record in enumerate(records, 1):
        match record:
            case {"text": str(text), "intent": str(intent), "entities": [*entities]} if intent:
                yield Request(text, intent, _spans(f"Record {number} of {name}", text, entities))
            case _:
                raise DataCorrupt(
                    f"Record {number} of {name} must have a text, an intent and entities. It is {str(record)[:80]!r}."
                )


def _spans(where: str, text: str, entities: list[Any]) -> tuple[Span, ...]:
    """Return the slots of a text.

    Raises:
        DataCorrupt: One does not say its own text, or two share a character.
    """
    spans = []
    for entity in entities:
        match entity:
            case {"start": int(start), "end": int(stop), "value": str(value), "entity": str(slot)} if (
                slot and 0 <= start < stop <= len(text) and text[start:stop] == value
            ):
                spans.append(Span(start, stop, slot))
            case _:
                raise DataCorrupt(
                    f"{where} must have entities that say where in the text their value stands. Of {text[:80]!r}, one "
                    f"is {str(entity)[:120]!r}."
                )
    spans.sort()
    for one, other in pairwise(spans):
        if other.start < one.stop:
            raise DataCorrupt(
                f"{where} must have entities that share no character. {one.slot!r} and {other.slot!r} share "
                f"{text[other.start : one.stop]!r}."
            )
    return tuple(spans)
