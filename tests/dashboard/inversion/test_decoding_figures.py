"""What a decoder learnt and wrote."""

import pandas as pd
import pytest

from dashboard.topics.inversion.figures import decoding
from tests.dashboard import samples
from tests.dashboard.embedding_results import decoder, estimate


@pytest.fixture(scope="module")
def tables():
    return decoder()[1].tables


def test_both_losses_are_drawn_and_read(tables):
    figure = decoding.figure(tables["decoding"])
    assert [trace.name for trace in figure.data] == ["training texts", "held-out texts"]
    assert set(samples.titles(figure)) == {"Epochs", "Loss per word (nats)"}
    sentence = decoding.sentence(tables["decoding"])
    assert sentence.startswith("The loss goes from 7.20 to 2.70 nats per word") and "lowest" not in sentence


def test_of_losses_that_part_only_what_they_show_is_said():
    rows = pd.DataFrame({"epochs": [1, 2, 3], "loss": [5.0, 2.0, 0.1], "left_out_loss": [5.0, 4.0, 6.0]})
    lowest = " On held-out texts it was lowest after epoch 2, 4"
    assert decoding.sentence(rows).endswith(f"{lowest}, while that on training texts went on falling.")
    assert decoding.sentence(rows.assign(loss=[5.0, 2.0, 3.0])).endswith(f"{lowest}.")


@pytest.mark.parametrize(
    ("value", "says"), [(0.52, "The interval includes chance"), (0.8, "reveals keywords."), (0.3, "misleads")]
)
def test_the_verdict_follows_the_interval(value, says):
    assert says in decoding.verdict(estimate(value, 0.5, 0.05))


def test_repetition_is_counted(tables):
    assert decoding.repeats(tables["decoded"]).startswith(
        "For 20 victims it decoded 2 different texts of 6 different words;"
    )
    assert "it decoded no word." in decoding.repeats(pd.DataFrame({"words": ["", ""]}))


def test_nothing_learnt_is_said(tables):
    nothing = tables["decoding"].head(0)
    assert "not trained" in samples.texts(decoding.figure(nothing))[-1]
    assert "not trained" in decoding.sentence(nothing)
