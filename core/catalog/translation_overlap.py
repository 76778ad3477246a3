"""Promised results of translation membership (Hisamoto et al. 2020), by number of epochs."""

from collections.abc import Iterator

from core.catalog import seeds
from core.catalog.entry import Entry, by_both_adversaries, demo, varied
from core.experiment import Experiment

ORDER = 40

_ATTACK = "translation_overlap"
_TRAPS = ((1, 0), (3, 0), (10, 0), (30, 0), (100, 0), (10, 2), (30, 2), (100, 2))
"""Copies of a watermark, and of its eight words those that are others in each copy but the first."""
_TRAP_EPOCHS = 2
"""Epochs of translators with traps, chosen on seed 2: after the preset's twelve, one copy is told as well as many."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of translation membership."""
    yield from seeds.over(
        Entry(
            "translations_over_trained",
            "German to English, trained for twenty epochs",
            "Ten thousand pairs, seen twenty times each: far more often than in the paper.",
            Experiment.preset(_ATTACK, "over_trained"),
        )
    )
    yield Entry(
        "translations_one_pass",
        "German to English, trained for one epoch",
        "Ten times the pairs, seen once each, as large corpora are.",
        Experiment.preset(_ATTACK, "paper"),
    )
    yield Entry(
        "translations_three_passes",
        "German to English, trained for three epochs",
        "Four times the pairs, seen three times each: between the other two in both.",
        varied(
            _ATTACK,
            dataset={"pairs": 12_000},
            model={"epochs": 3},
            attack={"shadow_model": {"part": "seq2seq", "tying": "none", "epochs": 3}},
        ),
    )
    yield Entry(
        "translations_several_queries",
        "German to English, five queries for each pair",
        "The translators of twenty epochs, with four more queries for each pair, a word left out of each.",
        varied(_ATTACK, "over_trained", attack={"queries": 5}),
    )
    yield from by_both_adversaries(
        Entry(
            "translations_subsampled",
            "German to English, trained on half of the pairs",
            "Twenty epochs over half of the pairs: a pair that is left out cannot be memorised.",
            varied(_ATTACK, "over_trained", defenses=[{"part": "subsampling", "fraction": 0.5}], game={"course": []}),
            contrast=True,
        )
    )
    yield Entry(
        "translations_over_trained_quantile",
        "German to English, trained for twenty epochs, also attacked without shadow models",
        "Beside the attacks by shadow translators, quantile regression on pairs that no translator saw.",
        varied(_ATTACK, "over_trained", attack={"quantile": True}),
        contrast=True,
    )
    yield Entry(
        "translation_quantile",
        "A made-up pair of languages, also attacked without shadow models",
        "Beside the attacks by shadow translators, quantile regression on pairs that no translator saw.",
        varied(_ATTACK, "demo", attack={"quantile": True}),
        contrast=True,
    )
    for copies, changed in _TRAPS:
        fuzzy = "fuzzy " if changed else ""
        yield Entry(
            f"translation_traps_{fuzzy.strip() or 'exact'}_{copies}",
            f"Watermarks in {copies:,} {fuzzy}{'copy' if copies == 1 else 'copies'} each, made-up languages",
            "Twenty pairs of random words in the training data of one translator of two, and as many in the other's.",
            varied(
                _ATTACK,
                "demo",
                model={"epochs": _TRAP_EPOCHS},
                game={"watermarks": 20, "copies": copies, "changed": changed, "course": []},
            ),
            contrast=True,
        )
    yield from seeds.over(demo("translation_overlap", "A made-up pair of languages, small and offline", ""))
