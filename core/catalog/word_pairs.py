"""Promised results of word pairs (Mahloujifar et al. 2021, Figures 3 to 5, and more)."""

from collections.abc import Iterator
from itertools import product

from core.catalog import seeds
from core.catalog.entry import Entry, varied
from core.experiment import Experiment

ORDER = 10

_MODES = {"cbow": "CBOW", "skip_gram": "skip-gram"}
_FRACTIONS = (75, 50, 25)
"""Percent of each user's mail; all of it is `figure_3`."""

_OWNERS = {"users": "owners", "target_sizes": [100], "targets": 20, "plays": 30, "documents": 8000}
_MAILBOXES = (3, 5, 6, 7)
"""Seeds that the mailboxes are repeated with: the people that seed 4 draws leave fewer than 8,000 e-mails a half."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of word pairs."""
    mailboxes = Entry(
        "mailboxes",
        "Word pairs that reveal an Enron mailbox",
        "Twenty real people with a hundred e-mails each: the word pairs that reveal whose mail was used.",
        varied(
            "word_pairs",
            game=_OWNERS,
            attack={"shadow_pairs": 100, "calibrated": False, "known_outs": 0},
        ),
    )
    yield from seeds.over(mailboxes, _MAILBOXES)
    yield Entry(
        "mailboxes_known_outs",
        "Word pairs of an Enron mailbox, beside mailboxes known to be out",
        "Each target is compared with 25 mailboxes that the adversary holds, of 50 to 100 e-mails, in the same model.",
        varied(
            "word_pairs",
            game={**_OWNERS, "halves": "owners", "documents": 7000},
            attack={"shadow_pairs": 100},
        ),
        contrast=True,
    )
    for mode, title in _MODES.items():
        model = {"mode": mode}
        yield Entry(
            f"figure_3_{mode}",
            f"Accuracy against shadow models, {title}",
            "One, ten and a hundred e-mails at the paper's setting (Figure 3).",
            varied("word_pairs", model=model),
        )
        yield Entry(
            f"figure_4_{mode}",
            f"Shadow models from other mailing lists, {title}",
            "The adversary has no Enron mail and trains its shadow models on R mailing lists (Figure 4).",
            varied("word_pairs", model=model, attack={"shadow_data": "r_mailing_lists"}),
        )
        for percent, adaptive in product(_FRACTIONS, (True, False)):
            name = "adaptive" if adaptive else "unaware"
            yield Entry(
                f"figure_5_{mode}_{percent}_{name}",
                f"{percent}% of each user's mail, {'adaptive' if adaptive else 'naive'} adversary, {title}",
                "The trainer uses only a share of each user's mail (Figure 5).",
                varied(
                    "word_pairs",
                    model=model,
                    attack={"adaptive": adaptive, "averaged": adaptive},
                    defenses=[{"part": "subsampling", "fraction": percent / 100}],
                ),
                contrast=True,
            )
    for name, adaptive, does in (
        ("vector_noise", True, "does the same to its shadow models"),
        ("vector_noise_unaware", False, "does not know it"),
    ):
        yield Entry(
            name,
            f"Noise on the word vectors, {'adaptive' if adaptive else 'naive'} adversary, CBOW",
            f"The trainer adds much noise to every vector before release; the adversary {does}.",
            varied(
                "word_pairs",
                attack={"adaptive": adaptive, "averaged": adaptive},
                defenses=[{"part": "vector_noise", "scale": 2.0}],
            ),
            contrast=True,
        )
    small = Entry(
        "demo",
        "Word pairs on a Wikipedia excerpt",
        "The small experiment that anyone can run live in under a minute.",
        Experiment.preset("word_pairs", "demo"),
    )
    yield from seeds.over(small)
