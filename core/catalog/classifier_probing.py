"""What a classifier on top of an embedding gives away: Tables 1 to 3 of Mahloujifar et al. 2021."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry
from core.experiment import Experiment

_PAIRS = 100


def entries() -> Iterator[Entry]:
    """Yield the promised results of the attack through a classifier."""
    yield Entry(
        "probing_same",
        "Through a spam filter, trained on the same e-mails",
        "Ten, a hundred and a thousand e-mails, told by a spam filter that only says spam or not spam (Table 2).",
        _probing(),
    )
    yield Entry(
        "probing_other",
        "Through a spam filter, trained on other e-mails",
        "R mailing lists are in the embedding only; the filter on top of it learns from Enron's e-mails (Table 1).",
        _probing(
            dataset={"part": "r_mailing_lists"},
            model={"texts": {"part": "enron_spam", "label": "both"}},
            game={"targets": 4, "documents": 6000},
        ),
    )
    yield Entry(
        "demo_classifier_probing",
        "Through a classifier, small and offline",
        "The small experiment that anyone can run live, telling people from other subjects in an encyclopedia.",
        Experiment.preset("classifier_probing", "demo"),
    )


def _probing(**changes: dict[str, Any]) -> Experiment:
    """Return the attack's paper preset with as many shadows as were affordable, and some fields changed."""
    preset = Experiment.preset("classifier_probing", "paper").as_dict()
    changes["attack"] = {"shadow_pairs": _PAIRS, **changes.get("attack", {})}
    for part, fields in changes.items():
        preset[part] = {**(preset[part] if "part" not in fields else {}), **fields}
    return Experiment.parse(preset)
