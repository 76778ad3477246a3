"""The command line does what it says, and whatever it is told it answers in one line."""

import json
import math
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import __main__ as command_line
from core import catalog, fitting
from core.attacks.word_pairs import WordPairs
from core.commands import experiments as experiment_commands
from core.commands import shipped as shipped_commands
from core.commands.own_files import located
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.membership import Membership
from core.result import Estimate, Provenance, Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.dashboard.test_cold_imports import HEAVY
from tests.errands import ROOT, python

PROVENANCE = Provenance(
    started="2026-01-01T00:00:00+00:00", wall_seconds=1.0, cores=2, python="3.11", machine="x", packages={}
)
ARGUMENTS = st.text(st.characters(), max_size=12) | st.sampled_from(
    [
        "",
        "-1",
        "--",
        "-",
        "=",
        "demo",
        "0",
        "1e999",
        "NaN",
        "[",
        "{}",
        "null",
        "a=b=c",
        "..",
        "\0",
        "\n",
        "\udcff",
        "9" * 5000,
    ]
)
NAMES = st.sampled_from(
    [
        "seed",
        "game",
        "attack",
        "dataset",
        "model",
        "defenses",
        "game.part",
        "attack.part",
        "dataset.part",
        "model.part",
        "target_sizes",
        "documents",
        "game.documents",
        "shadow_pairs",
        "shadow_data",
        "attack.shadow_data.label",
        "mode",
        "dimension",
        "epochs",
        "users",
        "rules",
        "model.dictionary",
        "defenses.part",
        "source",
        "seed.x",
        "attack.attack",
    ]
) | st.text(max_size=8)
VALUES = (
    ARGUMENTS
    | st.integers().map(str)
    | st.floats().map(str)
    | st.sampled_from(
        [
            "true",
            "[1,2]",
            "[]",
            '{"part":"enron"}',
            '{"part":5}',
            "subsampling",
            "documents",
            "word2vec",
            "1,2",
            '["subsampling"]',
            "[[[1]]]",
            '{"a":{"b":1}}',
            "-5",
            "10000000",
            '{"part":"word_pairs","shadow_pairs":-1}',
        ]
    )
)
HOSTILE = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
"""Few examples: the campaign of hostile values gives commands thousands."""


@pytest.fixture
def requested(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Experiment]]:
    """Experiments that would have been run."""
    experiments: list[Experiment] = []

    def stub(experiment: Experiment, context: RunContext, _: object = None) -> tuple[Result, bool]:
        experiments.append(experiment)
        context.progress.stage("Training", total=3, done=1)
        context.progress.advance()
        context.progress.partial([{"accuracy": 0.7, "shadows": 3, "size": 0, "penalty": math.nan}, {"other": 1}])
        estimate = Estimate(value=math.nan, low=-math.inf, high=0.5, chance=None, unit="share")
        area = Estimate(value=0.7, low=0.6, high=0.8, chance=0.5, unit="probability", members=3, nonmembers=4)
        return Result(experiment.as_dict(), {"accuracy": estimate, "auc": area}, PROVENANCE), False

    monkeypatch.setattr(experiment_commands, "run", stub)
    yield experiments


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Status, standard output and standard error of a command."""
    try:
        status = command_line.main(arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def check_refusal(status: int, err: str, *named: str) -> None:
    assert status in (1, 2)
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    for word in named:
        assert word in err, err


def test_run_answers_with_exactly_one_json_object(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = answered(
        capsys,
        "run",
        "word_pairs",
        "--preset",
        "demo",
        "--dataset",
        "wikipedia_excerpt",
        "--seed",
        "7",
        "--json",
        "--set",
        "shadow_pairs=9",
        "--set",
        "target_sizes=10",
        "--set",
        "defenses=subsampling",
    )
    assert status == 0

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    facts = json.loads(out, parse_constant=refuse)
    assert set(facts) == {"key", "experiment", "estimates", "cached", "provenance", "said", "page"}
    assert facts["key"] == requested[0].key
    assert facts["cached"] is False
    assert facts["experiment"]["seed"] == 7
    assert facts["experiment"]["attack"]["shadow_pairs"] == 9
    assert facts["experiment"]["game"]["target_sizes"] == [10]
    assert facts["experiment"]["defenses"][0]["part"] == "subsampling"
    accuracy = facts["estimates"]["accuracy"]
    assert {"value", "low", "high", "chance", "unit"} <= set(accuracy)
    assert (accuracy["value"], accuracy["low"]) == (None, None)
    area = facts["estimates"]["auc"]
    assert (area["members"], area["nonmembers"], area["decisions"]) == (3, 4, 7)
    assert err.startswith("Training: 1 of 3") and err.count("\n") == 1, "no bars where nobody can watch them"
    assert Experiment.parse(facts["experiment"]).key == facts["key"]


def test_run_without_json_prints_a_table(requested: list[Experiment], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answered(capsys, "run", "word_pairs")
    assert status == 0
    assert out.startswith("Word pairs on ")
    assert "accuracy" in out and "n 7\n" in out
    assert "not measurable with 4 decisions about non-members; 100 are needed" in out
    assert requested[0] == Experiment.preset("word_pairs", "demo")


def test_a_rate_that_its_game_does_not_give_is_not_called_unmeasurable(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = answered(capsys, "run", "candidate_ranking")
    assert status == 0 and requested
    assert "tpr_at_1pct_fpr" in out and "tpr_at_0.1pct_fpr" not in out


def test_a_defense_may_fit_only_what_is_assigned_to_the_model(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str]
) -> None:
    private = ["run", "loss_membership", "--model", "causal_lm", "--defense", "dp_sgd"]
    status, _, err = answered(capsys, *private)
    assert status == 1 and "8 would do" in err
    assert answered(capsys, *private, "--set", "rank=8", "--set", "epsilon=4")[0] == 0
    assert requested[0].as_dict()["model"]["rank"] == 8
    assert requested[0].as_dict()["defenses"][0]["epsilon"] == 4


def test_a_verdict_stands_above_the_figures_which_say_nothing_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stub(experiment: Experiment, *_: object) -> tuple[Result, bool]:
        shares = {"chance": 0.5, "unit": "share of decisions", "members": 30, "nonmembers": 30}
        right = Estimate(value=0.9, low=0.8, high=0.95, **shares)
        alone = Estimate(value=0.633, low=0.508, high=0.743, **shares)
        figures = {"accuracy": right, "accuracy_5": right, "accuracy_1": alone, "accuracy_model_free": alone}
        figures["queries"] = Estimate.queries(10760.0, "Words asked.")
        return Result(experiment.as_dict(), figures, PROVENANCE), False

    monkeypatch.setattr(experiment_commands, "run", stub)
    status, out, _ = answered(capsys, "run", "loss_membership")
    before, _, figures = out.partition("\n  accuracy ")
    assert status == 0
    assert "The split gives itself away, so what follows is not shown to come from the model." in " ".join(
        before.split()
    )
    assert "right in 90% of 60 decisions" in " ".join(before.split())
    assert "accuracy_5" not in figures, "it repeats accuracy"
    assert "accuracy_1 " in figures and "accuracy_model_free" in figures
    assert "10,760\n" in figures and "[10760" not in figures


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["run", "word_pear"], ["attack", "word_pairs"]),
        (["run", "word_pairs", "--preset", "dem"], ["preset", "demo"]),
        (["run", "word_pairs", "--dataset", "wikipedia_excerp"], ["dataset", "wikipedia_excerpt"]),
        (["run", "word_pairs", "--model", "word2vek"], ["model", "word2vec"]),
        (["run", "word_pairs", "--defense", "sampling"], ["defense", "subsampling"]),
        (["run", "word_pairs", "--seed", "x"], ["--seed"]),
        (["run", "word_pairs", "--seed", "1.5"], ["--seed", "'1.5'", "1 or 2 would do"]),
        (["run", "word_pairs", "--seed", "-1"], ["seed"]),
        (["run", "word_pairs", "--set", "seed=1.5"], ["seed", "1 or 2 would do"]),
        (["run", "word_pairs", "--set", "shadow_pears=5"], ["shadow_pears", "shadow_pairs"]),
        (
            ["run", "word_pairs", "--set", "shadow_pairs=many"],
            ["shadow_pairs", "from 2 to 2,000", "200 is the"],
        ),
        (["run", "loss_membership", "--model", "gpt2"], ["'gpt2'. What fits loss_membership: causal_lm, lstm_lm"]),
        (["run", "word_pairs", "--model", "causal_lm"], ["What fits word_pairs: fasttext, glove, word2vec."]),
        (["run", "word_pairs", "--defense", "dropout"], ["What fits word_pairs: subsampling, vector_noise."]),
        (["run", "word_pairs", "--dataset", "wikipedia"], ["'wikipedia_excerpt' or 'wikipedia_people'?"]),
        (["report", "deadbeef"], ["'deadbeef'. See what 'python -m core show' lists, or precomputed/INDEX.md."]),
        (["report", "353bb3c6"], ["Did you mean '353bb3c639e6727b'?"]),
        (["list", "word_pear"], ["Did you mean 'word_pairs'?"]),
        (["run", "loss_membership", "--set", "epsilon=8"], ["'epsilon'", "--defense dp_sgd takes it"]),
        (["run", "loss_membership", "--defense", "dp_sgd", "--set", "epsilom=8"], ["Did you mean 'epsilon'?"]),
        (["run", "word_pairs", "--set", "shadow_pairs"], ["NAME=VALUE"]),
        (["run", "word_pairs", "--set", "target_sizes=0"], ["target_sizes"]),
        (["run", "word_pairs", "--set", "target_sizes=20,20"], ["target_sizes", "20 would do"]),
        (["run", "word_pairs", "--engine", "nonsense"], ["--engine", "nonsense"]),
        (
            ["run", "word_pairs", "--set", "epsilon=4"],
            ["of the defenses dp_sgd and laplace, which do not fit word_pairs"],
        ),
        (["run", "keyword_inference", "--set", "fraction=0.5"], ["defense subsampling, which does not fit"]),
        (["run", "word_pairs", "--defense", "vector_noise", "--set", "nois=4"], ["Did you mean 'scale'?"]),
        (["run", "word_pairs", "--set", "xyzzy=4"], ["See 'python -m core list word_pairs'."]),
        (["run", "word_pairs", "--set", "shadow_pairs=-3"], ["must be a number from 2 to 2,000. Got -3 instead."]),
        (["run", "word_pairs", "--set", "model.epochs=0"], ["'epochs'", "must be a number from 1 to 200."]),
        (["run", "vector_audit"], ["a command of its own: python -m core audit vectors."]),
        (["run", "model_audit"], ["a command of its own: python -m core audit model."]),
        (["run", "word_pairs", "--presett", "demo"], ["Did you mean '--preset'? See 'python -m core run --help'."]),
        (["run", "word_pairs", "--workers", "0.5"], ["--workers", "from 0 (one a core) to 256", "0 or 1 would do"]),
        (["audit", "ask", "classifier", "--texts", "0.5"], ["--texts", "of at least 1", "1 would do"]),
        (["rum"], ["No command is named 'rum'. Did you mean 'run'?"]),
        (["audit", "modl"], ["No command is named 'modl'. Did you mean 'model'?"]),
        (["run", "word_pairs", "--workers", "-3"], ["--workers"]),
        (["run", "word_pairs", "--workers", "1000000000"], ["--workers"]),
        (["run", "word_pairs", "--unknown"], ["--unknown"]),
        (["run"], ["attack"]),
        (["data", "fetch"], ["name"]),
        (["data", "fetch", "enrom"], ["enrom", "enron"]),
        (["data", "check", "../../etc"], ["../../etc"]),
        (["data", "eat"], ["eat"]),
        (["precompute", "--only", "nothing"], ["nothing"]),
        ([], ["COMMAND"]),
    ],
)
def test_a_mistake_is_answered_in_one_line_that_names_it(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str], arguments: list[str], named: list[str]
) -> None:
    status, out, err = answered(capsys, *arguments)
    check_refusal(status, err, *named)
    assert out == ""
    assert not requested


@HOSTILE
@given(name=NAMES, value=VALUES)
def test_hostile_settings(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    status, _, err = answered(capsys, "run", "word_pairs", "--json", f"--set={name}={value}")
    if status:
        check_refusal(status, err)


@HOSTILE
@given(
    option=st.sampled_from(
        ["--preset", "--dataset", "--model", "--defense", "--seed", "--set", "--engine", "--workers"]
    ),
    value=ARGUMENTS,
)
def test_hostile_options(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    for arguments in ([option, value], [f"{option}={value}"]):
        status, _, err = answered(capsys, "run", "word_pairs", *arguments)
        if status:
            check_refusal(status, err)


@HOSTILE
@given(st.lists(ARGUMENTS | st.sampled_from(["run", "data", "list", "--json", "check", "--check"]), max_size=4))
def test_hostile_words(requested: list[Experiment], capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    if words[:1] != ["precompute"] and words[:2] != ["data", "fetch"]:
        status, _, err = answered(capsys, *words)
        if status:
            check_refusal(status, err)


@pytest.mark.parametrize(
    "settings", [["game.documents=10000000"], ["shadow_pairs=2000", "target_sizes=10000", "targets=500"]]
)
def test_absurd_sizes_are_refused_before_any_work(
    capsys: pytest.CaptureFixture[str], planted: Any, settings: list[str]
) -> None:
    assignments = [f"--set=dataset.source={planted.source}", *[f"--set={setting}" for setting in settings]]
    status, _, err = answered(capsys, "run", "word_pairs", "--dataset", "documents", *assignments)
    assert status == 1
    assert err.splitlines()[-1].startswith("Incompatible: ")
    assert "dataset has 480" in err
    assert "Training" not in err


def test_owners_of_ones_own_documents_are_attacked_unless_told_otherwise(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str], planted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "is_checked", lambda _: False)
    on_documents = ["run", "word_pairs", "--dataset", "documents", f"--set=source={planted.source}"]
    status, out, _ = answered(capsys, *on_documents, "--set=owner_column=owner")
    assert status == 0 and requested[-1].game.users == "owners"  # type: ignore[attr-defined]
    assert "planted.csv: 480 of 480 rows read as documents, 40 owners." in out
    assert "8 targets of 20 documents of one owner each. 20 target models, each trained on 1,000 documents." in out
    for others in ([], ["--set=owner_column=owner", "--set=users=emulated"]):
        assert answered(capsys, *on_documents, *others)[0] == 0
        assert requested[-1].game.users == "emulated"  # type: ignore[attr-defined]


def test_a_result_names_the_file_it_read_wherever_it_is_shown(
    requested: list[Experiment],
    capsys: pytest.CaptureFixture[str],
    planted: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fitting, "is_checked", lambda _: False)
    shutil.copy(planted.source, tmp_path / "own.csv")
    monkeypatch.chdir(tmp_path)
    assert answered(capsys, "run", "word_pairs", "--dataset", "documents", "--set=source=own.csv")[0] == 0
    assert requested[-1].dataset.source == str(tmp_path / "own.csv")  # type: ignore[attr-defined]
    assert requested[-1].dataset.key == requested[-1].dataset.replace(source="own.csv").key
    monkeypatch.setenv("HOME", str(tmp_path))
    of_the_adversary = WordPairs(shadow_data=planted.replace(source="~/own.csv"))
    assert located(of_the_adversary).shadow_data == planted.replace(source=str(tmp_path / "own.csv"))
    for source in ("gone.csv", "", "\0"):
        asked = planted.replace(source=source)
        assert located(asked) == asked, "a message names what was typed"


def test_a_refusal_names_every_setting_that_works(
    requested: list[Experiment],
    capsys: pytest.CaptureFixture[str],
    planted: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def checked(experiment: Experiment, context: RunContext, _: object = None) -> None:
        fitting.check(experiment, context)
        requested.append(experiment)
        raise TelltaleError("far enough")

    monkeypatch.setattr(experiment_commands, "run", checked)
    on_documents = [
        "run",
        "word_pairs",
        "--dataset",
        "documents",
        f"--set=source={planted.source}",
        "--set=owner_column=owner",
    ]
    status, _, err = answered(capsys, *on_documents)
    assert status == 1 and not requested
    _, _, added = err.strip().partition(" Add ")
    assert "--set game.target_sizes=" in added
    assert "far enough" in answered(capsys, *on_documents, *added.split())[2]


def test_a_home_that_cannot_be_written_is_said(
    capsys: pytest.CaptureFixture[str], planted: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "file" / "home"))
    check_refusal(
        *answered(capsys, "run", "word_pairs", "--dataset", "lee_news")[::2], "StoreReadOnly", "TELLTALE_HOME"
    )


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (OSError(5, "Input/output error"), "OSError"),
        (MemoryError("no room"), "OutOfMemory"),
        (TelltaleError("a\nb\x1b[2J"), "TelltaleError"),
    ],
)
def test_no_failure_ends_in_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(experiment_commands, "run", broken)
    check_refusal(*answered(capsys, "run", "word_pairs")[::2], name)


def test_an_interruption_is_answered_with_how_to_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment_commands, "run", interrupted)
    status, out, err = answered(capsys, "run", "word_pairs", "--json")
    assert (status, out) == (130, "")
    assert "the same command resumes" in err


def test_help_behind_an_attack_and_the_list_of_one_name_what_it_can_be_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, helped, _ = answered(capsys, "run", "word_pairs", "--help")
    status, listed, _ = answered(capsys, "list", "word_pairs")
    assert status == 0 and helped.endswith(listed) and helped.startswith("usage")
    for choices in (
        "--preset: demo, paper",
        "--model: fasttext, glove, word2vec",
        "--defense: subsampling, vector_noise",
    ):
        assert choices in listed
    text = " ".join(listed.split())
    for name in (*WordPairs.model_fields, *Membership.model_fields):
        assert f" {name}: " in text
    assert "and as many without it. (from 2 to 2,000 pairs; default 200)" in text
    assert "shadow_pairs" not in answered(capsys, "run", "--help")[1]
    assert "above 0, at most 1" in answered(capsys, "list", "causal_lm")[1]


def test_everything_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answered(capsys, "list", "--json")
    listing = json.loads(out)
    assert status == 0
    assert {"dataset", "model", "defense", "game", "attack"} == set(listing)
    pairs = next(entry for entry in listing["attack"] if entry["name"] == "word_pairs")
    assert pairs["parameters"]["shadow_pairs"]["help"] and pairs["presets"] == ["demo", "paper"]
    status, out, _ = answered(capsys, "list")
    assert status == 0
    assert "word_pairs" in out and "(demo, paper, over_trained)" in out, "presets are named for --preset"
    for arguments in (["data"], ["data", "list"]):
        status, out, _ = answered(capsys, *arguments)
        assert status == 0
        assert "wikipedia_excerpt" in out


def test_promised_results_are_computed_once_and_shipped(
    requested: list[Experiment], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped: list[str] = []
    monkeypatch.setattr(Store, "ship", lambda _, key: shipped.append(key))
    status, _, _ = answered(capsys, "precompute", "--only", "demo")
    assert status == 0
    assert shipped == [requested[0].key] == [catalog.matching("demo")[0].experiment.key]


def test_a_check_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = Store(root=tmp_path / "home", shipped=tmp_path / "absent")
    monkeypatch.setattr(shipped_commands, "Store", lambda: store)
    status, out, _ = answered(capsys, "precompute", "--check", "--only", "demo")
    assert status == 1
    assert "demo: no result" in out


def test_what_is_stored_is_shown_without_what_computes_and_a_reader_that_leaves_early_is_no_error() -> None:
    shown = Experiment.preset("word_pairs", "demo").key
    script = (
        "import io, sys\nfrom contextlib import redirect_stdout\nfrom core import __main__, catalog\n"
        "few = catalog.entries()[::50]\ncatalog.entries = lambda: few\n"
        "with redirect_stdout(io.StringIO()):\n"
        f"    assert __main__.main(['show', {shown!r}]) == __main__.main(['show']) == 0\n"
        f"print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)\n"
        "sys.exit(__main__.main(['list', '--json']))"
    )
    process = subprocess.Popen(python("-c", script), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b"\n"
    process.stderr.close()
    assert process.wait() == 1
