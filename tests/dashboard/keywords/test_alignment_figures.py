"""What the DANN aligns with: both results side by side, and whether the second is right more often."""

from dataclasses import replace

import pytest

from core.experiment import Experiment
from dashboard.kit import related
from dashboard.topics.keywords import ablations, settings
from dashboard.topics.keywords.figures import alignment as charts
from tests.dashboard import inference_samples


def made(aligned: str, level: float = 0.7, right: float = 0.7):
    result = inference_samples.words("black_box", classifier="dann", level=level, alignment=aligned)
    guesses = result.tables["guesses"]
    wrong = guesses["victim"] % 10 >= round(10 * right)
    other = guesses["truth"].map({"present": "absent", "absent": "present"})
    guesses = guesses.assign(guess=guesses["truth"].where(~wrong, other))
    return replace(result, tables={**result.tables, "guesses": guesses})


def test_each_keyword_has_two_bars_and_the_mean_comes_last():
    table = charts.bars({"all": made("all"), "asked": made("asked", 0.8)})
    assert table["series"].tolist() == ["all victims", "those asked about the keyword"] * (len(table) // 2)
    assert table["group"].iloc[-1] == "Mean" and table["value"].iloc[-1] > table["value"].iloc[-2]
    assert [trace.name for trace in charts.figure({"all": made("all"), "asked": made("asked")}).data if trace.name]


@pytest.mark.parametrize(
    ("rights", "difference"),
    [((0.6, 0.9), "right more often"), ((0.9, 0.6), "right less often"), ((0.7, 0.7), "No difference")],
)
def test_the_difference_is_said_in_pairs(rights, difference):
    text = charts.sentence({"all": made("all", right=rights[0]), "asked": made("asked", right=rights[1])})
    assert difference in text and "in pairs" in text and text.startswith("Half of the victims asked")


def test_the_pair_is_found_from_either_side_and_from_other_classifiers(monkeypatch: pytest.MonkeyPatch):
    both = {name: made(name) for name in ("all", "asked")}
    experiments = {name: Experiment.parse(result.experiment) for name, result in both.items()}

    def find(experiment, fits):
        stored = [related.Related(experiments[name], both[name]) for name in both if fits(experiments[name])]
        return stored, []

    monkeypatch.setattr(related, "find", find)
    for page in (*both.values(), inference_samples.words("black_box", classifier="mlp")):
        assert ablations.are_aligned(page, Experiment.parse(page.experiment))
    other = inference_samples.words("black_box", classifier="dann", dimension=5)
    assert not ablations.are_aligned(other, Experiment.parse(other.experiment))
    assert not settings.is_plain(experiments["asked"]) and settings.is_plain(experiments["all"])
