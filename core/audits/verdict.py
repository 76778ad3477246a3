"""The verdict of an audit: a headline, findings and limits, each sentence derived from estimates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.audits import storage_formats
from core.audits.plan import FRONTIER, SECRETS, Step
from core.games.inversion import Inversion
from core.games.inversion.sensitive_score import is_dealt, keyword_name
from core.games.stored_vectors import UNCHECKED
from core.result import Estimate, Result, lead
from core.statistics.wording import area, decimal, measured_in, percent
from core.statistics.wording.naming import LENGTHS, capitalised
from core.text.sensitive import KINDS

Estimates = Mapping[str, Estimate]
_NO_ANSWERS: Mapping[str, int] = MappingProxyType({})
_CHANCE = "chance (the most frequent words)"
_CALLED = {"names": "Names", "numbers": "Numbers", "emails": "E-mail addresses"}


@dataclass(frozen=True)
class Verdict:
    """The verdict of an audit.

    Attributes:
        headline: The answer in a sentence, and in another the figure furthest above chance where that is another one.
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


def possible_answers(step: Step, result: Result) -> int:
    """Return among how many owners or classes an adversary chose; 0 for a step that asks for neither."""
    return int(result.tables["inferred"]["values"].max()) if step.name in SECRETS else 0


def verdict(results: Sequence[tuple[Step, Estimates]], answers: Mapping[str, int] = _NO_ANSWERS) -> Verdict:
    """Return the verdict of the steps that are finished, at least one.

    Args:
        results: The steps with their estimates.
        answers: Among how many owners or classes was chosen (`possible_answers`), by the name of the step.
    """
    reading = [(step, figures) for step, figures in results if "f1" in figures and step.name != FRONTIER]
    told = [(step, figures, answers.get(step.name, 0)) for step, figures in results if step.name in SECRETS]
    measured = [
        *((figures["f1"], _read(step, figures)) for step, figures in reading),
        *((figures["exact_match"], _whole(step, figures)) for step, figures in reading if "exact_match" in figures),
        *((figures["accuracy"], _suspected(step, figures)) for step, figures in results if step.name == "suspects"),
        *((figures["accuracy"], _named(step, figures, among)) for step, figures, among in told),
    ]
    counted = [figures for step, figures in reading if getattr(step.experiment.game, "sensitive", False)]
    best = max(counted, key=lambda figures: figures["f1"].value, default={})
    findings = [sentence for _, sentence in measured]
    findings += [*_sensitive(best), *_keywords(results, best)]
    findings += [*storage_formats.leaks(results), *storage_formats.classes(results)]
    return Verdict(_headline(results, measured), tuple(findings), tuple(_limits(results)))


def _headline(results: Sequence[tuple[Step, Estimates]], measured: Sequence[tuple[Estimate, str]]) -> str:
    """Return the answer, and where it is another than an F1 of words, the figure that lies furthest above chance.

    How far is judged by the lower end of the interval, as a share of the way from chance to 1.

    Args:
        results: The steps with their estimates.
        measured: The figures that the attacks are judged by, each with its sentence.
    """
    answer, about = _answer(results)
    leaking = [(figure, sentence) for figure, sentence in measured if figure.above_chance()]
    figure, sentence = max(leaking, key=lambda pair: lead({0: pair[0]}), default=(None, ""))
    f1s = [figures.get("f1") for _, figures in results]
    if figure is None or figure is about or any(figure is f1 for f1 in f1s):
        return answer
    return f"{answer} Even further above chance: {sentence[0].lower()}{sentence[1:]}"


def _answer(results: Sequence[tuple[Step, Estimates]]) -> tuple[str, Estimate | None]:
    """Return what the strongest attack on words reads, or whether suspected texts are found, and the figure behind."""
    tried = [(step, figures) for step, figures in results if step.name != FRONTIER and "f1" in figures]
    readers = [(step, figures) for step, figures in tried if figures["f1"].above_chance()]
    if readers:
        step, figures = max(readers, key=lambda pair: pair[1]["f1"].value)
        f1, title = figures["f1"], step.played(figures)
        who = title[0].lower() + title[1:]
        reading = f"{who} names words with F1 {measured_in(f1, named=True)}, {_CHANCE} {_chance(f1)}"
        best = f"; the best of {len(tried)} attacks, chosen on these same vectors" if len(tried) > 1 else ""
        if step.name == "pairs" and any(other.name == "words" and other.knows_encoder for other, _ in tried):
            best += "; it learns by another method than the one that knows the encoder"
        return f"A copy of these vectors can be read: {reading} ({f1.n:,} vectors{best}).", f1
    suspects = [figures["accuracy"] for step, figures in results if step.name == "suspects"]
    if any(figure.above_chance() for figure in suspects):
        return (
            f"No attack on words is shown to be above {_CHANCE}, but a suspected text is found: the right one of "
            f"{round(1 / (suspects[0].chance or 1)):,} comes first for {percent(suspects[0].value)} of the vectors."
        ), suspects[0]
    if unchecked(step for step, _ in results):
        return (
            f"None of these attacks is shown to read words above {_CHANCE}, but this is no all-clear: the encoder is "
            "unknown, and the texts may be in another order than the vectors."
        ), None
    return f"None of these attacks is shown to read words above {_CHANCE}, or to find a suspected text.", None


def unchecked(steps: Iterable[Step]) -> bool:
    """Tell whether nothing shows that texts and vectors are in one order."""
    return all(step.unchecked for step in steps)


def _read(step: Step, figures: Estimates) -> str:
    f1, recall = figures["f1"], figures.get("recall")
    named = f"; {measured_in(recall)} of the words of a text are named (recall)" if recall else ""
    return (
        f"{step.played(figures)} names words with F1 {measured_in(f1)}, {_above(f1)} {_CHANCE}, {_chance(f1)}{named}; "
        f"{f1.n:,} vectors."
    )


def _suspected(step: Step, figures: Estimates) -> str:
    first = figures["accuracy"]
    return (
        f"{step.title} puts the right one first for {measured_in(first)} of {first.n:,} vectors, chance "
        f"{_chance(first)}."
    )


def _whole(step: Step, figures: Estimates) -> str:
    exact, bleu = figures["exact_match"], figures["bleu"]
    return (
        f"{step.title} reads {measured_in(exact)} of {exact.n:,} whole texts word for word, chance (the text read from "
        f"another vector) {_chance(exact)}; BLEU {area(bleu.value, bleu.low, bleu.high)}, chance "
        f"{decimal(bleu.chance or 0)}."
    )


def _named(step: Step, figures: Estimates, among: int) -> str:
    right = figures["accuracy"]
    choice = f"one of {among:,} {step.name}s" if among else f"{step.name} of those with the most texts"
    return (
        f"{step.title} names the right {choice} for {measured_in(right)} of {right.n:,} vectors, {_above(right)} "
        f"chance (the most frequent {step.name}), {_chance(right)}."
    )


def _keywords(results: Sequence[tuple[Step, Estimates]], figures: Estimates) -> Iterator[str]:
    """Say which share of each of the user's keywords is read; nothing where none were chosen."""
    chosen = next((game.keywords for step, _ in results if isinstance(game := step.experiment.game, Inversion)), ())
    if not chosen or not figures:
        return
    for number, keyword in enumerate(chosen):
        recall = figures.get(f"recall_{keyword_name(number)}")
        if recall is None:
            yield f"Your keyword “{keyword}”: none of the texts that were read has it, so it could not be read."
            continue
        yield (
            f"Your keyword “{keyword}”: it is named for {measured_in(recall)} of the {_texts(recall.n)} that "
            f"{'has' if recall.n == 1 else 'have'} it, {_above(recall)} {_guessed(recall)}."
        )


def _sensitive(figures: Estimates) -> Iterator[str]:
    recalls = {f"{_CALLED[kind]} ({KINDS[kind]})": figures.get(f"recall_{kind}") for kind in KINDS}
    for called, recall in recalls.items():
        if recall is not None:
            yield (
                f"{called}: the texts that were read have {recall.n:,}; of these, {measured_in(recall)} are named by "
                f"the attack with the highest F1, chosen on these same vectors, {_above(recall)} {_guessed(recall)}."
            )
    absent = [called for called, recall in recalls.items() if recall is None]
    if figures and absent:
        yield f"{'; '.join(absent)}: the texts that were read have none, so none could be read."
    by_length = {label: figures.get(f"recall_numbers_{name}") for name, label in LENGTHS.items()}
    if parts := [
        f"{measured_in(estimate)} of the {estimate.n:,} {label}, {_above(estimate)} {_guessed(estimate)}"
        for label, estimate in by_length.items()
        if estimate
    ]:
        yield f"Numbers by their length: named are {'; '.join(parts)}."


def _limits(results: Sequence[tuple[Step, Estimates]]) -> Iterator[str]:
    attacks = dict.fromkeys(step.experiment.attack.title for step, _ in results)
    formats = [step.title for step, _ in results if step.name == FRONTIER]
    behind = f"; behind {', '.join(formats)}, known to the adversary but for a secret key" if formats else ""
    if unchecked(step for step, _ in results):
        yield UNCHECKED
    if untold := _untold(results):
        yield f"{untold}: not tried, because the encoder is unknown."
    yield (
        f"Tried: {', '.join(attacks)}{behind}. Adversaries hold other texts of the same store; those that read "
        "words, none that is a near copy of what they read. Adversaries without texts of this kind were not tried."
    )
    if not any(step.name == "texts" for step, _ in results):
        yield "Words are named, not their order."
    yield (
        "Words that none of the adversary’s texts has count as missed. Intervals "
        "resample the vectors that were read. A store that withstands these attacks is not proved safe."
    )


def _untold(results: Sequence[tuple[Step, Estimates]]) -> str:
    """Return what has a column, but takes an adversary that knows the encoder, where nobody does."""
    if any(step.compared for step, _ in results):
        return ""
    datasets = [step.experiment.dataset for step, _ in results]
    named = [
        called
        for name, called in (("owner", "owners"), ("label", "classes"))
        if any(getattr(dataset, SECRETS[name], "") for dataset in datasets)
    ]
    return capitalised(" and ".join(named))


def _above(estimate: Estimate) -> str:
    return "above" if estimate.above_chance() else "not shown to be above"


def _guessed(recall: Estimate) -> str:
    """Return the chance level for words that may identify somebody, with the baseline that sets it."""
    dealt = "chance (the most frequent words, or what is named from another vector)"
    return f"{dealt if is_dealt(recall) else _CHANCE}, {_chance(recall)}"


def _texts(count: int) -> str:
    return "one text" if count == 1 else f"{count:,} texts"


def _chance(estimate: Estimate) -> str:
    """Return chance in percent, of a rare guess with two digits that count."""
    if estimate.chance is None:
        return "unknown"
    return f"{100 * estimate.chance:.2g}%" if 0.0005 <= estimate.chance < 0.01 else percent(estimate.chance)
