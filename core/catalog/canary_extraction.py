"""What a network that understands requests gives away of a secret in one of them: tables of Parikh et al. 2022."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

_DEFENSES = {"dropout": "dropout", "early_stopping": "early stopping", "character_embeddings": "characters"}
_TABLE_3 = (
    ("dropout",),
    ("early_stopping",),
    ("character_embeddings",),
    ("dropout", "early_stopping"),
    ("dropout", "character_embeddings"),
    ("dropout", "early_stopping", "character_embeddings"),
)
_REPETITIONS = (10, 500, 1000)


def entries() -> Iterator[Entry]:
    """Yield the promised results of canary extraction."""
    yield Entry(
        "canaries_4",
        "A PIN of four digits, out of an intent and slot model",
        "Secrets of four words among the requests of Snips, up to 2,000 times each, read out of the trained network "
        "(Tables 2 and 4).",
        Experiment.preset("canary_extraction", "paper"),
    )
    yield Entry(
        "canaries_4_annealed",
        "The same PIN, by annealing and coordinate descent",
        "The same networks, questioned with the stronger of the two ways to search.",
        varied("canary_extraction", attack={"schedule": "annealed", "coordinate_descent": True}),
    )
    for chosen in _TABLE_3:
        yield Entry(
            f"canaries_{'_'.join(chosen)}",
            f"Secrets behind {' and '.join(_DEFENSES[part] for part in chosen)}",
            "The same secrets, when the network is trained with defenses that the paper proposes (Table 3).",
            varied(
                "canary_extraction",
                defenses=[{"part": part} for part in chosen],
                game={"repetitions": list(_REPETITIONS)},
            ),
            contrast=True,
        )
    yield Entry(
        "demo_canary_extraction",
        "A PIN, small and offline",
        "The small experiment that anyone can run live, on made-up requests.",
        Experiment.preset("canary_extraction", "demo"),
    )
