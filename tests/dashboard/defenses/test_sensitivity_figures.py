"""The sensitivity by encoder: ours from a result, the paper's as printed, and what both show in words."""

import pytest

from core.experiment import Experiment
from core.result import Estimate
from dashboard.kit import stored_results
from dashboard.topics.defenses import sensitivity
from dashboard.topics.defenses.figures import sensitivity as charts
from tests.dashboard.embedding_results import result


def made(length: str = "raw", largest: float = 40.0):
    experiment = Experiment.parse(
        {
            "attack": {"part": "encoder_fingerprint", "candidates": ["small_gpt2@last"]},
            "dataset": "cms_procedures",
            "model": {"part": "encoder", "source": "minilm", "length": length},
            "game": {"part": "fingerprint", "pairs": 3000},
        }
    )
    names = ("minilm", "small_gpt2")
    values = {"sensitivity": 1.0, "sensitivity_tenth": 0.8, "moved": 0.5, "size": 4.0}
    estimates = {
        f"{figure}_{name}": Estimate(
            value=part * size, low=part * size * 0.9, high=part * size * 1.1, chance=None, unit="l1", decisions=3000
        )
        for name, size in zip(names, (largest, largest / 2), strict=True)
        for figure, part in values.items()
    }
    rows = [{"encoder": name, "dimension": 384, "victims": 9} for name in names]
    return result(experiment, estimates, {"encoders": rows})


def test_ours_stand_beside_the_eight_encoders_of_the_paper():
    rows = charts.table((made(), made("unit", 2.0)))
    ours = rows[rows["embeddings"] != charts.PAPER]
    assert ours["encoder"].tolist() == ["all-MiniLM-L6-v2", "Small GPT-2"] * 2
    assert ours["sensitivity"].tolist() == [40, 20, 2, 1]
    printed = rows[rows["embeddings"] == charts.PAPER].set_index("encoder")["sensitivity"]
    assert len(printed) == 8 and printed["GPT-2"] == 110.2 and printed["RoBERTa base"] == 4.15
    assert rows.loc[rows["embeddings"] == charts.PAPER, "moved"].isna().all(), "the paper prints the largest only"


def test_the_sentence_reads_both_ranges_and_how_sure_a_maximum_is():
    sentence = charts.sentence(charts.table((made(), made("unit", 2.0))))
    assert "Of 3,000 pairs" in sentence
    assert "between 20 (Small GPT-2) and 40 (all-MiniLM-L6-v2) for embeddings as they come" in sentence
    assert "for embeddings of length one" in sentence
    assert "between 4.15 (RoBERTa base) and 601.5 (XLNet base, cased)" in sentence
    assert "That is 25% of the mean l1 norm" in sentence
    assert "at most 0.10% of further pairs" in sentence, "1 - 0.05 ** (1 / 3000)"
    assert "here 384, in the paper 768 or 1,024" in charts.note(charts.table((made(),)))
    both = charts.table((made(),))
    first = both["encoder"] == "all-MiniLM-L6-v2"
    assert "here 384 and 1,024, in the paper" in charts.note(both.assign(dimension=both["dimension"].mask(first, 1024)))
    assert charts.sentence(charts.table(())).startswith("The largest l1 distance of 10,000 pairs")


def test_the_figure_has_a_logarithmic_axis_and_a_mark_for_each_scale_and_the_paper():
    figure = charts.figure(charts.table((made(), made("unit", 2.0))))
    names = [trace.name for trace in figure.data if trace.name]
    assert names == [
        "largest, as they come",
        "largest, length one",
        f"largest, {charts.PAPER}",
        "99% of pairs stay below",
    ]
    assert figure.layout.xaxis.type == "log"
    assert "3,000 pairs" in figure.data[1].text[0] and "99% stay below 20 (18–22)" in figure.data[1].text[0]


def test_nothing_is_folded_away_where_nothing_was_measured(monkeypatch: pytest.MonkeyPatch):
    folds: list[str] = []
    monkeypatch.setattr(sensitivity.panels, "folded", lambda label, draw, **_: folds.append(label))
    monkeypatch.setattr(stored_results, "readable", lambda key: None)
    sensitivity.fold()
    assert not folds
    monkeypatch.setattr(stored_results, "readable", lambda key: made())
    sensitivity.fold()
    assert folds == ["What Laplace noise is scaled by, by encoder"]
