"""The verdict of the audit of one model in plain words; every sentence is derived from an estimate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.result import Estimate

Estimates = Mapping[str, Estimate]


@dataclass(frozen=True)
class ModelVerdict:
    """The verdict about one model.

    Attributes:
        headline: The answer.
        findings: The estimates behind it, the blind baseline first.
        limits: What the estimates do not show.
        conclusive: Whether the marks allow a conclusion at all.
    """

    headline: str
    findings: tuple[str, ...]
    limits: tuple[str, ...]
    conclusive: bool

    @property
    def lines(self) -> list[str]:
        """Return all sentences, the blind baseline first."""
        return [self.findings[0], self.headline, *self.findings[1:], *self.limits]


def verdict(figures: Estimates) -> ModelVerdict:
    """Return the verdict that the estimates of an audit of one model give."""
    conclusive = not figures["auc_model_free"].above_chance()
    return ModelVerdict(
        _headline(figures, conclusive), tuple(_findings(figures)), tuple(_limits(figures, conclusive)), conclusive
    )


def _headline(figures: Estimates, conclusive: bool) -> str:
    area = figures["auc"]
    if not conclusive:
        return (
            "Nothing can be concluded about the model: the documents in and out differ in themselves, so what the "
            f"attack finds (AUC {_figure(area)}) need not come from it. Mark documents out that are drawn "
            "as those in were."
        )
    if area.above_chance():
        return (
            f"This model gives away which documents it was trained on: AUC {_figure(area)}, chance 0.50. A document in "
            f"scores above one out in {area.value:.0%} of pairs."
        )
    return (
        f"This attack does not tell the documents in from those out: AUC {_figure(area)}, chance 0.50. That is no "
        f"proof of privacy: a leak of AUC {area.high:.2f} is within the interval."
    )


def _findings(figures: Estimates) -> Iterator[str]:
    blind, accuracy = figures["auc_model_free"], figures["accuracy"]
    outcome = "tells them apart" if blind.above_chance() else "does not tell them apart"
    yield f"Blind baseline: a classifier of the texts alone {outcome}, AUC {_figure(blind)}, chance 0.50."
    yield (
        f"Guesses at the adversary’s own threshold are right in {_figure(accuracy)} of {accuracy.n:,} cases, "
        f"{accuracy.members:,} in and {accuracy.nonmembers:,} out; chance 0.50."
    )
    if (rate := figures.get("tpr_at_1pct_fpr")) is not None:
        yield (
            f"At a false-positive rate of at most 1%, {_figure(rate)} of the documents in are found; chance is 0.01."
        )
    else:
        yield (
            f"No true-positive rate at 1% is given: {accuracy.nonmembers:,} targets are out, and of fewer than 100 "
            "not one false positive would be allowed."
        )


def _limits(figures: Estimates, conclusive: bool) -> Iterator[str]:
    yield (
        "All of this speaks of this one model: intervals resample its documents, not its training, and another "
        "training on the same documents would give other figures."
    )
    yield (
        f"The adversary knew the hyper-parameters as given, trained shadow models on "
        f"{round(figures['shadow_documents'].value):,} documents each, and asked for "
        f"{round(figures['queries'].value):,} words a document. The model knows {figures['known_words'].value:.0%} of "
        "the documents’ words, read in lower case."
    )
    if conclusive:
        yield "A model that withstands this attack is not proved safe: only distances of adjacent words were tried."


def _figure(estimate: Estimate) -> str:
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"
