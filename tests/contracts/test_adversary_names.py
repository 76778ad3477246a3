"""Every adversary has one title, which pages, reports and the command line share."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.audits.model_verdict import STATISTICS
from core.games.answers.contract import AnswersAttack
from core.registry import names, parts
from core.statistics.wording.naming import adversary_title, capitalised, estimate_name, spoken
from core.statistics.wording.variants import titles

_SHIPPED = sorted((Path(__file__).parents[2] / "precomputed").glob("*/result.json"))
_COLUMNS = {
    "example_membership": ("statistic", "rule"),
    "extraction": ("method",),
    "secret_sharer": ("method",),
    "translation_membership": (),  # names of features and classifiers together, which its page composes
}
"""Columns of tables that name adversaries; of other games ``variant``."""


def _shipped() -> dict[tuple[str, str], set[str]]:
    """Return the names of adversaries and of estimates of all stored results, by game and kind."""
    found: dict[tuple[str, str], set[str]] = {}
    for path in _SHIPPED:
        content = json.loads(path.read_text("utf-8"))
        game = content["experiment"]["game"]["part"]
        found.setdefault((game, "estimates"), set()).update(content["estimates"])
        for table in path.parent.glob("*.parquet"):
            schema = pq.read_schema(table)
            for column in set(_COLUMNS.get(game, ("variant",))) & set(schema.names):
                values = pq.read_table(table, columns=[column])[column].unique().to_pylist()
                found.setdefault((game, "adversaries"), set()).update(values)
    return found


@pytest.fixture(scope="module")
def shipped() -> dict[tuple[str, str], set[str]]:
    assert _SHIPPED
    return _shipped()


def test_every_adversary_of_a_stored_result_has_a_title(shipped: dict[tuple[str, str], set[str]]) -> None:
    untitled = {
        (game, name)
        for (game, kind), found in shipped.items()
        for name in found - set(names("attack")) - set(titles(game))
        if kind == "adversaries"
    }
    assert not untitled, "core/statistics/wording/variants.py has no title for them"


def test_what_audits_name_has_a_title() -> None:
    of_answers = {name for attack in parts("attack") if issubclass(attack, AnswersAttack) for name in attack.variants}
    assert {*STATISTICS, *of_answers} <= set(titles("audit"))


def test_no_name_of_the_code_stands_in_the_name_of_an_estimate(shipped: dict[tuple[str, str], set[str]]) -> None:
    for (game, kind), found in shipped.items():
        if kind == "estimates":
            written = {estimate_name(name, game) for name in found}
            assert not [name for name in written if re.search(r"_|pct|\b(auc|rmia|tpr|ndcg|rouge|min k)\b", name)]


def test_a_title_begins_with_a_capital_and_is_of_one_adversary() -> None:
    for game in names("game"):
        named = [title.partition(":")[0] for title in titles(game).values()]
        assert all(title[0].isupper() for title in named)
        assert len(set(named)) == len(named) or game == "example_membership", "cosines of words and of sentences"


@pytest.mark.parametrize(
    ("name", "game", "written"),
    [
        ("auc_rmia", "membership", "AUC, RMIA"),
        ("rouge_l", "inversion", "ROUGE-L"),
        ("retrieval_ndcg_at_10", "inversion", "retrieval nDCG at 10"),
        ("tpr_at_0.1pct_fpr_zlib_ratio_20", "membership", "TPR at 0.1% FPR, zlib ratio, targets of 20 documents"),
        ("exposure_100", "secret_sharer", "exposure, repeated 100 times"),
        ("accuracy_annealed_descent", "extraction", "accuracy, annealed, then descent"),
        ("auc_reference", "audit", "AUC, loss against the base"),
        ("auc_reference", "translation_membership", "AUC, probability of the reference"),
        ("accuracy_loss", "inference", "accuracy loss"),  # a keyword
        ("accuracy_naive", "ranking", "accuracy, naive adversary"),
    ],
)
def test_an_estimate_has_one_name(name: str, game: str, written: str) -> None:
    assert estimate_name(name, game) == written
    assert capitalised(written) == (written if written[0].isupper() else written[0].upper() + written[1:])


def test_without_a_title_the_name_stands_in_words() -> None:
    assert adversary_title("close_words") == spoken("close_words") == "Close words"
