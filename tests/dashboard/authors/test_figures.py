"""Who wrote it: the answer, few labels, mistakes, maps, and other experiments beside it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.adversaries.author_map import SCHEMA
from core.attacks.attribute_inference import AttributeInference
from core.result import table
from dashboard.topics.authors.figures import author_map, authors, authorship, comparison
from dashboard.topics.authors.figures import confusion as author_confusion
from tests.dashboard import samples
from tests.dashboard.authors.samples import authorship as made

SCHEMAS = {**AttributeInference.tables, "map": SCHEMA}


@pytest.fixture(scope="module")
def result():
    return made()


def checked(figure):
    """Return a figure after plotly itself has looked at every value."""
    return go.Figure(figure.to_dict())


def confusion(*rows):
    return table(SCHEMAS["confusion"], [dict(zip(SCHEMAS["confusion"], row, strict=True)) for row in rows])


def answered(result):
    tables = result.tables
    return authorship.sentence(tables["inferred"], tables["by_labels"], result.experiment)


def test_the_answer_is_said_with_chance_and_what_the_words_give(result):
    sentences = answered(result)
    assert "With at most 20 labelled texts of each of 10 authors, the accuracy is" in sentences
    assert "times chance. Chance, always naming the author with the most texts, is 10%." in sentences
    assert "A classifier of the words has an accuracy of" in sentences
    assert "naive" not in sentences
    inferred = result.tables["inferred"].assign(low=0.05, high=0.9)
    unsure = replace(result, tables={**result.tables, "inferred": inferred})
    assert "no leak is shown" in answered(unsure) and "no leak is shown" not in sentences


def test_each_adversary_and_the_words_have_a_bar():
    result = made(defended=True)
    tables = result.tables
    bars = authorship.bars(tables["inferred"], tables["by_labels"], result.experiment)
    assert bars["series"].tolist() == ["Adaptive adversary", "Naive adversary", authorship.WORDS]
    figure = checked(authorship.figure(bars, tables["inferred"], result.experiment))
    assert samples.has_chance(figure)
    assert "The naive adversary reaches" in answered(result)
    assert "trains on undefended embeddings" in authorship.behind(tables["inferred"], result.experiment)


def test_the_figures_say_how_many_times_chance(result):
    estimates = authorship.estimates(result.estimates, result.tables["by_labels"])
    accuracy = result.estimates["accuracy"]
    assert (
        estimates["times_chance"].value == pytest.approx(accuracy.value / accuracy.chance)
        and estimates["times_chance"].above_chance()
    )
    assert estimates["words"].chance == accuracy.chance
    assert authorship.estimates({}, table(SCHEMAS["by_labels"], [])) == {}


@pytest.mark.parametrize(
    ("words", "level", "says"),
    [(0.95, 1.0, "of their lead over chance"), (0.3, 6.0, "reveals more than the words")],
)
def test_what_the_embedding_keeps_is_measured_against_the_words(words, level, says):
    assert says in answered(made(words=words, level=level, each=40))


def test_words_that_tell_nothing_are_no_measure():
    assert "classifier of the words" not in answered(made(words=0.05, each=40))


def test_no_leak_is_said():
    result = made(level=0.0)
    assert "no leak is shown" in answered(result)
    assert "Its interval is not above chance" in authorship.by_labels_sentence(result.tables["by_labels"])


def test_lines_by_labels_have_a_logarithmic_axis_and_chance(result):
    by_labels = result.tables["by_labels"]
    figure = checked(authorship.by_labels_figure(by_labels))
    assert figure.layout.xaxis.type == "log" and list(figure.layout.xaxis.ticktext) == ["1", "2", "5", "10", "20"]
    assert samples.has_chance(figure)
    assert [trace.name for trace in figure.data if trace.name] == [authorship.EMBEDDING, authorship.WORDS]
    sentence = authorship.by_labels_sentence(by_labels)
    assert (
        "with 1 labelled text of each author, and" in sentence and "the words reach that accuracy" in sentence.lower()
    )


def test_one_number_of_labels_is_a_point_and_not_compared():
    by_labels = made(authors=2, labels=1).tables["by_labels"]
    figure = checked(authorship.by_labels_figure(by_labels))
    assert all(len(set(trace.x)) == 1 for trace in figure.data)
    assert "with 1 " in authorship.by_labels_sentence(by_labels)


def test_nothing_yet_is_said():
    nothing = {name: table(schema, []) for name, schema in SCHEMAS.items()}
    assert "No classifier" in samples.texts(authorship.by_labels_figure(nothing["by_labels"]))[-1]
    assert "No classifier" in authorship.by_labels_sentence(nothing["by_labels"])
    assert "No author" in samples.texts(author_confusion.figure(nothing["confusion"]))[-1]
    assert "No author" in author_confusion.sentence(nothing["confusion"])
    assert "The result has no map" in samples.texts(author_map.figure(nothing["map"], "a", {"a": "a"}, "pca"))[-1]


def test_names_are_short_and_never_alike():
    hashes = ["447d8d" + "0" * 58, "447d8d" + "1" * 58]
    assert list(authors.names(hashes).values()) == ["447d8d", "447d8d (2)"]
    assert authors.names(["x" * 50, "x" * 49 + "y"], 10) == {"x" * 50: "xxxxxxxxx…", "x" * 49 + "y": "xxxxxxxxx… (2)"}


def test_the_best_recognised_come_first_and_authors_without_texts_are_left_out():
    recognised = authors.recognised(confusion(("a", "b", 3), ("a", "a", 1), ("b", "b", 2), ("c", "c", 0)))
    assert recognised["author"].tolist() == ["b", "a"]
    assert recognised["share"].tolist() == [1.0, 0.25]


@pytest.mark.parametrize("several", [2, 10, 40])
def test_the_field_has_a_row_for_each_author_and_two_colours(several):
    shown = made(authors=several).tables["confusion"]
    figure = checked(author_confusion.figure(shown))
    right, wrong = figure.data
    fields = [np.array(trace.z, dtype=float) for trace in (right, wrong)]
    assert fields[0].shape == (several, several)
    assert np.isnan(fields[0][~np.eye(several, dtype=bool)]).all() and np.isnan(np.diag(fields[1])).all()
    assert np.nansum(np.nansum(fields, axis=0), axis=1) == pytest.approx(np.ones(several))
    assert len(figure.layout.yaxis.ticktext) == several and figure.layout.yaxis.ticktext[0].endswith("%")
    assert right.zmax == wrong.zmax
    assert right.colorscale != wrong.colorscale


def test_the_mistakes_are_named_and_markup_in_names_is_shown_as_it_is():
    shown = confusion(("a<b>", "c", 3), ("a<b>", "a<b>", 5), ("c", "c", 4), ("c", "d", 1))
    figure = author_confusion.figure(shown)
    assert list(figure.data[0].x) == ["c", "a&lt;b&gt;", "d"]
    assert "3 texts by <b>a&lt;b&gt;</b> (38%) assigned to <b>c</b>" in figure.data[0].customdata[1]
    sentence = author_confusion.sentence(shown)
    assert "highest for c (80% of 5 texts) and lowest for a<b> (63% of 8 texts)." in sentence
    assert "Most frequent confusions: a<b> as c (3 of 8) and c as d (1 of 5)." in sentence
    assert author_confusion.table(shown)["share"].tolist() == [0.375, 0.625, 0.8, 0.2]


def test_equal_authors_are_named_together():
    alike = [(name, name, 3) for name in "abcdef"]
    assert "Accuracy is 100% for each of 6 authors." in author_confusion.sentence(confusion(*alike))
    few = author_confusion.sentence(confusion(*alike[:2], ("c", "a", 1)))
    assert "highest for a and b (100% each) and lowest for c (0% of 1 text)." in few
    assert "highest for 6 authors, such as a (100% each)" in author_confusion.sentence(confusion(*alike, ("g", "a", 1)))


def test_no_mistake_is_said():
    assert "No text was assigned to a wrong author" in author_confusion.sentence(
        confusion(("a", "a", 3), ("b", "b", 2))
    )


def test_the_map_shows_one_author_among_the_others(result):
    coordinates, shown = author_map.of(result.tables["map"], "pca"), result.tables["confusion"]
    names = authors.names(shown["author"])
    chosen = authors.recognised(shown)["author"].iloc[3]
    texts = {int(row): "An <i>old</i> text" for row in coordinates["row"]}
    figure = checked(author_map.figure(coordinates, chosen, names, "pca", texts))
    points = {trace.name: len(trace.x) for trace in figure.data}
    mine, named = coordinates["author"] == chosen, coordinates["guess"] == chosen
    assert points[f"{chosen}, correct"] == int((mine & named).sum())
    assert points[f"{chosen}, assigned to another"] == int((mine & ~named).sum())
    assert points[f"others, assigned to {chosen}"] == int((~mine & named).sum())
    assert sum(points.values()) == len(coordinates)
    assert "An &lt;i&gt;old&lt;/i&gt; text" in figure.data[0].text[0]
    sentence = author_map.sentence(coordinates, shown, chosen, names, "pca")
    assert (
        f"Of 12 texts of {chosen}," in sentence
        and "assigned to another" in sentence
        and "nearest neighbour" in sentence
    )


@pytest.mark.parametrize(
    ("others", "says"), [("bcd", "author: b (1), c (1) and d (1)"), ("bcde", "author, most often: b (1),")]
)
def test_the_authors_that_a_text_is_most_often_given_to_are_called_so_where_there_are_more(result, others, says):
    shown = confusion(*(("a", other, 1) for other in others))
    coordinates = author_map.of(result.tables["map"], "pca").head(0)
    sentence = author_map.sentence(coordinates, shown, "a", {name: name for name in "abcde"}, "pca")
    assert f"{len(others)} are assigned to another {says}" in sentence


def test_an_author_with_one_point_has_no_neighbours(result):
    shown = confusion(("a", "a", 1), ("b", "a", 2))
    coordinates = author_map.of(result.tables["map"], "pca").head(1).assign(author="a", guess="a")
    sentence = author_map.sentence(coordinates, shown, "a", {"a": "a", "b": "b"}, "pca")
    assert sentence == (
        "Of 1 text of a, 1 is assigned correctly. 2 texts of others are assigned to a. The map shows 1 of 3 texts."
    )
    assert author_map.sentence(coordinates, shown, "c", {"c": "c"}, "pca") == "No text of c is a victim."


def test_other_experiments_stand_beside_each_other_with_their_chance(result):
    results = {"Ten": result, "Two": made(authors=2)}
    figure = checked(comparison.figure(results))
    assert samples.has_chance(figure)
    sentence = comparison.sentence(results)
    assert sentence.index("for Ten") < sentence.index("for Two")
    assert comparison.sentence({}) == "No author has been inferred yet."


def test_names_of_experiments_say_more_where_they_would_be_alike(result):
    name = comparison.label(result.experiment, "Wikipedia")
    assert name == "Wikipedia, 10 authors"
    longer = comparison.label(result.experiment, "Wikipedia", [name])
    assert longer.startswith("Wikipedia, 10 authors, 20 labels, ")
    defended = comparison.label(made(defended=True).experiment, "Wikipedia")
    assert defended.startswith("Wikipedia, 10 authors, ") and "Laplace" in defended.title()


@pytest.mark.parametrize(
    ("folder", "named", "meant", "label"),
    [
        ("sent", "author", "whoever sent the message", "Enron mailboxes, sent mail, 10 authors"),
        (
            "inbox",
            "mailbox",
            "whose inbox a message is in: others wrote it",
            "Enron mailboxes, received mail, 10 mailboxes",
        ),
        ("all", "mailbox", "Choose sent mail to ask who wrote", "Enron mailboxes, all mail, 10 mailboxes"),
    ],
)
def test_whose_mail_it_is_is_said(folder, named, meant, label):
    result = made(dataset="enron_mailboxes", source="minilm", folder=folder)
    assert f"always naming the {named} with the most texts" in answered(result)
    behind = authorship.behind(result.tables["inferred"], result.experiment)
    assert meant in authors.description(result.experiment["dataset"])
    assert f"Intervals draw {named.replace('box', 'boxe')}s again" in behind
    assert comparison.label(result.experiment, "Enron mailboxes") == label


def test_a_result_from_before_there_was_a_choice_of_mail_is_read(result):
    experiment = {**result.experiment, "dataset": {"part": "enron_mailboxes"}}
    assert "whose mailbox" in authors.description(experiment["dataset"])


@pytest.mark.parametrize(
    ("guess", "rank", "true_share", "says", "silent_on"),
    [
        ("ann", 1, 0.6, ["[Ann], with a probability of 60%", "Correct."], ["Wrong", "ranked"]),
        (
            "bob",
            2,
            0.3,
            ["[Bob], with a probability of 60%", "Wrong: the author is Ann, ranked 2 of 3 with 30%"],
            ["Corr"],
        ),
        ("cy", 3, 0.0002, ["[Cy]", "ranked 3 of 3 with less than 0.1%"], ["Correct"]),
    ],
)
def test_the_inferred_author_is_said_to_be_right_where_the_true_one_ranks_first(
    guess: str, rank: int, true_share: float, says: list[str], silent_on: list[str]
) -> None:
    row = pd.DataFrame(
        [{"truth": "ann", "guess": guess, "rank": rank, "probability": 0.6, "truth_probability": true_share}]
    )
    said = authors.verdict(next(row.itertuples()), {"ann": "Ann", "bob": "Bob", "cy": "Cy"})
    assert all(part in said for part in says) and not any(part in said for part in silent_on), said
