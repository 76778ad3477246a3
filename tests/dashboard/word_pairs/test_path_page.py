"""The slider along the LASSO path starts at the penalty of the answer."""

from dashboard.kit import tabs
from dashboard.topics.word_pairs.figures import path
from tests.dashboard import samples
from tests.dashboard.kept_results import Open


def test_the_slider_starts_at_the_penalty_of_the_answer(open_result: Open) -> None:
    for shadow_pairs in (8, 50):
        result = samples.make(attack={**samples.make().experiment["attack"], "shadow_pairs": shadow_pairs})
        answer = path.answer(result.experiment["attack"], result.tables, 0)
        assert answer is not None
        app = open_result(result, tab=tabs.HOW)
        assert app.select_slider(key="view.penalty").value == answer.penalty
