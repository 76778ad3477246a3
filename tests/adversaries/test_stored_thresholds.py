"""Of the people who are out in stored results, few pass for members by thresholds that are set on people."""

from collections.abc import Iterator

import pandas as pd
import pytest

from core import catalog
from core.result import Result
from core.runtime.store import Store

BY_PEOPLE = ("loss", "zlib_ratio", "min_k", "min_k_plus", "reference_ratio", "top_share", "rmia", "full_text")
"""Variants whose threshold 5% of the people exceed who are out; `loss_membership` is its own `reference_ratio`."""


def decisions() -> Iterator[pd.DataFrame]:
    """Yield who was out in each stored result about people in language models, and whom each variant flagged."""
    for entry in catalog.entries():
        game, attack = entry.experiment.game, entry.experiment.attack.part_name()
        if getattr(game, "users", "") != "owners" or not getattr(entry.experiment.attack, "owners_version", 0):
            continue
        result = Result.load(Store(), entry.key)
        assert result is not None, entry.name
        scores = result.tables["scores"]
        own = "reference_ratio" if attack == "loss_membership" else attack
        bits = scores[["target", "play", "member", "size"]]
        rivals = result.tables["rivals"].merge(bits, on=["target", "play"])
        every = pd.concat([scores.assign(variant=own), rivals])
        yield every[every["variant"].isin(BY_PEOPLE) & ~every["member"]].assign(result=entry.name)


def test_few_people_who_are_out_pass_for_members_in_stored_results() -> None:
    out = pd.concat(decisions())
    shares = (out["score"] > 0).groupby([out["variant"], out["size"], out["result"]]).mean()
    means = shares.groupby(level=["variant", "size"]).agg(["mean", "count"])
    assert set(means.index.get_level_values("variant")) == set(BY_PEOPLE)
    assert (means.loc[means["count"] >= 5, "mean"] < 0.1).all()
    assert shares.mean() == pytest.approx(0.05, abs=0.025)
