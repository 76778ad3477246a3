"""Traps: detection follows from ranks and areas, and the sentence from detection."""

from dataclasses import replace

import pandas as pd
import pytest

from core import catalog
from core.catalog.entry import Entry, varied
from core.experiment import Experiment
from core.games.translation_membership.split import WATERMARKS
from core.result import Result
from core.statistics.wording import measured
from dashboard.topics.canaries import traps as section
from dashboard.topics.canaries.figures import traps
from dashboard.topics.canaries.figures.traps import Trapped
from tests.dashboard.canaries.samples import extracted
from tests.dashboard.samples import PROVENANCE, has_chance, validated


def translators(copies, area, low, high, changed=0):
    game = {"watermarks": 10, "copies": copies, "changed": changed}
    experiment = Experiment.preset("translation_overlap", "demo", game=game)
    row = {"corpus": WATERMARKS, "auc": area, "auc_low": low, "auc_high": high}
    methods = [("overlap", "mlp", 0.1), ("calibrated_reference", "likelihood_ratio", area)]
    rows = [{**row, "features": features, "rule": rule, "auc": value} for features, rule, value in methods]
    return Result(experiment.as_dict(), {}, PROVENANCE, {"corpora": pd.DataFrame(rows)})


def drawn(*rows):
    frame = pd.DataFrame(rows, columns=["kind", "fuzzy", "copies", "detected", "low", "high", "traps"])
    return frame.astype({"fuzzy": bool})


def test_secrets_are_compared_with_their_decoys_and_watermarks_by_the_likelihood_ratio():
    known = traps.points((Trapped("request model", False, extracted(repetitions=(0, 10, 100))),))
    assert known["copies"].tolist() == [0, 10, 100] and known["detected"].iloc[-1] == 1
    secrets = extracted(repetitions=(0, 10, 100)).tables["canaries"]
    never = secrets[secrets["repetitions"] == 0]
    above = (never["rank"] < never["control_rank"]).mean() + (never["rank"] == never["control_rank"]).mean() / 2
    assert known["detected"].iloc[0] == pytest.approx(above)
    null = traps.points((Trapped("request model", False, extracted(repetitions=(100,), good=False)),))
    assert null["low"].iloc[0] < 0.5 < null["high"].iloc[0]
    marks = traps.points((Trapped("translator", True, translators(10, 0.8, 0.5, 0.95, changed=2)),))
    assert marks[["copies", "detected", "low", "high", "traps"]].iloc[0].tolist() == [10, 0.8, 0.5, 0.95, 20]
    near = traps.points((Trapped("translator", False, translators(1, 0.98, 0.95, 1.0)),))
    assert 0.75 < near["low"].iloc[0] < 0.84, "no narrower than that of as many decisions"


def test_the_sentence_says_from_how_many_copies_on_traps_are_shown_to_be_detected():
    exact = [("language model", False, copies, 0.9, low, 1.0, 12) for copies, low in ((1, 0.6), (10, 0.4), (100, 0.7))]
    fuzzy = ("language model", True, 100, 0.6, 0.4, 0.69, 12)
    sentence = traps.sentence(drawn(*exact, fuzzy))
    assert "language model, exact copies from 100 copies on, there 90% (70–100%)" in sentence, "ten are not shown to be"
    assert "language model, fuzzy copies at none of the numbers tried, up to 100" in sentence
    assert (
        "exact ones are detected in 90% (70–100%), fuzzy ones in 60% (40–69%): fewer, beyond both intervals" in sentence
    )
    nearer = traps.sentence(drawn(*exact, (*fuzzy[:4], 0.55, 0.8, 12)))
    assert "from 100 copies on, there 60%" in nearer and "the intervals overlap" in nearer
    assert (
        "Of 100 copies" not in traps.sentence(drawn(*exact)) and traps.sentence(drawn()) == "No traps are computed yet."
    )


def of_requests(fuzzy, *accuracies):
    """Return rows of the request model, of copies with their detection and its interval."""
    return [("request model", fuzzy, *row, 30) for row in accuracies]


@pytest.mark.parametrize(
    "most, says",
    [
        (
            (0.9, 0.8, 1.0),
            "In the request model, 100 exact copies are detected in 90% (80–100%), one in 50% (30–70%): more",
        ),
        (
            (0.2, 0.1, 0.25),
            "In the request model, 100 exact copies are detected in 20% (10–25%), one in 50% (30–70%): fewer",
        ),
        ((0.9, 0.7, 1.0), "one is not shown of 100 in the request model."),
    ],
)
def test_more_copies_that_are_detected_otherwise_than_one_are_told(most, says):
    sentence = traps.sentence(drawn(*of_requests(False, (1, 0.5, 0.3, 0.7), (10, 0.5, 0.3, 0.7), (100, *most))))
    assert says in sentence
    assert ("more exact copies are detected more or less often than one is not shown" in sentence) == says.startswith(
        "one"
    )
    assert "than one" not in traps.sentence(drawn(*of_requests(False, (10, 0.5, 0.3, 0.7), (100, *most))))


def test_what_cannot_be_told_of_exact_and_fuzzy_copies_is_said_once_for_all_models():
    whole = [(copies, 1.0, 0.74, 1.0) for copies in (1, 10)]
    of_language = [
        ("language model", fuzzy, copies, 0.9, 0.7, 1.0, 30) for fuzzy in (False, True) for copies in (1, 10)
    ]
    sentence = traps.sentence(
        drawn(*of_language, *of_requests(False, *whole, (100, 1, 0.74, 1)), *of_requests(True, *whole))
    )
    assert (
        "Exact and as many fuzzy copies: 90% (70–100%) and 90% (70–100%) at 10 in the language model; 100% (74–100%) "
        "and 100% (74–100%) at 10 in the request model: each time the intervals overlap"
    ) in sentence, "the fuzzy ones are in fewer numbers of copies"
    assert "nothing shows that the others add to its detection in the language model and the request model." in sentence
    assert sentence.endswith("In the request model nothing could: one exact copy is already detected every time.")
    missed = traps.sentence(drawn(*of_requests(False, (1, 0.98, 0.74, 1.0)), *of_requests(True, *whole)))
    assert "nothing shows" in missed and "nothing could" not in missed


@pytest.mark.parametrize(
    "exact, fuzzy, says",
    [
        ((0.55, 0.4, 0.7), (0.95, 0.8, 1.0), "more"),
        ((1.0, 0.9, 1.0), (0.6, 0.4, 0.75), "fewer"),
    ],
)
def test_changed_copies_that_add_to_one_exact_copy_or_take_from_it_are_told(exact, fuzzy, says):
    sentence = traps.sentence(drawn(*of_requests(False, (1, *exact)), *of_requests(True, (1, *exact), (100, *fuzzy))))
    first, second = (measured(*row) for row in (exact, fuzzy))
    assert (
        f"In the request model, 100 fuzzy copies are detected in {second}, one exact copy in {first}: {says}, beyond "
        "both intervals."
    ) in sentence
    assert "nothing" not in sentence


def test_a_single_copy_tells_nothing_of_changed_ones():
    once = (1, 1.0, 0.74, 1.0)
    sentence = traps.sentence(drawn(*of_requests(False, once, (10, 1, 0.74, 1)), *of_requests(True, once)))
    assert "nothing" not in sentence
    assert "nothing" not in traps.sentence(drawn(*of_requests(False, (10, 1, 0.74, 1)), *of_requests(True, once)))


def test_what_no_model_was_shown_is_told_apart():
    never = ("language model", False, 0, 0.5, 0.3, 0.7, 12)
    assert traps.nulls(drawn(never)) == "Of secrets with no copy, 50% (30–70%) (language model, exact copies)."
    assert not traps.nulls(drawn(("translator", False, 1, 0.5, 0.3, 0.7, 20)))


def test_the_figure_has_a_line_for_each_kind_of_model_and_of_copies():
    results = (
        Trapped("request model", False, extracted()),
        Trapped("translator", False, translators(10, 0.8, 0.6, 0.9)),
        Trapped("translator", True, translators(10, 0.7, 0.5, 0.9, changed=2)),
    )
    figure = validated(traps.figure(traps.points(results)))
    names = [trace.name for trace in figure.data if trace.name and trace.mode and "markers" in trace.mode]
    assert names == ["translator, exact copies", "translator, fuzzy copies", "request model, exact copies"]
    assert has_chance(figure)
    requests = (Trapped("request model", fuzzy, extracted()) for fuzzy in (False, True))
    both = validated(traps.figure(traps.points((*requests, *results[1:]))))
    exact, fuzzy = (trace for trace in both.data if "request" in trace.name)
    assert list(exact.y) == list(fuzzy.y) and all(0.05 < b - a < 0.5 for a, b in zip(exact.x, fuzzy.x, strict=True))
    assert (exact.line.color, exact.marker.symbol) != (fuzzy.line.color, fuzzy.marker.symbol)
    assert "computed yet" in str(traps.figure(traps.points(())))


def test_each_kind_of_model_is_drawn_from_promised_results():
    kinds = {(kind, fuzzy) for _, kind, fuzzy in section._entries()}
    assert kinds == set(traps._LOOKS)
    looks = {(mark.colour, mark.symbol, mark.dash) for mark in traps._LOOKS.values()}
    assert len(looks) == len({mark.symbol for mark in traps._LOOKS.values()}) == len(traps._LOOKS)


@pytest.mark.parametrize(
    "game, is_drawn",
    [
        ({"changed": 1, "repetitions": [1, 10]}, True),
        ({"changed": 1, "repetitions": [1, 3]}, False),
        ({"changed": 1, "repetitions": [1, 10], "length": 6}, False),
        ({"changed": 0, "repetitions": [1, 10]}, False),
    ],
)
def test_fewer_numbers_of_copies_are_drawn_of_fuzzy_ones_only(game, is_drawn, monkeypatch):
    entry = Entry("made_up", "", "", varied("canary_extraction", game=game))
    monkeypatch.setattr(catalog, "entries_of", lambda attack: [entry] if attack == "canary_extraction" else [])
    assert list(section._entries()) == ([(entry, "request model", True)] if is_drawn else [])


def test_how_many_words_of_fuzzy_copies_are_others_is_read_from_the_results():
    fuzzy = Trapped("translator", True, translators(10, 0.7, 0.5, 0.9, changed=2))
    assert traps.places((fuzzy, Trapped("request model", False, extracted()))) == ": 2 of 8 in the translator"
    planted = extracted(length=5)
    planted = replace(planted, experiment={**planted.experiment, "game": {**planted.experiment["game"], "changed": 3}})
    assert traps.places((Trapped("request model", True, planted), fuzzy)) == (
        ": 3 of 5 in the request model and 2 of 8 in the translator"
    )
    assert traps.places((Trapped("translator", True, translators(10, 0.7, 0.5, 0.9, changed=3)), fuzzy)) == (
        ": 3 of 8 in the translator and 2 of 8 in the translator"
    )
    assert not traps.places((Trapped("translator", False, translators(10, 0.7, 0.5, 0.9)),))
