"""What a classifier on top of an embedding gives away: Tables 1 to 3 of Mahloujifar et al. 2021."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment

_SHADOWS = {"shadow_pairs": 100}
"""As many as were affordable."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of the attack through a classifier."""
    yield Entry(
        "probing_same",
        "Through a spam filter, trained on the same e-mails",
        "Ten, a hundred and a thousand e-mails, told by a spam filter that only says spam or not spam (Table 2).",
        varied("classifier_probing", attack=_SHADOWS),
    )
    yield Entry(
        "probing_other",
        "Through a spam filter, trained on other e-mails",
        "R mailing lists are in the embedding only; the filter on top of it learns from Enron's e-mails (Table 1).",
        varied(
            "classifier_probing",
            attack=_SHADOWS,
            dataset={"part": "r_mailing_lists"},
            model={"texts": {"part": "enron_spam", "label": "both"}},
            game={"targets": 4, "documents": 6000},
        ),
    )
    yield Entry(
        "demo_classifier_probing",
        "Classifier probing, small and offline",
        "The small experiment that anyone can run live, telling people from other subjects in an encyclopedia.",
        Experiment.preset("classifier_probing", "demo"),
    )
