"""XQuAD: paragraphs of Wikipedia and questions about them, in English and German."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from core.datasets import Card, Translations
from core.errors import DataCorrupt
from core.sources import Source, on_github, read
from core.sources.annotated import json_of
from core.sources.tables import text_of

PARAGRAPHS = on_github(
    "xquad",
    "deepmind/xquad@60cac411649156efb6aab9dd4c9cde787a2c0345",
    """
    990b5d746746ed65ed4702ea5f35f99ffa4e2f1c390c07d003642acd937916f9 669_810 xquad.de.json
    e4c57d1c9143aaa1c5d265ba5987a65f4e69528d2a98f29d6e75019b10344f29 609_383 xquad.en.json
    """,
)

_BOUNDARY = re.compile(r"""(?<=[^\W\d_]{2}[.?!])["”“)]*\s+(?=["„“(]?[A-ZÄÖÜ0-9])""")
_MOST_UNLIKE = 2
"""Largest ratio of the lengths of a sentence and its translation."""


class Xquad(Translations):
    """Questions about paragraphs of Wikipedia, and sentences of these, translated into German by professionals.

    Questions are aligned by their number. A paragraph gives sentences only if both sides have the same number of them
    and none is more than twice as long as its translation; otherwise it gives its questions only.

    Source: M. Artetxe, S. Ruder, D. Yogatama. On the Cross-lingual Transferability of Monolingual Representations.
    ACL 2020.
    """

    title: ClassVar[str] = "XQuAD questions"
    pinned: ClassVar[tuple[Source, ...]] = (PARAGRAPHS,)
    card: ClassVar[Card] = Card(
        summary="1,190 questions about 240 paragraphs of Wikipedia, and 530 sentences of them, in German and English.",
        licence="CC-BY-SA-4.0",
        citation=(
            "M. Artetxe, S. Ruder, D. Yogatama (2020). On the Cross-lingual Transferability of Monolingual "
            "Representations. ACL."
        ),
        homepage="https://github.com/deepmind/xquad",
    )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the aligned sentences of each paragraph and its questions, German first."""
        german, english = (_paragraphs(path, content) for path, content in sorted(read(PARAGRAPHS).items()))
        if len(german) != len(english):
            raise DataCorrupt(
                f"{PARAGRAPHS.name} must have each paragraph in both languages. It has {len(german)} in German and "
                f"{len(english)} in English."
            )
        for number, ((text, questions), (translation, translated_questions)) in enumerate(
            zip(german, english, strict=True), 1
        ):
            if questions.keys() != translated_questions.keys():
                raise DataCorrupt(
                    f"Paragraph {number} of {PARAGRAPHS.name} must have the same questions in both languages."
                )
            yield from _aligned(text, translation)
            yield from ((question, translated_questions[name]) for name, question in questions.items())


def _aligned(german: str, english: str) -> list[tuple[str, str]]:
    sides = [[sentence.strip() for sentence in _BOUNDARY.split(text.strip())] for text in (german, english)]
    pairs = list(zip(*sides, strict=False))
    alike = all(max(map(len, pair)) <= _MOST_UNLIKE * min(map(len, pair)) for pair in pairs)
    return pairs if alike and len(sides[0]) == len(sides[1]) else []


def _paragraphs(name: str, content: bytes) -> list[tuple[str, dict[str, str]]]:
    """Return each paragraph and its questions by their number."""
    dataset = json_of(name, text_of(name, content))
    try:
        return [
            (
                _text(paragraph["context"]),
                {question["id"]: _text(question["question"]) for question in paragraph["qas"]},
            )
            for article in dataset["data"]
            for paragraph in article["paragraphs"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise DataCorrupt(
            f"{name} must be {{'data': [{{'paragraphs': [{{'context', 'qas': [{{'id', 'question'}}]}}]}}]}}. "
            f"It is not: {type(error).__name__} {error}."
        ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:80]!r} is no text")
    return value
