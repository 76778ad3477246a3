"""Charts of secrets that are read out of a network: the answer, its course, the restarts, and what it comes to."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from core.games.canaries.tables import SCHEMAS
from core.result import Estimate, table
from dashboard.kit.figures.tables import records
from dashboard.topics.canaries.figures import answer, canaries, exposure, methods, outcome, request_training, restarts
from dashboard.topics.canaries.figures import course as extraction_course
from dashboard.topics.canaries.figures.outcome import REMEMBERED
from dashboard.topics.overview.figures import measured
from tests.dashboard.canaries import samples
from tests.dashboard.samples import has_chance, texts, titles


def usual():
    return samples.extracted()


def usual_tables():
    return usual().tables


def sampled_tables():
    return samples.extracted(length=6).tables


def canary(**changes):
    row = {
        "model": 0,
        "trial": 0,
        "pattern": "pin",
        "repetitions": 100,
        "beginning": "my pin code is",
        "truth": "4 7 1 1",
        "rank": 1.0,
        "exact": True,
        "exposure": 13.29,
        "loss": 0.1,
        "control_rank": 6518.0,
    }
    return records(table(SCHEMAS["canaries"], [{**row, **changes}]))[0]


def guess(method="paper", words="4 7 1 1", wrong=0, loss=0.1):
    return {"model": 0, "pattern": "pin", "method": method, "guess": words, "wrong": wrong, "loss": loss}


def guesses(*rows):
    return table(SCHEMAS["guesses"], list(rows))


def course(*mixtures, steps=None, candidates="0123"):
    """Return a course of mixtures, each (positions, candidates)."""
    rows = [
        {"model": 0, "pattern": "pin", "step": step, "position": position, "candidate": word, "probability": share}
        for step, mixture in zip(steps or range(0, 10 * len(mixtures), 10), mixtures, strict=True)
        for position, shares in enumerate(mixture, 1)
        for word, share in zip(candidates, shares, strict=True)
    ]
    return table(SCHEMAS["mixtures"], rows)


def run(number, words, loss):
    return {"model": 0, "pattern": "pin", "run": number, "guess": words, "loss": loss}


def cell(repetitions=100, hamming=0.4, half=0.1, method="paper", pattern="pin", accuracy=0.3, chance=0.9):
    return {
        "pattern": pattern,
        "repetitions": repetitions,
        "method": method,
        "own": method == "paper",
        "canaries": 10,
        "accuracy": accuracy,
        "accuracy_low": max(accuracy - half, 0),
        "accuracy_high": accuracy + half,
        "accuracy_chance": 1e-4,
        "hamming": hamming,
        "hamming_low": max(hamming - half, 0),
        "hamming_high": hamming + half,
        "hamming_chance": chance,
    }


def cells(*rows):
    return table(SCHEMAS["cells"], list(rows))


def test_the_attack_comes_first_and_guessing_last():
    shown = answer.read(guesses(guess("random"), guess("exhaustive"), guess(), guess("new")), canary(), "paper")
    assert shown["method"].tolist() == ["paper", "exhaustive", "random", "new"]
    assert shown["own"].tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    ("words", "wrong", "statement"),
    [
        ("4 7 1 1", 0, "The attack answers “4 7 1 1”: all 4 words are correct."),
        ("4 7 1 2", 1, "The attack answers “4 7 1 2”: 3 of 4 words are correct."),
        ("4 0 0 0", 3, "The attack answers “4 0 0 0”: 1 of 4 words is correct."),
        ("0 0 0 0", 4, "The attack answers “0 0 0 0”: no word is correct."),
    ],
)
def test_an_answer_is_read_word_by_word(words, wrong, statement):
    reading = answer.read(guesses(guess(words=words, wrong=wrong)), canary(), "paper")
    assert answer.sentence(reading, canary()).startswith(statement)


def test_the_truth_is_ranked_beside_a_decoy():
    reading = answer.read(guesses(guess()), canary(), "paper")
    assert answer.sentence(reading, canary()).endswith(
        "By the network’s loss the true secret ranks 1 of 10,000; no other fits better. A decoy, a secret that is not "
        "in the data, ranks 6,518 of 10,000."
    )
    assert "ranks 2 of 10,000; 1 other fits better." in answer.sentence(reading, canary(rank=2))
    six = canary(truth="4 7 1 1 0 0", rank=99.99, control_rank=345678.0, exact=False)
    sentence = answer.sentence(answer.read(guesses(guess(words=six.truth)), six, "paper"), six)
    assert (
        "ranks about 100 of 1,000,000; a decoy, a secret that is not in the data, about 350,000 of 1,000,000."
        in sentence
    )


def test_bits_are_those_of_the_game():
    for row in records(usual_tables()["canaries"]) + records(sampled_tables()["canaries"]):
        assert answer.bits(row.rank, row) == pytest.approx(row.exposure)
    assert answer.limits(usual_tables()["exposures"], canary()) == pytest.approx((13.29, 1.44), abs=0.01)


SETTLED = course(
    [[0.4, 0.3, 0.2, 0.1]] * 2,
    [[0.1, 0.7, 0.1, 0.1], [0.5, 0.3, 0.1, 0.1]],
    [[0.0, 1.0, 0.0, 0.0], [0.9, 0.1, 0.0, 0.0]],
)


def test_the_course_is_played_from_the_beginning_and_shown_at_its_end():
    figure = extraction_course.figure(SETTLED, ["1", "0"])
    (cells_,) = figure.data
    assert np.array(cells_.z).T.tolist() == [[0.0, 1.0, 0.0, 0.0], pytest.approx([0.9, 0.1, 0, 0])]
    assert [frame.name for frame in figure.frames] == ["0", "10", "20"]
    assert [tuple(frame.traces) for frame in figure.frames] == [(0,)] * 3
    assert figure.frames[1].data[0].text[1] == ["70", "30"]
    (slider,) = figure.layout.sliders
    assert slider.active == 2 and [step.args[0][0] for step in slider.steps] == ["0", "10", "20"]
    assert [button.label for button in figure.layout.updatemenus[0].buttons] == ["Play", "Pause"]
    truth = [(shape.x0 + shape.x1) / 2 for shape in figure.layout.shapes if shape.name == "truth"]
    rows = [(shape.y0 + shape.y1) / 2 for shape in figure.layout.shapes if shape.name == "truth"]
    assert truth == [1, 2] and rows == [1, 0]
    assert set(titles(figure)) == {"Position in the secret", "Candidate"}


def test_the_course_says_when_it_settled_and_whether_rightly():
    assert extraction_course.sentence(SETTLED, ["1", "0"], ["1", "0"]) == (
        "From step 10 of 20 the most likely words are “1 0”, the secret. In the end the most likely word of a position "
        "has between 90% and 100% of the mixture: it has settled. True words are outlined."
    )
    wrong = extraction_course.sentence(SETTLED, ["1", "3"], ["1", "3"])
    assert "“1 0”, of which 1 is correct." in wrong
    assert wrong.endswith("The attack’s answer after its descent is “1 3”. True words are outlined.")
    assert "of which none is correct" in extraction_course.sentence(SETTLED, ["3", "3"], ["1", "0"])


def test_a_mixture_that_is_left_is_said_to_be_one():
    still = course([[0.4, 0.3, 0.2, 0.1]], [[0.45, 0.25, 0.2, 0.1]])
    sentence = extraction_course.sentence(still, ["0"], ["0"])
    assert sentence.startswith("From the first step the most likely words are “0”, the secret.")
    assert "has 45% of the mixture: it has not settled, and the answer takes its most likely words." in sentence


def test_the_true_word_is_followed_beside_guessing():
    figure = extraction_course.lines(SETTLED, ["1", "2"])
    assert [list(trace.y) for trace in figure.data] == [pytest.approx([0.3, 0.7, 1.0]), pytest.approx([0.2, 0.1, 0.0])]
    assert len({(trace.line.dash, trace.marker.symbol) for trace in figure.data}) == 2, "told apart without colour"
    assert has_chance(figure) and next(shape for shape in figure.layout.shapes).y0 == 0.25
    sentence = extraction_course.lines_sentence(SETTLED, ["1", "2"])
    assert sentence == (
        "The mean probability of the true words goes from 25% to 50% (chance: 25%). In the end another word is more "
        "likely at position 2."
    )
    assert extraction_course.lines_sentence(SETTLED, ["1", "0"]).endswith("is the most likely at every position.")


def test_no_course_is_said_as_such():
    nothing = table(SCHEMAS["mixtures"], [])
    assert "were not kept." in extraction_course.sentence(nothing, ["1"], ["1"])
    assert "were not kept." in extraction_course.lines_sentence(nothing, ["1"])
    for figure in (extraction_course.figure(nothing, ["1"]), extraction_course.lines(nothing, ["1"])):
        assert texts(figure) == ["The steps of this canary were not kept."]


def test_equal_ends_are_one_row_and_the_smallest_loss_is_trusted():
    runs = table(SCHEMAS["runs"], [run(0, "4 7 1 2", 0.3), run(1, "4 7 1 1", 0.1), run(2, "4 7 1 2", 0.3)])
    ends = restarts.ends(runs, canary())
    assert ends[["guess", "runs", "right", "trusted"]].to_numpy().tolist() == [
        ["4 7 1 1", 1, 4, True],
        ["4 7 1 2", 2, 3, False],
    ]
    figure = restarts.figure(ends, 0.1, 0.5)
    assert {trace.name for trace in figure.data} == {
        "loss of the true secret",
        "the true secret",
        "wrong words",
    }
    assert [shape.name for shape in figure.layout.shapes if shape.showlegend] == ["random guess"]
    assert "<b>4 7 1 1, the answer</b><br>1 restart, 4 of 4 words correct" in texts(figure)
    assert restarts.sentence(ends, 0.1) == (
        "1 of 3 random restarts ended at the true secret. The lowest loss, 0.10, has 4 of 4 words correct."
    )


@pytest.mark.parametrize(("truth", "blame"), [(0.1, "A better search may extract it"), (0.4, "no search by its loss")])
def test_a_wrong_end_is_blamed_on_the_search_or_on_the_network(truth, blame):
    ends = restarts.ends(table(SCHEMAS["runs"], [run(0, "4 7 1 2", 0.3)]), canary())
    assert restarts.sentence(ends, truth).startswith("0 of 1 random restart ended at the true secret.")
    assert blame in restarts.sentence(ends, truth)


def test_losses_far_apart_are_drawn_on_a_logarithmic_axis():
    ends = restarts.ends(table(SCHEMAS["runs"], [run(0, "4 7 1 2", 0.01)]), canary())
    axis = restarts.figure(ends, 0.005, 9.0).layout.xaxis
    assert axis.type == "log" and "0.01" in axis.ticktext
    assert texts(restarts.figure(restarts.ends(table(SCHEMAS["runs"], []), canary()), 1, 2))
    assert "not kept" in restarts.sentence(restarts.ends(table(SCHEMAS["runs"], []), canary()), 1)


def test_training_is_drawn_while_it_grows_and_afterwards():
    figure = request_training.figure(usual_tables()["training"])
    assert set(titles(figure)) == {"Epochs", "Mean loss per request", "Validation"}
    assert [trace.name for trace in figure.data if trace.name] == [
        "training loss",
        "validation loss",
        "intent accuracy",
        "slot F1",
    ]
    faint = figure.data[0]
    assert list(faint.x).count(None) == usual_tables()["training"]["model"].nunique()
    rows = usual_tables()["training"].head(2).to_dict("records")
    assert request_training.figure(request_training.growing(rows)).data
    for begun in ([], [{"model": 0, "pass": 1}], [{"model": 0, "pass": 1, "train_loss": None}]):
        assert request_training.figure(request_training.growing(begun)).to_json()
    assert texts(request_training.figure(request_training.growing([])))


def test_training_says_whether_it_went_on_memorising():
    rows = [
        {
            "model": 0,
            "pass": number,
            "train_loss": 1 / number,
            "validation_loss": loss,
            "intent_accuracy": 0.9,
            "slot_f1": 0.5 + number / 10,  # still rising while the loss rises, too
        }
        for number, loss in enumerate((0.5, 0.3, 0.4), 1)
    ]
    training = table(SCHEMAS["training"], rows)
    assert request_training.sentence(training) == (
        "After 3 epochs, 1 network predicts the intent of 90% of the validation requests, with a slot F1 of 80%. The "
        "training loss ends at 0.33, the validation loss at 0.40. The mean validation loss was lowest after epoch 2."
    )
    assert request_training.sentence(training.head(2)).endswith(
        "The mean validation loss was lowest after the last epoch."
    )
    shorter = training.assign(model=1).head(1)
    assert "After 1 to 3 epochs, 2 networks predict" in request_training.sentence(pd.concat([training, shorter]))
    assert "No network" in request_training.sentence(training.head(0))


def test_networks_are_chosen_by_how_often_they_saw_the_secrets():
    rows = request_training.of(usual_tables()["training"], usual_tables()["canaries"], 100)
    models = usual_tables()["canaries"].query("repetitions == 100")["model"]
    assert set(rows["model"]) == set(models) and len(rows) < len(usual_tables()["training"])
    assert (
        request_training.of(usual_tables()["training"], usual_tables()["canaries"], None) is usual_tables()["training"]
    )


@pytest.mark.parametrize("measure", ["hamming", "accuracy"])
def test_outcomes_have_a_line_for_each_pattern_with_intervals_and_both_levels_of_chance(measure):
    figure = outcome.figure(usual_tables()["cells"], measure)
    assert [trace.name for trace in figure.data] == ["PIN", "Colours", "Telephone number"]
    assert all(trace.error_y.array is not None for trace in figure.data)
    levels = sorted({round(shape.y0, 3) for shape in figure.layout.shapes if shape.name == "chance"})
    assert levels == ([0.9, 0.917] if measure == "hamming" else [0.0])
    direction = "lower: stronger" if measure == "hamming" else "higher: stronger"
    assert any(direction in title for title in titles(figure))
    assert list(figure.layout.xaxis.ticktext) == ["10", "100"]


def test_intervals_say_over_how_many_trials_they_are_and_that_few_leave_them_wide():
    rows = [{"trial": number, "pattern": pattern} for number in range(2) for pattern in ("pin", "color")]
    assert "over 2 trials" in outcome.trials(pd.DataFrame(rows)) and "So few" in outcome.trials(pd.DataFrame(rows))
    assert "So few" not in outcome.trials(pd.DataFrame({"trial": range(10)}))
    assert outcome.trials(pd.DataFrame({"trial": []})) == ""


def test_secrets_that_were_never_shown_have_a_place_of_their_own():
    figure = outcome.figure(cells(cell(0, 0.9), cell(1), cell(2000)), "hamming")
    assert list(figure.layout.xaxis.ticktext) == ["never", "1", "2,000"]
    assert list(figure.data[0].x) == [0, 1, 2]
    rivals = methods.figure(cells(cell(0, 0.9), cell(1), cell(1, method="random")), "hamming")
    assert [trace.name for trace in rivals.data] == ["Never shown", "Shown once"]


def test_fewer_wrong_words_than_guessing_are_a_leak():
    leak = outcome.sentence(cells(cell(hamming=0.4)), "hamming")
    assert leak == (
        "Shown 100 times, the share of wrong words is 40% (95% interval 30–50%) for the PIN (chance: 90%). The "
        "shown secrets leaked."
    )
    worse = outcome.sentence(cells(cell(hamming=0.99, half=0.01, chance=0.9)), "hamming")
    assert f"none is shown to be read out. {REMEMBERED}" in worse, "more wrong words than by chance are none"
    none = outcome.sentence(cells(cell(accuracy=0.05)), "accuracy")
    assert f"none is shown to be read out. {REMEMBERED}" in none
    assert outcome.sentence(cells(cell(accuracy=0.5)), "accuracy").endswith("The shown secrets leaked.")


def test_where_a_leak_is_shown_is_named():
    few = cells(cell(1, 0.9), cell(10, 0.9), cell(100, 0.2))
    assert outcome.sentence(few, "hamming").endswith(
        f"1 of 3 groups of shown secrets leaked: PIN (shown 100 times). {REMEMBERED}"
    )
    most = cells(cell(1, 0.9), cell(10, 0.3), cell(100, 0.2))
    assert outcome.sentence(most, "hamming").endswith(
        f"2 of 3 groups of shown secrets leaked; that is not shown for PIN (shown once). {REMEMBERED}"
    )
    many = cells(*(cell(number, 0.9) for number in range(1, 7)), *(cell(number, 0.1) for number in range(10, 16)))
    assert outcome.sentence(many, "hamming").endswith(f"PIN (shown 4 times) and 2 more. {REMEMBERED}")


def test_secrets_that_were_never_shown_must_not_leak():
    sound = cells(cell(0, 0.9), cell(10, 0.3), cell(100, 0.2))
    assert outcome.sentence(sound, "hamming").endswith(
        "Both groups of shown secrets leaked. Those never shown did not, as it should be."
    )
    nothing = cells(cell(0, 0.9), cell(10, 0.9))
    assert outcome.sentence(nothing, "hamming").endswith(REMEMBERED)
    broken = cells(cell(0, 0.2), cell(10, 0.2))
    assert outcome.sentence(broken, "hamming").endswith(
        "Beware: PIN (never shown) lies beyond chance too, so chance may be misplaced."
    )


def test_methods_are_compared_over_all_patterns_the_attack_first():
    figure = methods.figure(usual_tables()["cells"], "hamming")
    listed = [shape.name for shape in figure.layout.shapes if shape.showlegend]
    assert listed == ["chance"], "at its line the name would lie under the buttons of a narrow figure"
    assert texts(figure)[-6:] == [
        "<b>The paper’s schedule (the attack)</b>",
        "Annealed from hot to cold",
        "Annealed, then descent",
        "Lowest loss of all secrets",
        "Continuous baseline",
        "Random guess",
    ]
    assert [trace.name for trace in figure.data] == ["Shown 10 times", "Shown 100 times"]
    assert has_chance(figure) and all(trace.error_x.array is not None for trace in figure.data)


def test_what_the_search_misses_is_said():
    rows = cells(cell(), cell(hamming=0.1, method="exhaustive"), cell(hamming=0.7, method="continuous"))
    assert methods.sentence(rows, "hamming") == (
        "Shown 100 times, the attack gets 40% (95% interval 30–50%) of the words wrong; the lowest loss of all "
        "secrets gets 10%. The search falls short of that by 30 points. The continuous baseline gets 70% (chance: 90%)."
    )
    assert "as well as scoring all secrets" in methods.sentence(cells(cell(), cell(method="exhaustive")), "hamming")
    assert methods.sentence(cells(cell()), "accuracy").endswith("of the secrets whole.")
    near = cells(cell(), cell(hamming=0.396, method="exhaustive"))
    assert "falls short of that by less than 1 point." in methods.sentence(near, "hamming")


@pytest.mark.parametrize(
    ("measure", "values", "statement"),
    [
        (
            "hamming",
            (0.3167, 0.0333),
            "32% (95% interval 22–42%) of the words wrong; the lowest loss of all secrets gets 3%.",
        ),
        (
            "accuracy",
            (0.2, 0.8667),
            "20% (95% interval 10–30%) of the secrets whole; the lowest loss of all secrets gets 87%.",
        ),
    ],
)
def test_the_sign_and_the_printed_figures_of_what_the_search_misses_agree(measure, values, statement):
    attack, exhaustive = (cell(**{measure: value}) for value in values)
    behind = methods.sentence(cells(attack, exhaustive | {"method": "exhaustive", "own": False}), measure)
    points = {"hamming": "29 points", "accuracy": "67 points"}[measure]
    assert f"{statement} The search falls short of that by {points}." in behind
    ahead = methods.sentence(cells(exhaustive, attack | {"method": "exhaustive", "own": False}), measure)
    assert "falls short" not in ahead
    assert f"the attack, which may stop short of it, is better by {points}." in ahead


def test_where_the_likeliest_word_each_time_does_better_is_said():
    near, far = (cells(cell(), cell(hamming=hamming, method="greedy")) for hamming in (0.35, 0.05))
    assert "does better in places: shown 100 times, 5% (0–15%) against 40%" in methods.sentence(far, "hamming")
    sentence = methods.sentence(near, "hamming")
    assert "in places" not in sentence
    assert "35% of the words wrong instead of 40% of those shown 100 times, which is not shown to be better" in sentence
    assert "likeliest word" not in methods.sentence(cells(cell(), cell(hamming=0.5, method="greedy")), "hamming")
    both = cells(cell(), cell(1), cell(hamming=0.05, method="greedy"), cell(1, hamming=0.35, method="greedy"))
    sentence = methods.sentence(both, "hamming")
    assert "in places: shown 100 times" in sentence and "shown once" not in sentence


def test_one_of_many_leads_of_the_likeliest_word_is_widened():
    steps = range(2, 12)
    alike = [row for step in steps for row in (cell(step), cell(step, method="greedy"))]
    one = [cell(), cell(hamming=0.24, method="greedy")]
    assert "does better in places" in methods.sentence(cells(*one), "hamming")
    assert "not shown to be better" in methods.sentence(cells(*one, *alike), "hamming")


def test_nothing_at_all_is_drawn_and_said_as_such():
    empty = cells()
    for measure in outcome.MEASURES:
        assert texts(outcome.figure(empty, measure)) == ["The result has no secret."]
        assert texts(methods.figure(empty, measure)) == ["The result has no secret."]
        assert outcome.sentence(empty, measure) == "The result has no secret."
        assert methods.sentence(empty, measure) == "The result has no secret."
    secrets, exposures = usual_tables()["canaries"].head(0), usual_tables()["exposures"].head(0)
    assert texts(exposure.figure(secrets, exposures)) == ["No secret was scored."]
    assert exposure.sentence(secrets, exposures) == "No secret was scored."


def test_every_secret_and_decoy_is_a_point_below_its_ceiling():
    figure = exposure.figure(usual_tables()["canaries"], usual_tables()["exposures"])
    learnt, means, decoys, _ = figure.data
    assert len(learnt.x) == len(decoys.x) == len(usual_tables()["canaries"])
    assert max(learnt.x[:9]) < min(decoys.x[:9]), "decoys stand beside"
    assert len(means.x) == 2 and means.error_y.array is not None
    assert [trace.name for trace in figure.data if trace.showlegend is not False][1] == "mean, 95% interval"
    ceilings = sorted(round(shape.y0, 2) for shape in figure.layout.shapes if shape.name.startswith("ceiling"))
    assert ceilings == [13.29, 14.34] and has_chance(figure)
    assert "Exposure (bits)" in titles(figure)


def test_exposure_says_its_limit_where_secrets_were_sampled():
    sentence = exposure.sentence(sampled_tables()["canaries"], sampled_tables()["exposures"])
    assert "Only a random sample of 10,000 secrets was scored" in sentence
    assert (
        "cannot exceed log2(10,001) = 13.3 bits" in sentence
        and "The median rank of the true secret is about" in sentence
    )
    whole = exposure.sentence(usual_tables()["canaries"], usual_tables()["exposures"])
    assert "random sample" not in whole and "loss alone therefore reveals secrets." in whole
    assert "The true secret ranks first in 9 of 9 cases." in whole


def test_exposure_at_chance_is_no_leak():
    null = samples.extracted(good=False).tables
    sentence = exposure.sentence(null["canaries"], null["exposures"])
    assert (
        sentence.endswith("That is not shown to be more than chance.")
        and "The median rank of the true secret is" in sentence
    )


def test_secrets_no_more_exposed_than_decoys_are_not_revealed():
    tables = usual_tables()
    secrets, exposures = tables["canaries"], tables["exposures"]
    sides = [(f"control{end}", end.removeprefix("_") or "exposure") for end in ("", "_low", "_high")]
    alike = exposures.assign(**{control: exposures[column] for control, column in sides})
    sentence = exposure.sentence(secrets, alike)
    assert "reveals secrets" not in sentence and "that secrets have more than decoys is not shown" in sentence
    fewer = alike.assign(control=3.0, control_low=2.0, control_high=4.0)
    assert "reveals secrets." in exposure.sentence(secrets, fewer), "decoys above chance, secrets far above them"
    by_chance = alike.assign(control=2.0, control_low=0.0)
    assert "reveals secrets." in exposure.sentence(secrets, by_chance), "few decoys vary by chance"


def test_what_was_never_shown_is_held_to_what_chance_gives_as_many():
    tables = samples.extracted(patterns=("pin",), repetitions=(0, 100), trials=5).tables
    sentence = exposure.sentence(tables["canaries"], tables["exposures"])
    (mean,) = tables["exposures"].query("repetitions == 0")["exposure"]
    low, high = (1.44 * chi2.ppf(tail, 10) / 10 for tail in (0.025, 0.975))
    assert sentence.endswith(
        f"5 secrets never shown have a mean of {mean:.2f} bits; chance alone gives as many a mean between "
        f"{low:.2f} and {high:.2f} in 95% of draws."
    )
    assert "never shown" not in exposure.sentence(usual_tables()["canaries"], usual_tables()["exposures"])


def test_one_pattern_stands_for_all():
    single = samples.extracted(patterns=("pin",), repetitions=(100,), trials=1).tables
    assert set(canaries.over_all(single["cells"])["pattern"]) == {"pin"}
    assert methods.figure(single["cells"], "hamming").data
    listed = [shape.name for shape in exposure.figure(single["canaries"], single["exposures"]).layout.shapes]
    assert "ceiling: rank 1 of all scored secrets" in listed


def test_the_overview_counts_secrets_that_are_read_whole():
    row = measured.row("A PIN", usual().estimates)
    assert row.measure == "Canaries extracted" and row.figures == {0: usual().estimates["accuracy"]}
    wrong = Estimate(value=0.1, low=0.0, high=0.2, chance=0.9, unit="share of words")
    assert measured.row("A PIN", {"hamming_distance_per_token": wrong, **usual().estimates}).figures == row.figures
    assert row.lead == measured.row("A PIN", replace(usual()).estimates).lead


def test_a_secret_is_said_to_be_entered_where_it_is_that_of_the_first_trial():
    entered = {"secret": "4711"}
    drawn = answer.origin(canary(), {})
    assert "drew this secret at random" in drawn and "100 times" in drawn
    assert "entered in the form" in answer.origin(canary(), entered)
    for other in (canary(trial=1), canary(truth="4 7 1 2")):
        assert "drew this secret at random" in answer.origin(other, entered)
    assert answer.origin(canary(repetitions=1), {}) != drawn
