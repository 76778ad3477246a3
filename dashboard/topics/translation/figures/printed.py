"""Tables 2 to 5 of Hisamoto et al. 2020 as shares, by the names of our classifiers."""

from collections.abc import Mapping

ON = ("target", "train", "validation", "test")
"""Columns of Tables 2 and 3: Alice's probes, then Bob's."""


def _shares(*printed: float) -> tuple[float, ...]:
    return tuple(value / 100 for value in printed)


CLASSIFIERS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "overlap": {
        "perceptron": _shares(50.0, 50.0, 50.0, 50.0),
        "decision_tree": _shares(50.4, 51.4, 51.2, 51.1),
        "naive_bayes": _shares(50.4, 51.2, 51.1, 51.0),
        "nearest_neighbours": _shares(49.9, 61.6, 50.5, 50.0),
        "mlp": _shares(50.2, 50.8, 50.8, 50.8),
    },
    "overlap_and_score": {
        "perceptron": _shares(49.7, 49.2, 49.3, 49.4),
        "decision_tree": _shares(50.4, 51.5, 51.1, 51.2),
        "naive_bayes": _shares(50.1, 50.2, 50.1, 50.2),
        "nearest_neighbours": _shares(50.2, 67.1, 50.2, 50.0),
        "mlp": _shares(50.4, 51.2, 51.2, 51.1),
    },
}
"""Table 2, and Table 3 with the score of the translation, by features."""

SUBCORPORA = ("ParaCrawl", "CommonCrawl", "Europarl", "News", "Rapid", "EMEA", "Koran", "Subtitles", "TED")
"""Columns of Table 4; only Alice has the first, nobody has the last four."""
BY_SUBCORPUS: Mapping[str, tuple[float, ...]] = {
    "perceptron": _shares(50.0, 50.0, 50.0, 50.0, 50.0, 100.0, 100.0, 100.0, 100.0),
    "decision_tree": _shares(50.3, 51.1, 49.7, 50.7, 50.0, 67.2, 94.1, 80.2, 67.1),
    "naive_bayes": _shares(50.1, 51.2, 49.9, 50.6, 50.2, 69.5, 96.1, 81.7, 70.5),
    "nearest_neighbours": _shares(49.4, 50.7, 50.3, 49.7, 49.2, 43.3, 52.6, 48.7, 49.9),
    "mlp": _shares(49.6, 50.8, 49.9, 50.3, 50.7, 73.6, 97.9, 84.8, 85.0),
}
"""Table 4."""

UNKNOWN_WORDS: Mapping[str, tuple[float, ...]] = {
    "perceptron": _shares(100.0, 100.0, 100.0),
    "decision_tree": _shares(73.9, 74.1, 68.0),
    "naive_bayes": _shares(77.4, 77.0, 70.3),
    "nearest_neighbours": _shares(49.9, 49.2, 49.3),
    "mlp": _shares(89.0, 85.8, 80.4),
}
"""Table 5, by place of the unknown word, on Bob's probes with an unknown word, which are all out."""
