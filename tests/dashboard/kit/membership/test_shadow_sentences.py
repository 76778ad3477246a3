"""What shadow models hold of other targets is disclosed, and changes with the experiment."""

import pandas as pd
import pytest

from dashboard.kit.membership.figures import shadows


@pytest.mark.parametrize(
    ("sizes", "documents", "share"),
    [((1, 10, 100), 10_000, "5%"), ((10, 100, 1000), 10_000, "54%"), ((100,) * 5, 2500, "93%"), ((100,), 300, "88%")],
)
def test_the_share_of_other_targets_follows_from_the_game(sizes: tuple[int, ...], documents: int, share: str) -> None:
    targets = pd.DataFrame({"size": [size for size in sizes for _ in range(10)]})
    experiment = {"attack": {"part": "word_pairs", "shadow_pairs": 50}, "game": {"documents": documents}}
    assert f"about {share} of its" in shadows.sentence(experiment, targets)
    assert not shadows.sentence(
        {**experiment, "attack": {"part": "word_pairs", "shadow_pairs": 50, "scheme": "per_target"}}, targets
    )
    assert not shadows.sentence(experiment, targets[:1])
    assert not shadows.sentence({**experiment, "attack": {"part": "loss_membership"}}, targets)
    assert "The paper trains" in shadows.sentence(experiment, targets)
    pooled = {**experiment, "attack": {"part": "likelihood_ratio", "shadow_pairs": 50}}
    assert "The paper trains" not in shadows.sentence(pooled, targets)


@pytest.mark.parametrize(
    ("targets", "documents", "share"),
    [(2, 199, "24%"), (2, 200, ""), (2, 300, ""), (6, 599, "1.6%"), (7, 699, "")],
    ids=["more", "as many", "fewer", "seldom", "more seldom"],
)
def test_shadow_models_are_called_larger_where_targets_exceed_a_training_set(
    targets: int, documents: int, share: str
) -> None:
    experiment = {"attack": {"part": "word_pairs", "shadow_pairs": 50}, "game": {"documents": documents}}
    sentence = shadows.sentence(experiment, pd.DataFrame({"size": [100] * targets}))
    assert ("are larger" in sentence) == bool(share)
    assert not share or (
        f" About {share} of the shadow models hold more documents of targets than the {documents:,} of a target "
        "model’s training set, and are larger." in sentence
    )
