"""Recitation behind defenses: a line for each, and the sentence says what intervals show."""

import pandas as pd
import pytest

from core import catalog
from core.experiment import Experiment
from dashboard.kit import stored_results
from dashboard.topics.language_models import defended
from dashboard.topics.language_models.figures import recited_behind
from tests.dashboard.language_models import recited_samples
from tests.dashboard.samples import has_chance, validated


def behind(*rows: tuple[str, float, float, float, float]) -> pd.DataFrame:
    """Return points of (defense, share recited, its interval's half, perplexity, its interval's half)."""
    return pd.DataFrame(
        {
            "defense": defense,
            "copies": copies,
            "prefix": 20,
            "cases": 20,
            "passages": 18,
            "models": 2,
            "recited": share * (copies > 0),
            "low": share - half,
            "high": share + half,
            "chance": 0.0,
            "perplexity": perplexity,
            "perplexity_low": perplexity - room,
            "perplexity_high": perplexity + room,
        }
        for defense, share, half, perplexity, room in rows
        for copies in (0, 100)
    )


PLAIN = ("no defense", 0.9, 0.05, 100.0, 5.0)


def test_less_is_said_to_be_recited_only_where_the_difference_is_shown() -> None:
    sentence = recited_behind.sentence(
        behind(PLAIN, ("dropout", 0.1, 0.05, 130.0, 5.0), ("noise", 0.8, 0.2, 90.0, 1.0))
    )
    assert (
        "shown to be less with dropout only." in sentence
        and "20 cases of 18 passages in 2 models shown 100 times" in sentence
    )
    assert "130 (125–135) behind dropout (worse) and 90 (89–91) behind noise (better)" in sentence
    assert "less with it." in recited_behind.sentence(behind(PLAIN, ("dropout", 0.1, 0.05, 101.0, 5.0)))
    none = recited_behind.sentence(behind(PLAIN, ("dropout", 0.95, 0.05, 101.0, 5.0)))
    assert "less with none." in none and "behind dropout (not shown to differ)" in none


def test_each_defense_is_a_line_and_without_both_sides_nothing_is_compared() -> None:
    figure = validated(recited_behind.figure(behind(PLAIN, ("dropout", 0.1, 0.05, 130.0, 5.0))))
    assert {"no defense", "dropout"} <= {trace.name for trace in figure.data} and has_chance(figure)
    for alone in (recited_behind.points(()), behind(PLAIN), behind(("dropout", 0.1, 0.05, 130.0, 5.0))):
        assert recited_behind.sentence(alone).endswith("is not computed yet.")
    assert validated(recited_behind.figure(recited_behind.points(()))).layout.annotations


@pytest.mark.parametrize("name", ["recitation_fine_tuned", "recitation_fine_tuned_token_dropping"])
def test_stored_results_of_one_game_are_compared_whichever_is_open(name: str) -> None:
    entry = next(entry for entry in catalog.entries() if entry.name == name)
    result = stored_results.readable(entry.key)
    assert result is not None
    draw = defended.tab(entry.experiment, result)
    assert draw is not None
    points = recited_behind.points(tuple(each.result for each in draw.args[0]))
    assert points["defense"].drop_duplicates().tolist()[0] == recited_behind.PLAIN
    assert points["defense"].nunique() == 3


def test_a_game_that_no_defense_was_tried_in_has_no_tab() -> None:
    assert defended.tab(Experiment.preset("recitation", "demo"), recited_samples.made()) is None
