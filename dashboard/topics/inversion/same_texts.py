"""Experiments of inversion on the same texts: by other methods, or behind other defenses."""

from collections.abc import Iterator, Sequence

from core import catalog
from core.datasets import Dataset
from core.experiment import Experiment
from core.games import Game
from core.games.inversion import Inversion
from core.games.inversion.contract import InversionAttack
from core.statistics.wording.naming import capitalised
from dashboard import navigation
from dashboard.kit import attack_choice, landing
from dashboard.kit.forms import form


def promised(experiment: Experiment) -> Iterator[Experiment]:
    """Yield the promised experiments for the same victims, by other methods or behind other defenses."""
    for entry in catalog.entries():
        other = entry.experiment
        if isinstance(other.attack, InversionAttack) and same_victims(experiment, other) and other != experiment:
            yield other


def by_method(experiment: Experiment, method: str) -> Experiment | None:
    """Return the promised experiment of a method on the same texts, auxiliary texts and defenses, or None."""
    if experiment.attack.part_name() == method:
        return experiment
    for other in promised(experiment):
        alike = other.defenses == experiment.defenses and _auxiliary(other) == _auxiliary(experiment)
        if alike and other.attack.part_name() == method:
            return other
    return None


def variants(experiment: Experiment) -> list[Experiment]:
    """Return the promised experiments of the same method with other parameters, on the same texts."""
    method = experiment.attack.part_name()
    return [
        other
        for other in promised(experiment)
        if other.attack.part_name() == method
        and other.attack.named != experiment.attack.named
        and (other.defenses, _auxiliary(other)) == (experiment.defenses, _auxiliary(experiment))
    ]


def counterpart(experiment: Experiment | None, method: str) -> Experiment:
    """Return what a method opens on beside an experiment: the same texts where promised, else what it opens on."""
    same = None if experiment is None else by_method(experiment, method)
    return landing.experiment(method) if same is None else same


def same_victims(one: Experiment, other: Experiment) -> bool:
    """Tell whether two experiments draw their victims in the same order and embed them with the same encoder."""
    alike = all(getattr(one, part) == getattr(other, part) for part in ("seed", "dataset", "model"))
    games = one.game, other.game
    return (
        alike and all(isinstance(game, Inversion) for game in games) and len({_unlimited(game) for game in games}) == 1
    )


def choose_method(methods: Sequence[str]) -> str:
    """Draw the methods, and return the one in the address; without any there, the last chosen or the first."""
    return attack_choice.choose(
        "inversion/method",
        "Method",
        {method: capitalised(short_title(navigation.title_of(method))) for method in methods},
        lambda chosen, before: counterpart(form.last_valid(before), chosen),
        hint="How the adversary recovers words. Another method opens on the same texts, where that is computed.",
    )


def short_title(title: str) -> str:
    """Return the title of a method without what all of them share.

    >>> short_title("Inversion by classifier"), short_title("Inversion word by word")
    ('classifier', 'word by word')
    """
    return title.removeprefix("Inversion ").removeprefix("by ")


def name(experiment: Experiment) -> str:
    """Return the name of a method, with its auxiliary data and defenses where these are special."""
    parts = [short_title(experiment.attack.named)]
    if (auxiliary := _auxiliary(experiment)) is not None:
        parts.append(f"learnt from {auxiliary.title}")
    parts += [f"behind {defense.named}" for defense in experiment.defenses]
    return ", ".join(parts)


def _auxiliary(experiment: Experiment) -> Dataset | None:
    return experiment.attack.auxiliary if isinstance(experiment.attack, InversionAttack) else None


def _unlimited(game: Game) -> Game:
    """Return a game with the default number of victims, and of what is reported of them."""
    return game.replace(victims=Inversion().victims, report=Inversion().report, sensitive=Inversion().sensitive)
