"""Promised results of candidate ranking."""

from collections.abc import Iterator

from core.catalog.entry import Entry, as_stored, demo, varied
from core.registry import part

ORDER = 95

_ATTACK = "candidate_ranking"
_BLURRED: tuple[tuple[str, str, float], ...] = (
    ("rounding", "decimals", 2),
    ("rounding", "decimals", 1),
    ("laplace", "epsilon", 100),
    ("laplace", "epsilon", 30),
)
"""Defenses at release with their strength, on embeddings of length one, whose coordinates are about 0.05."""


def entries() -> Iterator[Entry]:
    """Yield the ranking of sentences of reviews, without and behind defenses, and the demo."""
    stored = as_stored(
        varied(
            _ATTACK,
            "demo",
            dataset={"part": "yelp"},
            model={"source": "minilm", "max_tokens": 256},
            game={"victims": 500},
            attack={"texts": 1000},
        )
    )
    yield Entry(
        "ranking_reviews",
        "Suspected sentences of restaurant reviews among stored vectors",
        "Which of 1,000 suspected sentences is behind a vector of MiniLM, and which are stored.",
        stored,
    )
    for name, field, value in _BLURRED:
        yield Entry(
            f"ranking_reviews_{name}_{value:g}",
            f"Suspected sentences of restaurant reviews behind {part('defense', name).title}, {field} {value:g}",
            "The same list compared with vectors that were changed at release, by an adversary that knows how.",
            stored.replace(defenses=[{"part": name, field: value}]),
            contrast=True,
        )
    yield demo(_ATTACK, f"{part('attack', _ATTACK).title}, small and offline", ", with the encoder that ships")
