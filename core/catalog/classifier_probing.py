"""Promised results of classifier probing (Mahloujifar et al. 2021, Tables 1 to 3)."""

from collections.abc import Iterator
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, demo, varied

ORDER = 50

_SHADOWS = {"shadow_pairs": 100}
"""Half as many as the paper's, of which one result shows the effect."""
_OTHERS: dict[str, Any] = {
    "dataset": {"part": "r_mailing_lists"},
    "model": {"texts": {"part": "enron_spam", "label": "both"}},
}
"""The embedding is of R mailing lists, the spam filter of Enron e-mails."""
_SENDERS: tuple[tuple[str, dict[str, Any], str], ...] = (("", _SHADOWS, ""), ("_200", {}, ", 200 shadow pairs"))
"""Results about people, with half of the paper's shadow models, and with all."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of classifier probing."""
    yield Entry(
        "probing_same",
        "Through a spam filter, trained on the same e-mails",
        "Membership of ten, a hundred and a thousand e-mails, from the labels of a spam filter (Table 2).",
        varied("classifier_probing", attack=_SHADOWS),
    )
    yield from seeds.over(
        Entry(
            "probing_other",
            "Through a spam filter, trained on other e-mails",
            "The embedding is trained on R mailing lists, the spam filter on top of it on Enron e-mails (Table 1).",
            varied("classifier_probing", attack=_SHADOWS, game={"targets": 4, "documents": 6000}, **_OTHERS),
        )
    )
    yield Entry(
        "probing_other_200",
        "Through a spam filter, trained on other e-mails, 200 shadow pairs",
        "The same, with as many shadow models as in the paper.",
        varied("classifier_probing", game={"targets": 4, "documents": 6000}, **_OTHERS),
        contrast=True,
    )
    for scheme, how in (("pool", "all targets share their shadow models"), ("per_target", "each target has its own")):
        yield Entry(
            f"probing_other_1000_{scheme}",
            f"Through a spam filter, trained on other e-mails, 1,000 messages: {how}",
            "The same targets of 1,000 messages and 50 shadow pairs both ways; in the paper, each target has its own.",
            varied(
                "classifier_probing",
                attack={"shadow_pairs": 50, "scheme": scheme},
                game={"target_sizes": [1000], "targets": 4, "documents": 6000},
                **_OTHERS,
            ),
            contrast=True,
        )
    for suffix, shadows, how in _SENDERS:
        yield Entry(
            f"probing_r_senders{suffix}",
            f"Senders to the R mailing lists, through a spam filter{how}",
            "Fourteen of the fifteen people with a hundred messages; the filter on top is trained on Enron e-mails.",
            varied(
                "classifier_probing",
                attack=shadows,
                game={"users": "owners", "target_sizes": [100], "targets": 14, "documents": 6000},
                **_OTHERS,
            ),
            contrast=bool(suffix),
        )
    small = demo(
        "classifier_probing",
        "Classifier probing, small and offline",
        ", with a classifier of encyclopedia articles about people",
    )
    yield from seeds.over(small)
    yield Entry(
        "demo_classifier_probing_per_target",
        "Classifier probing, shadow models for each target apart",
        "The same targets, each with shadow models of its own, which hold no other target: the scheme of the paper.",
        varied("classifier_probing", "demo", attack={"scheme": "per_target"}),
        contrast=True,
    )
