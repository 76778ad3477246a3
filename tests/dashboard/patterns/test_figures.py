"""Figures of secrets inferred from embeddings: interval, chance, truth, and sentences that claim what is shown."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dashboard.kit.figures import adversaries, encoders, foreign, learning, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.topics.keywords.figures import boundary, keywords
from dashboard.topics.patterns.figures import letters, likeliest, positions, reconstruction
from tests.dashboard import inference_samples
from tests.dashboard.embedding_results import estimate
from tests.dashboard.samples import has_chance, titles


@pytest.fixture(scope="module")
def dates():
    return inference_samples.patterns()


@pytest.fixture(scope="module")
def dann():
    return inference_samples.words("black_box", classifier="dann")


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_segments_stand_beside_chance_and_the_paper(dates):
    inferred, experiment = dates.tables["inferred"], dates.experiment
    figure = reconstruction.figure(inferred, experiment, "accuracy", paper=True)
    assert list(figure.layout.yaxis.ticktext) == ["Year", "Month", "Day", "Whole date"]
    assert list(named(figure, reconstruction.PAPER)[0].x) == [0.661, 0.616, 0.539, 0.219]
    (levels,) = named(figure, "chance")
    assert len(levels.x) == 3 * 4 and levels.line.dash == "dash", "a dashed stroke through each bar of ours"
    assert named(figure, "The attack")[1].error_x.array is not None
    assert all(trace.error_x.array is None for trace in named(figure, reconstruction.PAPER)), "it reports no interval"
    five = reconstruction.bars(inferred, experiment, "top5", paper=True)
    assert five.loc[five["series"] == reconstruction.PAPER, "value"].tolist() == [0.926, 0.95, 0.885, 0.384]
    assert "for the year (chance 1%)" in reconstruction.sentence(inferred, experiment, "accuracy")
    few = inferred.assign(accuracy=0.1, low=0.05, high=0.15)
    ends = {reconstruction.figure(few, experiment, measure).layout.xaxis.range for measure in ("accuracy", "top5")}
    assert len(ends) == 1, "top-1 and top-5 stand side by side on one scale"


def test_no_leak_is_claimed_where_the_interval_includes_chance(dates):
    level = dates.tables["inferred"].assign(accuracy=0.05, low=0.0, high=0.1, victims=1000)
    sentence = reconstruction.sentence(level, dates.experiment, "accuracy")
    assert "For the year, month, day and whole date the interval includes chance" in sentence
    words = inference_samples.words(level=0.5)
    assert "no leak is shown" in keywords.sentence(words.tables["inferred"], words.experiment)


@pytest.mark.parametrize(
    ("accuracies", "says"),
    [
        ([0.9, 1, 1, 1, 1, 0.8], "highest for 4 words, such as “b” (100%) and lowest for “f” (80%)"),
        ([1, 0.9, 1, 0.8, 0.8, 0.8], "highest for “a” and “c” (100%) and lowest for “d”, “e” and “f” (80%)"),
        ([0.9] * 6, "; it is the same for each of the 6 words"),
    ],
)
def test_words_of_equal_accuracy_are_named_together(dann, accuracies, says):
    row = adversaries.attack_rows(dann.tables["inferred"], dann.experiment).query("values > 0").head(1)
    words = pd.concat([row.assign(secret=secret, accuracy=at) for secret, at in zip("abcdef", accuracies, strict=True)])
    inferred = pd.concat([dann.tables["inferred"].query("values == 0"), words], ignore_index=True)
    assert says in keywords.sentence(inferred, dann.experiment)


@pytest.mark.parametrize(
    ("hits", "says"),
    [
        (3, "0.6% (0.1–1.7%) for the whole date (chance 0.003%)."),
        (0, "For the whole date the interval includes chance: no leak is shown there."),
    ],
)
def test_few_hits_have_an_exact_interval(dates, hits, says):
    inferred = dates.tables["inferred"]
    rare = inferred.assign(chance=inferred["chance"].where(inferred["secret"] != "whole", 0.00003))
    whole = {"accuracy": hits / 500, "low": 0.0, "high": 0.012, "victims": 500}
    rare.loc[rare["secret"] == "whole", list(whole)] = list(whole.values())
    sentence = reconstruction.sentence(rare, dates.experiment, "accuracy")
    assert says in sentence and ("no leak" in sentence) == (not hits)
    drawn = reconstruction.bars(rare, dates.experiment, "accuracy")
    assert (drawn.loc[drawn["group"] == "Whole date", "low"].iloc[0] > 0) == bool(hits)


def test_an_interval_below_chance_does_not_include_it(dates):
    below = dates.tables["inferred"].assign(accuracy=0.1, low=0.09, high=0.11, chance=0.3)
    sentence = reconstruction.sentence(below, dates.experiment, "accuracy")
    assert "whole date the interval lies below chance" in sentence and "includes chance" not in sentence


def test_five_guesses_at_four_letters_say_nothing():
    result = inference_samples.patterns("splice")
    assert "say nothing" in reconstruction.sentence(result.tables["inferred"], result.experiment, "top5")
    figure = reconstruction.figure(result.tables["inferred"], result.experiment, "top5")
    assert "No segment" in figure.layout.annotations[-1].text


def test_both_adversaries_are_drawn_differently():
    result = inference_samples.patterns(defended=True)
    figure = reconstruction.figure(result.tables["inferred"], result.experiment, "accuracy")
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [bar.name for bar in bars] == ["Adaptive adversary", "Naive adversary"]
    assert bars[0].marker.color != bars[1].marker.color
    assert "naive adversary" in reconstruction.sentence(result.tables["inferred"], result.experiment, "accuracy")
    assert adversaries.explanation(result.experiment) and not adversaries.explanation(
        inference_samples.words().experiment
    )


def test_positions_have_a_band_chance_and_the_average_in_the_legend():
    result = inference_samples.patterns("splice")
    inferred = result.tables["inferred"]
    by_position = positions.points(inferred, "pattern_reconstruction", "adaptive")
    figure = positions.figure({"One": by_position, "Two": by_position, "Three": by_position})
    assert list(by_position["position"]) == list(range(1, 21))
    names = [trace.name for trace in figure.data if trace.name]
    assert titles(figure) and names[0] == "uniform letters, 25%" and names[-1].startswith("One, average ")
    assert figure.data[-1].legendrank == 1, "the one looked at lies on top, and is named first"
    assert sum(trace.fill == "toself" and len(trace.x) > 0 for trace in figure.data) == 1, (
        "more bands than one would cover each other"
    )
    mean = adversaries.mean(inferred, result.experiment)
    sentence = positions.sentence(by_position, mean, {})
    assert "the valley that the paper reports" in sentence and "not the valley" not in sentence
    assert "predicting the most frequent letter gives 28%, uniform letters 25%" in sentence
    flat = positions.sentence(by_position.assign(accuracy=0.5), mean, {})
    assert "not the valley" in flat and "dealt" not in flat


def test_whether_answers_fit_their_own_sequences_follows_from_the_paired_lead():
    result = inference_samples.patterns("splice")
    inferred = result.tables["inferred"]
    mean = adversaries.mean(inferred, result.experiment)
    by_position = positions.points(inferred, "pattern_reconstruction", "adaptive")
    others, lead = estimate(0.25, None, 0.001), estimate(0.009, 0.0, 0.004)
    sentence = positions.sentence(by_position, mean, {"mismatched": others, "lead": lead})
    assert (
        "dealt to other sequences are right in 25" in sentence and "0.9 points less (95% interval 0.5–1.3)" in sentence
    )
    none = positions.sentence(by_position, mean, {"mismatched": others, "lead": estimate(0.003, 0.0, 0.004)})
    assert "which is not shown to be less" in none


def test_positions_of_a_run_that_goes_on_lie_where_they_belong():
    rows = [
        {"secret": f"position_{at}", "epochs": 1, "accuracy": 0.4, "low": 0.3, "high": 0.5, "chance": 0.28}
        for at in (10, 2)
    ]
    assert positions.newest(learning.growing(rows))["position"].tolist() == [2, 10]


def test_the_truth_is_marked_and_gets_its_own_row(dates):
    guesses = dates.tables["guesses"]
    missed = records(guesses[(guesses["secret"] == "year") & (guesses["rank"] > 5)])[0]
    rows = likeliest.of(dates.tables["likeliest"], missed.victim, "year")
    figure = likeliest.figure(rows, missed, 0.01)
    assert len(figure.data[0].y) == 6 and figure.data[0].text[-1].endswith("✓ true")
    assert has_chance(figure) and titles(figure)
    hidden = likeliest.figure(rows, missed, 0.01, reveal=False)
    assert len(hidden.data[0].y) == 5 and "true" not in "".join(hidden.data[0].text)
    assert missed.truth not in hidden.layout.yaxis.ticktext
    assert f"The truth, {missed.truth}, is the {missed.rank}" in likeliest.sentence(missed, 0.01)
    assert missed.truth not in likeliest.sentence(missed, 0.01, reveal=False)


def test_letters_hide_the_truth_until_it_is_revealed():
    result = inference_samples.patterns("splice")
    rows = [row for row in records(result.tables["guesses"]) if row.victim == 0]
    figure = letters.figure(rows)
    assert {trace.name for trace in figure.data} <= {"right", "wrong"}
    assert sum(len(trace.x) for trace in figure.data) == 20
    hidden = letters.figure(rows, reveal=False)
    assert len(hidden.data) == 1 and list(hidden.layout.xaxis.ticktext)[:2] == ["1", "2"]
    assert "true" not in "".join(hidden.data[0].hovertext)
    assert letters.sentence(rows, reveal=False) == "The adversary predicts each of 20 letters from the embedding alone."


@pytest.mark.parametrize(
    ("ranks", "probability", "count"),
    [
        ((1, 1, 2), 0.5, "2 of 3 letters are predicted correctly."),
        (
            (1, 2, 2),
            0.95,
            "1 of 3 letters are predicted correctly. Of the 3 predicted with over 90%, 1 are right.",
        ),
    ],
)
def test_right_letters_are_counted(ranks, probability, count):
    rows = records(pd.DataFrame({"rank": ranks, "probability": probability}))
    assert letters.sentence(rows) == count


def test_each_keyword_has_bars_rivals_and_one_line_of_chance(dann):
    inferred = dann.tables["inferred"]
    figure = keywords.figure(inferred, dann.experiment)
    assert list(figure.layout.yaxis.ticktext) == [keywords.MEAN, *inference_samples.WORDS]
    assert {trace.name for trace in figure.data if trace.showlegend is not False} == {
        "DANN (the attack)",
        "Linear SVM",
        "Perceptron",
    }
    assert has_chance(figure)
    sentence = keywords.sentence(inferred, dann.experiment)
    assert "highest for “chest”" in sentence and "Linear SVM" in sentence and "Perceptron" in sentence


def test_the_best_epoch_is_marked_as_hindsight(dann):
    curve = dann.tables["curve"]
    part = learning.points(curve, "keyword_inference", "adaptive", "all")
    figure = learning.figure({"DANN": (part, theme.distinct(1)[0])}, moving="DANN")
    best = next(trace for trace in figure.data if trace.name and trace.name.startswith("best epoch"))
    assert list(best.y) == [part["accuracy"].max()] and "hindsight" in best.name
    sentence = learning.moves(part)
    assert "takes the true labels" in sentence and "on average" in sentence
    falling = learning.moves(part.head(2).assign(epochs=[3, 4], accuracy=[0.8, 0.6]))
    assert "70% on average, 80% at best (epoch 3), 60% at the last" in falling
    rising = learning.moves(part.head(2).assign(epochs=[3, 4], accuracy=[0.6, 0.8]))
    assert "70% on average, 80% at best (epoch 4), 80% at the last" in rising
    assert learning.moves(part.head(1)) == ""


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ((0.8, 0.71, 0.9), "longer training makes a stronger attack."),
        ((0.8, 0.7, 0.9), "the intervals overlap, which neither shows a difference nor excludes one."),
        ((0.6, 0.5, 0.7), "the intervals overlap, which neither shows a difference nor excludes one."),
        ((0.4, 0.3, 0.5), "the intervals overlap, which neither shows a difference nor excludes one."),
        ((0.4, 0.3, 0.49), "longer training makes the attack weaker."),
    ],
)
def test_training_longer_makes_a_difference_where_intervals_are_apart(last, says):
    ends = zip(("accuracy", "low", "high"), zip((0.6, 0.5, 0.7), last, strict=True), strict=True)
    part = pd.DataFrame({"epochs": [1, 8], "chance": 0.5, **dict(ends)})
    share = f"{last[0]:.0%} (95% interval {100 * last[1]:.0f}–{last[2]:.0%})"
    assert learning.growth("It is right", part) == f"It is right in {share} after 8 epochs, and in 60% after 1: {says}"
    assert learning.growth("It is right", part.tail(1)) == f"It is right in {share}; chance is 50%."


def test_a_classifier_without_epochs_is_a_level_line(dann):
    svm = learning.points(dann.tables["curve"], "svm", "adaptive", "all")
    figure = learning.figure({"SVM": (svm, theme.distinct(1)[0])})
    assert len({*figure.data[0].y}) == 1 and has_chance(figure)
    assert learning.figure({}).layout.annotations[-1].text.startswith("No point yet")


def test_chances_that_differ_are_drawn_in_the_colour_of_their_line(dates):
    lines = {
        name: (learning.points(dates.tables["curve"], "pattern_reconstruction", "adaptive", name), mark)
        for name, mark in zip(("year", "month"), theme.distinct(2), strict=True)
    }
    drawn = named(learning.figure(lines), "chance, in each colour")
    assert [trace.line.color for trace in drawn] == [mark.colour for _, mark in lines.values()]
    assert "longer training makes a stronger attack" in learning.growth("The year is predicted", lines["year"][0])


def test_a_misaligned_boundary_is_called_so(dann):
    points, grid = dann.tables["boundary_points"], dann.tables["boundary_grid"]
    assert boundary.right(points, grid, "knee", "known") > 0.9 > boundary.right(points, grid, "knee", "victims")
    sentence = boundary.sentence(points, grid, "knee")
    assert "domain misalignment" in sentence and re.search(
        r"\(95% interval \d+–\d+%\) of the adversary’s \d+ texts", sentence
    )
    white = inference_samples.words()
    sentence = boundary.sentence(white.tables["boundary_points"], white.tables["boundary_grid"], "knee")
    assert "holds for the victims too" in sentence
    few = white.tables["boundary_points"].query("keyword == 'knee'").groupby("panel").head(2)
    sentence = boundary.sentence(few, white.tables["boundary_grid"], "knee")
    assert "not shown to divide the adversary’s own texts" in sentence and "holds" not in sentence
    assert "no decision boundary" in boundary.sentence(points, grid, "nothing")
    assert "no decision boundary" in boundary.figure(points, grid, "nothing", "known").layout.annotations[-1].text


def test_a_pointer_on_a_victim_reads_its_text_without_its_markup(dann):
    points, grid = dann.tables["boundary_points"], dann.tables["boundary_grid"]
    texts = {int(row): "a <b>knee</b>" for row in points["row"]}
    figure = boundary.figure(points, grid, "knee", "victims", texts)
    assert "a &lt;b&gt;knee&lt;/b&gt;" in figure.data[1].text[0]
    assert "not on this machine" in boundary.figure(points, grid, "knee", "victims").data[1].text[0]
    assert figure.layout.xaxis.range == boundary.figure(points, grid, "knee", "known").layout.xaxis.range


def _low(sentence: str) -> int:
    return int(re.search(r": (\d+) to \d+ points", sentence).group(1))


def test_encoders_are_compared_by_segment_or_by_the_mean(dates):
    better = inference_samples.patterns(source="minilm", level=0.8)
    results = {"Small BERT": dates, "all-MiniLM-L6-v2": better}
    assert list(dict.fromkeys(encoders.bars(results)["series"])) == ["Year", "Month", "Day", "Whole date"]
    assert encoders.sentence(results).startswith("Mean over all secrets: all-MiniLM-L6-v2")
    shown = encoders.sentence(results)
    assert re.search(
        r"leaks more than Small BERT \(95% interval of the difference, in pairs: \d+ to \d+ points\)", shown
    )
    alike = encoders.sentence({"one": dates, "two": dates})
    assert (
        "No difference between encoders is shown (95% interval of the difference, in pairs: −9 to 9 points)." in alike
    )
    among = encoders.sentence({**results, "three": dates, "four": dates})
    assert "widened for 6 comparisons" in among and "leaks more" in among
    assert _low(among) < _low(shown), "the highest and the lowest were chosen among four"
    alone = replace(dates, tables={**dates.tables, "guesses": dates.tables["guesses"].head(0)})
    assert "neither shows a difference nor excludes one" in encoders.sentence({"one": alone, "two": alone})
    words = {"one": inference_samples.words(), "two": inference_samples.words(level=0.9)}
    assert set(encoders.bars(words)["series"]) == {"Mean over all secrets"} and has_chance(encoders.figure(words))


def test_why_an_untrained_encoder_leaks_is_said(dates):
    untrained = inference_samples.patterns(source="untrained_gpt2")
    why = (
        "Small GPT-2 (untrained) leaks without any training: random weights, too, give each piece of a text a vector "
        "of its own, and what an embedding keeps of them is enough."
    )
    assert encoders.untrained({"Small GPT-2 (untrained)": untrained, "Small BERT": dates}) == why
    better = inference_samples.patterns(source="small_gpt2", level=0.95)
    worse = inference_samples.patterns(source="small_gpt2", level=0.1)
    for trained, side in ((better, "less"), (worse, "more")):
        sentence = encoders.untrained({"Small GPT-2 (untrained)": untrained, "Small GPT-2": trained})
        assert sentence.startswith(f"{why} That is {side} than with training for Small GPT-2 ("), sentence
    assert not encoders.untrained({"Small BERT": dates})
    safe = untrained.tables["inferred"].assign(low=0.0)
    assert not encoders.untrained({"Small GPT-2 (untrained)": replace(untrained, tables={"inferred": safe})})


def _with_pooling(result, pooling):
    model = {**result.experiment["model"], "pooling": pooling}
    return replace(result, experiment={**result.experiment, "model": model})


@pytest.mark.parametrize(
    ("level", "comparison"), [(0.95, "more for"), (0.5, "no difference is shown for"), (0.05, "less for")]
)
def test_what_the_last_token_gives_away_stands_beside_the_mean(dates, level, comparison):
    last = _with_pooling(inference_samples.patterns(level=level), "last")
    text = encoders.pooled({"Small BERT": dates, "Small BERT (last token)": last})
    assert f"beside the mean of all tokens: {comparison} Small BERT (" in text and text.endswith(
        "difference, in pairs."
    )


def test_poolings_of_two_encoders_or_lengths_are_not_compared(dates):
    last = _with_pooling(inference_samples.patterns(source="small_gpt2"), "last")
    assert not encoders.pooled({"Small BERT": dates, "Small GPT-2 (last token)": last})
    unit = replace(
        last,
        experiment={**last.experiment, "model": {**dates.experiment["model"], "pooling": "last", "length": "unit"}},
    )
    assert not encoders.pooled({"Small BERT": dates, "Small BERT (last token, length one)": unit})
    gpt2 = inference_samples.patterns(source="small_gpt2")
    both = {"a": dates, "b": _with_pooling(dates, "last"), "c": gpt2, "d": last}
    assert "no difference is shown for a" in encoders.pooled(both) and "widened for 2 comparisons" in encoders.pooled(
        both
    )


def test_a_figure_without_bars_says_so():
    empty = shares.table([])
    assert shares.figure(empty, {}, empty="Nothing here.").layout.annotations[-1].text == "Nothing here."
    assert isinstance(empty, pd.DataFrame) and empty["value"].dtype == np.float64


def test_long_texts_are_cut():
    assert foreign.shown("word " * 500).count("<br>") == 5
