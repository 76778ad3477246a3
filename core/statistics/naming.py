"""Names, counts and values of estimates in words: in the answer of a result, and on every page."""

import re
from types import MappingProxyType
from typing import Any

from core.result import Estimate
from core.statistics.wording import area, decimal, measured, percent

_SPELLED = ("AUC", "Bayes", "BLEU", "DANN", "F1", "FPR", "MLP", "PCA", "ROC", "SVM", "TPR", "UMAP")
SPELLED = MappingProxyType({word.lower(): word for word in _SPELLED})
"""Words with capitals, by how names in the code spell them."""
_CASES = {
    "mean over victims": "victim",
    "share of canaries": "secret",
    "share of words": "secret",
    "bits": "secret",
    "share of texts": "text",
    "share of neighbours": "text",
    "share of examples": "example",
    "share of groups": "group",
    "share of passages": "case",
    "BLEU": "sentence",
}
"""What the n of an estimate counts, by its unit; otherwise decisions."""


def spoken(name: str) -> str:
    """Return a field's or value's name in words.

    >>> spoken("minimum_count"), spoken("tpr_at_0.1pct_fpr"), spoken("mlp")
    ('Minimum count', 'TPR at 0.1% FPR', 'MLP')
    """
    words = re.sub(r"(\d)pct\b", r"\1%", name.replace("_", " ")).split()
    return capitalised(" ".join(SPELLED.get(word, word) for word in words))


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, the others unchanged."""
    return text[:1].upper() + text[1:]


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "document"), counted(10000, "document")
    ('1 document', '10,000 documents')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def cases(estimate: Estimate) -> str:
    """Return the number of cases behind an estimate, by what they are.

    >>> cases(Estimate(value=0.7, low=0.6, high=0.8, chance=0.2, unit="mean over victims", decisions=1000))
    '1,000 victims'
    >>> cases(Estimate(value=0.7, low=0.6, high=0.8, chance=0.5, unit="share of decisions", members=10, nonmembers=10))
    '20 decisions'
    """
    return counted(estimate.n, _CASES.get(estimate.unit, "decision"))


def documents(size: int) -> str:
    """Return the number of documents of a target in words; 0 stands for all sizes together.

    >>> documents(0), documents(1)
    ('all sizes', '1 document')
    """
    return counted(size, "document") if size else "all sizes"


_DECIMAL = ("auc", "bleu", "rouge_l", "cosine")
"""How names of estimates begin that are written as numbers from 0 to 1: they are shares of nothing."""


def is_decimal(name: str) -> bool:
    """Tell whether an estimate of this name, or title, is written as a number, since it is no share.

    >>> is_decimal("auc_model_free"), is_decimal("AUC"), is_decimal("bleu"), is_decimal("accuracy")
    (True, True, True, False)
    """
    return name.lower().startswith(_DECIMAL)


def valued(name: str, value: float) -> str:
    """Return the value of an estimate with this name, or title: in percent unless it is no share.

    >>> valued("auc", 0.87), valued("accuracy", 0.87)
    ('0.87', '87%')
    """
    return decimal(value) if is_decimal(name) else percent(value)


def measured_as(name: str, estimate: Any, *, named: bool = False) -> str:
    """Return the value of an estimate with this name, or title, with its interval, labelled as such if ``named``."""
    return (area if is_decimal(name) else measured)(estimate.value, estimate.low, estimate.high, named=named)
