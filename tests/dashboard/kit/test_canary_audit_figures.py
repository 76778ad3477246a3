"""An audit by many canaries: a training that breaks its promise is found out, one that keeps it is not."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

from core.statistics.privacy_audit import guesses
from dashboard.kit.figures.tables import records
from dashboard.kit.membership.figures import canary_audit
from tests.dashboard.next_word import samples
from tests.dashboard.samples import texts

RESULT = samples.completing(epsilon=1.0)


def audited(epsilon, known, canaries=500):
    """Return a result of two models whose adversary knows a share of the bits, and guesses the others."""
    rng = np.random.default_rng(0)
    play, target = (numbers.ravel() for numbers in np.indices((2, canaries)))
    member = rng.random(play.size) < 0.5
    guesses = np.where(rng.random(play.size) < known, member, rng.random(play.size) < 0.5)
    scores = pd.DataFrame(
        {"play": play, "target": target, "member": member, "score": guesses + rng.random(play.size) / 2}
    )
    promise = MappingProxyType(
        {**RESULT.experiment, "defenses": [{"part": "dp_sgd", "epsilon": epsilon, "delta": 1e-6}]}
    )
    return replace(RESULT, experiment=promise, tables={"scores": scores})


def test_the_audit_is_by_the_adversary_that_disproves_most():
    weak, strong = audited(1e6, known=0.5), audited(1e6, known=0.98)
    bits = weak.tables["scores"]
    rivals = pd.concat(
        [
            bits.assign(variant="loss", score=strong.tables["scores"]["score"]),
            bits.assign(variant="model_free", score=bits["member"].astype(float)),
        ]
    ).drop(columns="member")
    both = replace(weak, tables={"scores": bits, "rivals": rivals})
    (alone,), (best,) = (records(canary_audit.points([each])) for each in (weak, both))
    assert (alone.adversary, best.adversary) == (RESULT.experiment["attack"]["part"], "loss")
    assert alone.any < best.any < records(canary_audit.points([strong]))[0].any, "two adversaries are looked at"
    assert f"{best.right} of 500 guesses by loss alone are right" in canary_audit.sentence(canary_audit.points([both]))


def test_training_without_noise_that_promises_some_fails():
    table = canary_audit.points([audited(1.0, known=1.0)])
    assert table["right"].item() == table["guessed"].item() == 500
    assert 1 < table["any"].item() == table["most_any"].item() < table["gaussian"].item()
    assert "contradicts the guaranteed epsilon 1: that is an error to report." in canary_audit.sentence(table)


@pytest.mark.parametrize(
    ("bound", "says"),
    [
        (0.0, "and does not: {}, which disproves none."),
        (0.01, "and does not: {}, which disproves every epsilon below 0.01."),
        (1.0, "and does not: {}, which disproves every epsilon below 1.00."),
        (1.01, "The audit contradicts the guaranteed epsilon 1: that is an error to report."),
    ],
)
def test_a_guarantee_is_contradicted_by_a_larger_bound_only(bound, says):
    table = canary_audit.points([audited(1.0, known=0.0)]).assign(any=bound, gaussian=bound)
    sentence = canary_audit.sentence(table)
    beginning, _, end = says.partition("{}")
    assert beginning in sentence and end in sentence
    assert ("contradicts" in sentence) == (bound > 1)


def test_where_next_to_nothing_is_promised_the_audit_shows_that_it_can_fail():
    loud, quiet, blind = audited(1e6, known=0.98), audited(1.0, known=0.0), audited(1e6, known=0.0)
    sentence = canary_audit.sentence(canary_audit.points([quiet, loud]))
    assert sentence.startswith("With 500 canaries in each of 2 models, the audit could disprove an epsilon of up to 2.")
    assert "which disproves every epsilon below 1." in sentence and "the most that any adversary finds here" in sentence
    assert "It could contradict the guaranteed epsilon 1 and does not" in sentence
    assert sentence.endswith("so the noise hides members from this audit: in favour of the guarantee, and no proof."), (
        "no adversary is shown to beat chance"
    )
    blunt, alone = (canary_audit.sentence(canary_audit.points(each)) for each in ([quiet, blind], [quiet]))
    assert "this audit could fail nothing" in blunt
    assert blunt.endswith("Nor would next to no noise be contradicted, so nothing follows for the guarantee.")
    assert alone.endswith("without noise was not audited, so nothing follows for the guarantee.")


def test_who_is_shown_to_beat_chance_behind_the_noise_is_named() -> None:
    loud, quiet = audited(1e6, known=0.98), audited(1.0, known=0.0)

    def said(**lows: float) -> str:
        rows = [(0, name, low + 0.025, low, low + 0.05) for name, low in lows.items()]
        curve = pd.DataFrame(rows, columns=["size", "variant", "auc", "auc_low", "auc_high"])
        behind = replace(quiet, tables={**quiet.tables, "curve": curve})
        return canary_audit.sentence(canary_audit.points([behind, loud]))

    assert said(loss=0.502, min_k=0.504, model_free=0.7).endswith(
        "would have contradicted it: in favour of the guarantee, and no proof. But the noise does not hide members "
        "from every adversary: Min-K% has an AUC of 0.529 (95% interval 0.504–0.554), above chance, 0.5."
    ), "not the blind baseline, which asks no model"
    assert said(loss=0.502, min_k=0.49).endswith(
        "loss alone has an AUC of 0.527 (95% interval 0.502–0.552), above chance, 0.5."
    )
    assert "hides members from this audit: in favour" in said(loss=0.49, model_free=0.7)


def test_a_promise_beyond_the_limit_is_not_said_to_be_kept():
    sentence = canary_audit.sentence(canary_audit.points([audited(8.0, known=0.5), audited(3.0, known=1.0)]))
    assert (
        "no number of right guesses would contradict epsilon 8 and 3 here" in sentence and "neither for nor" in sentence
    )
    assert "it would contradict 3." in sentence and "does not" not in sentence


def test_limits_are_drawn_beside_what_is_found():
    figure = canary_audit.figure(canary_audit.points([audited(1e6, known=0.98), audited(1.0, known=0.0)]))
    assert figure.layout.xaxis.categoryarray == ("1,000,000", "1")
    assert [shape.name for shape in figure.layout.shapes] == ["limit, audit", "limit, as of Gaussian noise"]
    assert [trace.name for trace in figure.data] == ["audit", "as of Gaussian noise", "guaranteed"]
    assert list(figure.data[-1].y) == [1.0], "a million is beyond the axis"


def test_nothing_is_drawn_of_nothing():
    table = canary_audit.points([])
    assert (
        canary_audit.sentence(table)
        == texts(canary_audit.figure(table))[-1]
        == "No training is audited with many canaries yet."
    )
    with pytest.raises(ValueError, match="no private training"):
        canary_audit.promised({"defenses": []})


def test_guesses_are_of_both_extreme_quarters():
    bits = np.array([[True, True, False, False] * 2])
    assert guesses(bits, bits.astype(float)) == (4, 4)
    assert guesses(bits, -bits.astype(float)) == (0, 4)
