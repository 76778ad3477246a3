"""Stored results of a sweep as a table, and the curve of one of its defenses."""

import pandas as pd
import streamlit as st

from core import catalog
from core.experiment import Experiment
from core.games.attack import AdaptiveAttack
from core.statistics.intervals import Interval
from dashboard.kit import both_adversaries, panels, stored_results
from dashboard.kit.figures import paired
from dashboard.kit.figures.tables import where
from dashboard.kit.sweeps import Sweep
from dashboard.kit.words import uncapitalised
from dashboard.topics.defenses.figures import defense as charts


def points(sweep: Sweep) -> pd.DataFrame:
    """Return one row for each setting of a sweep with a stored result, of a naive twin too where that is stored."""
    attack = sweep.settings[0].experiment.attack
    return charts.points(
        tuple(
            (
                setting.series,
                setting.strength,
                setting.label,
                both_adversaries.estimates(setting.experiment),
            )
            for setting in sweep.settings
        ),
        uncapitalised(attack.title) if isinstance(attack, AdaptiveAttack) else "",
    )


def gap(plain: Experiment, defended: Experiment) -> Interval | None:
    """Return by how much the adversary is right more often behind a defense, in pairs; None where that is unknown."""
    results = [stored_results.readable(catalog.key(experiment)) for experiment in (plain, defended)]
    first, second = results
    return None if first is None or second is None else paired.difference(first, second)


def curve(table: pd.DataFrame, name: str, number: int, chosen: int | None = None) -> None:
    """Draw the curve of one defense with its table."""
    settings, text = where(table, "defense", name), charts.curve_sentence(table, name)
    panels.figure(charts.figure(table, name, chosen), settings, f"defense-{number}", text, title=name)
    draw_cases(settings)


def draw_cases(table: pd.DataFrame) -> None:
    """Say below a figure how many cases its marks rest on."""
    if counts := charts.counted_cases(table):
        st.caption(counts)
