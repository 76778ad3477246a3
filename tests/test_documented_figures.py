"""Tables of figures in docs/vectors.md and docs/models.md say what the stored results do, each cell by its estimate."""

import re

import pytest

from core import catalog
from core.catalog import vector_reading
from core.catalog.stored import of_entry
from core.result import Estimate, Result
from core.runtime.store import Store
from core.statistics.wording import fixed, rounded
from dashboard.kit.figures import both_adversaries
from dashboard.topics.translation.figures import thresholds
from tests.errands import ROOT

PAGE = (ROOT / "docs" / "vectors.md").read_text("utf-8")
MODELS = (ROOT / "docs" / "models.md").read_text("utf-8")

_FORMATS = {
    "they are": "words",
    "float16": "float16",
    "int8": "int8",
    "binary": "binary",
    "PCA to a quarter of the dimensions": "PCA_to_a_quarter",
    "random projection to a quarter": "random_projection_to_a_quarter",
    "the first quarter": "first_quarter_of_the_dimensions",
    "with Gaussian noise, scale 0.5": "Gaussian_noise_0.5",
    "scale 1": "Gaussian_noise_1",
    "scale 2": "Gaussian_noise_2",
    "with Laplace noise, epsilon 1,000": "Laplace_noise_epsilon_1000",
    "epsilon 300": "Laplace_noise_epsilon_300",
}
_DEFENSES = {
    "none": "",
    "rounded to one decimal": "_rounding_1",
    "Laplace noise, epsilon 100": "_laplace_100",
    "Laplace noise, epsilon 30": "_laplace_30",
}
_TABLES = {
    "stored as": (
        {label: f"audit_vectors_{name}" for label, name in _FORMATS.items()},
        ("f1", "retrieval_recall_at_10", "retrieval_ndcg_at_10"),
    ),
    "defense": (
        {label: f"ranking_reviews{name}" for label, name in _DEFENSES.items()},
        ("accuracy", "tpr_at_1pct_fpr", "auc", "retrieval_recall_at_10"),
    ),
}
"""By the head of the first column: names of results by the label of their row, and the estimates in its cells."""
_BY_LENGTH = {
    r"words \| names, classifier": [
        (attack, name)
        for name in ("recall_names", "recall_numbers")
        for attack in ("multilabel_inversion", "generative_inversion", "nearest_inversion")
    ],
    r"words \| word for word, generation": [
        (attack, name)
        for name in ("exact_match", "bleu", "rouge_l", "cosine")
        for attack in ("generative_inversion", "nearest_inversion")
    ],
}
"""By the heads of the first columns of tables by number of words: the attack and the estimate of each other cell."""


def rows(head: str, page: str = PAGE) -> dict[str, list[str]]:
    """Return the cells of the table whose first column has such a head, by the label of the row."""
    (table,) = re.findall(rf"^\| {head} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    lines = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    return {label: cells for label, *cells in lines}


def estimates(name: str) -> dict[str, Estimate]:
    (entry,) = (each for each in catalog.entries() if each.name == name)
    result = Result.load(Store(), entry.key, tables=False)
    assert result is not None, name
    return result.estimates


def written(estimate: Estimate) -> str:
    value, low, high = (fixed(share, 3) for share in (estimate.value, estimate.low, estimate.high))
    return f"{value} [{low}, {high}]"


def in_percent(estimate: Estimate) -> str:
    value, low, high = (rounded(share, 1) for share in (estimate.value, estimate.low, estimate.high))
    return f"{value}% [{low}, {high}]"


@pytest.mark.parametrize(
    ("head", "label"), [(head, label) for head, (results, _) in _TABLES.items() for label in results]
)
def test_each_cell_is_the_estimate_of_its_result(head: str, label: str) -> None:
    results, names = _TABLES[head]
    stored = estimates(results[label])
    assert rows(head)[label] == [written(stored[name]) for name in names]


@pytest.mark.parametrize("words", vector_reading.TOKENS)
def test_each_cell_by_length_is_the_estimate_of_its_result_with_its_chance(words: int) -> None:
    stored = {attack: estimates(by[words].name) for attack, by in vector_reading.lengths().items()}
    for head, cells in _BY_LENGTH.items():
        chances = ["" if name == "exact_match" else f"; {stored[attack][name].chance:.3f}" for attack, name in cells]
        expected = [written(stored[attack][name]) + by for (attack, name), by in zip(cells, chances, strict=True)]
        assert rows(head)[str(words)] == expected
    f1 = {attack: each["f1"] for attack, each in stored.items()}
    classifier, nearest, generation = (written(f1[attack]) for attack in vector_reading.METHODS)
    chances = [f"{f1[attack].chance:.3f}" for attack in ("multilabel_inversion", "generative_inversion")]
    expected = [str(vector_reading.TOKENS[words]), classifier, generation, nearest, *chances]
    assert rows(r"words \| tokens read, mean")[str(words)] == expected


@pytest.mark.parametrize(
    ("label", "name", "without"),
    [
        ("behind a secret rotation, 500 leaked pairs", "secret_rotation", "without rotation"),
        (
            "in a secret order of the coordinates, 500 leaked pairs",
            "secret_order_of_the_coordinates",
            "in their own order",
        ),
    ],
)
def test_what_is_read_behind_a_key_stands_beside_what_is_read_without(label: str, name: str, without: str) -> None:
    behind, before = (estimates(f"audit_vectors_{each}") for each in (name, "pairs"))
    read, *found = rows("stored as")[label]
    assert read == f"{written(behind['f1'])}; {without} {written(before['f1'])}"
    assert found == [written(behind[each]) for each in ("retrieval_recall_at_10", "retrieval_ndcg_at_10")]


def test_no_row_of_figures_is_left_unread() -> None:
    assert {head: len(rows(head)) for head in _TABLES} == {"stored as": len(_FORMATS) + 2, "defense": len(_DEFENSES)}


_TRANSLATORS = "translations_subsampled"
_BEHIND = {
    "token dropping, one of four": ("messages_token_dropping", "accuracy_1"),
    "dropout": ("messages_dropout", "accuracy_1"),
    "private training, epsilon 8": ("messages_epsilon_8", "accuracy_1"),
    "private training, epsilon 8, one e-mail among 1,000": ("likelihood_ratio_adapters_epsilon_8", "accuracy_1"),
    "the same, twenty of one mailbox": ("likelihood_ratio_adapters_epsilon_8", "accuracy_20"),
    "epsilon 128 for each e-mail, twenty of one mailbox among 1,000": (
        "users_in_adapters_epsilon_128_document",
        "accuracy_20",
    ),
    "epsilon 128 for each mailbox": ("users_in_adapters_epsilon_128_owner", "accuracy_20"),
    "epsilon 8 for each mailbox": ("users_in_adapters_epsilon_8_owner", "accuracy_20"),
    "subsampling, half of the pairs of a translator": (_TRANSLATORS, "accuracy"),
}
"""By the label of a row: the result of the adversary that knows the defense, and how often it is right."""


@pytest.mark.parametrize("label", _BEHIND)
def test_both_adversaries_behind_a_defense_are_as_stored(label: str) -> None:
    name, accuracy = _BEHIND[label]
    adaptive, naive = estimates(name), estimates(f"{name}_unaware")
    measures = (accuracy, accuracy.replace("accuracy", "auc"))
    assert rows("behind", MODELS)[label] == [
        written(adversary[measure]) for measure in measures for adversary in (adaptive, naive)
    ]
    assert len(rows("behind", MODELS)) == len(_BEHIND)


def test_a_statistic_by_which_the_naive_adversary_is_right_more_often_is_as_stored() -> None:
    name = "users_in_adapters_epsilon_128_document"
    naive, adaptive = (estimates(f"{name}{end}") for end in ("_unaware", ""))
    shares = [in_percent(each["accuracy_offline_ratio"]) for each in (naive, adaptive)]
    areas = [fixed(each["auc_offline_ratio"].value, 3) for each in (naive, adaptive)]
    said = f"ratio in {shares[0]}, the adaptive one in {shares[1]}, at AUCs of {areas[0]} and {areas[1]}."
    assert said in " ".join(MODELS.split())


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in _BEHIND.values() if name != _TRANSLATORS))
def test_likelihood_ratios_took_the_shadow_models_behind_the_defense_but_for_one(name: str) -> None:
    figures = estimates(name)
    with_naive = figures | {f"{each}_naive": of for each, of in estimates(f"{name}_unaware").items()}
    said = both_adversaries.kinds([("The defense", with_naive)])
    took_others = name == "users_in_adapters_epsilon_8_owner"
    assert ("auc_behind_defense" in figures) is took_others
    assert said.startswith(f"It used the shadow models {'without' if took_others else 'behind'} the defense")
    if took_others:
        assert f"by RMIA with an AUC of {written(figures['auc_rmia'])}." in " ".join(MODELS.split())


_BY_RULE = {
    "accuracy_calibrated_reference": " and the naive one in ",
    "group_accuracy": ", the naive one in ",
    "group_accuracy_reference": ", the naive one in ",
    "group_accuracy_calibrated_reference": ", the naive one in ",
}
"""Figures of both adversaries of translators, and what stands between both."""


@pytest.mark.parametrize("name", _BY_RULE)
def test_what_each_adversary_of_translators_finds_by_single_rules_is_as_stored(name: str) -> None:
    shares = [in_percent(estimates(result)[name]) for result in (_TRANSLATORS, f"{_TRANSLATORS}_unaware")]
    assert _BY_RULE[name].join(shares) in " ".join(MODELS.split())


def test_both_adversaries_of_translators_rank_alike_by_the_calibrated_reference() -> None:
    both = (estimates(result)["auc_calibrated_reference"] for result in (_TRANSLATORS, f"{_TRANSLATORS}_unaware"))
    areas = {fixed(area.value, 3) for area in both}
    assert len(areas) == 1 and f"at an AUC of {areas.pop()} each" in " ".join(MODELS.split())


def test_rules_of_translators_are_counted_as_on_their_page() -> None:
    adaptive, naive = (of_entry(entry, Store()) for entry in catalog.matching(f"{_TRANSLATORS}*"))
    page = thresholds.sentence(adaptive.tables["methods"], naive.tables["methods"])
    said = " ".join(MODELS.split())
    assert "by 1 of 18 rules: multi-layer perceptron on overlap" in page and "takes 8 as the naive one has them" in page
    assert "takes 8 of the 15 rules" in said
    assert "by 1 of 18 rules, a multi-layer perceptron that reads the overlap" in said


def test_neither_adversary_of_figure_5_is_shown_to_be_stronger_when_calibrated_for_each_target() -> None:
    settings = [each.name for each in catalog.matching("figure_5_*_adaptive")]
    assert len(settings) == 6
    for setting in settings:
        adaptive, naive = (estimates(name) for name in (setting, setting.replace("adaptive", "unaware")))
        for size, is_naive_ahead in ((1, False), (10, False), (100, True)):
            one, other = (each[f"accuracy_target_ratio_{size}"] for each in (adaptive, naive))
            assert (other.value > one.value) is is_naive_ahead
            assert max(one.low, other.low) < min(one.high, other.high)
    adaptive, naive = (estimates(f"figure_5_cbow_25_{name}") for name in ("adaptive", "unaware"))
    said = " for ".join(in_percent(each["accuracy_target_ratio_100"]) for each in (naive, adaptive))
    assert f"in 6 of 6 settings, such as in {said} in CBOW at 25%" in " ".join(MODELS.split())
