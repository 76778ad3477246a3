"""Decisions about groups of probes that are all members or all not, by the size of the group."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from core.games.translation_membership.contract import Method
from core.games.translation_membership.group_counts import SIZE
from core.games.translation_membership.score.answers import ACCURACY, METHOD, OF_PAIRS, Answers
from core.result import Column, Estimate, Schema
from core.statistics.measures import AUC

_SIZES = (1, 2, 5, 10, 20, 30, 50, 100, 200, 500)
_RESAMPLES = 200

SCHEMAS: dict[str, Schema] = {
    "groups": {
        "size": Column("int32", "Probes decided about together: all members or all not, of one subcorpus."),
        **METHOD,
        "decision": Column("str", "'majority' of the single decisions, or 'mean' of the scores."),
        "members": Column("int32", "Groups of members that the probes make at once."),
        "others": Column("int32", "Groups of non-members."),
        **ACCURACY,
        **AUC,
    }
}


def groups(answers: Answers) -> Iterator[dict[str, Any]]:
    """Yield accuracy and AUC for groups of each size: Figure 7."""
    answer = answers.adversary.answer
    decided = [("majority", answer), *(("mean", method) for method in answers.methods)]
    for size in _SIZES:
        for decision, method in decided:
            scores, threshold = answers.scores(method), answers.adversary.middle[method]
            if decision == "majority":
                scores, threshold = (scores > 0).astype(np.float64), 0.5
            grouped = answers.grouped(size, scores, threshold, _RESAMPLES)
            if np.isfinite(grouped.auc.value):
                yield {
                    "size": size,
                    **answers.columns(method),
                    "decision": decision,
                    "members": grouped.members,
                    "others": grouped.nonmembers,
                    **grouped.accuracy.columns("accuracy"),
                    **grouped.auc.columns("auc"),
                }


def group_estimates(answers: Answers, method: Method, suffix: str, remark: str) -> dict[str, Estimate]:
    """Return accuracy and AUC of a method for groups of `SIZE` pairs, counted in single pairs."""
    grouped = answers.grouped(SIZE, answers.scores(method), answers.adversary.middle[method], _RESAMPLES)
    meaning = f"The same for {SIZE} pairs together, all members or all not, of one subcorpus."
    measures = {f"group_{name}": replace(OF_PAIRS[name], help=meaning) for name in ("accuracy", "auc")}
    figures = {"group_accuracy": grouped.accuracy, "group_auc": grouped.auc}
    return answers.decisions(method).estimates(figures, measures, suffix, remark)
