"""The overview: one row an attack, families apart, each with its own level of chance."""

from dashboard.topics.overview.figures import leakage
from tests.dashboard import samples
from tests.dashboard.embedding_results import estimate


def rows():
    sized = {
        f"accuracy_{size}": estimate(value, 0.5).model_copy(update={"members": 50, "nonmembers": 50})
        for size, value in ((1, 0.51), (100, 0.95))
    }
    topics = {"average_precision": estimate(0.5, 0.3), "recall_at_10": estimate(0.8, 0.6)}
    family = "Sentence embeddings"
    return [
        leakage.row("A <mailbox>", sized, "Word pairs", "Word vectors"),
        leakage.row("Dates of birth", {"accuracy": estimate(0.4, 0.03)}, "Pattern reconstruction", family),
        leakage.row("Topics", topics, "Reassembly", family),
        leakage.row("Names", {"accuracy": estimate(0.5, 0.5)}, "Decoder", family),
    ]


def test_each_row_has_its_own_level_of_chance_and_each_family_its_name_once():
    figure = leakage.figure(rows())
    chances = [shape.x0 for shape in figure.layout.shapes if shape.name == "chance"]
    assert chances == [0.5, 0.03, 0.6, 0.5]
    texts = samples.texts(figure)
    assert [text for text in texts if "Sentence embeddings" in text] == ["<b>Sentence embeddings</b>"]
    assert "<b>Word pairs</b><br>A &lt;mailbox>" in texts
    assert {trace.name for trace in figure.data} == {"all victims", "targets of 1 document", "targets of 100 documents"}


def test_the_headline_is_named_where_it_is_no_accuracy():
    found = rows()
    assert found[2].figures[0].value == 0.8
    assert found[2].measure == "Recall of words at 10"
    assert "<b>Reassembly</b>, recall of words at 10<br>Topics" in samples.texts(leakage.figure(found))


def test_a_long_name_leaves_its_measure_to_the_next_line():
    topics = {"average_precision": estimate(0.5, 0.3), "recall_at_10": estimate(0.8, 0.6)}
    long = leakage.row("Topics", topics, "Reassembly of what many embeddings tell", "Sentence embeddings")
    texts = samples.texts(leakage.figure([long]))
    assert "<b>Reassembly of what many embeddings tell</b>,<br>recall of words at 10<br>Topics" in texts


def test_the_sentence_says_where_the_leak_is_farthest_above_chance():
    said = leakage.sentence(rows())
    assert said.startswith("In 3 of 4 attacks an interval lies above chance.")
    assert "“A <mailbox>” for targets of 100 documents: accuracy 95%" in said
    assert rows()[0].lead > rows()[1].lead > rows()[3].lead
    assert leakage.row("Nothing", {}).lead < rows()[3].lead


def test_nothing_is_said_as_such():
    assert leakage.sentence([leakage.Row("x", {})]) == "No result yet."
    assert "No result yet." in samples.texts(leakage.figure([leakage.Row("x", {})]))


def test_the_table_has_a_line_for_each_figure():
    frame = leakage.table(rows())
    assert frame["documents"].tolist() == [1, 100, 0, 0, 0]
    assert frame["attack"].tolist()[:2] == ["Word pairs", "Word pairs"]
