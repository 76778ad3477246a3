"""BConTrasT: customer-service chats of English agents and German customers, with translations."""

from collections.abc import Iterator
from typing import ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.annotated import json_of
from core.sources.tables import text_of

CHATS = on_github(
    "service_chat",
    "Unbabel/BConTrasT@96f33050c704eea1c10da6e8effcfb5495539e74",
    """
    b4b001dd093b5b1719d83bd2b6ad367bb7ed2c2793feb4ce751c3d1ff4485f72 436_061 dev.json
    fc07d22a8fee7172539e8cb3f83bee7eb0ebc949d0d4abae11e0791ff0c2f2a8 478_274 test1_corpus-with_gold_references.json
    9bfef7e7f7cf4f80dd766ed1396e80e5b3535b71bc8052e0b9adcbf753f40a4d 3_160_233 train.json
    """,
)


class ServiceChat(Translations):
    """Turns of chats between agents and customers, for example about pizza, cars and tickets.

    The original chats are English (Taskmaster-1), and all turns were translated into German. Development, test and
    training chats together.

    Source: M. A. Farajian, A. V. Lopes, A. F. T. Martins, S. Maruf, G. Haffari. Findings of the WMT 2020 Shared Task on
    Chat Translation. WMT 2020.
    """

    title: ClassVar[str] = "Customer-service chats"
    pinned: ClassVar[tuple[Source, ...]] = (CHATS,)
    card: ClassVar[Card] = Card(
        summary="17,847 turns of 706 customer-service chats in German and English (BConTrasT).",
        licence="CC-BY-SA-4.0",
        citation=(
            "M. A. Farajian, A. V. Lopes, A. F. T. Martins, S. Maruf, G. Haffari (2020). Findings of the WMT 2020 "
            "Shared Task on Chat Translation. WMT."
        ),
        homepage="https://github.com/Unbabel/BConTrasT",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the turns in order, German first."""
        for path, content in read(CHATS).items():
            chats = json_of(path, text_of(path, content))
            if not isinstance(chats, dict) or not all(isinstance(turns, list) for turns in chats.values()):
                raise DataCorrupt(f"{path} must be {{chat: [...]}}. It is {str(chats)[:80]!r}.")
            for name, turns in chats.items():
                for number, turn in enumerate(turns, 1):
                    match turn:
                        case {"speaker": "customer", "source": str(german), "target": str(english)}:
                            yield german, english
                        case {"speaker": "agent", "source": str(english), "target": str(german)}:
                            yield german, english
                        case _:
                            raise DataCorrupt(
                                f"Turn {number} of {name} in {path} must have 'source', 'target' and the 'speaker' "
                                f"'agent' or 'customer'. It is {str(turn)[:80]!r}."
                            )
