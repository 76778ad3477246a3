"""NLU-Evaluation: written requests to a home robot, with 64 intents and slots."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, ClassVar

from core.datasets import Card, Dataset
from core.errors import DataCorrupt
from core.runtime.seeding import generator
from core.sources import Source, on_github, read
from core.sources.annotated import Request, Span, json_of, overlapping, utterances
from core.sources.tables import text_of
from core.text.contents import Utterances

REQUESTS = on_github(
    "nlu_evaluation",
    "xliuhw/NLU-Evaluation-Data@f6071b496b17d71e6eb43f543af0707f4ff30557",
    "CrossValidation/out4RasaReal/rasa_json_2018_03_22-13_01_25_169_80Train/CrossValidation/KFold_1/",
    """
    35b624b21309a7e4810f1d8c6346a2d6079929ff2581fda4a5f1f4311b5df7cf 2_501_775
        merged/RasaNlu_Merged_KFold_1_2018_03_22-13_01_25_169.json
    664a67b977ebb552303d8adc3661c0d3cf670a2e6c39e330c09d9b44900bfb54 269_226
        mergedTestset/RasaNluTestset_Merged_2018_03_22-13_01_25_169.json
    """,
)

_HELD_OUT = 10
"""One in ten training utterances is held out for validation."""


class NluEvaluation(Dataset):
    """Requests to a home robot: 64 intents, 54 slot types; 8,964 for training, 996 for validation, 1,076 for testing.

    The first of the ten published splits, whose validation subset is drawn here from a tenth of the training requests.
    Words are those of `core.sources.annotated.split`. The files give the start, the end and the text of a slot; a file
    where these disagree, or where two slots overlap, is refused.

    Source: X. Liu, A. Eshghi, P. Swietojanski, V. Rieser. Benchmarking Natural Language Understanding Services for
    building Conversational Agents. IWSDS 2019. Use: Parikh et al. 2022, section 4.3.
    """

    title: ClassVar[str] = "Home robot requests"
    pinned: ClassVar[tuple[Source, ...]] = (REQUESTS,)
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

    def load(self) -> Utterances:
        """Return the utterances in the order of the files, those for testing last."""
        train, test = (list(_requests(PurePosixPath(path).name, file)) for path, file in read(REQUESTS).items())
        return utterances(REQUESTS.name, train, test, len(train) // _HELD_OUT, generator(0, REQUESTS.name))


def _requests(name: str, content: bytes) -> Iterator[Request]:
    """Yield the requests of one file."""
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
    """Return the slots of a text."""
    spans = []
    for entity in entities:
        match entity:
            case {"start": int(start), "end": int(stop), "value": str(value), "entity": str(slot)} if (
                slot and 0 <= start < stop <= len(text) and text[start:stop] == value
            ):
                spans.append(Span(start, stop, slot))
            case _:
                raise DataCorrupt(
                    f"{where} must have entities with the position of their value in the text. One of {text[:80]!r} is "
                    f"{str(entity)[:120]!r}."
                )
    if shared := overlapping(spans):
        first, second = shared
        raise DataCorrupt(
            f"{where} must have entities that do not overlap. {first.slot!r} and {second.slot!r} share "
            f"{text[second.start : first.stop]!r}."
        )
    return tuple(sorted(spans))
