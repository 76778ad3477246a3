"""What other methods make of the same embedding: the words of one text, method by method."""

import pandas as pd
import streamlit as st

from core import catalog
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games import Game
from core.games.inversion import Inversion
from core.games.inversion.contract import InversionAttack
from core.result import Result
from core.text.words import words_in
from dashboard import panels, running, sweeps
from dashboard.charts import inversion, inversion_methods
from dashboard.charts.inversion_methods import Reading
from dashboard.words import literal

_MOST = 6
"""Methods beside each other, at most."""
_SAYS = (
    "Results that are kept for the same texts, encoder and victims, by other methods or behind a defense. Words that a "
    "method named and that do not stand there: "
)


def yours(result: Result, experiment: Experiment) -> None:
    """Draw what each method made of the sentence of the form, where others were given the same one."""
    attack = experiment.attack
    text = str(result.experiment["attack"]["text"])
    others = [
        (other, found)
        for other, found in _others(experiment)
        if isinstance(attack, InversionAttack) and found.experiment["attack"]["text"] == text
    ]
    readings = [
        Reading(_name(one), inversion.told(found.tables["yours"], text))
        for one, found in ((experiment, result), *others)
    ]
    _shown(readings, text, "yours-methods")


def victim(result: Result, experiment: Experiment, chosen: int, text: str | None) -> None:
    """Draw what each method made of one victim.

    Args:
        result: The result that is looked at.
        experiment: What was asked.
        chosen: Number of the victim.
        text: What it says, where that is known.
    """
    shown = result.tables["words"]
    place = shown.loc[shown["victim"] == chosen, ["row", "sentence"]].iloc[0]
    readings = []
    for one, found in ((experiment, result), *_others(experiment)):
        words = found.tables["words"]
        own = words[(words["row"] == place["row"]) & (words["sentence"] == place["sentence"])]
        if len(own):
            readings.append(Reading(_name(one), inversion.told(own, text, int(own["there"].iloc[0]))))
    _shown(readings, text, "victim-methods")


def _others(shown: Experiment) -> list[tuple[Experiment, Result]]:
    """Return kept results about the same victims, by other methods or behind other defenses."""
    found = []
    for entry in catalog.entries():
        other = entry.experiment
        if other == shown or not isinstance(other.attack, InversionAttack) or not _same_victims(shown, other):
            continue
        try:
            stored = running.stored(other.key)
        except TelltaleError:
            continue
        if stored is not None:
            found.append((other, stored))
    return found[: _MOST - 1]


def _same_victims(one: Experiment, other: Experiment) -> bool:
    """Tell whether two games draw their victims in the same order, and have them embedded by the same encoder."""
    alike = all(getattr(one, part) == getattr(other, part) for part in ("dataset", "model", "seed"))
    games = one.game, other.game
    return (
        alike and all(isinstance(game, Inversion) for game in games) and len({_unlimited(game) for game in games}) == 1
    )


def _unlimited(game: Game) -> Game:
    """Return a game's rules but for how many victims it draws."""
    return game.replace(victims=Inversion().victims)


def _name(experiment: Experiment) -> str:
    """Return what a method is called, with what it learnt from and what it stands behind where that is special."""
    attack = experiment.attack
    said = [attack.title.removeprefix("Inversion ").removeprefix("by ")]
    if isinstance(attack, InversionAttack) and attack.auxiliary is not None:
        said.append(f"learnt from {attack.auxiliary.title}")
    said += [f"behind {defense.title} ({sweeps.setting(defense)})" for defense in experiment.defenses]
    return ", ".join(said)


def _shown(readings: list[Reading], text: str | None, name: str) -> None:
    """Draw the figure where there is more than one method."""
    if len(readings) < 2:
        return
    order = _order(readings, text)
    panels.figure(
        inversion_methods.figure(readings, order),
        lambda: pd.DataFrame(inversion_methods.table(readings, order)),
        name,
        inversion_methods.sentence(readings),
        title=inversion_methods.TITLE,
    )
    wrong = [f"{one.name}: {', '.join(one.told.wrong)}" for one in readings if one.told.wrong]
    st.caption(literal(_SAYS + ("; ".join(wrong) or "none") + "."))


def _order(readings: list[Reading], text: str | None) -> list[str]:
    """Return the words of the text in their order, or those that are known of it where it is not."""
    if text is not None:
        return list(dict.fromkeys(word.group() for word in words_in(text.casefold())))
    return list(dict.fromkeys(word for one in readings for word in (*one.told.right, *one.told.missed)))
