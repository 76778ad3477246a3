"""What every lesson promises: its results are stored, its answers and claims follow from them, its links lead there."""

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from core import catalog
from core.jobs.needs import needs
from core.runtime.store import Store
from core.statistics.intervals import Interval, difference
from dashboard import navigation
from dashboard.kit import glossary, links
from dashboard.topics.lessons import asking, evidence, reveal, shelf
from dashboard.topics.lessons.figures import answers, options
from dashboard.topics.lessons.lesson import (
    Above,
    AboveChance,
    Adversary,
    Alike,
    AtChance,
    Choice,
    Claim,
    Lesson,
    Measured,
    Number,
    Point,
    Step,
)
from dashboard.topics.lessons.pooled import runs

LESSONS = list(shelf.lessons().values())
NUMERAL = re.compile(r"(?<![\w{])\d[\d,.]*\b")


@pytest.fixture(params=LESSONS, ids=[lesson.name for lesson in LESSONS])
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return request.param


def test_each_file_is_a_lesson_in_its_place() -> None:
    files = {path.stem for path in shelf.FOLDER.glob("*.py")} - {"__init__"}
    assert files == set(shelf.lessons())
    assert [lesson.order for lesson in LESSONS] == sorted({lesson.order for lesson in LESSONS})


def test_it_has_a_story_of_three_to_five_predictions(lesson: Lesson) -> None:
    assert 3 <= len(lesson.steps) <= 5
    assert 20 <= lesson.minutes <= 40
    assert lesson.question.endswith("?")
    assert all(step.prediction.label.endswith("?") for step in lesson.steps)
    for text in _prose(lesson):
        assert "  " not in text and text == text.strip() and text
    titles = [step.title for step in lesson.steps]
    assert len(set(titles)) == len(titles)


def test_its_terms_are_those_of_its_texts_in_the_glossary(lesson: Lesson) -> None:
    prose = "\n".join(evidence.filled(text) for text in _prose(lesson))
    assert set(lesson.terms) <= set(glossary.terms_in(prose))
    assert set(lesson.terms) <= set(glossary.TERMS)


def test_every_figure_is_stored_with_the_code(lesson: Lesson) -> None:
    store = Store()
    for measured in _used(lesson):
        entry = evidence.entry(measured.result)
        assert store.is_shipped(entry.key), measured
        assert evidence.estimate(measured).n or measured.estimate.startswith(("perplexity", "queries")), measured


def test_every_number_in_its_texts_comes_from_a_result(lesson: Lesson) -> None:
    for step in lesson.steps:
        settings = " ".join(str(evidence.entry(each.result).values) for each in step.prediction.measured.values())
        for text in (*_texts(step), *step.prediction.measured):
            for number in NUMERAL.findall(evidence.PLACEHOLDER.sub("", text)):
                assert re.search(rf"\b{number}(?:\.0)?\b", settings), f"{step.title}: {number} is no setting"
            assert not re.search("[{}]", evidence.filled(text)), text
    for text in (lesson.title, lesson.question, lesson.story, lesson.takeaway):
        assert not NUMERAL.search(text)


def test_every_claim_of_its_texts_holds(lesson: Lesson) -> None:
    for step in lesson.steps:
        assert step.claims, step.title
        for claim in step.claims:
            assert _holds(claim), claim


def test_every_prediction_has_its_answer(lesson: Lesson) -> None:
    for step in lesson.steps:
        match step.prediction:
            case Number(answer=answer, low=low, high=high) as asked:
                figure = evidence.estimate(answer)
                assert low <= figure.low <= figure.value <= figure.high <= high, step.title
                assert figure.chance is None or low <= figure.chance <= high, step.title
                assert reveal.measured(asked, low)
            case Point(measured=measured, tick=tick, low=low, high=high):
                assert tick in measured
                assert all(low <= evidence.estimate(each).value <= high for each in measured.values())
            case Choice(measured=measured):
                figures = evidence.estimates(measured)
                best = figures[options.best(answers.table(figures))]
                others = [figure for figure in figures.values() if figure is not best]
                clear = all(other.high < best.low for other in others)
                assert clear, f"{step.title}: two options are not told apart"
                assert {figure.chance for figure in others} == {best.chance}
            case Adversary() as asked:
                _, items = asking.game(asked)
                assert len(items) == 10 and 3 <= items["member"].sum() <= 7
                assert len(asking.texts(asked)) == 10, "their texts come with the code"


def test_no_revealed_items_answer_a_later_question(lesson: Lesson) -> None:
    predictions = [step.prediction for step in lesson.steps if isinstance(step.prediction, Adversary)]
    for one, other in combinations([asking.game(each)[1].set_index("example")["member"] for each in predictions], 2):
        known = one.align(other, join="inner")
        assert len(known[0]) == 0 or 3 <= (known[0] == known[1]).sum() <= 7, "who remembers them has no more than luck"


def test_its_links_lead_to_the_very_experiments(lesson: Lesson) -> None:
    for step in lesson.steps:
        experiment = evidence.entry(step.further[0]).experiment
        attack = experiment.attack.part_name()
        assert navigation.page_of(attack) is not None
        assert links.read(links.written(experiment, Store()), attack, Store()).experiment == experiment
        assert step.further[0] in {measured.result for measured in _used_in(step)}


def test_what_a_room_runs_is_stored_with_other_seeds(lesson: Lesson) -> None:
    if (pooled := lesson.pooled) is None:
        return
    experiments = [evidence.entry(name).experiment for name in pooled.results]
    assert len({experiment.seed for experiment in experiments}) == len(experiments) >= 8
    assert len({str({**experiment.as_dict(), "seed": None}) for experiment in experiments}) == 1
    assert all(Store().is_shipped(experiment.key) for experiment in experiments)
    stored = runs.stored(pooled)
    assert {each.chance for each in stored} == {stored[0].chance} and stored[0].chance is not None
    assert all(pooled.low <= each.low <= each.high <= pooled.high for each in stored)
    assert pooled.low <= stored[0].chance
    assert not needs(experiments[0]), "it runs without a network"
    assert not any(NUMERAL.search(text) for text in (pooled.title, pooled.situation, pooled.label, pooled.why))


def _prose(lesson: Lesson) -> Iterator[str]:
    """Yield every text of a lesson that is shown as prose."""
    yield from (lesson.title, lesson.question, lesson.story, lesson.takeaway)
    for step in lesson.steps:
        yield from (*_texts(step), *step.prediction.measured)
    if (pooled := lesson.pooled) is not None:
        yield from (pooled.title, pooled.situation, pooled.label, pooled.why)


def _texts(step: Step) -> tuple[str, ...]:
    return step.title, step.situation, step.prediction.label, step.why, step.misconception, step.truth


def _used(lesson: Lesson) -> Iterator[Measured]:
    for step in lesson.steps:
        yield from _used_in(step)
    for text in _prose(lesson):
        yield from (Measured(name, figure) for name, figure, _ in evidence.PLACEHOLDER.findall(text) if figure)


def _used_in(step: Step) -> Iterator[Measured]:
    yield from step.prediction.measured.values()
    for claim in step.claims:
        yield from _compared(claim)


def _compared(claim: Claim) -> tuple[Measured, ...]:
    match claim:
        case Above(higher, lower):
            return higher, lower
        case Alike(first, second):
            return first, second
        case AboveChance(measured) | AtChance(measured):
            return (measured,)


def _holds(claim: Claim) -> bool:
    figure, *others = map(evidence.estimate, _compared(claim))
    match claim:
        case AboveChance():
            return figure.above_chance()
        case AtChance():
            return figure.chance is not None and figure.low <= figure.chance <= figure.high
        case Above():
            return figure.low > others[0].high
        case Alike():
            first, second = (Interval(each.value, each.low, each.high) for each in (figure, *others))
            gap = difference(first, second)
            return gap.low <= 0 <= gap.high


def test_a_whole_setting_has_no_decimals() -> None:
    assert evidence.filled("{next_word_epsilon_8@defenses.0.epsilon}, {mailboxes@game.documents}") == "8, 8,000"


def test_a_group_of_pairs_is_one_decision() -> None:
    for name, estimate, count in (
        ("translations_over_trained", "accuracy", 4800),
        ("translations_over_trained", "group_accuracy", 160),
        ("translations_one_pass", "group_accuracy_centred_reference", 256),
    ):
        assert evidence.estimate(Measured(name, estimate)).n == count


def test_a_claim_that_does_not_hold_is_found() -> None:
    low, high = Measured("figure_3_cbow", "accuracy_all_vectors_100"), Measured("figure_3_cbow", "accuracy_100")
    assert not any(map(_holds, (AboveChance(low), AtChance(high), Above(low, high), Alike(low, high))))
    assert len(catalog.matching("figure_3_cbow")) == 1
