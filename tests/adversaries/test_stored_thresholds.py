"""Of the people who are out in stored results, few pass for members by thresholds that are set on people."""

from collections.abc import Iterator

import pandas as pd
import pytest

from core import catalog
from core.result import Result
from core.runtime.store import Store

PASS = {
    "full_text": {10: 0.047, 100: 0.038},
    "loss": {1: 0.047, 5: 0.047, 20: 0.042},
    "min_k": {1: 0.031, 5: 0.023, 20: 0.072},
    "min_k_plus": {1: 0.03, 5: 0.023, 20: 0.05},
    "reference_ratio": {1: 0.03, 5: 0.063, 20: 0.029},
    "rmia": {1: 0.026, 5: 0.044, 20: 0.057},
    "top_share": {20: 0.055},
    "zlib_ratio": {1: 0.02, 5: 0.043, 20: 0.117},
}
"""Mean over results of the share of decisions about people who are out that call them members, by documents each.

Of each variant whose threshold 5% of people should exceed; `loss_membership` itself is `reference_ratio`.
"""


def decisions() -> Iterator[pd.DataFrame]:
    """Yield who was out in each stored result about people in language models, and whom each variant flagged.

    Naive twins are left out: the loss alone flags the same people as in the result of the adaptive adversary.
    """
    for entry in catalog.entries():
        game, attack = entry.experiment.game, entry.experiment.attack.part_name()
        if not entry.values["attack"].get("adaptive", True):
            continue
        if getattr(game, "users", "") != "owners" or not getattr(entry.experiment.attack, "owners_version", 0):
            continue
        result = Result.load(Store(), entry.key)
        assert result is not None, entry.name
        scores = result.tables["scores"]
        own = "reference_ratio" if attack == "loss_membership" else attack
        bits = scores[["target", "play", "member", "size"]]
        rivals = result.tables["rivals"].merge(bits, on=["target", "play"])
        every = pd.concat([scores.assign(variant=own), rivals])
        yield every[every["variant"].isin(list(PASS)) & ~every["member"]].assign(result=entry.name)


BESIDE_FEW = {
    "offline_ratio": {("emulated", 1): 0.066, ("owners", 1): 0.04, ("owners", 5): 0.056, ("owners", 20): 0.104},
    "rmia": {("emulated", 1): 0.069},
}
"""The same of thresholds that few shadow models give, by whether targets are messages or people, and by documents."""


def test_thresholds_that_few_shadow_models_give_are_off_as_documented() -> None:
    flagged: dict[tuple[str, str, int, str], float] = {}
    for entry in catalog.entries_of("likelihood_ratio"):
        if entry.values["attack"]["adaptive"] and entry.name != "messages_untouched":
            result = Result.load(Store(), entry.key)
            assert result is not None, entry.name
            scores = result.tables["scores"]
            rivals = result.tables["rivals"].merge(scores[["target", "play", "member", "size"]], on=["target", "play"])
            for (variant, size), part in rivals[~rivals["member"]].groupby(["variant", "size"]):
                flagged[variant, entry.values["game"]["users"], size, entry.name] = part["guess"].mean()
    shares = pd.Series(flagged).sort_index()
    means = shares.groupby(level=[0, 1, 2]).mean()
    for variant, by_target in BESIDE_FEW.items():
        for of_targets, expected in by_target.items():
            assert means[(variant, *of_targets)] == pytest.approx(expected, abs=6e-4), (variant, of_targets)
    most = [shares["offline_ratio", "emulated"].max(), shares["rmia", "emulated"].max()]
    assert most == pytest.approx([0.1, 0.102], abs=6e-4)
    people = shares["offline_ratio", "owners", 20]
    highest = people[["users_in_adapters", "likelihood_ratio_users_3_epochs_seed_3"]]
    assert highest.tolist() == pytest.approx([0.433, 0.335], abs=6e-4)


def test_in_one_small_game_sets_of_nobody_in_particular_pass_more_often_as_documented() -> None:
    (entry,) = catalog.matching("loss_membership_news")
    result = Result.load(Store(), entry.key)
    assert result is not None
    out = result.tables["scores"].query("not member")
    assert (out["score"] > 0).groupby(out["size"]).mean().to_dict() == {1: 0.14, 5: 0.18}
    assert out.groupby("size").size().to_dict() == {1: 50, 5: 50}
    rivals = result.tables["rivals"].query("variant == 'zlib_ratio'").merge(out[["target", "play", "size"]])
    assert rivals.groupby("size")["guess"].mean().to_dict() == {1: 0.34, 5: 0.44}


def test_few_people_who_are_out_pass_for_members_in_stored_results() -> None:
    out = pd.concat(decisions())
    shares = (out["score"] > 0).groupby([out["variant"], out["size"], out["result"]]).mean()
    means = shares.groupby(level=["variant", "size"]).mean()
    for name, expected in PASS.items():
        assert means[name].to_dict() == pytest.approx(expected, abs=6e-4), name
    beside_six = [shares["rmia", 20, name] for name in ("users_in_all_weights", "users_in_adapters")]
    assert beside_six == pytest.approx([0.2, 0.217], abs=6e-4), "more than 5%, as the documentation says"
    unlike = [shares[name, 20, "loss_membership_mailboxes_without_copies"] for name in ("zlib_ratio", "loss", "min_k")]
    assert unlike == pytest.approx([0.367, 0.233, 0.2], abs=6e-4), "as the documentation says"
    assert shares.mean() == pytest.approx(0.0425, abs=5e-4)
