"""What target models are trained on, and what an audit may take for promised."""

import pytest

from core.defenses.dp_sgd import DpSgd
from core.games.membership.training import audited_delta
from core.statistics.privacy import DELTA


@pytest.mark.parametrize(
    ("defenses", "delta"), [([], DELTA), ([DpSgd(delta=1e-6)], 1e-6), ([DpSgd(delta=1e-6, unit="owner")], None)]
)
def test_promises_to_documents_are_audited_and_those_to_owners_are_not(
    defenses: list[DpSgd], delta: float | None
) -> None:
    assert audited_delta(defenses) == delta
