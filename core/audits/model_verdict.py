"""The verdict of the audit of one model in plain words; every sentence is derived from an estimate."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.audits.asked_about import DOCUMENTS, AskedAbout
from core.audits.figures_above import above_chance
from core.result import Estimate
from core.statistics.intervals import low_of_many
from core.statistics.wording import area as written_area
from core.statistics.wording import decimal, measured_in, percent
from core.statistics.wording.naming import adversary_name, estimate_name, lowered, measured_as

Estimates = Mapping[str, Estimate]
Limits = Callable[[Estimates, bool], Iterable[str]]
"""From the estimates, and whether they allow a conclusion, sentences on what they do not show."""

STATISTICS = (
    "likelihood_ratio",
    "offline_ratio",
    "rmia",
    "calibrated",
    "reference",
    "similarity_gain",
    "beginning_gain",
    "similarity",
    "beginning",
    "deletion",
    "unexplained",
    "zlib_ratio",
    "lower_ratio",
    "min_k",
    "min_k_plus",
    "loss",
    "bleu",
)
"""What models in folders are asked, the strongest knowledge first."""
MEASURE = re.compile(r"(auc|accuracy|tpr_at_[0-9.]+pct_fpr)_(.+)")
"""Names of the figures of one statistic."""
_AGAINST_BASE = ("auc_reference", "auc_similarity_gain")
"""What is found by comparing a model with its base."""
LIKE_ITS_BASE = (
    "Nothing can be concluded about the model: it gives every document what its base gives it, a probability or a "
    "similarity, so that nothing was fine-tuned, or the base is named twice. Name the folder of the fine-tuned model."
)
"""What is said of a model in a folder that does not differ from its base."""
_OF_ONE = (
    "All of this speaks of this one model: intervals resample its {unit}s, not its training, and another training on "
    "the same documents would give other figures."
)


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


def verdict(figures: Estimates, limits: Limits | None = None, asked: AskedAbout = DOCUMENTS) -> ModelVerdict:
    """Return the verdict that the estimates of an audit of one model give.

    Args:
        figures: The estimates.
        limits: Says what the adversary had, and what was not tried; by default of a model that the user holds.
        asked: What its targets are.
    """
    conclusive = not (figures["auc_model_free"].above_chance() or is_its_base(figures))
    limitations = (limits or _of_held_model)(figures, conclusive)
    limited = (_OF_ONE.format(unit=asked.unit), *(asked.hiding if conclusive else ()), *limitations)
    headline = _headline(figures, conclusive, asked.unit)
    return ModelVerdict(headline, tuple(_findings(figures, asked.unit)), limited, conclusive)


def _headline(figures: Estimates, conclusive: bool, unit: str) -> str:
    area = figures["auc"]
    if is_its_base(figures):
        return LIKE_ITS_BASE
    if not conclusive:
        return (
            f"Nothing can be concluded about the model: the {unit}s in and out differ in themselves, so what the "
            f"attack finds (AUC {_area(area)}) need not come from it. Mark {unit}s out that are drawn as those in were."
        )
    if area.above_chance():
        return (
            f"This model gives away which {unit}s it was trained on: AUC {_area(area)}, chance 0.50. AUC "
            f"is how often, of one {unit} in and one {unit} out, the one in has the higher score."
        )
    if others := others_above(figures):
        return f"The planned statistic finds nothing: AUC {_area(area)}, chance 0.50. {leaks_beside(others, unit)}"
    if area.high < 0.5:
        return (
            f"This attack does not tell the {unit}s in from those out: AUC {_area(area)}, entirely below chance 0.50: "
            f"non-members score higher. The marks in and out may be swapped, or the {unit}s out may be of an easier "
            "kind than those in; such a difference can hide a leak."
        )
    left = f": a leak of AUC {decimal(area.high)} is within the interval" if area.high > 0.5 else ""
    return (
        f"This attack does not tell the {unit}s in from those out: AUC {_area(area)}, chance 0.50. That is no "
        f"proof of privacy{left}."
    )


def is_its_base(figures: Estimates) -> bool:
    """Tell whether a model gives each document exactly what its base gives it: all ties, without width."""
    compared = next((figures[name] for name in _AGAINST_BASE if name in figures), None)
    if compared is None and answered_by(figures) == "reference":
        compared = figures["auc"]
    return (
        compared is not None
        and "cut_documents" in figures
        and compared.value == compared.low == compared.high == compared.chance
    )


def others_above(figures: Estimates) -> Estimates:
    """Return the figures above chance of an audit whose planned statistic is not, by their names; none of others.

    They are the AUCs of other statistics, corrected for their number. Where none of these is above chance, they are
    whatever is, corrected for the number of all figures, as reports correct them.
    """
    if figures["auc"].above_chance():
        return {}
    areas = {name: area for name, area in figures.items() if name.startswith("auc_") and name != "auc_model_free"}
    return _above_of_many(areas) or above_chance(figures)


def _above_of_many(areas: Estimates) -> Estimates:
    """Return the areas above chance, with intervals widened for their number and that of the planned statistic."""
    return {
        name: area
        for name, area in areas.items()
        if low_of_many(area.value, area.low, len(areas) + 1) > (area.chance or 0.0)
    }


def leaks_beside(others: Estimates, unit: str = DOCUMENTS.unit) -> str:
    """Return the sentence that names the figures of `others_above`."""
    if all(name.startswith("auc_") for name in others):
        named = "; ".join(
            f"{statistic_name(name.removeprefix('auc_'))} {_area(area, named=False)}" for name, area in others.items()
        )
        return f"Other statistics tell {unit}s in from those out, corrected for their number: AUC of {named}."
    named = "; ".join(f"{_measure(name)} {measured_as(name, figure)}" for name, figure in others.items())
    return f"Other figures tell {unit}s in from those out, corrected for the number of all: {named}."


def _measure(name: str) -> str:
    """Return a figure in words: its measure, and of what statistic it is where that is not the planned one."""
    match = MEASURE.fullmatch(name)
    measure = estimate_name(match[1] if match else name)
    return f"{measure} of {statistic_name(match[2])}" if match else measure


def statistic_name(statistic: str) -> str:
    """Return a statistic in words."""
    return lowered(adversary_name(statistic))


def _findings(figures: Estimates, unit: str) -> Iterator[str]:
    blind, accuracy = figures["auc_model_free"], figures["accuracy"]
    outcome = "tells them apart" if blind.above_chance() else "is not shown to tell them apart"
    yield f"Blind baseline: a classifier of the documents alone {outcome}, AUC {_area(blind)}, chance 0.50."
    yield (
        f"At its own threshold, the attack is right in {measured_in(accuracy)} of {accuracy.n:,} cases, "
        f"{accuracy.members:,} in and {accuracy.nonmembers:,} out, chance 50%."
    )
    if (rate := figures.get("tpr_at_1pct_fpr")) is not None:
        yield f"At a false-positive rate of at most 1%, {measured_in(rate)} of the {unit}s in are found, chance 1%."
    else:
        yield (
            f"No true-positive rate at 1% is given: {accuracy.nonmembers:,} targets are out, and of fewer than 100 "
            "not one false positive would be allowed."
        )
    if "cut_documents" in figures:
        yield from _others(figures)


def _of_held_model(figures: Estimates, conclusive: bool) -> Iterator[str]:
    if "known_outs" in figures:
        yield from _limits_of_calibrated(figures, conclusive)
        return
    if "cut_documents" in figures:
        yield from _limits_of_language_model(figures, conclusive)
        return
    yield (
        f"The adversary trained shadow models on "
        f"{round(figures['shadow_documents'].value):,} documents each, and asked for "
        f"{round(figures['queries'].value):,} words a document. The model knows "
        f"{percent(figures['known_words'].value)} of the documents’ words, read in lower case."
    )
    yield from _settings(figures)
    if conclusive:
        yield "A model that withstands this attack is not proved safe: only distances of adjacent words were tried."


def _settings(figures: Estimates) -> Iterator[str]:
    """Say how the hyper-parameters of shadow models are known, and what follows for those that are assumed."""
    if (assumed := figures.get("assumed_settings")) is not None:
        missed = " Where what is assumed is wrong, the adversary finds less than it could." if assumed.value else ""
        yield f"{assumed.help}{missed}"


def _limits_of_language_model(figures: Estimates, conclusive: bool) -> Iterator[str]:
    cut, shadows = figures["cut_documents"], figures.get("shadow_documents")
    if shadows is not None:
        yield (f"The adversary knew the base, and fine-tuned shadow models on {round(shadows.value):,} documents each.")
        yield from _settings(figures)
    elif "own_documents" not in figures:
        yield "The adversary had the base, and no shadow models: with them, more may be found."
    else:
        yield "The adversary had neither the base nor shadow models: with them, more is usually found."
    yield from _unread(cut)
    if conclusive:
        yield (
            "A model that withstands these attacks is not proved safe: only the probabilities of whole documents were "
            "tried, not what the model recites."
        )


def _limits_of_calibrated(figures: Estimates, conclusive: bool) -> Iterator[str]:
    """Say what an adversary had that trained no model, but knew documents to be out."""
    known, others = figures["known_outs"], figures["own_documents"]
    base = "had the base" if figures.keys() & set(_AGAINST_BASE) else "had no base to compare with"
    yield (
        f"The adversary trained no model, as none could be trained like this one here. It knew {round(known.value):,} "
        f"documents to be out, which are not among those in question, had {round(others.value):,} others, and {base}."
    )
    yield from _unread(figures["cut_documents"])
    if conclusive:
        yield (
            "A model that withstands these attacks is not proved safe: an adversary that knows how it was trained can "
            "train shadow models, and usually finds more."
        )


def _unread(cut: Estimate) -> Iterator[str]:
    if cut.value:
        yield (
            f"Of the {cut.n:,} documents of the targets and of the adversary, {round(cut.value):,} are longer than the "
            "context; their ends were not read."
        )


def answered_by(figures: Estimates) -> str:
    """Return the statistic of a model in a folder that gave the answer: by how much the adversary knew."""
    if "known_outs" in figures:
        return "calibrated"
    if "own_documents" in figures:
        return "unexplained"
    return "likelihood_ratio" if "auc_reference" in figures else "reference"


def _others(figures: Estimates) -> Iterator[str]:
    """Say what the other statistics of a model in a folder find."""
    statistics = {statistic_name(name): figures[f"auc_{name}"] for name in STATISTICS if f"auc_{name}" in figures}
    areas = "; ".join(f"{title} {_area(area, named=False)}" for title, area in statistics.items())
    leading = list(_above_of_many(statistics))
    named = "all" if len(leading) == len(statistics) else "; ".join(leading)
    above = (
        f"Above chance, corrected for their number: {named}"
        if leading
        else "Corrected for their number, none is shown to be above chance"
    )
    yield (
        f"The answer is by the {statistic_name(answered_by(figures))}, chosen before anything was measured. AUC of the "
        f"others: {areas}. {above}."
    )


def _area(estimate: Estimate, *, named: bool = True) -> str:
    return written_area(estimate.value, estimate.low, estimate.high, named=named)
