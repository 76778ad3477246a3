"""What a defense hides and what it costs: the curve of one, and the trade of all."""

from types import SimpleNamespace

import pytest

from dashboard.topics.defenses.figures import costs, defense, pareto
from tests.dashboard import samples
from tests.dashboard.embedding_results import defended, estimate


def settings():
    return [
        ("", float("nan"), "", defended()),
        ("Rounding", 0.0, "decimals", defended(hidden=1.0, cost=0.7)),
        ("Rounding", 1.0, "decimals", defended(hidden=0.5, cost=0.2)),
        ("Rounding", 2.0, "decimals", defended(hidden=0.1, cost=0.02)),
        ("Projection", 0.01, "share removed", defended(hidden=0.6, cost=0.05)),
        ("Projection", 0.1, "share removed", {}),
    ]


def without_utility():
    stripped = ({"accuracy": figures["accuracy"]} if figures else {} for *_, figures in settings())
    return defense.points((*setting[:3], figures) for setting, figures in zip(settings(), stripped, strict=True))


@pytest.fixture
def table():
    return defense.points(settings())


def test_settings_without_figures_are_left_out_and_numbers_stay(table):
    assert table["number"].tolist() == [0, 1, 2, 3, 4]
    assert defense.defenses(table) == ["Rounding", "Projection"]
    assert defense.plain(table).utility == pytest.approx(0.78)


def test_the_curve_has_both_levels_of_chance_the_undefended_and_the_chosen(table):
    figure = defense.figure(table, "Rounding", chosen=2)
    names = [shape.name for shape in figure.layout.shapes]
    listed = [shape.name for shape in figure.layout.shapes if shape.showlegend]
    assert listed == ["dotted: no defense", "adversary: chance", "utility: chance"], "no name lies on a point"
    assert names.count("dotted: no defense") == 2
    chosen = [shape.x0 for shape in figure.layout.shapes if shape.name == "chosen"]
    assert chosen == [1]
    assert list(figure.layout.xaxis.ticktext) == ["0", "1", "2"]
    lines = [trace.name for trace in figure.data if trace.name]
    assert lines == ["utility", "adaptive adversary", "naive adversary"]
    assert not figure.layout.annotations


def test_a_sweep_without_utility_has_one_line():
    table = without_utility()
    figure = defense.figure(table, "Rounding")
    assert [trace.name for trace in figure.data if trace.name] == ["adversary"]
    assert "was not measured" in defense.sentence(table, 2)
    assert "not measured" in samples.texts(pareto.figure(table))[-1]
    assert "no comparison" in pareto.sentence(table)


def test_the_sentence_says_cost_and_what_is_left(table):
    sentence = defense.sentence(table, 2)
    assert sentence.startswith(
        "Rounding, decimals 1, costs 12 points of downstream accuracy (66%, 78% without a defense)"
    )
    assert "leaves the adaptive adversary right in 68% (95% interval 65–71%), against 86%" in sentence
    assert "depends on the defense being unknown" in sentence
    assert "The adaptive adversary is not shown to exceed chance." in defense.sentence(table, 1)
    below = defense.sentence(table.assign(adaptive_low=0.3, adaptive_high=0.4), 1)
    assert "below the success of predicting the majority class" in below and "not shown" not in below


def test_what_is_said_of_a_defense_that_is_unknown_needs_a_leak(table):
    hidden = defense.sentence(table.assign(adaptive_low=0.45), 2)
    assert "depends on the defense" not in hidden and "misleads" not in hidden
    misled = defense.sentence(table.assign(naive_low=0.1, naive=0.2, naive_high=0.3, naive_chance=0.5), 2)
    assert "depends on the defense" not in misled and "That is less than chance" in misled


def test_what_a_search_still_finds_is_told_where_it_was_measured(table):
    assert "A search" not in defense.sentence(table, 2)
    sentence = defense.sentence(table.assign(recall=0.79, recall_low=0.78, recall_high=0.8), 2)
    assert "A search among these embeddings still finds 79% (78–80%) of the ten nearest." in sentence
    fewer = planted(table.assign(recall=0.99, recall_low=0.98, recall_high=1.0), 2, recall=0.9, recall_high=0.91)
    assert "nearest, 9 points fewer than without a defense." in defense.sentence(fewer, 2)
    text = pareto.sentence(table.assign(recall=0.79, recall_low=0.78, recall_high=0.8))
    assert "a search still finds 79% (78–80%) of the ten nearest" in text
    assert "ten nearest" not in pareto.sentence(table)
    none = defense.sentence(table.assign(recall=0.01, recall_low=0.008, recall_high=0.012, recall_chance=0.011), 2)
    assert "finds 1% (0.8–1.2%) of the ten nearest, which is not shown to be more than chance, 1.1%." in none
    assert "still finds" not in none


def test_the_curve_names_every_strength_at_chance_and_the_utility_of_the_most_useful(table):
    both = planted(table, 2, adaptive=0.5, adaptive_low=0.45, naive=0.5, naive_low=0.45)
    sentence = defense.curve_sentence(both, "Rounding")
    assert (
        ". At decimals 0 and 1 neither adversary is shown to exceed chance. At decimals 1, its utility is 66%"
        in sentence
    )
    one = defense.curve_sentence(table, "Rounding")
    assert ". At decimals 0 neither adversary is shown to exceed chance; its utility is 36%" in one


def test_the_curve_is_read_from_end_to_end(table):
    sentence = defense.curve_sentence(table, "Rounding")
    assert sentence.startswith(
        "The stronger of both adversaries rises from 50% (decimals 0) to 82% (decimals 2), and utility goes from"
    )
    assert "At every strength" in defense.curve_sentence(table, "Projection")
    assert "No strength" in defense.curve_sentence(table, "Nothing")


def test_a_low_or_a_high_inside_the_curve_is_told_where_the_intervals_set_it_apart():
    hidden = {1.0: 0.6, 3.0: 0.9, 10.0: 0.4, 30.0: 0.1}
    rows = [("Mapping", value, "price", defended(hidden=share, cost=share)) for value, share in hidden.items()]
    table = defense.points([("", float("nan"), "", defended()), *rows])
    sentence = defense.curve_sentence(table, "Mapping")
    assert "goes from 64% (price 1) to 82% (price 30), lowest between them at price 3, 54%, and utility" in sentence
    assert "lowest between them at price 3, 24%" in sentence.partition("utility")[2]
    wide = table.assign(naive_low=0.4, naive_high=0.9, adaptive_low=0.4, adaptive_high=0.9)
    assert "between them" not in defense.curve_sentence(wide, "Mapping").partition("utility")[0]


def dealt(value, lead, half):
    """The success of an adversary, and its lead over its own answers dealt to other victims."""
    return {
        "accuracy": estimate(value, value - lead, 0.005),
        "accuracy_naive": estimate(0.25, 0.25, 0.005),
        "lead": estimate(lead, 0.0, half).model_copy(update={"low": lead - half, "high": lead + half}),
        "lead_naive": estimate(0.0, 0.0, half).model_copy(update={"low": -half, "high": half}),
        "majority": estimate(0.34, None, 0.01),
        "utility": estimate(0.6, 0.5, 0.02),
    }


def test_where_answers_were_dealt_to_others_the_paired_lead_tells_and_the_most_frequent_value_is_a_reference():
    def told(half):
        bare = {name: each for name, each in dealt(0.5, 0.25, 0.01).items() if "naive" not in name}
        rows = [("", float("nan"), "", bare), ("Noise", 10.0, "epsilon", dealt(0.258, 0.009, half))]
        return defense.points(rows)

    shown, hidden = told(0.005), told(0.02)
    assert "At every strength an adversary exceeds chance" in defense.curve_sentence(shown, "Noise")
    assert "With every setting an adversary exceeds chance" in pareto.sentence(shown)
    assert "not shown to exceed chance" not in defense.sentence(shown, 1)
    assert "fit their own victims better than others, by 0.9 points (95% interval 0.4–1.4)." in defense.sentence(
        shown, 1
    )
    assert "fit their own" not in defense.sentence(hidden, 1)
    assert "neither adversary is shown to exceed chance" in defense.curve_sentence(hidden, "Noise")
    assert "The adaptive adversary is not shown to exceed chance." in defense.sentence(hidden, 1)
    for sentence in (defense.sentence(shown, 1), pareto.sentence(shown), pareto.sentence(hidden)):
        assert sentence.endswith(
            "Chance is what the same answers get when they are dealt to other victims, tested in pairs."
        )
    levels = {shape.name: shape.y0 for shape in defense.figure(shown, "Noise").layout.shapes if shape.showlegend}
    assert levels["most frequent values of these victims"] == pytest.approx(0.34)
    assert levels["adversary: chance"] == pytest.approx(0.249)
    below = told(0.005).assign(adaptive_lead=-0.02, adaptive_lead_low=-0.03, adaptive_lead_high=-0.01)
    assert "below the success of the same answers dealt to other victims" in defense.sentence(below, 1)


def test_adversaries_that_have_each_a_chance_of_their_own_are_ranked_by_their_leads():
    """One that always names the commonest letter is right as often as its answers are for other victims."""
    bare = {name: each for name, each in dealt(0.5, 0.25, 0.01).items() if "naive" not in name}
    commonest = {**dealt(0.26, 0.01, 0.004), "accuracy_naive": estimate(0.34, 0.34, 0.01)}
    table = defense.points([("", float("nan"), "", bare), ("Noise", 10.0, "epsilon", commonest)])
    assert defense.stronger(table)["success"].tolist() == [0.5, 0.26]
    assert defense.stronger(table)["success_chance"].tolist() == [0.25, 0.25]
    sentence = defense.sentence(table, 1)
    assert "is right in 34% (33–35%); its own chance is 34%." in sentence and "not the strongest" not in sentence
    assert "depends on the defense being unknown" in sentence, "only the adaptive one's answers fit their own victims"
    leading = planted(table, 1, naive_lead=0.1, naive_lead_low=0.09, naive_lead_high=0.11)
    assert "It exceeds its chance by more than the adaptive one, which is therefore not the strongest." in (
        defense.sentence(leading, 1)
    )
    assert defense.stronger(leading)["success"].tolist() == [0.5, 0.34]


def ranked(accuracy, auc, called=0.4, end=""):
    return {
        f"accuracy{end}": estimate(accuracy, 0.5, 0.05),
        f"auc{end}": estimate(auc, 0.5, 0.05),
        f"called{end}": estimate(called, None, 0.0),
    }


def behind_noise(*defended, attack="likelihood ratio"):
    rows = [("Noise", 10.0 ** (1 + number), "epsilon", figures) for number, figures in enumerate(defended)]
    return defense.points([("", float("nan"), "", ranked(0.9, 0.95)), *rows], attack)


def test_what_decisions_hide_is_told_by_the_auc_and_the_attack_is_named():
    hidden = ranked(0.51, 0.52) | ranked(0.5, 0.52, end="_naive")
    ranks = ranked(0.51, 0.52) | ranked(0.54, 0.79, end="_naive")
    plain = "At epsilon 10 and 100 neither adversary is shown to exceed chance by likelihood ratio."
    assert defense.curve_sentence(behind_noise(hidden, hidden), "Noise").endswith(plain)
    assert defense.curve_sentence(behind_noise(hidden, ranks), "Noise").endswith(
        f"{plain} At epsilon 100 the AUC of the naive adversary, 0.79 (0.74–0.84), exceeds chance all the same."
    )
    unnamed = behind_noise(hidden, attack="")
    assert defense.curve_sentence(unnamed, "Noise").endswith("neither adversary is shown to exceed chance.")
    table = behind_noise(hidden, ranks)
    assert "is not shown to exceed chance by likelihood ratio." in defense.sentence(table, 1)
    assert "AUC" not in defense.sentence(table, 1)
    assert defense.sentence(table, 2).endswith("Its AUC, 0.79 (0.74–0.84), exceeds chance all the same.")
    part = behind_noise(ranked(0.8, 0.85) | ranked(0.5, 0.79, end="_naive"))
    assert defense.sentence(part, 1).endswith(
        "depends on the defense being unknown. Its AUC, 0.79 (0.74–0.84), exceeds chance all the same."
    )
    found = ranked(0.9, 0.95) | ranked(0.8, 0.9, end="_naive")
    assert "AUC" not in defense.sentence(behind_noise(found), 1), "so do its decisions"
    single = behind_noise(ranked(0.51, 0.7))
    assert defense.curve_sentence(single, "Noise").endswith(
        "the adversary is not shown to exceed chance by likelihood ratio. At epsilon 10 the AUC of the adversary, 0.70 "
        "(0.65–0.75), exceeds chance all the same."
    )


@pytest.mark.parametrize(("called", "says"), [(0.0, "calls no target"), (1.0, "calls every target"), (0.058, "")])
def test_decisions_that_are_all_alike_are_told_and_not_compared(called, says):
    constant = ranked(0.51, 0.52) | ranked(0.5, 0.52, called, "_naive")
    curve = defense.curve_sentence(behind_noise(constant, constant), "Noise")
    alike = f"At epsilon 10 and 100 the naive adversary {says} a member: one constant answer."
    assert curve.endswith(alike) if says else "constant" not in curve
    known = ranked(0.8, 0.85) | ranked(0.5, 0.52, called, "_naive")
    sentence = defense.sentence(behind_noise(known), 1)
    assert sentence.endswith(f"It {says} a member: one constant answer." if says else "the defense being unknown.")


def test_chance_is_drawn_of_each_strength_and_adversary_where_it_differs():
    chances = (0.25, 0.25), (0.3, 0.34)
    rows = [
        ("Noise", 10.0 * (1 + number), "epsilon", dealt(0.4, 0.4 - adaptive, 0.01) | {"accuracy_naive": naive})
        for number, (adaptive, chance) in enumerate(chances)
        for naive in [estimate(0.35, chance, 0.005)]
    ]
    table = defense.points(rows)
    figure = defense.figure(table, "Noise")
    lines = {trace.name: list(trace.y) for trace in figure.data if trace.name}
    assert lines["adaptive adversary: chance"] == pytest.approx([0.25, 0.3])
    assert lines["naive adversary: chance"] == pytest.approx([0.25, 0.34])
    levels = {shape.name: shape.y0 for shape in figure.layout.shapes if shape.showlegend}
    assert levels["utility: chance"] == 0.5 and "adaptive adversary: chance" not in levels


def test_an_f1_that_a_threshold_spoils_is_told_as_such():
    figures = {
        "f1": estimate(0.25, 0.2, 0.01),
        "f1_naive": estimate(0.01, 0.2, 0.001),
        "recall": estimate(0.24, None, 0.01),
        "recall_naive": estimate(0.53, None, 0.01),
        "precision_naive": estimate(0.006, None, 0.001),
    }
    rows = [("", float("nan"), "", {"f1": estimate(0.7, 0.2, 0.01)}), ("Noise", 100.0, "epsilon", figures)]
    sentence = defense.sentence(defense.points(rows), 1)
    assert sentence.endswith(
        "That is less than chance: it finds 53% of the words, but of those that it names 0.6% are "
        "right. Its threshold, set on plain embeddings, no longer fits."
    )
    flat = {**figures, "f1": estimate(0.2, 0.2, 0.01)}
    assert "no longer fits" in defense.sentence(defense.points([rows[0], ("Noise", 100.0, "epsilon", flat)]), 1)
    fewer = {**figures, "recall_naive": estimate(0.1, None, 0.01)}
    assert "misleads it here" in defense.sentence(defense.points([rows[0], ("Noise", 100.0, "epsilon", fewer)]), 1)


def test_what_is_inverted_is_an_f1_against_a_frequency_baseline():
    def found(f1, naive, useful):
        return {
            "f1": estimate(f1, 0.27, 0.01),
            "f1_naive": estimate(naive, 0.27, 0.01),
            "neighbours_test": estimate(useful, 0.01, 0.002),
        }

    kept = [(1.0, found(0.33, 0.2, 0.06)), (10.0, found(0.27, 0.1, 0.03))]
    bare = ("", float("nan"), "", {"f1": estimate(0.38, 0.27, 0.01), "neighbours_test": estimate(0.064, 0.01, 0.001)})
    table = defense.points([bare, *(("Adversary", value, "strength", figures) for value, figures in kept)])
    assert defense.sentence(table, 1) == (
        "Adversary, strength 1, costs 0.4 points of accuracy in finding the next sentence (6.0%, 6.4% without a "
        "defense) and leaves the adaptive adversary with an F1 of 33% (95% interval 32–34%), against 38% without a "
        "defense; chance is 27%. The naive adversary, unaware of the defense, reaches an F1 of 20% "
        "(19–21%). That is less than chance: what it learnt without the defense misleads it here."
    )
    assert defense.curve_sentence(table, "Adversary").endswith(
        "neither adversary is shown to exceed chance; its utility is 3.0% (2.8–3.2%), 3 points below "
        "the 6% (6–7%) without a defense."
    )
    sentence = pareto.sentence(table)
    assert sentence.startswith(
        "Adversary, strength 1, is worth a look: the adversary falls by 5 points, from 38% to 33%."
    )
    less = planted(table, 1, utility=0.049, utility_low=0.047, utility_high=0.051)
    assert "worth a look" not in pareto.sentence(less), "one and a half points of 6% are too much to be worth a look"
    assert "is Adversary, strength 10. Its utility is 3.0% (2.8–3.2%), 3 points below the 6% (6–7%)" in sentence
    assert "F1 of the stronger adversary" in pareto.figure(table).layout.xaxis.title.text
    listed = [shape.name for shape in defense.figure(table, "Adversary").layout.shapes]
    assert "adversary: chance" in listed


def test_the_frontier_holds_what_nothing_else_beats(table):
    assert pareto.frontier(table)["number"].tolist() == [1, 4, 3, 0]


def test_the_line_of_the_frontier_promises_no_utility_that_was_not_measured_at_that_success_or_less(table):
    line = next(trace for trace in pareto.figure(table).data if trace.name == "frontier")
    assert line.line.shape == "hv", "right at the utility that is reached, then up"
    assert list(line.x) == sorted(line.x) and list(line.y) == sorted(line.y)


def test_every_setting_is_a_point_that_knows_its_number(table):
    figure = pareto.figure(table, chosen=4)
    numbers = [number for trace in figure.data if trace.customdata is not None for number in trace.customdata]
    assert sorted(numbers) == [0, 1, 2, 3, 4]
    assert samples.has_chance(figure)
    assert "Projection<br>share removed 0.01" in samples.texts(figure), "in two lines, so that names fit on a phone"
    long = table.assign(defense=table["defense"].replace("Projection", "Adversarial projection"))
    assert "Adversarial<br>projection<br>share removed 0.01" in samples.texts(pareto.figure(long, chosen=4))
    assert "95% interval" in figure.layout.xaxis.title.text, "told in its picture, too"
    assert all(note.showarrow for note in figure.layout.annotations if "<br>" in note.text), "it leads to its point"
    listed = [trace.name for trace in figure.data if trace.customdata is not None]
    assert listed == ["Rounding, by decimals", "Projection, by share removed", "no defense"]


def test_the_trade_is_read_aloud(table):
    sentence = pareto.sentence(table)
    assert sentence.startswith(
        "Projection, share removed 0.01, is worth a look: the adversary falls by 22 points, from 86% to 64%. Its "
        "utility is 75% (72–78%), not shown to be lower than the 78% (75–81%) without a defense. "
    )
    assert sentence.endswith(
        "The cheapest setting at which no adversary is shown to exceed chance is Rounding, decimals 0. Its utility is "
        "36% (33–39%), 42 points below the 78% (75–81%) without a defense."
    )
    without_strength = table.assign(setting=table["setting"].where(table["defense"] != "Projection", ""))
    assert pareto.sentence(without_strength).startswith("Projection is worth a look: ")


def planted(table, number, **values):
    """The table, other values standing in the row of one setting."""
    changed = table.copy()
    for column, value in values.items():
        changed.loc[changed["number"] == number, column] = value
    return changed


def test_nothing_is_called_hidden_while_the_naive_adversary_exceeds_chance(table):
    still = planted(table, 1, naive=0.6, naive_low=0.55, naive_high=0.65)
    assert "neither adversary is shown to exceed chance" in defense.curve_sentence(table, "Rounding")
    sentence = defense.curve_sentence(still, "Rounding")
    assert "from 60% (decimals 0)" in sentence and sentence.endswith("At every strength an adversary exceeds chance.")
    assert "With every setting an adversary exceeds chance." in pareto.sentence(still)
    assert defense.sentence(still, 1).endswith(
        "is right in 60% (55–65%). It exceeds the adaptive one, which is therefore not the strongest. It exceeds "
        "chance: what is released still leaks."
    )
    drawn = [trace for trace in pareto.figure(still).data if trace.customdata is not None and 1 in trace.customdata]
    assert 0.6 in drawn[0].x


def test_differences_are_those_of_the_figures_beside_them(table):
    """0.9449 and 0.7161 are 23 points apart, and 94% and 72% 22."""
    close = planted(planted(table, 0, adaptive=0.9449), 4, adaptive=0.7161, naive=0.7)
    assert "the adversary falls by 22 points, from 94% to 72%" in pareto.sentence(close)
    useful = planted(planted(table, 0, utility=0.7849), 1, utility=0.3651)
    assert "costs 41 points of downstream accuracy (37%, 78% without a defense)" in defense.sentence(useful, 1)
    assert "Its utility is 37% (33–39%), 41 points below the 78% (75–81%)" in pareto.sentence(useful)


def test_sentences_are_silent_where_intervals_overlap(table):
    wide = planted(table, 4, adaptive_high=0.9)
    assert "worth a look" in pareto.sentence(table) and "worth a look" not in pareto.sentence(wide)
    meeting = planted(table, 4, adaptive_high=defense.plain(table).adaptive_low)
    assert "worth a look" not in pareto.sentence(meeting)
    useful = planted(table, 1, utility=0.75, utility_low=0.7, utility_high=0.8)
    assert pareto.sentence(useful).endswith(
        "is Rounding, decimals 0. Its utility is 75% (70–80%), not shown to be lower than the 78% (75–81%) without a "
        "defense."
    )
    assert "is not shown to change the downstream accuracy (75%, 78% without a defense)" in defense.sentence(useful, 1)
    worse = planted(table, 3, adaptive_low=0.4, naive=0.45, naive_low=0.4, utility=0.74, utility_low=0.7)
    sentence = pareto.sentence(planted(worse, 1, utility=0.75, utility_low=0.7, utility_high=0.8))
    assert "cheapest" not in sentence
    assert (
        "No adversary is shown to exceed chance with Rounding (decimals 0 and 2). Which of them costs least" in sentence
    )
    assert "utility is not shown. With Rounding, decimals 0, its utility is 75%" in sentence
    flat = planted(table, 1, adaptive_high=0.99, naive_high=0.99)
    assert "is not shown to change" in defense.curve_sentence(flat, "Rounding")


NAN = float("nan")


@pytest.mark.parametrize(
    ("utility", "said"),
    [
        ((0.76, 0.6, 0.9), "76% (60–90%), not shown to be lower than the 78% (75–81%)"),
        ((0.74, 0.7, 0.75), "74% (70–75%), not shown to be lower than the 78% (75–81%)"),
        ((0.74, 0.73, 0.749), "74% (73–75%), 4 points below the 78% (75–81%)"),
        ((0.78, 0.75, 0.81), "78% (75–81%), not shown to be lower than the 78% (75–81%)"),
        ((0.8, 0.77, 0.83), "80% (77–83%), not shown to be lower than the 78% (75–81%)"),
        ((0.85, 0.82, 0.88), "85% (82–88%), 7 points above the 78% (75–81%)"),
        ((0.76, NAN, NAN), "76%, not shown to be lower than the 78% (75–81%)"),
    ],
)
def test_a_setting_worth_a_look_costs_no_more_utility_than_its_interval_shows(table, utility, said):
    known = planted(table, 0, utility_low=0.75, utility_high=0.81)
    changed = planted(known, 4, **dict(zip(("utility", "utility_low", "utility_high"), utility, strict=True)))
    sentence = pareto.sentence(changed)
    assert "Projection, share removed 0.01, is worth a look: the adversary falls by 22 points" in sentence
    assert f"Its utility is {said} without a defense." in sentence
    assert "at most" not in sentence


def test_no_setting_is_worth_a_look_whose_utility_was_not_measured(table):
    missing = planted(table, 4, utility=NAN, utility_low=NAN, utility_high=NAN)
    assert "worth a look" not in pareto.sentence(missing)
    assert "no comparison" in pareto.sentence(planted(table, 0, utility=NAN))
    assert "worth a look" not in pareto.sentence(planted(table, 4, utility=0.72, utility_low=0.6, utility_high=0.9))


def test_a_utility_at_chance_is_said_to_be_so(table):
    useless = planted(table, 1, utility=0.34, utility_low=0.3, utility_high=0.38, utility_chance=0.33)
    assert pareto.sentence(useless).endswith("without a defense, and its interval includes chance, 33%.")
    assert "The interval of its utility includes chance, 33%." in defense.sentence(useless, 1)
    assert defense.curve_sentence(useless, "Rounding").endswith("and its interval includes chance, 33%.")
    assert "interval includes" not in defense.sentence(table, 1)


@pytest.mark.parametrize(
    ("utility", "change"),
    [
        (0.8048, "is not shown to change the downstream accuracy (80%, 81% without a defense)"),
        (0.82, "is not shown to change the downstream accuracy (82%, 81% without a defense)"),
        (0.7, "costs 11 points of downstream accuracy (70%, 81% without a defense)"),
        (0.9, "adds 9 points of downstream accuracy (90%, 81% without a defense)"),
    ],
)
def test_utility_is_rounded_as_on_its_tile_and_changes_beyond_both_intervals(utility: float, change: str) -> None:
    def measured(value):
        return SimpleNamespace(utility=value, utility_low=value - 0.02, utility_high=value + 0.02, service="utility")

    assert costs.of(measured(utility), measured(0.8052)) == change


def test_one_strength_is_read_beside_no_defense(table):
    assert defense.curve_sentence(table, "Projection").startswith(
        "The stronger of both adversaries falls from 86% (no defense) to 64% (share removed 0.01), and utility is "
        "not shown to change (78% and 75%)."
    )
    alone = defense.curve_sentence(table[table["defense"] == "Projection"], "Projection")
    assert alone.startswith("The stronger of both adversaries is right in 64%") and "the only strength" in alone


def test_a_curve_goes_by_strength_and_passes_over_what_was_not_measured(table):
    rising = planted(table, 3, adaptive=0.3, adaptive_low=0.28, adaptive_high=0.32, naive=0.3, naive_high=0.32)
    assert "goes from 50% (decimals 0) to 30% (decimals 2)" in defense.curve_sentence(rising, "Rounding")
    unknown = planted(table, 3, adaptive=float("nan"), naive=float("nan"))
    assert "(decimals 0) to 68% (decimals 1)" in defense.curve_sentence(unknown, "Rounding")


def test_utility_against_privacy_shows_the_chance_of_each_setting_where_it_differs(table):
    alike = pareto.figure(table)
    assert {shape.name for shape in alike.layout.shapes if shape.showlegend} == {"adversary: chance", "utility: chance"}
    differing = pareto.figure(table.assign(adaptive_chance=[0.25, 0.3, 0.25, 0.25, 0.25]))
    chances = next(trace for trace in differing.data if trace.name == "adversary: chance at each setting")
    assert sorted(chances.x) == [0.25, 0.25, 0.25, 0.25, 0.3] and sorted(chances.y) == sorted(
        pareto.measured_points(table)["utility"]
    )
    assert {shape.name for shape in differing.layout.shapes if shape.showlegend} == {"utility: chance"}
    hover = next(trace for trace in differing.data if trace.name == "no defense").text[0]
    assert "chance 25%" in hover


def test_the_cases_behind_the_marks_are_counted_from_their_estimates(table):
    assert defense.counted_cases(table) == (
        "Each figure of an adversary rests on 2,000 decisions, and each of utility on 900 decisions."
    )
    assert "utility" not in defense.counted_cases(without_utility())
    assert defense.counted_cases(table.iloc[:0]) == ""
