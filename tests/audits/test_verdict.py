"""Sentences of the audit of a vector store follow from its figures."""

from dataclasses import replace

from core.audits import plan, storage_formats
from core.audits.verdict import verdict
from core.datasets.embeddings import Embeddings
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders.records import DEFAULT
from core.models.encoder import Encoder
from core.result import Estimate
from tests.audits.verdict_figures import SMALL, estimate, figures


def test_sentences_change_with_the_figures() -> None:
    words, pairs, suspects, *_ = plan.steps(WikipediaExcerpt(), Encoder(length="unit"), SMALL, DEFAULT)
    ranking = {"accuracy": estimate(0.9, 0.8, 0.025, 20)}
    read = verdict([(words, figures(0.5, 0.4, recall_names=estimate(0.3, 0.1, 0.0, 7))), (suspects, ranking)])
    assert read.headline == (
        "A copy of these vectors can be read: an adversary that knows the encoder and holds texts of the same kind "
        "names words with F1 50% (95% interval 40–55%), chance (the most frequent words) 20% (100 vectors). "
        "Even further above chance: an adversary that knows the encoder and suspects "
        "some texts puts the right one first for 90% (80–95%) of 20 vectors, chance 3%."
    )
    assert "F1 50% (40–55%), above chance (the most frequent words), 20%; 50% (40–55%) of" in read.findings[0]
    assert read.findings[0].endswith("of the words of a text are named (recall); 100 vectors.")
    assert "90% (80–95%) of 20 vectors, chance 3%." in read.findings[1]
    assert any(line.startswith("Names") and "have 7; of these, 30% (10–35%)" in line for line in read.findings)
    assert any(line.startswith("Numbers") and "have none" in line for line in read.findings)
    hidden = verdict([(words, figures(0.21, 0.18)), (pairs, figures(0.2, 0.1)), (suspects, ranking)])
    assert (
        hidden.headline.startswith("No attack on words is shown to be above chance (the most frequent words)")
        and "of 40 comes first for 90%" in hidden.headline
    )
    assert "not shown to be above chance (the most frequent words)" in hidden.findings[0]
    safe = verdict([(words, figures(0.21, 0.18)), (suspects, {"accuracy": estimate(0.05, 0.0, 0.025)})])
    assert safe.headline.startswith("None of these attacks") and "all-clear" not in safe.headline
    assert not any("not checked" in line for line in safe.lines)
    few = {**figures(0.5, 0.4), "recall": estimate(0.2, 0.1, 0.2)}
    best = verdict([(words, figures(0.21, 0.18)), (pairs, few)]).headline
    assert "(the same encoder, as it happens), names words with F1 50% (95% interval 40–55%)" in best
    assert "(100 vectors; the best of 2 attacks, chosen on these same vectors; it learns by another method than" in best
    assert "not proved safe" in safe.limits[-1]


def test_of_formats_it_says_which_leaks_least_and_whether_less_than_without() -> None:
    steps = plan.steps(WikipediaExcerpt(), Encoder(length="unit"), SMALL, DEFAULT)
    words, pairs, eight, one, turned = (
        next(step for step in steps if name in (step.name, step.title))
        for name in ("words", "pairs", "int8", "binary", "secret rotation")
    )

    def behind(f1: float, kept: float, queries: int = 100) -> dict[str, Estimate]:
        return figures(f1, f1 - 0.05, retrieval_recall_at_10=estimate(kept, kept - 1 / queries, 0.1, queries))

    plain = [(words, figures(0.5, 0.45)), (pairs, figures(0.3, 0.25))]
    findings = verdict(
        [*plain, (eight, behind(0.48, 0.99)), (one, behind(0.3, 0.6)), (turned, behind(0.3, 1.0))]
    ).findings
    text = "\n".join(findings)
    assert "1 of 2 storage formats and defenses without a key keep at least 90% of the nearest ten, judged" in text
    assert "of the interval of 100 queries. Of those that do, int8 leaks least: F1 48%" in text
    assert "for 100 vectors, not shown to be less than without it (50%). A search behind int8 finds 99% (" in text
    assert (
        "Of the 2 without a key, binary leaks least: F1 30% (25–35%) for 100 vectors, less than without it (50%)"
        in text
    )
    near = verdict([*plain, (eight, behind(0.33, 0.99)), (one, behind(0.3, 0.95))]).findings
    assert any("binary leaks least, not shown to be less than int8: F1 30% (25–35%)" in line for line in near)
    alike = verdict([*plain, (eight, behind(0.3, 0.99)), (one, behind(0.3, 0.95))]).findings
    assert any("int8 and binary leak least, alike: of int8, F1 30% (25–35%)" in line for line in alike)
    more = verdict([*plain, *((replace(eight, title=name), behind(0.3, 0.99)) for name in "abc")]).findings
    assert any("a, b and c leak least, alike: of a, F1 30%" in line for line in more)
    few = verdict([*plain, (eight, behind(0.48, 0.99, 3)), (one, behind(0.3, 0.6, 3))]).findings
    assert any(line.startswith("0 of 2") and line.endswith("the interval of 3 queries.") for line in few)
    store = Embeddings(source="x", queries="q")
    unknown = next(step for step in plan.steps(store, Encoder(length="unit"), SMALL, DEFAULT) if step.keyed)
    assert (
        "(stored vectors, as your queries take the encoder: not to be compared"
        in verdict([(unknown, behind(0.3, 1.0))]).lines[1]
    )
    more = verdict([*plain, (eight, behind(0.62, 0.99)), (one, behind(0.3, 0.6))]).findings
    assert "More is read than of the vectors as they are behind int8, F1 62% (57–67%) against 50%." in more
    assert any("int8 leaks least: F1 62% (57–67%) for 100 vectors, more than without it (50%)" in line for line in more)
    classed = figures(0.5, 0.45, utility=estimate(0.8, 0.75, 0.6, 40))
    worse = {**behind(0.3, 0.6), "utility": estimate(0.6, 0.5, 0.6, 40)}
    assert verdict([(words, classed), (one, worse)]).findings[-1] == (
        "The right class of a text is named by a service that tunes its classifier for 80% (75–85%) of 40 vectors as "
        "they are, chance (the most frequent class) 60%. Behind formats and defenses: binary 60% (50–65%)."
    )
    alone = [(words, classed), (one, worse), (eight, {**behind(0.4, 0.5), "utility": estimate(0.7, 0.6, 0.6)})]
    assert not any("int8" in line for line in storage_formats.leaks(alone)), "a report takes what these name first"
    assert "right class" not in text
    assert "More is read" not in text and "more than without" not in text
    assert "Behind a secret rotation" in text and "not shown to be less than without it (30%)" in text


def test_a_stronger_attack_that_was_not_tried_behind_a_format_is_named() -> None:
    steps = plan.steps(WikipediaExcerpt(), Encoder(length="unit"), SMALL, DEFAULT)
    words, pairs, eight = (
        next(step for step in steps if name in (step.name, step.title)) for name in ("words", "pairs", "int8")
    )
    behind = figures(0.2, 0.15, retrieval_recall_at_10=estimate(0.99, 0.98, 0.1))
    finding = verdict([(words, figures(0.24, 0.2)), (pairs, figures(0.4, 0.35)), (eight, behind)]).findings[-1]
    assert finding.startswith("Behind formats and defenses without a key, Inversion by classifier alone was tried.")
    assert "Inversion from few pairs reads more of the vectors as they are, F1 40% (35–45%) against 24%" in finding
    for others in ((0.3, 0.25), (0.2, 0.15)):
        alike = verdict([(words, figures(0.24, 0.2)), (pairs, figures(*others)), (eight, behind)]).findings
        assert not any("alone was tried" in line for line in alike), "not shown to read more"


def test_the_headline_names_the_figure_furthest_above_chance() -> None:
    store = Embeddings(source="x", owner_column="who")
    steps = {step.name: step for step in plan.steps(store, Encoder(length="unit"), SMALL, DEFAULT)}

    def headline(first: Estimate, owner: Estimate) -> str:
        accuracies = [(steps["suspects"], {"accuracy": first}), (steps["owner"], {"accuracy": owner})]
        return verdict([(steps["words"], figures(0.5, 0.45)), *accuracies], {"owner": 8}).headline

    none, weak = estimate(0.03, 0.0, 0.025), estimate(0.3, 0.2, 0.16)
    assert "Even further above chance: an adversary that knows the encoder and suspects some" in headline(
        estimate(1, 0.96, 0.005), weak
    )
    assert (
        "Even further above chance: an adversary that knows the encoder and some texts of each owner names the right"
        in headline(none, estimate(0.9, 0.8, 0.16))
    )
    assert headline(none, weak).endswith("(100 vectors)."), "the headline has it"
    words = [(steps[name], figures(value, low)) for name, value, low in (("words", 0.5, 0.46), ("pairs", 0.52, 0.43))]
    assert "further above chance" not in verdict(words).headline, "one F1 of words is named, not two"
    hidden = [(steps["words"], figures(0.21, 0.18)), (steps["owner"], {"accuracy": estimate(0.9, 0.8, 0.16)})]
    assert (
        "words above chance" in verdict(hidden).headline
        and "Even further above chance: an adv" in verdict(hidden).headline
    )
    nothing = [(steps["words"], figures(0.21, 0.18)), (steps["owner"], {"accuracy": estimate(0.2, 0.1, 0.16)})]
    assert "further above chance" not in verdict(nothing).headline
