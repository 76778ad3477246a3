"""Names, counts and values of estimates in words: in the answer of a result, and on every page."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from core.result import Estimate
from core.statistics.wording import area, decimal, measured, percent, units, variants, written, written_area

_SPELLED = (
    *("AUC", "Bayes", "BLEU", "DANN", "F1", "FPR", "MLP", "nDCG", "PCA", "RMIA", "ROC", "ROUGE-L"),
    *("SVM", "TPR", "UMAP"),
)
SPELLED = MappingProxyType({word.lower(): word for word in _SPELLED})
"""Words with capitals, by how names in the code spell them."""
LENGTHS = MappingProxyType(
    {
        "1_2": "of 1 or 2 digits",
        "3_4": "of 3 or 4 digits",
        "5_6": "of 5 or 6 digits",
        "7_up": "of 7 digits or more",
    }
)
"""How numbers in texts are told apart by their length."""


def spoken(name: str) -> str:
    """Return a field's or value's name in words.

    >>> spoken("minimum_count"), spoken("tpr_at_0.1pct_fpr"), spoken("mlp")
    ('Minimum count', 'TPR at 0.1% FPR', 'MLP')
    """
    return capitalised(_words(name))


def _words(name: str) -> str:
    """Return a name of the code in words, each with its capitals."""
    words = re.sub(r"(\d)pct\b", r"\1%", name.replace("rouge_l", "rouge-l").replace("_", " ")).split()
    return " ".join(SPELLED.get(word, word) for word in words)


def estimate_name(name: str, game: str = "membership") -> str:
    """Return the name of an estimate as written within a sentence: what it measures, of whom, and of what size.

    >>> estimate_name("accuracy_100"), estimate_name("auc_model_free"), estimate_name("tpr_at_1pct_fpr_rmia_5")
    ('accuracy, targets of 100 documents', 'AUC, blind baseline', 'TPR at 1% FPR, RMIA, targets of 5 documents')
    >>> estimate_name("recall_numbers_3_4", "inversion"), estimate_name("accuracy_call_100", "extraction")
    ('recall numbers of 3 or 4 digits', 'accuracy call, repeated 100 times')
    >>> estimate_name("accuracy_position_7", "inference"), estimate_name("retrieval_ndcg_at_10", "inversion")
    ('accuracy position 7', 'retrieval nDCG at 10')

    Args:
        name: The name in a result.
        game: The game of the result, which tells its adversaries and what a number at the end counts.
    """
    base, _, size = name.rpartition("_")
    if base and size.isdigit() and not base.endswith("_at") and (counting := _SIZES.get(game)):
        return f"{estimate_name(base, game)}, {counting(int(size))}"
    for variant in sorted(variants.titles(game), key=len, reverse=True):
        if name.endswith(f"_{variant}"):
            measure = estimate_name(name.removesuffix(f"_{variant}"), game)
            return f"{measure}, {lowered(adversary_name(variant, game))}"
    for length, meaning in LENGTHS.items():
        if name.endswith(suffix := f"_numbers_{length}"):
            return f"{_words(name.removesuffix(suffix))} numbers {meaning}"
    return _words(name)


def adversary_title(variant: str, game: str = "membership") -> str:
    """Return the title of an adversary, with what explains it; without a title, its name in words.

    >>> adversary_title("min_k"), adversary_title("something_new")
    ('Min-K%: the least likely words', 'Something new')
    """
    return variants.titles(game).get(variant) or spoken(variant)


def adversary_name(variant: str, game: str = "membership") -> str:
    """Return the name of an adversary, which is its title without what explains it.

    >>> adversary_name("min_k"), adversary_name("reference"), adversary_name("reference", "translation_membership")
    ('Min-K%', 'Loss against the base', 'Probability of the reference')
    """
    return adversary_title(variant, game).partition(":")[0]


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, the others unchanged."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """Return a name as written within a sentence.

    >>> (
    ...     lowered("BLEU alone"),
    ...     lowered("F1 of words"),
    ...     lowered("Bob’s classifier"),
    ...     lowered("Min-K%++"),
    ...     lowered("Probability of the reference"),
    ... )
    ('BLEU alone', 'F1 of words', 'Bob’s classifier', 'Min-K%++', 'probability of the reference')
    """
    is_name = text[1:2].isupper() or text[1:2].isdigit() or text.startswith(("Bob", "Min-K"))
    return text if is_name else text[:1].lower() + text[1:]


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
    return counted(estimate.n, units.case(estimate.unit))


def documents(size: int) -> str:
    """Return the number of documents of a target in words; 0 stands for all sizes together.

    >>> documents(0), documents(1)
    ('all sizes', '1 document')
    """
    return counted(size, "document") if size else "all sizes"


_SIZES: Mapping[str, Callable[[int], str]] = {
    "membership": lambda size: f"targets of {documents(size)}",
    "fingerprint": lambda length: f"embeddings of {counted(length, 'number')}",
    **dict.fromkeys(("extraction", "secret_sharer"), lambda times: f"repeated {counted(times, 'time')}"),
}
"""What a number at the end of the name of an estimate counts, by game."""
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


def written_as(name: str, estimate: Any) -> tuple[str, str, str]:
    """Return the value of an estimate with this name, or title, and both ends of its interval."""
    return (written_area if is_decimal(name) else written)(estimate.value, estimate.low, estimate.high)


def measured_as(name: str, estimate: Any, *, named: bool = False) -> str:
    """Return the value of an estimate with this name, or title, with its interval, labelled as such if ``named``."""
    return (area if is_decimal(name) else measured)(estimate.value, estimate.low, estimate.high, named=named)
