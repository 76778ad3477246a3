"""The same documents with the other split: members drawn by lot beside the older half."""

from core.experiment import Experiment
from core.games.membership.broken_split import BROKEN, RANDOM, WARNING, is_broken
from core.result import Result
from dashboard.kit import links, panels, stored_results
from dashboard.kit.membership.figures import blind_baseline


def show(result: Result, experiment: Experiment) -> None:
    """Say what the attack has beyond the text alone with either split, where both results are stored, and lead there.

    Args:
        result: Of a membership attack.
        experiment: Its experiment, the parameter ``split`` of which says how members were chosen.
    """
    broken = is_broken(result.experiment["game"])
    split = RANDOM if broken else BROKEN
    rules = {"rules": "half", "users": "emulated", "target_sizes": (1,)}
    if any(experiment.game.as_dict().get(name) not in (value, list(value)) for name, value in rules.items()):
        return
    other = experiment.replace(game=experiment.game.replace(split=split))
    other_result = stored_results.readable(other.key)
    if other_result is None:
        return
    attack = experiment.attack.part_name()
    mine, others = (blind_baseline.sentence(shown.tables["curve"], attack, "auc") for shown in (result, other_result))
    sentences = {broken: mine, not broken: others}
    panels.statement(f"Members drawn by lot: {sentences[False]}", title="The same documents, both splits")
    panels.note(f"Members by date, deliberately broken: {sentences[True]}{'' if broken else f' {WARNING}'}")
    title = "The same with members drawn by lot" if broken else "The same with the deliberately broken split"
    links.page_link(other, title, ":material/call_split:")
