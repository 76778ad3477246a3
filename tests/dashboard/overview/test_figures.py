"""The overview: one row an attack below its question, each estimate with its label, its value and its chance."""

from dataclasses import replace

from core.defenses.rounding import Rounding
from core.experiment import Experiment
from core.games.audit import Audit
from core.report import answer
from dashboard.topics.overview.figures import leakage, measured
from tests.dashboard import samples
from tests.dashboard.embedding_results import estimate


def rows():
    sized = {
        f"accuracy_{size}": estimate(value, 0.5).model_copy(update={"members": 50, "nonmembers": 50})
        for size, value in ((1, 0.51), (100, 0.95))
    }
    topics = {"average_precision": estimate(0.5, 0.3), "recall_at_10": estimate(0.8, 0.6)}
    question = "What does it say?"
    return [
        measured.row("A <mailbox>", sized, "Word <pairs>", "Was it in there?", "word_pairs?dataset=enron&seed=2"),
        measured.row("Dates of birth", {"accuracy": estimate(0.4, 0.03)}, "Pattern reconstruction", question),
        measured.row("Topics", topics, "Reassembly", question),
        measured.row("Names", {"accuracy": estimate(0.5, 0.5)}, "Decoder", question),
    ]


def labels(figure):
    return dict(zip(figure.layout.yaxis.ticktext, figure.layout.yaxis.tickvals, strict=True))


def trace(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def dots(figure):
    """Return the traces of the estimates."""
    return [points for points in figure.data if points.type == "scatter" and points.customdata is not None]


def test_each_row_has_its_own_level_of_chance_and_each_question_its_name_once():
    figure = leakage.figure(rows())
    chances = [shape.x0 for shape in figure.layout.shapes if shape.name == "chance"]
    assert chances == [0.5, 0.03, 0.6, 0.5]
    written = list(figure.layout.yaxis.ticktext)
    for question in ("Was it in there?", "What does it say?"):
        assert len([text for text in written if question in text]) == 1
    assert any("<b>Word &lt;pairs></b>" in text for text in written)


def test_labels_stand_in_their_own_column_level_with_the_dots():
    figure = leakage.figure(rows())
    at, drawn = labels(figure), {y for points in dots(figure) for y in points.y}
    measures = ("Accuracy, 1 doc", "Accuracy, 100 docs", "Recall of words at 10")
    assert all(at[f"{measure}, n 2,000"] in drawn for measure in measures)
    assert sorted(figure.layout.yaxis.tickvals) == list(figure.layout.yaxis.tickvals), "no label is out of its order"


def test_the_name_of_a_row_leads_where_the_row_does_and_marks_are_named():
    figure = leakage.figure(rows())
    (link,) = [text for text in figure.layout.yaxis.ticktext if "href" in text]
    assert link == '<a href="word_pairs?dataset=enron&seed=2" target="_self"><b>Word &lt;pairs></b></a>'
    assert figure.layout.showlegend
    named = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert named == ["chance", "estimate with its 95% interval"], "a label of each row names its measure and size"
    assert {points.marker.symbol for points in dots(figure)} == {"diamond"}, "no mark but the one in the legend"
    assert figure.layout.legend.orientation == "h"
    in_rows = next(shape for shape in figure.layout.shapes if shape.name == "chance")
    assert trace(figure, "chance").line.to_plotly_json() == in_rows.line.to_plotly_json()


def test_the_number_stands_at_each_dot():
    figure = leakage.figure(rows())
    written = [note for note in figure.layout.annotations if note.text.endswith("%")]
    assert [note.text for note in written] == ["51%", "95%", "40%", "80%", "50%"]
    at = {y: x for points in dots(figure) for x, y in zip(points.x, points.y, strict=True)}
    assert [round(100 * at[note.y]) for note in written] == [51, 95, 40, 80, 50]
    assert all(note.x >= at[note.y] and note.xshift > 0 for note in written)


def test_there_is_an_axis_above_too():
    figure = leakage.figure(rows())
    above = figure.layout.xaxis2
    assert (above.side, above.overlaying, above.matches) == ("top", "x", "x")
    assert above.tickformat == figure.layout.xaxis.tickformat == ".0%"
    assert above.range == figure.layout.xaxis.range
    assert any(trace.xaxis == "x2" for trace in figure.data), "plotly draws no axis that no trace uses"


def test_a_click_anywhere_in_a_row_finds_its_number():
    figure = leakage.figure(rows())
    bars = trace(figure, "rows")
    assert [number for (number,) in bars.customdata] == [0, 1, 2, 3]
    for points in dots(figure):
        for y, (number,) in zip(points.y, points.customdata, strict=True):
            assert abs(bars.y[number] - y) < bars.width[number] / 2, "the bar of a row holds its dots"
    assert bars.hoverinfo == "none", "plotly sends no click on what skips the pointer"


def test_the_headline_is_named_where_it_is_no_accuracy():
    results = rows()
    assert results[2].figures[0].value == 0.8
    assert results[2].measure == "Recall of words at 10"
    inverted = measured.row("Reviews", {"f1": estimate(0.8, 0.2)}, "Inversion")
    assert "F1 of words" in leakage.sentence([inverted])


def test_an_audit_is_summarised_by_what_its_page_leads_with():
    estimates = {"accuracy": estimate(0.9, 0.5), "auc": estimate(0.874, 0.5)}
    audited = measured.row("A mailbox", estimates, "Word pair audit", main=Audit.main)
    figure = leakage.figure([audited])
    assert "AUC, n 2,000" in labels(figure)
    assert [note.text for note in figure.layout.annotations if note.text[0].isdigit()] == ["0.87"], "no percentage"
    assert "“A mailbox”: AUC 0.87 (95% interval 0.85–0.90), where chance is 0.50." in leakage.sentence([audited])
    assert measured.summary(audited) == "0.87 (0.85–0.90)" and measured.chance(audited) == "0.50"
    read = answer.read(estimates, {"part": "audit"})
    assert read is not None and read.right == "AUC 0.87"


def test_each_level_of_chance_is_named_once():
    def chance(*levels):
        figures = {size: estimate(0.9, level) for size, level in enumerate(levels)}
        return measured.chance(measured.Row("A mailbox", figures))

    assert chance(0.5, 0.5001, 0.25) == "50% and 25%"
    assert chance(1e-12) == "below 0.01%" and chance(0.0) == "0%"
    assert chance(None) == ""


def test_a_long_name_is_broken_into_lines():
    long = measured.row("Topics", {"accuracy": estimate(0.5, 0.3)}, "Reassembly of what many embeddings tell")
    assert "<b>Reassembly of what many</b><br><b>embeddings tell</b>" in labels(leakage.figure([long]))


def test_the_sentence_says_where_the_leak_is_farthest_above_chance():
    sentence = leakage.sentence(rows())
    assert sentence.startswith("In 3 of 4 attacks an interval lies above chance.")
    assert "“A <mailbox>” for targets of 100 documents: accuracy 95%" in sentence
    assert rows()[0].lead > rows()[1].lead > rows()[3].lead
    assert measured.row("Nothing", {}).lead < rows()[3].lead


def test_the_farthest_is_so_by_the_distance_that_is_drawn():
    sure = measured.row("Sure", {"accuracy": estimate(0.97, 0.6, 0.01)})
    far = measured.row("Far", {"accuracy": estimate(0.75, 0.1, 0.01)})
    assert sure.lead > far.lead
    assert "The farthest above it is “Far”" in leakage.sentence([sure, far])


def test_what_lies_below_chance_is_named_and_its_value_stands_beside_chance():
    below = measured.row("Reviews", {"f1": estimate(0.2, 0.25, 0.01)}, "Inversion by nearest text")
    assert "Below chance lies “Inversion by nearest text”." in leakage.sentence([below])
    assert "Below" not in leakage.sentence(rows())
    (label,) = [note for note in leakage.figure([below]).layout.annotations if note.text == "20%"]
    assert label.x == 0.25, "right of the dashed line"


def test_nothing_is_said_as_such():
    assert leakage.sentence([measured.Row("x", {})]) == "No result yet."
    assert "No result yet." in samples.texts(leakage.figure([measured.Row("x", {})]))


def test_the_table_has_a_line_for_each_figure():
    frame = leakage.table(rows())
    assert frame["documents"].tolist() == [1, 100, 0, 0, 0]
    assert frame["attack"].tolist()[:2] == ["Word <pairs>", "Word <pairs>"]


def seeded(*values, drawn=0.84):
    row = measured.row("Pairs", {"accuracy": estimate(drawn, 0.5)}, "Word pairs")
    return replace(row, seeds={0: tuple(estimate(value, 0.5) for value in values)})


def test_the_mean_over_seeds_stands_beside_the_one_that_is_drawn():
    row = seeded(0.84, 0.79, 0.71)
    figure = leakage.figure([row, *rows()])
    mean = trace(figure, "mean over seeds")
    assert [round(x, 4) for x in mean.x] == [0.78] and mean.y[0] in dots(figure)[0].y
    assert list(mean.customdata[0]) == [0], "a click on it opens the row"
    assert "mean over seeds" not in [trace.name for trace in leakage.figure(rows()).data]
    assert "over 3 seeds 71% to 84%, on average 78%" in measured.summary(row)


def test_the_sentence_names_the_figure_farthest_above_its_mean_by_the_results():
    lucky = leakage.sentence([seeded(0.84, 0.79, 0.71), seeded(0.8, 0.8, 0.8, drawn=0.8)])
    assert "Farthest above that mean lies “Word pairs”: 84%; over 3 seeds 71% to 84%, on average 78%." in lucky
    assert "Each estimate is of one seed" in lucky
    unlucky = leakage.sentence([seeded(0.71, 0.79, 0.84, drawn=0.71)])
    assert "Each estimate is of one seed" in unlucky and "Farthest above that mean" not in unlucky
    assert "over 3 seeds 80% each time, on average 80%" in measured.summary(seeded(0.8, 0.8, 0.8))
    assert "of one seed" not in leakage.sentence(rows())


def test_a_row_is_read_with_its_chance_where_one_is_known() -> None:
    low = measured.read(measured.row("One", {"accuracy": estimate(0.5, 0.03)}))
    assert low.startswith("Accuracy: **50%") and low.endswith("; chance 3%")
    unknown = {"accuracy": estimate(0.9, 0.5).model_copy(update={"chance": None})}
    assert "90%" in measured.read(measured.row("One", unknown))
    assert "chance" not in measured.read(measured.row("One", unknown))


def test_what_is_attacked_and_returned_is_that_of_the_experiment() -> None:
    plain = Experiment.preset("keyword_inference", "demo")
    other = Experiment.preset("word_pairs", "demo")
    for experiment in (plain, other):
        said = measured.threat(experiment)
        assert said.startswith(f"Against {experiment.model.title} on {experiment.dataset.title}. Queries return ")
        assert said.startswith(measured.against(experiment))
    assert measured.threat(plain) != measured.threat(other)


def test_defended_experiments_are_counted_among_those_for_comparison() -> None:
    plain = Experiment.preset("keyword_inference", "demo")
    defended = plain.replace(defenses=(Rounding(),))
    assert measured.compared([plain]) == "1 experiment for comparison"
    assert measured.compared([plain, defended]) == "2 experiments for comparison, 1 with a defense"
    assert measured.compared([defended, defended]) == "2 experiments for comparison, all with a defense"
