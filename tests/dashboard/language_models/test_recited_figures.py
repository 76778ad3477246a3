"""Figures of recitation: sentences follow their tables, also contrary ones."""

from functools import cache

import pytest

from dashboard.topics.language_models.figures import aligned, draws, recited
from tests.dashboard.language_models import recited_samples as samples
from tests.dashboard.samples import has_chance, titles


@cache
def tables():
    return samples.made().tables


def read(made):
    return recited.of(made["curve"], made["passages"])


def curve():
    return read(tables())


def shown(made):
    return draws.of(made["discoverable"], made["passages"], 0.5)


def test_the_curve_rises_with_copies_and_its_sentence_says_so():
    figure = recited.figure(curve())
    assert has_chance(figure)
    assert set(titles(figure)) == {"Copies of the passage in the training text", "Passages recited"}
    text = recited.sentence(curve())
    assert "After the 20 words before a passage, the model recites, of 6 passages each, 100% (95% interval" in text
    assert "of those shown 100 times" in text and "of those shown once" in text
    assert "From 5 times on, that is more than chance." in text
    assert "10 words after 5 and 20" in recited.scale(curve(), 10)


@pytest.mark.parametrize(
    ("changed", "statement"),
    [
        ({"least": 1000}, "not shown to be more than chance"),
        ({"control": True}, "not shown to be more than chance"),
        (
            {"common": 2},
            "Counted apart: 2 of 24 passages whose continuation also stands in another document. Of these",
        ),
    ],
    ids=["nothing recited", "control recited", "common"],
)
def test_the_sentence_follows_contrary_tables(changed, statement):
    assert statement in recited.sentence(read(samples.made(**changed).tables))


def test_draws_are_read_at_the_fewest_and_the_most():
    figure, text = draws.figure(shown(tables())), draws.sentence(shown(tables()))
    assert set(titles(figure)) == {"Continuations drawn (n)", "Passages found"}
    assert any("chance" in (trace.name or "") for trace in figure.data)
    assert "1 draw finds 0%" in text and "10,000 draws 100%" in text
    assert "6 more of the same 6 passages and none lost;" in text
    assert "no more of the same 6 passages" in draws.sentence(shown(samples.made(least=1000).tables))
    assert "found 50% of all that was shown" not in draws.checked(tables()["draws"])
    assert "2 draws of each passage found 67% of all that was shown" in draws.checked(tables()["draws"])


def test_a_passage_in_two_models_is_two_cases():
    made = samples.made(common=2, models=2).tables
    text, passages = recited.sentence(read(made)), shown(made)
    assert "of 8 to 12 cases each (a passage in a model; 4 to 6 passages in 2 models)" in text
    assert "Counted apart: 2 of 24 passages" in text and "Of these common phrases, 0% of 4 cases are recited." in text
    assert "Of 12 cases of 6 passages in 2 models shown 100 times" in draws.sentence(passages)
    assert "12 more of the same 12 cases and none lost;" in draws.sentence(passages)
    assert (passages["found"] == passages["share"] * passages["cases"]).all()
    for figure in (recited.figure(read(made)), draws.figure(passages)):
        assert "12 cases of 6 passages in 2 models" in figure.to_json()


def test_nothing_is_said_of_no_rows():
    for sentence, table in ((recited.sentence, curve()), (draws.sentence, shown(tables()))):
        assert sentence(table.head(0)).startswith("No ")
    assert recited.figure(curve().head(0)).layout.annotations
    assert draws.checked(tables()["draws"].head(0)) == "No continuation was drawn."


def test_words_stand_beside_the_truth():
    passages = tables()["passages"]
    names = aligned.choices(passages, trained=True)
    first = next(iter(names))
    assert names[first].startswith("100 times: passage ")
    assert all(name.startswith("Never") for name in aligned.choices(passages, trained=False).values())
    rows = aligned.of(passages, first)
    assert rows["continuation"].iloc[-1] == " ".join("=" * 10), "right words are not kept"
    truth = tuple("abcdefghij")
    table = aligned.words(rows, truth)
    assert table["true text"].tolist() == list(truth)
    assert table["after 20 words"].tolist() == [f"✓ {word}" for word in truth]
    assert table["after 5 words"].tolist() == ["✗ zzz"] * 10
    assert "0 of 10 words after 5 and 10 of 10 words after 20 known words" in aligned.sentence(rows)


def test_prefixes_in_tokens_are_called_so_and_the_shortest_is_compared():
    figure, text = recited.figure(curve(), "token"), recited.sentence(curve(), "token")
    assert {trace.name for trace in figure.data} >= {"after 5 tokens", "after 20 tokens"}
    assert "After the 20 tokens before a passage" in text
    assert "After the last 5 tokens of these alone it is 0% (0–" in text
    assert "of those shown 100 times: the whole prefix brings out more than its end." in text
    one = curve()[curve()["prefix"] == 20]
    assert recited.scale(one, 10, "token").endswith("in as many whole words as fit.")
    scale = recited.scale(curve(), 10, "token")
    assert "10 words after 5 and 20 tokens, in as many whole words as fit. In the training text" in scale
    alike = curve().assign(prefix=curve()["prefix"].replace(5, 20)).drop_duplicates("copies")
    assert "alone" not in recited.sentence(alike, "token")
    words = recited.sentence(curve())
    assert "tokens" not in words
    assert "After the last 5 words of these alone it is 0% (0–" in words
    rows = aligned.of(tables()["passages"], "0.0")
    assert aligned.sentence(rows, "token").endswith("known tokens.")


WHOLE, HALF = (0.9, 0.8, 0.95), (0.5, 0.4, 0.6)
ENDS = ["recited", "low", "high"]


@pytest.mark.parametrize(
    ("end", "whole", "says"),
    [
        (HALF, WHOLE, "the whole prefix brings out more than its end."),
        (WHOLE, HALF, "its end brings out more than the whole."),
        (HALF, (0.6, 0.5, 0.7), "no difference is shown."),
        (HALF, HALF, "no difference is shown."),
        ((0.5,) * 3, (0.5,) * 3, "no difference is shown."),
    ],
)
def test_the_shortest_prefix_is_compared_with_the_longest_by_the_interval_of_their_difference(end, whole, says):
    table = curve()
    for prefix, share in ((5, end), (20, whole)):
        table.loc[(table["prefix"] == prefix) & (table["copies"] == 100), ENDS] = share
    sentence = recited.sentence(table)
    assert f"of those shown 100 times: {says}" in sentence
    assert sum(text in sentence for text in ("brings out", "no difference")) == 1
