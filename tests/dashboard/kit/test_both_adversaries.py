"""Both adversaries of a defended experiment: the twin of an adversary, and what each calls targets."""

import pytest

from core import catalog
from core.experiment import Experiment
from dashboard.kit import both_adversaries, stored_results


def test_an_adversary_that_averages_has_a_naive_twin_that_cannot() -> None:
    experiment = Experiment.preset(
        "word_pairs", "demo", defenses=[{"part": "subsampling"}], attack={"part": "word_pairs", "averaged": True}
    )
    naive = both_adversaries._with(experiment, adaptive=False)
    assert naive.attack == experiment.attack.replace(adaptive=False, averaged=False)
    assert both_adversaries.estimates(experiment) == {}, "neither is stored"
    assert both_adversaries.by_adaptive(naive).attack == experiment.attack.replace(averaged=False)


@pytest.mark.parametrize(("name", "sizes"), [("messages_dropout", ("", "_1")), ("translations_subsampled", ("",))])
def test_what_an_adversary_calls_targets_stands_beside_its_accuracy(name: str, sizes: tuple[str, ...]) -> None:
    (entry,) = catalog.matching(name)
    result = stored_results.readable(entry.key)
    assert result is not None
    scores = result.tables["scores"]
    scores = scores[scores["answer"]] if "answer" in scores else scores
    figures = both_adversaries.estimates(entry.experiment)
    for size in sizes:
        assert figures[f"called{size}"].value == (scores["score"] > 0).mean()
        assert 0 < figures[f"called{size}"].value < 1


def test_the_naive_twin_is_the_stored_result_behind_the_same_defense() -> None:
    adaptive, naive = (catalog.matching(name)[0] for name in ("messages_dropout", "messages_dropout_unaware"))
    twin = both_adversaries.naive_twin(adaptive.experiment)
    assert twin is not None and twin.experiment == naive.values
    assert both_adversaries.naive_twin(naive.experiment) is None, "it is the naive one"
    undefended = adaptive.experiment.replace(defenses=[])
    assert both_adversaries.naive_twin(undefended) is None
