"""Meaning of sentence membership in plain words, and its differences from the paper."""

from collections.abc import Mapping

from core.result import Estimate
from core.statistics.wording import decimal, percent

PAPER = (
    "Song and Raghunathan (2020) train on 40 million sentences of books: an LSTM with vectors of 1,200 dimensions for "
    "one epoch, and a Transformer with 600 dimensions for five, with the 800 other sentences of a batch as negative "
    "samples. The encoders here are far smaller and learn from far less text, most of them for more epochs. More "
    "epochs mean more memorisation, so these results do not show how much the paper’s encoders memorise. Their attack "
    "is the mean cosine of neighbouring sentences with one threshold; the likelihood ratio over shadow models is added "
    "here. The paper does not state how a learned similarity becomes a probability; here a logistic function is used. "
    "This attack was written from a part of the paper without measurements, so none is shown beside these."
)
"""To be read before these results are compared with the paper's."""


def meaning(estimates: Mapping[str, Estimate], answer: str, fewest: str) -> str:
    """Explain the headline figures.

    Args:
        estimates: Estimates of a result.
        answer: Name of the group that they are about.
        fewest: Name of the group of the smallest passages; the same if there is only one.
    """
    area = estimates["auc"]
    text = (
        f"Given {answer} of a person whose texts trained the encoder, and as many of a person whose texts did not, the "
        f"attack scores the former higher with a probability of {decimal(area.value)}, the AUC; chance is 0.50"
    )
    single = estimates.get(f"auc_{fewest.replace(' ', '_')}")
    text += "." if single is None or fewest == answer else f"; with {fewest} it is {decimal(single.value)}."
    if area.value == 1:
        text += " No comparison is wrong; the interval is then limited by the number of target models."
    if not area.above_chance():
        text += f" With {answer} that is not shown to exceed chance."
    training, held_out = (estimates.get(f"neighbours_{name}") for name in ("train", "test"))
    if training is not None and held_out is not None:
        text += (
            f" Among 100 sentences the encoder finds the next one for {percent(training.value)} of its training pairs "
            f"and {percent(held_out.value)} of held-out pairs; chance is {percent(held_out.chance or 0)}."
        )
        if training.low > held_out.high:
            detects = "detects" if area.above_chance() else "is not shown to detect"
            text += f" The difference is memorisation, which the attack {detects}."
    return text


UNIT = (
    "All texts of a person are training data, or none is. Where a dataset names no authors, each text counts as one "
    "person."
)
"""The unit of membership."""
