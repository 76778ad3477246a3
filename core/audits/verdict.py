"""The verdict of an audit: a headline, findings and limits, each sentence derived from estimates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.audits.plan import Step
from core.games.stored_vectors import UNCHECKED
from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.text.sensitive import KINDS

Estimates = Mapping[str, Estimate]
FRONTIER, RETRIEVAL = "frontier", "retrieval_recall_at_10"
"""Name of the steps behind storage formats and defenses, and of the estimate of their utility."""
_USEFUL = 0.9
_CHANCE = "chance (the most frequent words)"
_CALLED = {"names": "Names", "numbers": "Numbers", "emails": "E-mail addresses"}


@dataclass(frozen=True)
class Verdict:
    """The verdict of an audit.

    Attributes:
        headline: The answer in one sentence.
        findings: A sentence for each figure behind it.
        limits: What was tried, and what was not.
    """

    headline: str
    findings: tuple[str, ...]
    limits: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """All sentences, the answer first."""
        return [self.headline, *self.findings, *self.limits]


def verdict(results: Sequence[tuple[Step, Estimates]]) -> Verdict:
    """Return the verdict of the steps that are finished, at least one."""
    reading = [(step, figures) for step, figures in results if "f1" in figures and step.name != FRONTIER]
    findings = [
        *(_read(step, figures) for step, figures in reading),
        *(_suspected(step, figures) for step, figures in results if step.name == "suspects"),
    ]
    best = max(reading, key=lambda pair: pair[1]["f1"].value)[1] if reading else {}
    findings += [*_sensitive(best), *_traded(results)]
    return Verdict(_headline(results), tuple(findings), tuple(_limits(results)))


def _headline(results: Sequence[tuple[Step, Estimates]]) -> str:
    """Return the headline: the strongest attack on words, or whether suspected texts are found."""
    tried = [(step, figures) for step, figures in results if step.name != FRONTIER and "f1" in figures]
    readers = [(step, figures) for step, figures in tried if figures["f1"].above_chance()]
    if readers:
        step, figures = max(readers, key=lambda pair: pair[1]["f1"].value)
        recall, f1 = figures["recall"], figures["f1"]
        who = step.title[0].lower() + step.title[1:]
        reading = (
            f"{who} names {measured_in(recall, named=True)} of the words of a text, {_CHANCE} {_chance(recall)}; F1, "
            f"which words named wrongly lower, is {percent(f1.value)}"
            if recall.above_chance()
            else f"{who} names words with F1 {measured_in(f1, named=True)}, {_CHANCE} {_chance(f1)}"
        )
        best = f"; the best of {len(tried)} attacks, chosen on these same vectors" if len(tried) > 1 else ""
        return f"A copy of these vectors can be read: {reading} ({f1.n:,} vectors{best})."
    suspects = [figures["accuracy"] for step, figures in results if step.name == "suspects"]
    if any(figure.above_chance() for figure in suspects):
        return (
            f"No attack on words is shown to be above {_CHANCE}, but a suspected text is found: the right one of "
            f"{round(1 / (suspects[0].chance or 1)):,} comes first for {percent(suspects[0].value)} of the vectors."
        )
    if _unchecked(results):
        return (
            f"None of these attacks is shown to read words above {_CHANCE}, but this is no all-clear: the encoder is "
            "unknown, and the texts may be in another order than the vectors."
        )
    return f"None of these attacks is shown to read words above {_CHANCE}, or to find a suspected text."


def _unchecked(results: Sequence[tuple[Step, Estimates]]) -> bool:
    """Tell whether no attack compared vectors and texts."""
    return all(step.unchecked for step, _ in results)


def _read(step: Step, figures: Estimates) -> str:
    f1 = figures["f1"]
    above = "above" if f1.above_chance() else "not shown to be above"
    return f"{step.title} names words with F1 {measured_in(f1)}, {above} {_CHANCE}, {_chance(f1)}; {f1.n:,} vectors."


def _suspected(step: Step, figures: Estimates) -> str:
    first = figures["accuracy"]
    return (
        f"{step.title} puts the right one first for {measured_in(first)} of {first.n:,} vectors, chance "
        f"{_chance(first)}."
    )


def _sensitive(figures: Estimates) -> Iterator[str]:
    for kind, description in KINDS.items():
        if (recall := figures.get(f"recall_{kind}")) is None:
            if figures:
                yield f"{_CALLED[kind]} ({description}): the texts that were read have none, so none could be read."
            continue
        yield (
            f"{_CALLED[kind]} ({description}): the texts that were read have {recall.n:,}; of these, "
            f"{measured_in(recall)} are named by the attack with the highest F1, chosen on these same vectors; "
            f"{_CHANCE} {_chance(recall)}."
        )


def _traded(results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    """Say which storage format or defense leaks least, among those of a retrieval recall of 0.9 and among all."""
    measured = [(step, figures) for step, figures in results if step.name == FRONTIER and RETRIEVAL in figures]
    for step, figures in measured:
        if step.keyed:
            yield (
                f"Behind a {step.title} that it does not know, an adversary with pairs reads with "
                f"{_left(step, figures, results)}. An adversary without pairs was not tried."
            )
    tried = [(step, figures) for step, figures in measured if not step.keyed]
    if not tried:
        return
    useful = [(step, figures) for step, figures in tried if figures[RETRIEVAL].value >= _USEFUL]
    count = f"{len(useful)} of {len(tried)} storage formats and defenses keep at least {_USEFUL:.0%} of the nearest ten"
    if not useful:
        yield f"{count}."
    for begins, candidates in ((f"{count}; of these", useful), ("Of all that were tried", tried)):
        if candidates:
            step, figures = min(candidates, key=lambda pair: pair[1]["f1"].value)
            yield f"{begins}, {step.title} leaks least: {_left(step, figures, results)}."


def _left(step: Step, figures: Estimates, results: Sequence[tuple[Step, Estimates]]) -> str:
    """Say what an adversary that knows a defense still reads behind it, and what it reads without the defense."""
    f1, recall = figures["f1"], figures[RETRIEVAL]
    text = f"F1 {measured_in(f1)}"
    plain = step.experiment.replace(defenses=())
    before = next((undefended["f1"] for other, undefended in results if other.experiment == plain), None)
    if before is not None:
        comparison = "less than" if f1.high < before.low else "not shown to be less than"
        text += f", {comparison} without it ({percent(before.value)})"
    return f"{text}, at a recall of the nearest ten of {measured_in(recall)}"


def _limits(results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    attacks = dict.fromkeys(step.experiment.attack.title for step, _ in results)
    formats = [step.title for step, _ in results if step.name == FRONTIER]
    behind = f"; behind {', '.join(formats)}, known to the adversary but for the key of a rotation" if formats else ""
    if _unchecked(results):
        yield UNCHECKED
    yield (
        f"Tried: {', '.join(attacks)}{behind}. Adversaries hold other texts of the same store, near copies of the "
        "texts that are read left out. Adversaries without texts of this kind were not tried."
    )
    yield (
        "Words are named, not their order. Words that none of the adversary’s texts has count as missed. Intervals "
        "resample the vectors that were read. A store that withstands these attacks is not proved safe."
    )


def _chance(estimate: Estimate) -> str:
    return "unknown" if estimate.chance is None else percent(estimate.chance)
