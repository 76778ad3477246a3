"""The page of canaries shows whole results and any canary, also of unusual experiments and mistyped links."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.experiment import Experiment
from core.result import Result
from core.text.canary import PATTERNS
from dashboard.kit import links, tabs
from dashboard.topics.canaries import request_training
from tests.dashboard.canaries import samples
from tests.dashboard.kept_results import Open, Seen, everything, in_tab, words
from tests.dashboard.samples import validated

PAGE = samples.ATTACK
COURSE, RESTARTS, OUTCOME, EXPOSURE, TRAINING = 2, 1, 2, 1, 1
BY_REPETITIONS = 1
"""Of a single number of repetitions there is no curve; a sentence says what it would show."""
ALONE = COURSE + RESTARTS + OUTCOME + EXPOSURE + TRAINING
"""Figures about one canary and about all of them, before the paper's."""


def figures(seen: Seen) -> int:
    names = {"course", "true-words", "restarts", "outcome", "methods", "exposure", "training"}
    return len(names & seen.figures.keys())


def canary(result: Result, pattern: str, repetitions: int, trial: int) -> Any:
    rows = result.tables["canaries"]
    mine = (rows["pattern"] == pattern) & (rows["repetitions"] == repetitions) & (rows["trial"] == trial)
    return rows[mine].iloc[0]


def test_the_answer_comes_first(open_result: Open) -> None:
    result = samples.extracted()
    app = open_result(result, unfolded=True)
    secret, page_text = canary(result, "pin", 100, 0), words(app)
    assert f"## my pin code is :orange-background[{secret['truth']}]" in page_text
    assert "The game drew this secret at random. Shown 100 times to this network." in page_text
    assert f"ranks 1 of {PATTERNS['pin'].space(4):,}; no other fits better." in page_text
    assert "| **The paper’s schedule (the attack)** |" in page_text and "| Random guess |" in page_text
    assert [metric.label for metric in app.main.metric][:3] == [
        "Rank of the true secret",
        "Exposure of the true secret",
        "Rank of the decoy",
    ]
    assert app.main.metric[1].value == "13.3 bits"
    assert "These answers as a table" in [fold.label for fold in app.main.expander]
    assert figures(everything(app)) == ALONE


def test_right_words_are_ticked_and_wrong_ones_struck_out(open_result: Open) -> None:
    result = samples.extracted(good=False)
    app = open_result(result)
    secret = canary(result, "pin", 100, 0)
    guess = result.tables["guesses"].query("model == @secret.model and pattern == 'pin' and method == 'random'").iloc[0]
    marks = [
        f":orange-badge[:material/check: {word}]" if word == true else f":blue-badge[~~{word}~~]"
        for word, true in zip(guess["guess"].split(), secret["truth"].split(), strict=True)
    ]
    assert f"| Random guess | {' '.join(marks)} | {4 - guess['wrong']} of 4 |" in words(app)


def test_another_canary_is_looked_at_until_an_experiment_lacks_it(open_result: Open) -> None:
    result = samples.extracted()
    app = open_result(result)
    app.main.segmented_control(key="view.secret").set_value("color").run()
    app.main.segmented_control(key="view.repetitions").set_value(10).run()
    assert not app.exception
    secret = canary(result, "color", 10, 0)
    assert f"## color :orange-background[{secret['truth']}]" in words(app)
    assert figures(everything(app)) == ALONE
    other = open_result(samples.extracted(patterns=("pin", "call")))
    assert "## my pin code is" in words(in_tab(other, tabs.ANSWER))


def test_the_course_of_a_canary_like_it_stands_in_where_its_own_is_not_kept(open_result: Open) -> None:
    result = samples.extracted()
    app = open_result(result)
    app.main.selectbox(key="view.trial").set_value(2).run()
    assert not app.exception
    chosen, shown = canary(result, "pin", 100, 2), canary(result, "pin", 100, 0)
    assert f":orange-background[{chosen['truth']}]" in words(app)
    seen = everything(app)
    assert f"This is trial 1: shown 100 times, the secret “{shown['truth']}”." in seen.said
    assert figures(seen) == ALONE


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize(
    ("setting", "missing"),
    [
        ({"patterns": ("pin",)}, 0),
        ({"repetitions": (0, 10)}, 0),
        ({"patterns": ("call",), "repetitions": (100,), "trials": 1}, BY_REPETITIONS),
        ({"repetitions": (100,)}, BY_REPETITIONS),
        ({"shown": 0}, COURSE + RESTARTS),
        ({"repetitions": (0,)}, BY_REPETITIONS),
        ({"length": 1}, 0),
        ({"length": 6}, 0),
        ({"length": 10, "known": 3}, 0),
        ({"length": 12}, 0),
        ({"dataset": "assistant_requests", "defenses": ("dropout",)}, 0),
        ({"good": False}, 0),
        ({"schedule": "annealed", "coordinate_descent": True, "steps": 5}, 0),
        ({"restarts": 40}, 0),
    ],
    ids=str,
)
def test_unusual_experiments_are_drawn_too(open_result: Open, setting: dict[str, Any], missing: int) -> None:
    seen = everything(open_result(samples.extracted(**setting), unfolded=True))
    assert figures(seen) == ALONE - missing


def test_no_course_at_all_is_said_as_such(open_result: Open) -> None:
    assert "keeps no steps of its attacks" in words(open_result(samples.extracted(shown=0), tab=tabs.HOW))


def test_a_sampled_rank_is_said_to_be_one(open_result: Open) -> None:
    app = open_result(samples.extracted(length=6))
    assert app.main.metric[0].value.startswith("about ")
    assert "of 1,000,000 by the network’s loss; rank 1 is best. Estimated from a random sample." in words(app)
    assert "cannot exceed log2(10,001) = 13.3 bits" in words(in_tab(app, tabs.HOW))


def test_known_words_belong_to_the_beginning(open_result: Open) -> None:
    result = samples.extracted(length=10, known=3, patterns=("call",))
    secret = canary(result, "call", 100, 0)
    assert len(secret["beginning"].split()) == 4
    assert f"## {secret['beginning']} :orange-background[{secret['truth']}]" in words(open_result(result))


def test_the_measure_can_be_switched(open_result: Open) -> None:
    app = open_result(samples.extracted())
    assert "the share of wrong words is" in words(app)
    app.main.segmented_control(key="view.measure").set_value("accuracy").run()
    assert not app.exception
    assert "the share of secrets extracted whole is" in words(app)


def test_networks_can_be_told_apart_by_what_they_saw(open_result: Open) -> None:
    app = open_result(samples.extracted(), tab=tabs.HOW, unfolded=True)
    assert "After 5 epochs, 6 networks predict the intent" in words(app)
    app.main.segmented_control(key="view.networks").set_value(10).run()
    assert not app.exception
    assert "After 5 epochs, 3 networks predict the intent" in words(app)


def test_a_mistyped_view_shows_the_first_canary(open_result: Open) -> None:
    result = samples.extracted()
    app = open_result(result)
    for text in ("postcode", "", "<b>", "-1", "9" * 400):
        for name in ("secret", "repetitions", "trial", "measure", "networks"):
            app.query_params[f"view.{name}"] = text
        app.run()
        assert not app.exception
        assert canary(result, "pin", 100, 0)["truth"] in words(app)


def test_a_run_draws_its_training_while_it_goes_on() -> None:
    result = samples.extracted()
    rows, experiment = result.tables["training"].to_dict("records"), Experiment.parse(result.experiment)
    assert len(validated(request_training.live(rows[:3], experiment)).data) == 8
    assert validated(request_training.live([], experiment)).layout.annotations[0].text.startswith("No value yet")


def test_a_link_to_unknown_secrets_is_refused_in_one_sentence(app: AppTest, home: object) -> None:
    app.switch_page(f"views/{PAGE}.py")
    app.query_params["game.patterns"] = "pin,postcode"
    app.run()
    assert not app.exception
    warnings = "\n".join(warning.value.replace("\\", "") for warning in app.warning)
    assert "Secrets: there is no “postcode” here. There are Call, PIN and Color." in warnings


def test_a_secret_of_ones_own_is_said_to_be_given(open_result: Open) -> None:
    result = samples.extracted(patterns=("pin",), repetitions=(100,))
    truth = canary(result, "pin", 100, 0)["truth"]
    experiment = Experiment.parse(result.experiment)
    experiment = experiment.replace(game=experiment.game.replace(secret=truth))
    app = open_result(Result(experiment.as_dict(), result.estimates, result.provenance, result.tables))
    assert "This secret was entered in the form." in words(app)
    assert links.written(experiment, None)["game.secret"] == truth  # type: ignore[arg-type]
