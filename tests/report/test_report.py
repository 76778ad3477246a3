"""Reports: every changed byte is found, each sentence follows from its interval, and nothing private enters."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import __main__ as command_line
from core import catalog, report
from core.errors import InvalidSpec, UnknownPart
from core.experiment import Experiment
from core.registry import parts
from core.report import build, notes, rendered, sentences, verification, verify
from core.report.declared import Declared
from core.report.evidence import MOST
from core.report.files import FORMATS, MARK, evidence_of
from core.report.private import is_private, public
from core.report.seal import opened, sealed
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.runtime.table_files import as_written_before
from tests.dashboard.embedding_results import estimate
from tests.dashboard.embedding_results import result as embedding_result

DEFENDED = "defense_medical_laplace_300"
HIDDEN = "defense_airline_subspace_projection_0.99"
CHANGES = 3_000
HOSTILE = 'A “tool” | with <b>signs</b> & </script><script>alert("1")</script> `code`'
PRIVATE = "zebrafinch"
TEMPLATES = Path(report.__file__).parent / "templates"


@pytest.fixture(scope="module")
def evidence() -> dict[str, Any]:
    """The evidence of a membership result and of a defended one, both promised."""
    return build(["demo", DEFENDED], Store(), Declared(system=HOSTILE))


@pytest.fixture(scope="module", params=FORMATS)
def written(request: pytest.FixtureRequest, evidence: dict[str, Any]) -> bytes:
    return rendered(evidence, request.param)


def test_any_changed_byte_is_found(written: bytes) -> None:
    rng, store = np.random.default_rng(0), Store()
    whole = verify(written, store)
    assert whole.status == (verification.UNCHECKED if whole.evidence is None else 0), whole.lines
    positions = np.concatenate([[0, len(written) - 1], rng.integers(len(written), size=CHANGES // len(FORMATS))])
    for position, by in zip(positions, rng.integers(1, 256, size=len(positions)), strict=True):
        changed = bytearray(written)
        changed[position] ^= int(by)
        assert not verify(bytes(changed), store).intact, position
    for other in (b"", written[:-1], written + b"\n", b"\n" + written, written + written):
        assert not verify(other, store).intact


def test_the_page_and_the_markdown_say_the_same() -> None:
    """Each names what the other does, but for styles, drawn curves and which results are of a system."""
    of_page, of_markdown = (
        set(re.findall(r"\b(?:report|result|row|figure|group|system)\.\w+", (TEMPLATES / name).read_text("utf-8")))
        for name in ("report.html", "report.md")
    )
    assert of_page - of_markdown == {"report.css", "report.html", "result.roc"}
    assert of_markdown - of_page == {"system.results"}


def test_what_holds_of_several_results_is_said_once(evidence: dict[str, Any]) -> None:
    useful = [{"label": "utility", "help": "Share that is right."}]
    alike: dict[str, Any] = {"false_positives": None, "worst_decile": {"value": 0.5}, "useful": useful}
    results = [{**alike, "key": "a"}, {**alike, "key": "b"}]
    assert notes.of_results(results) == [
        "Utility, no leak but what the vectors or the model are good for: Share that is right.",
        "False positives at the adversary’s own threshold: not measured, as the result stores no decisions about "
        "single non-members.",
    ]
    meaning, positives, tenth = notes.of_results([results[0], {**results[1], "worst_decile": None, "useful": []}])
    assert "good for (in a): Share" in meaning and "threshold: not" in positives and "targets (in b): not" in tenth
    assert notes.of_results([{**results[0], "false_positives": {"value": 0.1}, "useful": []}]) == []
    several = build([DEFENDED, "defense_medical_laplace_1"], Store())
    for suffix in (".html", ".md"):
        text = rendered(several, suffix).decode().partition(MARK)[0]
        assert text.count("Utility, no leak but what the vectors") == 1 and text.count("not measured, as") == 2


def test_a_page_that_is_sealed_anew_must_still_show_what_it_holds(evidence: dict[str, Any]) -> None:
    page = rendered(evidence, ".html")
    body, _ = opened(page) or ("", "")
    altered = body.replace("0.838 [", "0.538 [")
    assert altered != body
    verdict = verify(sealed(altered, ".html"), Store())
    assert not verdict.intact
    assert "does not show" in verdict.lines[-1]


@pytest.mark.parametrize("part", ["digest", "figure", "sentence", "provenance"])
def test_a_report_that_is_forged_and_sealed_anew_is_found_where_its_results_are_stored(
    part: str, evidence: dict[str, Any], store: Store
) -> None:
    forged = json.loads(json.dumps(evidence))
    if part == "digest":
        forged["results"][0]["digests"]["result.json"] = "0" * 64
    elif part == "figure":
        forged["results"][0]["headline"][0]["value"] = 0.5
    elif part == "sentence":
        forged["evidence"]["against"] = []
    else:
        forged["results"][0]["provenance"]["started"] = "2020-01-01T00:00:00+00:00"
    page = rendered(forged, ".html")
    verdict = verify(page, Store())
    assert verdict.status == 1
    assert "other bytes in result.json" in str(verdict.lines) or "the evidence differs in" in verdict.lines[-1]
    elsewhere = verify(page, Store(root=store.root, shipped=store.root / "none"))
    assert elsewhere.status == verification.UNCHECKED
    assert [line for line in elsewhere.lines if line.startswith("not checked: ")]
    assert "Unchanged" not in str(elsewhere.lines)


def test_what_another_version_wrote_and_what_is_malformed_are_not_called_unchanged(evidence: dict[str, Any]) -> None:
    text = json.dumps(evidence)
    other = verify(sealed(f'"renderer": "{"0" * 16}",\n"report": {text}}}\n', ".json"), Store())
    assert other.status == verification.UNCHECKED
    assert "not checked: another version" in other.lines[-1]
    for held in (
        f'"renderer": "0", "report": {text[:-9]}',
        '"renderer": 1}',
        '"renderer": 1, "report": {"results": 3}}',
    ):
        verdict = verify(sealed(held, ".json"), Store())
        assert (verdict.status, len(verdict.lines)) == (1, 1)
        assert verdict.lines[0].startswith("Malformed: ")


def test_the_same_results_give_the_same_small_page_that_asks_nobody(evidence: dict[str, Any]) -> None:
    page = rendered(evidence, ".html")
    again = build(["353bb3c639e6727b", DEFENDED, "demo"], Store(), Declared(system=HOSTILE))
    assert rendered(again, ".html") == page
    assert len(page) < 1_000_000
    text = page.decode()
    assert not re.search(r"\b(src|href|action)=|@import|url\(", text)
    assert re.findall(r"<script[^>]*>", text) == ['<script type="application/json" id="evidence">']
    assert text.count("</script>") == 1
    embedded = evidence_of((opened(page) or ("", ""))[0])
    assert embedded is not None
    assert embedded[0] == evidence
    assert r"\<b\>signs" in rendered(evidence, ".md").decode()


def test_what_is_not_declared_is_not_inferred(evidence: dict[str, Any], tmp_path: Path) -> None:
    assert evidence["declared"]["attacker"] is None
    page = rendered(evidence, ".html").decode()
    assert "<p>Not declared: release, data, attacker, purpose, auditor, tolerable. To declare: <code>python" in page
    assert page.index(evidence["finding"][0]) < page.index("Not declared")
    declared = {**evidence, "declared": {**evidence["declared"], "tolerable": 0.1}}
    whole = {**evidence, "declared": dict.fromkeys(evidence["declared"], "said")}
    for suffix in (".html", ".md"):
        keys = " ".join(result["key"] for result in evidence["results"])
        assert f"report {keys} --declare NAME=TEXT" in rendered(evidence, suffix).decode()
        assert "no figure can be evidence for release" in rendered(evidence, suffix).decode().partition(MARK)[0]
        assert "no figure can be evidence" not in rendered(declared, suffix).decode().partition(MARK)[0]
        assert "--declare" not in rendered(whole, suffix).decode().partition(MARK)[0]
    path = tmp_path / "context.toml"
    path.write_text('system = "A search"\nattacker = "A clerk"\n', "utf-8")
    assert Declared.read(path, ["attacker=A guest"]) == Declared(system="A search", attacker="A guest")
    with pytest.raises(InvalidSpec, match="'attacker'"):
        Declared.read(None, ["atacker=A guest"])
    path.write_text(f"system = {'[' * 2000}")
    with pytest.raises(InvalidSpec, match=r"context\.toml must be TOML"):
        Declared.read(path, [])


@pytest.mark.parametrize(("written", "nearest"), [("0,1", "0.1"), ("5 %", "0.05"), ("10", "0.1"), ("few", "0.1")])
def test_a_tolerable_leak_of_another_form_is_refused_with_what_would_do(written: str, nearest: str) -> None:
    with pytest.raises(InvalidSpec, match="is a share above 0") as refused:
        Declared.read(None, [f"tolerable={written}"])
    assert f"'{nearest}' would do" in str(refused.value)
    assert Declared.read(None, [f"tolerable={nearest}"]).tolerable == float(nearest)


def test_results_of_every_attack_can_be_reported_and_each_sentence_follows_from_its_interval() -> None:
    first = {entry.experiment.attack.part_name(): entry.name for entry in reversed(catalog.entries())}
    names, store = sorted(first.values()), Store()
    for some in (names[start : start + MOST] for start in range(0, len(names), MOST)):
        evidence = build(some, store)
        assert len(rendered(evidence, ".html")) < 1_000_000
        for result in evidence["results"]:
            assert result["standards"], result["attack"]
            stored = Result.load(store, result["key"])
            assert stored is not None
            played = any("_model_free" in name for name in stored.estimates)
            assert [figure["alone"] is not None for figure in result["headline"]] == [played] * len(result["headline"])
            for figure in result["headline"]:
                judged = figure["judged"]
                side = "against" if judged["low"] > judged["chance"] else "neither"
                (sentence,) = _about(evidence["evidence"][side], f"{result['key']}): {figure['label']} is ")
                assert (f"{figure['low']:.3f}" in sentence) or figure["low"] == figure["high"]
                assert figure["by_lead"] is any("lead of" in line for line in result["power"])
                if played:
                    assert figure["alone"]["value"] == stored.estimates[figure["alone"]["name"]].value
        assert not evidence["evidence"]["for"]  # no tolerable leak is declared


def test_a_result_with_any_figure_above_chance_is_no_evidence_for_release() -> None:
    leaky = ["figure_4_cbow", "canaries_area_code", "translations_one_pass", "demo_relaxed_inversion"]
    evidence = build(leaky, Store(), Declared(tolerable=0.99))
    assert not evidence["evidence"]["for"]
    for result in evidence["results"]:
        assert _about(evidence["evidence"]["neither"], f"{result['key']}): {result['headline'][-1]['label']} is ")
    assert _about(evidence["evidence"]["neither"], "most of all exposure")


def test_decisions_whose_scores_lie_above_chance_by_their_own_interval_are_no_evidence_for_release() -> None:
    evidence = build(["messages_epsilon_8"], Store(), Declared(tolerable=0.3))
    (result,), by_side = evidence["results"], evidence["evidence"]
    (figure,) = result["headline"]
    assert result["above"]["count"] == 0 and figure["area"]["name"] == "auc_1" and not by_side["for"]
    assert by_side["neither"][0].endswith(
        "but its AUC, 0.547 [0.506, 0.587], lies above chance, 0.500, by its own interval."
    )
    assert _about(by_side["neither"], "by their own intervals, 2 of 13 figures lie above chance, but none after")
    assert "[0.506, 0.587]" in evidence["finding"][1]
    but = "No figure speaks against release. But some lie above chance by their own intervals: see “Neither”."
    assert but in rendered(evidence, ".html").decode()
    assert sentences.nobody("for", [result]) == "No figure speaks for release."
    hidden = {**result, "headline": [{**figure, "area": None}], "above": {**result["above"], "uncorrected": []}}
    by_side = sentences.evidence([hidden], [], 0.3)
    assert by_side["neither"] == [] and _about(by_side["for"], "It is a mean")
    assert sentences.nobody("against", [hidden]) == "No figure speaks against release."
    untold = sentences.nobody("against", [hidden, {**result, "conclusive": False}])
    assert untold == "From 1 of 2 results nothing can be concluded; no figure of the others speaks against release."


@pytest.mark.parametrize(("tolerable", "side"), [(0.1, "for"), (0.05, "neither"), (None, "neither")])
def test_only_what_lies_below_a_declared_leak_is_evidence_for_release(tolerable: float | None, side: str) -> None:
    evidence = build([HIDDEN], Store(), Declared.read(None, [f"tolerable={tolerable}"] if tolerable else []))
    (figure,), (row,) = evidence["results"][0]["headline"], evidence["defenses"]
    assert row["change"]["high"] < 0
    assert 0.525 < figure["high"] < 0.55
    (about_figure,) = _about(evidence["evidence"][side], "accuracy is ")
    assert f"up to {figure['high']:.3f} is not excluded" in about_figure
    assert _about(evidence["evidence"][side], "The defense lowers it")


@pytest.mark.parametrize("name", ["figure_5_cbow_50_unaware", "5d98bdeed4cb1b16"])
def test_a_defense_that_nobody_adapts_to_or_that_leaves_a_leak_is_no_evidence_for_release(name: str) -> None:
    evidence = build([name], Store(), Declared(tolerable=0.99))
    lowered = [row for row in evidence["defenses"] if row["change"] and row["change"]["high"] < 0]
    assert len(_about(evidence["evidence"]["neither"], "The defense lowers it")) == len(lowered) > 0
    assert not _about(evidence["evidence"]["for"], "The defense")


@pytest.mark.parametrize(
    ("change", "conclusive", "side", "says"),
    [
        ((0.032, 0.0078, 0.057), None, "against", "The defense raises it"),
        ((0.032, 0.0078, 0.057), False, "neither", "The defense raises it"),
        ((0.032, -0.0078, 0.057), None, "neither", "does not exclude that the defense changes nothing"),
        ((-0.032, -0.057, -0.0078), None, "neither", "The defense lowers it, and what remains lies above chance"),
    ],
)
def test_a_defense_behind_which_more_is_read_is_evidence_against_release(
    change: tuple[float, float, float], conclusive: bool | None, side: str, says: str
) -> None:
    described = build([DEFENDED], Store())
    result = {**described["results"][0], "conclusive": conclusive}
    judged = {"value": 0.6, "low": 0.55, "high": 0.65, "chance": 0.5}
    result["headline"] = [{**figure, **judged, "judged": judged, "by_lead": False} for figure in result["headline"]]
    row = {**described["defenses"][0], "change": dict(zip(("value", "low", "high"), change, strict=True))}
    by_side = sentences.evidence([{**result, "unchecked": True}], [row], None)
    assert len(_about(by_side[side], says)) == 1, by_side


def test_a_figure_of_an_adversary_that_learns_from_fewer_texts_is_not_put_down_to_the_defense() -> None:
    described = build([DEFENDED], Store())
    lower = {"value": -0.032, "low": -0.057, "high": -0.0078}
    for keeps_back in (True, False):
        row = {**described["defenses"][0], "change": lower, "keeps_back": keeps_back}
        by_side = sentences.evidence([{**described["results"][0], "unchecked": True}], [row], None)
        said = [sentence for side in by_side.values() for sentence in side]
        assert any("learns from fewer texts, as it keeps some back" in line for line in said) == keeps_back
        assert any("The defense lowers it" in line for line in said) != keeps_back


def test_every_game_names_what_it_tests() -> None:
    for game in parts("game"):
        assert game.standards, f"{game.part_name()} must declare its `standards`, see core/games/standards.py."  # type: ignore[attr-defined]


@pytest.mark.parametrize("texts", [False, True], ids=["withheld", "asked for"])
def test_what_a_user_typed_or_brought_enters_only_when_asked(texts: bool, store: Store) -> None:
    experiment = Experiment.parse(
        {
            "attack": {"part": "keyword_inference", "keywords": [PRIVATE, "harbour"]},
            "dataset": {"part": "documents", "source": f"/home/{PRIVATE}.csv"},
            "model": "encoder",
        }
    )
    estimates = {"accuracy": estimate(0.8, 0.5), f"accuracy_{PRIVATE}": estimate(0.9, 0.5)}
    rows = [_inferred(PRIVATE), _inferred("harbour")]
    embedding_result(experiment, estimates, {"inferred": rows}).save(store, "f" * 16)
    evidence = build(["f" * 16], store, texts=texts)
    for suffix in FORMATS:
        assert (PRIVATE in rendered(evidence, suffix).decode()) is texts
    assert evidence["results"][0]["subgroups_of"] == 2
    if not texts:
        with pytest.raises(InvalidSpec, match="--texts"):
            verification.replay(evidence, "f" * 16, RunContext(store=store))


@pytest.mark.parametrize(
    ("values", "private"),
    [
        ({"attack": {"part": "keyword_inference", "keywords": [f"bert@{PRIVATE}"]}}, True),
        ({"attack": {"part": "keyword_inference", "keywords": ["minilm"]}}, True),
        ({"attack": {"part": "encoder_fingerprint", "candidates": ["@last", "minilm@mean"]}}, False),
        ({"attack": {"part": "encoder_fingerprint", "candidates": [f"/home/{PRIVATE}@mean"]}}, True),
        ({"attack": {"part": "few_shot_inversion", "local": "small_gpt2"}}, False),
        ({"attack": {"part": "few_shot_inversion", "local": f"bert@/{PRIVATE}"}}, True),
    ],
)
def test_only_a_field_that_names_encoders_may_hold_their_names(values: dict[str, Any], private: bool) -> None:
    experiment = Experiment.parse({"dataset": "mtsamples", "model": {"part": "encoder", "source": "minilm"}, **values})
    assert is_private(experiment) is private
    assert (PRIVATE in json.dumps(public(experiment))) is False


def _inferred(secret: str) -> dict[str, Any]:
    names = {"variant": "keyword_inference", "adversary": "adaptive", "secret": secret}
    return {**names, "victims": 50, "chance": 0.5, "accuracy": 0.9, "low": 0.8, "high": 0.95}


@pytest.mark.parametrize("changed", [False, True])
def test_a_replay_tells_a_result_of_another_version_from_another_result(
    changed: bool, evidence: dict[str, Any], store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(experiment: Experiment, context: RunContext) -> tuple[Result, bool]:
        result = Result.load(Store(), experiment.key)
        assert result is not None
        estimates = {**result.estimates}
        if changed:
            estimates["auc"] = estimates["auc"].model_copy(update={"low": 0.123})
        result = Result({**result.experiment, "seed": 1.0}, estimates, result.provenance, result.tables)
        result.save(context.store, experiment.key)
        return result, False

    monkeypatch.setattr(verification, "run", again)
    page = tmp_path / "report.html"
    page.write_bytes(rendered(evidence, ".html"))
    agrees, line = verification.replay(evidence, "353bb3c639e6727b", RunContext(store=store))
    assert agrees is not changed
    assert ("parameters that were added since" in line) is not changed
    command = ["report", "verify", str(page), "--replay", "353bb3c639e6727b"]
    assert command_line.main(command) == (1 if changed else 0)


@pytest.mark.parametrize("same", [True, False])
def test_a_replay_compares_every_byte_of_the_result(
    same: bool, evidence: dict[str, Any], store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(experiment: Experiment, context: RunContext) -> tuple[Result, bool]:
        result = Result.load(Store(), experiment.key)
        assert result is not None
        if not same:
            result.estimates.pop("auc")
        result.save(context.store, experiment.key)
        return result, False

    monkeypatch.setattr(verification, "run", again)
    agrees, line = verification.replay(evidence, "353bb3c639e6727b", RunContext(store=store))
    assert agrees is same
    assert same or "result.json, its estimates by at most 0." in line
    page = tmp_path / "report.html"
    page.write_bytes(rendered(evidence, ".html"))
    assert command_line.main(["report", "verify", str(page), "--replay", "353bb3c639e6727b"]) == (0 if same else 1)
    with pytest.raises(UnknownPart, match="353bb3c639e6727b"):
        verification.replay(evidence, "f01a8b9cfb8e1c91", RunContext(store=store))


def test_a_report_of_a_version_that_wrote_tables_otherwise_is_still_verified(
    evidence: dict[str, Any], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "353bb3c639e6727b"
    before = {
        f"{name}.parquet": hashlib.sha256(as_written_before(each)).hexdigest()
        for name, each in _stored(key).tables.items()
    }

    def with_digests(digests: dict[str, str]) -> dict[str, Any]:
        return evidence | {
            "results": [
                result | ({"digests": result["digests"] | digests} if result["key"] == key else {})
                for result in evidence["results"]
            ]
        }

    former = with_digests(before)
    assert former != evidence
    of_former, of_this = (verification.verify(rendered(each, ".json"), Store()).lines for each in (former, evidence))
    assert of_former[1:] == of_this[1:], "but for the seal"

    def again(experiment: Experiment, context: RunContext) -> tuple[Result, bool]:
        result = _stored(experiment.key)
        result.save(context.store, experiment.key)
        return result, False

    monkeypatch.setattr(verification, "run", again)
    agrees, line = verification.replay(former, key, RunContext(store=store))
    assert agrees, line
    damaged = verification.verify(rendered(with_digests({"scores.parquet": "0" * 64}), ".json"), Store())
    assert not damaged.intact and f"{key} is stored here with other bytes in scores.parquet." in " ".join(damaged.lines)


def _stored(key: str) -> Result:
    result = Result.load(Store(), key)
    assert result is not None
    return result


def _about(sentences: list[str], part: str) -> list[str]:
    return [sentence for sentence in sentences if part in sentence]
