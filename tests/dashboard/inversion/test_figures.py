"""Words read back: one text, all victims, rare words, learning, and the paper."""

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.attacks.inversion.corrective_inversion import CorrectiveInversion
from core.attacks.inversion.few_shot_inversion import FewShotInversion
from core.attacks.inversion.relaxed_inversion import RelaxedInversion
from core.games.inversion.tables import SCHEMAS
from core.result import Estimate, table
from dashboard.kit.figures import theme
from dashboard.topics.inversion.figures import inversion, outcome, rarity
from dashboard.topics.inversion.figures import learning as inversion_learning
from dashboard.topics.inversion.figures import paper as inversion_paper
from dashboard.topics.inversion.figures import search as inversion_search
from dashboard.topics.inversion.figures import settling as inversion_settling
from tests.dashboard import samples
from tests.dashboard.inversion.samples import ATTACK
from tests.dashboard.inversion.samples import inversion as made


@pytest.fixture(scope="module")
def result():
    return made(recall=0.6, defended=True)


def checked(figure):
    """Return a figure after plotly itself has looked at every value."""
    return go.Figure(figure.to_dict())


def yours(*rows):
    """Return words as a result has them: word, whether named, whether there."""
    return table(
        SCHEMAS["yours"],
        [
            {"place": position, "word": word, "score": 0.9 / position, "named": named, "present": present}
            for position, (word, named, present) in enumerate(rows, start=1)
        ],
    )


ROWS = (("the", True, True), ("of", True, False), ("was", False, True), ("to", False, False))


def test_each_bar_is_told_apart_by_a_sign_and_a_filling_too():
    bars = checked(inversion.figure(yours(*ROWS))).data[0]
    assert [text.split(maxsplit=1)[-1] for text in bars.text[:3]] == ["✓ right", "✗ wrong", "○ missed"]
    assert bars.text[3] == "22%"
    assert list(bars.marker.pattern.shape) == ["", "/", "", ""]
    assert bars.marker.color[0] == theme.MEMBER and bars.marker.color[2] == theme.veil(theme.MEMBER, 0)
    assert [text.split(": ")[1] for text in bars.hovertext] == [
        "named, in the text",
        "named, not in the text",
        "in the text, not named",
        "neither named nor in the text",
    ]


def test_a_line_divides_named_words_from_others_where_they_are_the_likeliest():
    lines = {
        rows: [(shape.name, shape.y0) for shape in checked(inversion.figure(yours(*rows))).layout.shapes if shape.name]
        for rows in (ROWS, ROWS[::-1], ROWS[:2])
    }
    assert lines == {ROWS: [("threshold: named above", 1.5)], ROWS[::-1]: [], ROWS[:2]: []}
    figure = inversion.figure(yours(*ROWS))
    assert figure.layout.shapes[0].showlegend and not figure.layout.annotations, "its name covers no share on a phone"
    assert not figure.data[0].showlegend and not inversion.figure(yours(*ROWS[:2])).layout.showlegend


def test_no_more_than_thirty_bars_are_drawn():
    many = yours(*((f"word{number}", number < 60, True) for number in range(90)))
    assert len(inversion.figure(many).data[0].y) == 30
    assert len(inversion.recovered(many).right) == 60


def test_words_of_data_bring_no_markup_into_a_figure():
    figure = checked(inversion.figure(yours(("<b>x</b>", True, True), ("y" * 80, True, False))))
    assert figure.layout.yaxis.ticktext[0] == "<b>&lt;b&gt;x&lt;/b&gt;</b>"
    assert len(figure.layout.yaxis.ticktext[1]) < 30


def test_missed_words_come_from_the_text_where_it_is_known():
    recovery = inversion.recovered(yours(*ROWS), "The Pizza was the Pizza!")
    assert recovery == inversion.Recovery(("the",), ("of",), ("pizza", "was"))
    assert inversion.sentence(recovery) == "Of 3 different words, 1 was named; 1 named word is not in the text."


def test_without_the_text_the_rest_is_counted():
    recovery = inversion.recovered(yours(*ROWS), None, 6)
    assert recovery == inversion.Recovery(("the",), ("of",), ("was",), 4)
    assert recovery.total == 6


@pytest.mark.parametrize(
    ("recovery", "says"),
    [
        (
            inversion.Recovery((), (), ("a", "b")),
            "Of 2 different words, none was named; every named word is in the text",
        ),
        (
            inversion.Recovery(("a", "b"), ("c",), ()),
            "All 2 different words were named; 1 named word is not in the text.",
        ),
        (inversion.Recovery(("a", "b"), (), ("c",)), "Of 3 different words, 2 were named; every named word"),
        (inversion.Recovery(("a",), (), ()), "The only word was named; every named word"),
        (inversion.Recovery((), ("c", "d"), ("a",)), "The only word was not named; 2 named words are not in the text."),
        (inversion.Recovery((), (), ()), "The text has no word; 0 named words are not in the text."),
    ],
)
def test_the_sentence_fits_every_count(recovery, says):
    assert inversion.sentence(recovery).startswith(says)


def test_no_word_is_said():
    assert "The adversary scored no word." in samples.texts(inversion.figure(yours()))[-1]


@pytest.mark.parametrize("counted", list(outcome.WORDS))
def test_each_measure_has_a_bar_for_every_adversary_and_for_frequency(result, counted):
    readings = result.tables["readings"]
    drawn = outcome.bars(readings, ATTACK, counted)
    assert list(dict.fromkeys(drawn["group"])) == ["Precision", "Recall", "F1"]
    assert set(drawn["series"]) == {"The attack", "Naive adversary", "Chance (the most frequent words)"}
    figure = checked(outcome.figure(readings, ATTACK, counted))
    assert figure.layout.xaxis.range[1] > 1, "so that both figures compare"
    sentence = outcome.sentence(readings, ATTACK, counted)
    assert "of the named words are in the text" in sentence and "who ignores the defense, reaches" in sentence
    assert "no leak" not in sentence


def test_no_leak_is_said():
    readings = made(recall=0.01, invented=12).tables["readings"]
    assert "The attack is not shown to be better: no leak" in outcome.sentence(readings, ATTACK, "all")


def test_texts_without_such_words_are_said(result):
    readings = result.tables["readings"]
    nothing = readings.assign(**dict.fromkeys(("value", "low", "high"), float("nan")))
    for odd in (nothing, readings.iloc[:0]):
        assert outcome.sentence(odd, ATTACK, "content") == "No victim has such a word."
        assert "No victim has" in samples.texts(checked(outcome.figure(odd, ATTACK, "content")))[-1]


def band(fewest, most, occurrences, recall, named=10, frequency=0.0):
    return {
        "fewest": fewest,
        "most": most,
        "occurrences": occurrences,
        "named": named,
        "recall": recall,
        "low": max(recall - 0.05, 0.0),
        "high": min(recall + 0.05, 1.0),
        "frequency": frequency,
    }


BANDS = (band(0, 0, 20, 0.0, 0), band(1, 4, 1000, 0.0, 0), band(5, 19, 100, 0.04, 8), band(500, -1, 50, 0.9, 60, 0.3))


def test_the_rarest_words_stand_on_top_with_their_number():
    figure = checked(rarity.figure(table(SCHEMAS["rarity"], list(BANDS[::-1]))))
    assert list(figure.layout.yaxis.ticktext) == ["none", "1–4", "5–19", "500 or more"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert list(figure.data[1].x) == [None, None, None, 0.3], "what frequency alone finds"
    assert samples.texts(figure) == ["0% of 20", "0% of 1,000", "4% of 100", "90% of 50"]
    assert "named 8 times, precision 50%" in figure.data[0].text[2]


def test_rarity_is_read_aloud():
    sentence = rarity.sentence(table(SCHEMAS["rarity"], list(BANDS)))
    assert "500 or more of the adversary’s texts are named in 90% (95% interval 85–95%) of 50 cases" in sentence
    assert "The rarest found words are in 5–19 of them: recall is 4% (0–9%) of 100 cases, precision 50%." in sentence
    assert "In 20 cases the word is in none of them" in sentence
    assert sentence.endswith("Chance (the most frequent words) finds 30% of those in 500 or more, and no others.")
    equal = rarity.sentence(table(SCHEMAS["rarity"], [*BANDS[:3], band(500, -1, 50, 0.9, 60, 0.96)]))
    assert equal.endswith("In 500 or more the attack is not shown to find more.")


def test_rarities_without_words_are_left_empty():
    nan = float("nan")
    empty = {**band(5, 19, 0, nan), "low": nan, "high": nan, "frequency": nan}
    figure = checked(rarity.figure(table(SCHEMAS["rarity"], [empty, band(20, 99, 7, 0.0, 0)])))
    assert samples.texts(figure) == ["no case", "0% of 7"] and len(figure.data[0].x) == 1
    sentence = rarity.sentence(table(SCHEMAS["rarity"], [empty, band(20, 99, 7, 0.0, 0)]))
    assert "No word is found in any band" in sentence
    for rows in ([], [empty]):
        nothing = table(SCHEMAS["rarity"], rows)
        assert "No victim has a word." in samples.texts(rarity.figure(nothing))[-1]
        assert rarity.sentence(nothing) == "No victim has a word."


def test_loss_and_f1_are_drawn_above_each_other(result):
    learning = result.tables["learning"]
    figure = checked(inversion_learning.figure(learning))
    assert [trace.yaxis for trace in figure.data] == ["y", "y2"]
    assert "nats" in figure.layout.yaxis.title.text and "F1" in figure.layout.yaxis2.title.text
    assert inversion_learning.sentence(learning) == (
        "In 4 epochs the loss goes from 54 to 39.4 nats per text, and F1 on held-out texts from 20% to 38%."
    )
    assert "After 1 epoch the loss is 54 nats" in inversion_learning.sentence(learning.head(1))
    assert inversion_learning.sentence(learning.head(0)) == "No epoch is finished yet."
    worse = learning.assign(left_out_f1=[0.2, 0.4, 0.3, 0.3])
    assert inversion_learning.sentence(worse).endswith("F1 was best after epoch 2, with 40%.")
    assert "No value yet:" in samples.texts(inversion_learning.figure(learning.head(0)))[-1]


def ours(value, chance=0.2, access=inversion_paper.BLACK, **more):
    f1 = Estimate(value=value, low=value - 0.05, high=value + 0.05, chance=chance, unit="share")
    return inversion_paper.Ours(f"encoder {value}", "method", access, {"f1": f1}, **more)


def test_ours_stand_above_the_paper_with_frequency_alone():
    figure = checked(inversion_paper.figure([ours(0.4, chosen=True), ours(0.1, chance=None)]))
    points, strokes, *paper = figure.data
    assert list(points.x) == [0.4, 0.1] and points.y[0] < points.y[1] < paper[1].y[0] < paper[3].y[0]
    assert list(strokes.x[:2]) == [0.2, 0.2] and len(strokes.x) == 3
    written = [note.x for note in figure.layout.annotations if note.text in ("40%", "10%")]
    assert written == pytest.approx([0.45, 0.15])
    assert [len(trace.x) for trace in paper] == [2, 4, 2, 4]
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == [
        "here, black box",
        "chance (the most frequent words)",
        "the paper, white box",
    ]
    texts = samples.texts(figure)
    assert any("encoder 0.4 (this page)" in text for text in texts)
    assert any("The paper, Equation 7, white box" in text and "ALBERT 62%" in text for text in texts)


def test_who_holds_the_encoder_looks_different():
    figure = checked(inversion_paper.figure([ours(0.4), ours(0.5, access=inversion_paper.WHITE)]))
    asking, holding = figure.data[:2]
    assert [asking.name, holding.name] == ["here, black box", "here, white box"]
    assert asking.marker.symbol != holding.marker.symbol and asking.y[0] < holding.y[0]
    assert inversion_paper.table([ours(0.5, access=inversion_paper.WHITE)]).loc[0, "access"] == "white box"


def test_a_value_is_written_beyond_frequency_alone_where_that_is_close():
    near, far = ours(0.1, chance=0.2), ours(0.1, chance=0.6)
    notes = inversion_paper.figure([near, far]).layout.annotations
    assert [note.x for note in notes if note.text == "10%"] == pytest.approx([0.2, 0.15])


def test_the_comparison_is_read_aloud():
    one, two = ours(0.4), ours(0.1)
    assert inversion_paper.sentence([one]).startswith("F1 is 40% (95% interval 35–45%) here for encoder 0.4. The paper")
    assert "2 results here, F1 is between 10%" in inversion_paper.sentence([one, two])
    printed = "The paper’s white-box attacks reach 0.9% to 57% by Equation 5 and 50% to 63% by Equation 7"
    assert inversion_paper.sentence([]).startswith(printed)
    assert inversion_paper.printed().startswith(printed)


def test_one_text_stands_beside_all_victims():
    f1 = Estimate(value=0.3, low=0.25, high=0.35, chance=0.4, unit="F1")
    none = inversion.Recovery((), (), ("a", "b"))
    assert inversion.beside_victims(none, f1).startswith("F1 of this one text is 0%. Over all victims it is 30% (95%")
    whole = inversion.Recovery(("a", "b"), (), ())
    assert inversion.beside_victims(whole, f1.model_copy(update={"decisions": 1})).startswith(
        "F1 of this one text is 100%. Over 1 victim it is 30% (95% interval 25–35%); chance"
    )
    assert "is not measurable" in inversion.beside_victims(inversion.Recovery((), (), ()), f1)


def test_the_table_prints_table_1():
    listed = inversion_paper.table([ours(0.4)])
    assert len(listed) == 9 and listed.loc[0, "precision"] == "not measured"
    albert = listed[(listed["target"] == "ALBERT, BookCorpus") & (listed["method"] == "The paper, Equation 7")].iloc[0]
    assert albert[["precision", "recall", "F1", "precision, other domain"]].tolist() == [
        "70.91%",
        "55.49%",
        "62.26%",
        "68.45%",
    ]
    figures = listed.iloc[1:][["precision", "recall", "F1"]].map(lambda share: float(share.removesuffix("%")))
    harmonic = 2 * figures["precision"] * figures["recall"] / (figures["precision"] + figures["recall"])
    pd.testing.assert_series_equal(harmonic, figures["F1"], check_names=False, atol=0.02)


def settling(*rows):
    """Return what a search recorded: distance of the mixture, and with single words, at falling temperatures."""
    return table(
        RelaxedInversion.tables["settling"],
        [
            {"steps": 10 * position, "temperature": 1 / position, "mixed": mixed, "spelt": spelt}
            for position, (mixed, spelt) in enumerate(rows, start=1)
        ],
    )


def test_a_search_settles_step_by_step_beside_the_mean_embedding():
    shown = settling((3.0, 4.0), (0.1, 1.2), (0.4, 0.5))
    figure = checked(inversion_settling.figure(shown))
    assert [list(trace.y) for trace in figure.data] == [
        [3.0, 0.1, 0.4],
        [4.0, 1.2, 0.5],
        [1.0, 0.5, pytest.approx(1 / 3)],
    ]
    assert samples.has_chance(figure)
    (note,) = (one for one in figure.layout.annotations if one.text == "mean embedding")
    assert note.y == 0, "annotations stand at the logarithm on a logarithmic axis"
    assert figure.layout.yaxis.type == "log"
    low, high = figure.layout.yaxis.range
    assert 10**low < 0.1 < 4 < 10**high


def test_what_a_search_lost_as_it_settled_is_concluded():
    sentence = inversion_settling.sentence(settling((3.0, 4.0), (0.1, 1.2), (0.4, 0.5)))
    assert sentence.startswith(
        "The smallest squared distance between mixture and embedding, after 20 steps, is 10% of the mean embedding’s. "
        "After the last step it is 40%, and 50% with only the most likely word at each position. "
    )
    assert "part of the match is lost" in sentence
    assert "costs little of the match" in inversion_settling.sentence(settling((3.0, 4.0), (0.1, 0.1)))
    assert "match the embedding no better than" in inversion_settling.sentence(settling((3.0, 4.0), (0.1, 1.1)))


def test_a_search_without_record_or_choice_says_so():
    for shown in (settling(), settling((float("nan"), 1.0))):
        assert samples.texts(inversion_settling.figure(shown)) == ["No step was recorded."]
        assert inversion_settling.sentence(shown) == "No step was recorded."
    choices = RelaxedInversion.tables["choices"]
    assert inversion_settling.chosen(table(choices, [])) == ""
    row = {"threshold": 0.44, "left_out_f1": 0.45, "words": 7.6, "places": 7.75}
    assert "above 44% at some position: 7.60 words per text on average, from 7.75" in inversion_settling.chosen(
        table(choices, [row])
    )


def searched(*rows, learnt=(0.3, 0.6)):
    """Return what a search recorded, guesses, closeness and F1 by round, and how the classifier learnt before."""
    texts = [
        {"round": number, "guesses": guesses, "closeness": closeness, "guesses_f1": f1 / 2, "left_out_f1": f1}
        for number, (guesses, closeness, f1) in enumerate(rows)
    ]
    learning = [{"epochs": epoch, "loss": 1.0, "left_out_f1": f1} for epoch, f1 in enumerate(learnt, start=1)]
    tables = CorrectiveInversion.tables
    return table(tables["search"], texts), table(tables["learning"], learning)


def test_guesses_are_drawn_with_and_without_what_the_classifier_knows():
    figure = checked(inversion_search.figure(*searched((24, 0.5, 0.62), (36, 0.7, 0.7))))
    assert [list(trace.y) for trace in figure.data] == [[0.5, 0.7], [0.62, 0.7], [0.31, 0.35], [0.6, 0.6]]
    assert [list(trace.x) for trace in figure.data] == [[24, 36]] * 3 + [[0, 36]]
    assert [trace.name for trace in figure.data[1:]] == [
        "text search and classifier",
        "text search only",
        "classifier only",
    ]
    low, high = figure.layout.yaxis2.range
    assert 0.2 < low < 0.31 and 0.7 < high < 0.8, "the lines fill the figure"
    assert figure.layout.yaxis.range[0] == 0


def test_what_guesses_add_is_said():
    sentence = inversion_search.sentence(*searched((24, 0.5, 0.62), (36, 0.7, 0.7)))
    assert sentence == (
        "The first 24 candidate texts reach a cosine of 0.50; after 1 round of corrections, 36 reach 0.70. F1 of the "
        "text search is 35%, of the classifier 60%, and of both together 70%. The text search reveals words that the "
        "classifier misses."
    )
    useless = inversion_search.sentence(*searched((24, 0.5, 0.605)))
    assert "come as close as the true one" in useless and "of corrections" not in useless


def test_what_guesses_count_for_is_said():
    row = {"trust": 0.25, "sharpness": 80.0, "threshold": 0.4, "left_out_f1": 0.7, "chosen": True}
    schema = CorrectiveInversion.tables["choices"]
    sentence = inversion_search.chosen(table(schema, [{**row, "trust": 0.5, "chosen": False}, row]))
    assert "weight of the text search was 25%, and the best threshold for words 40%." in sentence
    assert "the best weight of the text search was 0" in inversion_search.chosen(table(schema, [{**row, "trust": 0.0}]))
    assert inversion_search.chosen(table(schema, [])) == ""


def test_a_search_or_a_classifier_without_record_says_so():
    none, learning = searched()
    assert samples.texts(inversion_search.figure(none, learning)) == ["There was no search."]
    assert inversion_search.sentence(none, learning) == "There was no search."
    search, unknown = searched((24, 0.5, 0.6), learnt=())
    assert len(checked(inversion_search.figure(search, unknown)).data) == 3
    assert inversion_search.sentence(search, unknown).endswith("F1 of the text search is 30%.")


def test_the_weights_of_both_ways_to_read_few_pairs_are_said_as_their_table_has_them() -> None:
    schema = FewShotInversion.tables["weights"]
    mixed = table(schema, {"weight": [1.0, 0.75, 0.5, 0.0], "left_out_f1": [0.4, 0.456, 0.45, 0.3]})
    sentence = inversion_learning.weighed(mixed, "small_bert", "small_bert")
    assert "Small BERT, which happens to be the unknown one. " in sentence
    assert "F1 is 40% through it and 30% from the pairs alone" in sentence
    assert "by 75%, and reaches 46%" in sentence
    sentence = inversion_learning.weighed(mixed.iloc[[0, 3]], "small_bert", "minilm")
    assert "own encoder is Small BERT. " in sentence and sentence.endswith("takes its own encoder alone.")
    poor = mixed.assign(left_out_f1=[0.1, 0.2, 0.2, 0.3])
    assert inversion_learning.weighed(poor, "small_bert", "").endswith("takes the pairs alone.")
