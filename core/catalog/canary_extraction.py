"""Promised results of canary extraction (Parikh et al. 2022, Tables 2 to 4 and Figures 2 to 5)."""

from collections.abc import Iterator
from itertools import combinations

from core.catalog import seeds
from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 70

_LENGTHS = (6, 8, 10)
_TABLE_2 = [1, 10, 100, 500]
_DEFENSES = {"dropout": "dropout", "early_stopping": "early stopping", "character_embeddings": "characters"}
_PATTERNS = {"pin": "a PIN", "color": "colours", "call": "a telephone number"}
_TABLE_3 = [10, 500, 1000]
_PRIVATE = {"vectors": "random", "batch": 512, "epochs": 10, "learning_rate": 1e-2}
"""Settings of the networks with private training, and of those that differ from them in having no defense."""
_LONG = 60
"""Epochs after which a network without a defense over-fits; elsewhere 8."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of canary extraction."""
    yield Entry(
        "canaries_4",
        "A PIN of four digits, from an intent and slot model",
        "Secrets of four words among the requests of Snips, repeated up to 2,000 times, extracted from the trained "
        "network (Tables 2 and 4).",
        Experiment.preset("canary_extraction", "paper"),
    )
    yield Entry(
        "canaries_4_annealed",
        "The same PIN, by annealing and coordinate descent",
        "The same networks, attacked with the stronger of the two searches.",
        varied("canary_extraction", attack={"schedule": "annealed", "coordinate_descent": True}),
    )
    yield Entry(
        "canaries_4_fuzzy",
        "Secrets of four words in fuzzy copies",
        "Secrets among the requests of Snips, up to 500 copies of each: in every copy but the first, one of the four "
        "words is another.",
        varied("canary_extraction", game={"changed": 1, "repetitions": _TABLE_2}),
        contrast=True,
    )
    for length in _LENGTHS:
        yield Entry(
            f"canaries_{length}",
            f"Secrets of {length} words, from an intent and slot model",
            "Longer secrets, too many to score them all (Table 2, Figure 2).",
            varied("canary_extraction", game={"length": length, "repetitions": _TABLE_2}),
        )
    yield Entry(
        "canaries_area_code",
        "Telephone numbers with a known area code",
        "Ten digits, the first three of them known to the adversary (Table 4).",
        varied("canary_extraction", game={"length": 10, "known": 3, "repetitions": _TABLE_2}),
    )
    yield Entry(
        "canaries_atis",
        "Secrets among flight queries",
        "Secrets of four words among the requests of ATIS (Figures 3 and 4).",
        varied("canary_extraction", dataset={"part": "atis"}, game={"repetitions": [10, 100, 200, 500]}),
    )
    yield from seeds.over(
        Entry(
            "canaries_nlu_evaluation",
            "Secrets among requests to a home assistant",
            "Secrets of four words among the requests of NLU-Evaluation (Figures 3 and 5).",
            varied("canary_extraction", dataset={"part": "nlu_evaluation"}, game={"repetitions": [100, 500, 1000]}),
        )
    )
    for count in range(1, len(_DEFENSES) + 1):
        for chosen in combinations(_DEFENSES, count):
            yield Entry(
                f"canaries_{'_'.join(chosen)}",
                f"Secrets behind {' and '.join(_DEFENSES[part] for part in chosen)}",
                "The same secrets in networks trained with defenses of the paper (Table 3).",
                varied(
                    "canary_extraction", defenses=[{"part": part} for part in chosen], game={"repetitions": _TABLE_3}
                ),
                contrast=True,
            )
    yield Entry(
        "canaries_over_fitted",
        "Secrets in over-fitted networks",
        f"The same secrets in networks without a defense, trained for {_LONG} epochs: defenses are held to those, too "
        "(Table 3).",
        varied("canary_extraction", model={"epochs": _LONG}, game={"repetitions": [10, 500], "trials": 4}),
        contrast=True,
    )
    for pattern, secret in _PATTERNS.items():
        yield Entry(
            f"canaries_alone_{pattern}",
            f"One secret a network: {secret}",
            "A network for each secret, as in the paper, where others hold a secret of each pattern (Table 2).",
            varied("canary_extraction", game={"patterns": [pattern], "repetitions": [100]}),
            contrast=True,
        )
    yield Entry(
        "canaries_dp_sgd",
        "Secrets behind differentially private training",
        "The same secrets in networks trained with epsilon 8 for each request.",
        varied(
            "canary_extraction",
            defenses=[{"part": "dp_sgd", "vocabulary": {"part": "common_words", "size": 10_000}}],
            model=_PRIVATE,
            game={"repetitions": _TABLE_3, "trials": 4},
        ),
        contrast=True,
    )
    yield Entry(
        "canaries_large_batches",
        "The same secrets, trained as privately but without noise",
        "Networks with the word vectors, batches, epochs and step size of those with private training, and no defense: "
        "what differs is clipping, noise and the vocabulary.",
        varied("canary_extraction", model=_PRIVATE, game={"repetitions": _TABLE_3, "trials": 4}),
        contrast=True,
    )
    yield from seeds.over(demo("canary_extraction", "A PIN, small and offline", ", on made-up requests"))
