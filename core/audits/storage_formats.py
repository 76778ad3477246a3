"""What the verdict on a vector store says of storage formats and defenses: what each leaks, and what a search finds."""

from collections.abc import Iterator, Mapping, Sequence

from core.audits.plan import FRONTIER, Step
from core.datasets.embeddings import Embeddings
from core.result import Estimate
from core.statistics.intervals import Interval, difference, low_of_many
from core.statistics.wording import area, measured_in, percent

Estimates = Mapping[str, Estimate]
RETRIEVAL, _UTILITY = "retrieval_recall_at_10", "utility"
"""Names of the estimates of their utility: for a search, and for a classifier of labelled texts."""
_USEFUL = 0.9


def leaks(results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    """Say which leaks least, among those of a retrieval recall of 0.9 and among all, and which leaks more than none."""
    measured = [(step, figures) for step, figures in results if step.name == FRONTIER and RETRIEVAL in figures]
    for step, figures in measured:
        if step.keyed:
            yield (
                f"Behind a {step.title} that it does not know, an adversary with pairs (without any, none was tried) "
                f"reads with {_left(step, figures, results)}"
            )
    tried = [(step, figures) for step, figures in measured if not step.keyed]
    if not tried:
        return
    useful = [(step, figures) for step, figures in tried if figures[RETRIEVAL].low >= _USEFUL]
    asked = min(figures[RETRIEVAL].n for _, figures in tried)
    count = (
        f"{len(useful)} of {len(tried)} storage formats and defenses without a key keep at least {_USEFUL:.0%} of the "
        f"nearest ten, judged by the lower end of the interval of {asked:,} queries."
    )
    if not useful:
        yield count
    whole = f"Of the {len(tried)} without a key"
    for begins, candidates in ((f"{count} Of those that do", useful), (whole, tried)):
        if candidates:
            (step, figures), *others = sorted(candidates, key=lambda pair: pair[1]["f1"].value)
            least = figures["f1"]
            alike = [
                other.title for other, figures_of in others if percent(figures_of["f1"].value) == percent(least.value)
            ]
            near = [
                other.title
                for other, figures_of in others
                if not is_lowered(least, figures_of["f1"]) and other.title not in alike
            ]
            ties = f", not shown to be less than {' or '.join(near)}" if near else ""
            first = ", ".join([step.title, *alike[:-1]])
            leaks = f"{first} and {alike[-1]} leak least, alike" if alike else f"{step.title} leaks least"
            of = f"of {step.title}, " if alike else ""
            yield f"{begins}, {leaks}{ties}: {of}{_left(step, figures, results)}"
    yield from _raising(tried, results)
    yield from _stronger(tried[0][0], results)


def _raising(tried: Sequence[tuple[Step, Estimates]], results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    """Say behind which more is read than of the vectors as they are, where that is shown for one of so many."""
    compared = [(step, figures["f1"], _undefended(step, results).get("f1")) for step, figures in tried]
    more = [
        f"{step.title}, F1 {measured_in(f1)} against {percent(before.value)}"
        for step, f1, before in compared
        if before is not None and _is_raised(f1, before, results)
    ]
    if more:
        yield f"More is read than of the vectors as they are behind {'; '.join(more)}."


def _is_raised(after: Estimate, before: Estimate, results: Sequence[tuple[Step, Estimates]]) -> bool:
    """Tell whether a figure behind a format lies above chance and above that without it, for one of all formats."""
    by, formats = change(after, before), sum(step.name == FRONTIER for step, _ in results)
    return after.above_chance() and low_of_many(by.value, by.low, formats) > 0


def classes(results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    """Say how often a service names the class of a text: from the vectors as they are, and from each format."""
    formats = [(step, figures) for step, figures in results if step.name == FRONTIER]
    shares = [f"{step.title} {measured_in(figures[_UTILITY])}" for step, figures in formats if _UTILITY in figures]
    plain = next(
        (figures[_UTILITY] for step, _ in formats if _UTILITY in (figures := _undefended(step, results))), None
    )
    if shares and plain is not None:
        yield (
            f"The right class of a text is named by a service that tunes its classifier for {measured_in(plain)} of "
            f"{plain.n:,} vectors as they are, chance (the most frequent class) {percent(plain.chance or 0)}. Behind "
            f"formats and defenses: {', '.join(shares)}."
        )


def _stronger(behind: Step, results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    """Say which attack reads more without a defense than the one that was tried behind each, where one is shown to."""
    reading = [(step, figures["f1"]) for step, figures in results if step.name != FRONTIER and "f1" in figures]
    undefended_f1 = _undefended(behind, results).get("f1")
    if undefended_f1 is None or not (stronger := [(step, f1) for step, f1 in reading if f1.low > undefended_f1.high]):
        return
    step, f1 = max(stronger, key=lambda pair: pair[1].value)
    yield (
        f"Behind formats and defenses without a key, {behind.experiment.attack.title} alone was tried. "
        f"{step.experiment.attack.title} reads more of the vectors as they are, F1 {measured_in(f1)} against "
        f"{percent(undefended_f1.value)}; what it would read behind them is not known."
    )


def _left(step: Step, figures: Estimates, results: Sequence[tuple[Step, Estimates]]) -> str:
    """Say what an adversary that knows a defense reads behind it and without it, and what a search still finds."""
    f1, recall = figures["f1"], figures[RETRIEVAL]
    text = f"F1 {measured_in(f1)} for {f1.n:,} vectors"
    if (before := _undefended(step, results).get("f1")) is not None:
        raised = _is_raised(f1, before, results)
        comparison = "less than" if is_lowered(f1, before) else "more than" if raised else "not shown to be less than"
        text += f", {comparison} without it ({percent(before.value)})"
    text += f". A search behind {step.title} finds {measured_in(recall)} of the nearest ten for {recall.n:,} queries"
    if (ndcg := figures.get("retrieval_ndcg_at_10")) is not None:
        text += f", with an nDCG of {area(ndcg.value, ndcg.low, ndcg.high)}"
    if not step.knows_encoder and isinstance(step.experiment.dataset, Embeddings) and step.experiment.dataset.queries:
        text += " (stored vectors, as your queries take the encoder: not to be compared with recall by these)"
    return f"{text}."


def _undefended(step: Step, results: Sequence[tuple[Step, Estimates]]) -> Estimates:
    """Return the figures of the same attack on the vectors as they are; none where it was not run."""
    plain = step.experiment.replace(defenses=())
    return next((figures for other, figures in results if other.experiment == plain), {})


def is_lowered(after: Estimate, before: Estimate) -> bool:
    """Tell whether a figure behind a format is shown to lie below that without it."""
    return change(after, before).high < 0


def change(after: Estimate, before: Estimate) -> Interval:
    """Return an estimate less another, with the interval of the difference."""
    return difference(*(Interval(figure.value, figure.low, figure.high) for figure in (after, before)))
