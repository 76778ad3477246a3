"""The switch between the presets of an attack."""

from collections.abc import Callable

import streamlit as st

from core.experiment import Experiment
from core.games.attack import Attack
from core.statistics.wording.naming import spoken

_CHANGED = "changed"


def switch(attack: type[Attack], now: Experiment | None, seed: int, fill: Callable[[Experiment], None]) -> None:
    """Draw the switch, which marks the preset of the experiment in the form, if any; not where there is no other.

    Args:
        attack: The attack.
        now: The experiment in the form; None while a field is invalid.
        seed: The seed that a preset is taken with.
        fill: Shows an experiment in the form.
    """
    name = attack.part_name()
    key = f"form/{name}/preset"
    offered = {preset: Experiment.preset(name, preset, seed=seed) for preset in attack.presets}
    same = [preset for preset, experiment in offered.items() if experiment == now]
    if len(offered) == len(same) == 1:
        return
    st.session_state[key] = same[0] if same else _CHANGED

    def choose() -> None:
        if (chosen := offered.get(st.session_state[key])) is not None:
            fill(chosen)

    st.segmented_control(
        "Preset",
        [*offered, *([] if same else [_CHANGED])],
        format_func=spoken,
        key=key,
        on_change=choose,
        required=True,
        help="Sets every field under “Settings”. After a change of a field, Changed is marked.",
    )
