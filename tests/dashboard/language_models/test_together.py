"""Ways to put a person's documents together: each is read with its interval, and compared with the mean."""

from dashboard.topics.language_models.figures import together
from tests.dashboard.kept_results import Open, figures, words
from tests.dashboard.language_models import samples
from tests.dashboard.samples import has_chance, validated

WAYS = ("top_share", "dataset_inference")


def table(**ends):
    curve = samples.made(more=WAYS, top=0.25).tables["curve"]
    for name, (value, low, high) in ends.items():
        chosen = (curve["variant"] == name) & (curve["size"] == 5)
        curve.loc[chosen, ["auc", "auc_low", "auc_high"]] = value, low, high
    return together.table(curve, samples.LOSS)


def test_the_mean_comes_first_and_the_largest_targets_are_compared() -> None:
    rows = table()
    assert rows["way"].tolist() == ["mean of all documents", "mean of the highest scores", "p-value of a test"]
    assert set(rows["size"]) == {5}
    assert has_chance(validated(together.figure(rows)))
    assert together.table(samples.made(more=WAYS[1:]).tables["curve"], samples.LOSS).empty


def test_the_sentence_follows_from_the_intervals() -> None:
    mean = (0.8, 0.75, 0.85)
    alike = together.sentence(table(loss_membership=mean, top_share=mean, dataset_inference=mean))
    assert "0.80 (95% interval 0.75–0.85) by the mean of all documents" in alike
    assert "No way is shown to rank better than another." in alike
    apart = together.sentence(
        table(loss_membership=mean, top_share=(0.95, 0.93, 0.97), dataset_inference=(0.6, 0.55, 0.65))
    )
    assert "Better than by the mean: by the mean of the highest scores." in apart
    assert "Worse than by the mean: by the p-value of a test." in apart


def test_the_page_shows_it_where_there_are_several_ways(open_result: Open) -> None:
    app = open_result(samples.made(more=WAYS, top=0.25), unfolded=True)
    assert "together" in figures(app)
    assert "those of 25% of a target’s documents" in words(app)
