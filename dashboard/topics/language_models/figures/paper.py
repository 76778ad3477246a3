"""The figures that the papers of these attacks report, beside those of this result."""

import pandas as pd

from core.result import Result
from core.statistics.wording import area
from dashboard.kit.figures.wording import variant
from dashboard.kit.shared import once

NOTE = (
    "No paper has the data or the model of this result, so nothing here is a reproduction. The papers attack models of "
    "millions to billions of weights by single texts; ours are small, trained from scratch or fine-tuned from a small "
    "GPT-2, and attacked by texts of a person, too."
)
"""Limits of the comparison."""

_PRINTED = (
    (
        "Likelihood ratio (LiRA)",
        "Carlini et al. 2022, abstract",
        "Trained models, single records",
        "10 times as powerful as earlier attacks at low false-positive rates",
    ),
    (
        "RMIA",
        "Zarifzadeh et al. 2024",
        "Images and tables, single records",
        "Above LiRA’s ROC, most of all with few reference models",
    ),
    (
        "Min-K%++",
        "Zhang et al. 2024, WikiMIA of length 32",
        "Five pretrained models, 1.4 to 65 billion weights",
        "Mean AUC 0.78; Min-K% 0.68, loss 0.67, zlib 0.67, reference model 0.63",
    ),
)
_COLUMNS = ("method", "source", "setting", "reported")


@once
def rows(result: Result) -> pd.DataFrame:
    """Return what each paper reports, then the areas under the curve of this result."""
    attack = str(result.experiment["attack"]["part"])
    names = [name for name in result.estimates if name == "auc" or name.startswith("auc_")]
    sizes = {str(size) for size in result.tables["scores"]["size"].unique()}
    measured = []
    for name in names:
        variant_name = name.removeprefix("auc").removeprefix("_") or attack
        if variant_name in sizes or variant_name.rpartition("_")[2] in sizes:
            continue
        estimate = result.estimates[name]
        reported = f"AUC {area(estimate.value, estimate.low, estimate.high)}"
        measured.append((variant(variant_name, attack), "here", "this result, targets of all sizes", reported))
    return pd.DataFrame([*_PRINTED, *measured], columns=list(_COLUMNS))


@once
def sentence(result: Result) -> str:
    """Read the AUC of the attack aloud."""
    estimate = result.estimates.get("auc")
    if estimate is None:
        return "AUC is not measurable here."
    over = "Over targets of all sizes, the" if result.tables["scores"]["size"].nunique() > 1 else "The"
    reached = area(estimate.value, estimate.low, estimate.high)
    return f"{over} attack reaches an AUC of {reached} here, on other data than any of the papers."
