"""Was this sentence pair used to train the translator: Hisamoto et al. 2020, by how long translators are trained."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

_ATTACK = "translation_overlap"


def entries() -> Iterator[Entry]:
    """Yield the promised results of membership of sentence pairs, the one to show first in front."""
    yield Entry(
        "translations_over_trained",
        "German to English, trained for twenty passes",
        "Ten thousand pairs, read twenty times: translations of new sentences are good, and the leak is open.",
        Experiment.preset(_ATTACK, "over_trained"),
    )
    yield Entry(
        "translations_one_pass",
        "German to English, every pair read once",
        "Ten times the pairs, each read once: captions are translated as well, and one tells nothing, as in the paper.",
        Experiment.preset(_ATTACK, "paper"),
    )
    yield Entry(
        "translations_three_passes",
        "German to English, trained for three passes",
        "Four times the pairs, read three times: the leak begins to open.",
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
        "The translators that read their pairs twenty times, asked for each pair four more times with a word left out.",
        varied(_ATTACK, "over_trained", attack={"queries": 5}),
    )
    yield Entry(
        "translations_subsampled",
        "German to English, trained on half of the pairs",
        "Twenty passes over half of what there is: a pair that was left out cannot be learnt by heart.",
        varied(_ATTACK, "over_trained", defenses=[{"part": "subsampling", "fraction": 0.5}], game={"course": []}),
        contrast=True,
    )
    yield Entry(
        "demo_translation_overlap",
        "A made-up pair of languages, small and offline",
        "The small experiment that anyone can run live.",
        Experiment.preset(_ATTACK, "demo"),
    )
