"""What membership by sentences means in plain words, and how it differs from the paper's."""

from collections.abc import Mapping

from core.result import Estimate
from dashboard.kit.figures.wording import percent

PAPER = (
    "Song and Raghunathan (2020) train on 40 million sentences of books: an LSTM whose vectors have 1,200 numbers in "
    "one pass, and a Transformer whose vectors have 600 in five, with the 800 other sentences of a batch as negative "
    "samples. The encoders here are far smaller and learn from far less text, most of them in more passes. The oftener "
    "a pair is read, the better it is remembered, so nothing here says how much the paper’s encoders remember. Their "
    "attack is the mean cosine of neighbouring sentences with one threshold; the likelihood ratio over shadow models "
    "is added here. How a learned similarity becomes a probability is left open there; here a logistic function makes "
    "it one. What they measured is not in the part of the paper that this attack was written from, so no figure of "
    "theirs stands beside these."
)
"""What has to be known before these results are compared with the paper's."""


def meaning(estimates: Mapping[str, Estimate], answer: str, fewest: str) -> str:
    """Say what the headline figures mean.

    Args:
        estimates: The figures of a result.
        answer: Name of the group that they are about.
        fewest: Name of the group of the smallest passages; the same where there is but one.
    """
    area = estimates["auc"]
    text = (
        f"Take {answer} of somebody whose texts trained the encoder, and as many of somebody whose texts did not: the "
        f"attack gives the former the higher score in {percent(area.value)} of cases, where guessing gives 50%"
    )
    single = estimates.get(f"auc_{fewest.replace(' ', '_')}")
    text += "." if single is None or fewest == answer else f"; with {fewest} in {percent(single.value)}."
    if area.value == 1:
        text += " No comparison comes out wrong; its interval is then only as narrow as the few models allow."
    if not area.above_chance():
        text += f" With {answer} that is not shown to be more than guessing."
    own, new = (estimates.get(f"neighbours_{name}") for name in ("train", "test"))
    if own is not None and new is not None:
        text += (
            f" Among 100 sentences the encoder finds the one that follows in {percent(own.value)} of the pairs that it "
            f"was trained on, and in {percent(new.value)} of others; guessing finds {percent(new.chance or 0)}."
        )
        if own.low > new.high:
            text += " What it remembers of its own pairs beyond that is what the attack finds."
    return text


WHOSE = (
    "The texts of one person train an encoder together or not at all. Where a dataset names no writers, each text "
    "stands for a person."
)
"""Whose sentences are asked about."""
