"""The audit of a vector store: what it runs, and that its sentences follow from the figures."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import catalog
from core.__main__ import main
from core.audits import plan, profiles
from core.audits.plan import FRONTIER, Step
from core.audits.verdict import verdict
from core.commands import conclusion
from core.datasets.embeddings import Embeddings
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders.records import DEFAULT
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.models.encoder import Encoder
from core.report.condition import Condition
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.folders import home
from core.runtime.store import Store
from core.statistics.wording import percent
from tests.audits.verdict_figures import SMALL, estimate, figures
from tests.dashboard.samples import PROVENANCE
from tests.encoders.tiny import tiny
from tests.errands import contents
from tests.games.inversion.small_games import MIXED
from tests.stand_ins import Sentences

SEARCHING = replace(SMALL, search={"made_up": 20, "written": 2, "rounds": 1, "asked": 2}, searched=10)
TEXTS = Sentences(count=160, share=0, words=MIXED).load().texts
LATER = ("sun with tea under the old roof", "seven red boats turned back at noon")


def test_texts_and_a_store_are_asked_the_same() -> None:
    profile = replace(SEARCHING, quick=False)
    plans = [
        plan.steps(dataset, Encoder(length="unit"), profile, DEFAULT, ["pizza"])
        for dataset in (WikipediaExcerpt(), Embeddings(source="x"))
    ]
    texts, store = (
        [(step.title, step.experiment.attack, step.experiment.game, step.experiment.defenses) for step in steps]
        for steps in plans
    )
    assert texts == store
    assert len(store) == 4 + 13


def test_whole_texts_owners_and_keywords_are_asked_and_said() -> None:
    store = Embeddings(source="x", owner_column="author", label_column="class")
    steps = plan.steps(store, Encoder(length="unit"), SEARCHING, DEFAULT, ["pizza", "tea", "rum"])
    by_name = {step.name: step for step in steps if step.name != FRONTIER}
    assert list(by_name) == ["words", "pairs", "suspects", "texts", "owner", "label"]
    assert [step.experiment.game.as_dict()["keywords"] for step in (by_name["words"], steps[-1])] == [
        ["pizza", "tea", "rum"]
    ] * 2
    titles = {step.title for step in plan.steps(store, None, replace(SMALL, quick=False), DEFAULT)}
    assert "secret order of the coordinates" in titles
    assert not any("Laplace" in title for title in titles), "its set-up embeds texts, which takes the encoder"
    conclusion = verdict(
        [
            (
                by_name["words"],
                figures(
                    0.5,
                    0.4,
                    recall_numbers=estimate(0.3, 0.1, 0, 9),
                    recall_numbers_5_6=estimate(0.1, 0, 0, 4),
                    recall_keyword_1=estimate(0.8, 0.7, 0.1, 5),
                    recall_keyword_2=estimate(0.9, 0.85, 0.9, 1),
                ),
            ),
            (
                by_name["texts"],
                figures(0.6, 0.5, exact_match=estimate(0.04, 0.02, 0.0), bleu=estimate(0.31, 0.3, 0.05)),
            ),
            (by_name["owner"], {"accuracy": estimate(0.6, 0.5, 0.5, 40)}),
            (
                steps[-1],
                figures(
                    0.4,
                    0.3,
                    retrieval_recall_at_10=estimate(0.9, 0.8, 0.1),
                    retrieval_ndcg_at_10=estimate(0.8, 0.7, 0.1),
                ),
            ),
        ]
    )
    lines = "\n".join(conclusion.findings)
    assert (
        "reads 4% (2–9%) of 100 whole texts word for word, chance (the text read from another vector) 0%; BLEU" in lines
    )
    assert "BLEU 0.31 (0.30–0.36), chance 0.05." in lines
    assert "names the right owner of those with the most texts for 60% (50–65%) of 40 vectors, not shown to be" in lines
    counted = verdict([(by_name["owner"], {"accuracy": estimate(0.6, 0.5, 0.5, 40)})], {"owner": 8}).findings
    assert "names the right one of 8 owners for 60% (50–65%)" in counted[0]
    assert "to be above chance (the most frequent owner), 50%." in lines
    assert "10% (0–15%) of the 4 of 5 or 6 digits, not shown to be above chance (the most frequent words), 0%." in lines
    assert "Your keyword “pizza”: it is named for 80% (70–85%) of the 5 texts that have it, above chance" in lines
    assert "Your keyword “tea”: it is named for 90% (85–95%) of the one text that has it, not shown to be" in lines
    assert "Your keyword “rum”: none of the texts that were read has it" in lines
    assert "with an nDCG of 0.80 (0.70–0.85)" in lines
    assert not any(line.startswith("Words are named, not their order") for line in conclusion.limits)


def test_who_does_not_know_the_encoder_has_pairs_only() -> None:
    steps = plan.steps(Embeddings(source="x"), None, SMALL, DEFAULT)
    assert [step.name for step in steps[:3]] == ["pairs", "words", "frontier"]
    assert {step.experiment.model.part_name() for step in steps} == {"unknown_encoder"}
    assert steps[1].experiment.attack.as_dict()["texts"] == SMALL.pairs
    apart = plan.steps(Embeddings(source="x", texts="y"), None, SMALL, DEFAULT)
    conclusion = verdict([(apart[0], figures(0.2, 0.1))])
    assert "this is no all-clear" in conclusion.headline and "not checked" in conclusion.limits[0]
    moved = verdict([(apart[0], figures(0.4, 0.3)), (apart[1], figures(0.2, 0.1))])
    assert "not checked" in moved.limits[0], "texts moved by a row are read a little, too"
    known = plan.steps(Embeddings(source="x", texts="y"), Encoder(length="unit"), SMALL, DEFAULT)
    (pairs,) = (step for step in known if step.name == "pairs")
    partial = verdict([(pairs, figures(0.2, 0.1))])
    assert not any("unknown" in line for line in partial.lines), "what knows the encoder is yet to come"
    read = verdict([(steps[0], figures(0.2, 0.1)), (steps[1], figures(0.2, 0.1))])
    assert not any("not checked" in line for line in read.lines), "each text lies beside its vector"
    assert not any("not tried, because" in line for line in read.limits), "nothing was asked for"
    for columns, says in (
        ({"owner_column": "who"}, "Owners"),
        ({"label_column": "what"}, "Classes"),
        ({"owner_column": "who", "label_column": "what"}, "Owners and classes"),
    ):
        unknown, known = (
            verdict([(plan.steps(Embeddings(source="x", **columns), encoder, SMALL, DEFAULT)[0], figures(0.4, 0.3))])
            for encoder in (None, Encoder(length="unit"))
        )
        assert f"{says}: not tried, because the encoder is unknown." in unknown.limits
        assert not any("not tried, because" in line for line in known.limits)
    assert plan.own_encoder("minilm") == DEFAULT != plan.own_encoder(DEFAULT)


def embeddings() -> int:
    """Return how many embeddings this home keeps."""
    count = 0
    for path in (home() / "embeddings").glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as database:
            count += database.execute("SELECT count(*) FROM embeddings").fetchone()[0]
    return count


def test_stored_vectors_are_attacked_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tiny(tmp_path / "encoder"))
    np.save(tmp_path / "x.npy", Encoder(source=folder).encode(TEXTS, RunContext(store=Store())))
    owned = [f"{text},{'anna' if row % 2 else 'bert'}" for row, text in enumerate((*TEXTS, *LATER))]
    (tmp_path / "x.csv").write_text("\n".join(["text,who", *owned[: len(TEXTS)]]))
    (tmp_path / "queries.csv").write_text("\n".join(["text", *LATER]))
    catalog.entries()  # they are worked out once, and keep profiles and formats
    monkeypatch.setitem(profiles.PROFILES, "smoke", SEARCHING)
    monkeypatch.setattr(plan, "own_encoder", lambda _: folder)
    formats = [each for each in plan._FORMATS if each[0] in ("binary", "secret rotation")]
    monkeypatch.setattr(plan, "_FORMATS", formats)
    arguments = ["audit", "vectors", str(tmp_path / "x.npy"), "--profile", "smoke", "--json"]
    assert main(arguments) == 1
    assert "name them by --texts" in capsys.readouterr().err
    texts = ["--texts", str(tmp_path / "x.csv"), "--encoder", folder, "--keywords", f"{MIXED[0]}, zebra"]
    arguments += [*texts, "--queries", str(tmp_path / "queries.csv"), "--set", "owner_column=who"]
    assert main([*arguments, "--fail-if", "auk.low > 0.5"]) == 1
    assert "no estimate 'auk'" in capsys.readouterr().err
    assert main([*arguments, "--fail-if", "accuracy.low > 0.5", "--fail-if", "exact_match.value > 2"]) == 3
    output, message = capsys.readouterr()
    assert "suspects some texts: accuracy.low is" in message, "which attack it holds of"
    assert message.startswith(
        "Profile smoke: up to 20 vectors, at most half of the store, are read by an adversary with"
    )
    assert "Reading Your own vectors" not in message, (
        "seven attacks, and the store is read once, by the checks before them"
    )
    report = json.loads(output)
    names = ["words", "pairs", "suspects", "texts", "owner", "frontier", "frontier"]
    assert [attack["name"] for attack in report["attacks"]] == names
    assert [attack["estimates"]["retrieval_recall_at_10"]["value"] for attack in report["attacks"][5:]] == [
        pytest.approx(0.5, abs=0.49),
        1,
    ]
    assert {attack["experiment"]["dataset"]["part"] for attack in report["attacks"]} == {"embeddings"}
    words, suspects = report["attacks"][0]["estimates"], report["attacks"][2]["estimates"]
    assert suspects["accuracy"]["value"] > 0.9, "the vectors are those of the encoder, and the very texts are suspected"
    assert (words["retrieval_recall_at_10"]["value"], words["retrieval_ndcg_at_10"]["value"]) == (1, 1)
    assert "your queries" in words["retrieval_ndcg_at_10"]["help"]
    assert {"exact_match", "bleu"} <= set(report["attacks"][3]["estimates"])
    assert any(line.startswith(f"Your keyword “{MIXED[0]}”: it is named for") for line in report["said"])
    assert any(line.startswith("Your keyword “zebra”: none of the texts") for line in report["said"])
    assert any(f"F1 {percent(words['f1']['value'])}" in line for line in report["said"])
    keys = [attack["key"] for attack in report["attacks"]]
    *_, evidence, page = report["said"]
    assert evidence == f"The evidence as one page: python -m core report {' '.join(keys)} -o report.html"
    assert report["keys"] == keys, "a pipeline hands them to the report"
    assert "/runs lists the attacks" in page
    assert any("names the right one of 2 owners for" in line for line in report["said"])
    assert main(["report", *keys, "-o", str(tmp_path / "report.json")]) == 0
    evidence = json.loads((tmp_path / "report.json").read_text())["report"]
    results = {result["key"]: result for result in evidence["results"]}
    capsys.readouterr()
    assert "Here both are the same encoder, as it happens" in results[keys[1]]["threat"]
    assert "encoder is not asked" in results[keys[1]]["queries"]["help"]
    assert "asked the encoder to embed" in results[keys[0]]["queries"]["help"], "who may query it, does"
    binary, rotated = evidence["defenses"]
    assert "not its key" in rotated["adversary"] and "not its key" not in binary["adversary"]
    assert binary["utility"]["value"] == pytest.approx(-0.5, abs=0.49) and "search" in binary["utility_of"]
    assert "Plays on documents, not on stored vectors (Your own vectors)." in [
        row["why"] for row in evidence["not_run"]
    ]
    assert report["grown_from"] == 0
    assert sum(attack["provenance"]["trainings"] for attack in report["attacks"]) > 0
    embedded = embeddings()
    np.save(tmp_path / "x.npy", Encoder(source=folder).encode([*TEXTS, *LATER], RunContext(store=Store(tmp_path))))
    (tmp_path / "x.csv").write_text("\n".join(["text,who", *owned]))
    assert main(arguments) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["grown_from"] == 160
    assert any(line.startswith("Grown from 160 to 162 rows since an earlier audit") for line in again["said"])
    assert {attack["key"] for attack in again["attacks"]}.isdisjoint(keys), "the store is another one"
    assert [attack["provenance"]["trainings"] for attack in again["attacks"]] == [0] * 7
    read = {len(attack["experiment"]["game"].get("keywords", ())) for attack in again["attacks"]}
    assert read == {0, 2}
    assert embeddings() <= embedded + 2 * (2 + 2), "only the whole texts of new vectors are searched for"
    for number in (0, 3):
        experiment = Experiment.parse(again["attacks"][number]["experiment"])
        run(experiment, RunContext(store=Store(tmp_path / "elsewhere")))
        first, second = (contents(store, experiment.key) for store in (Store(), Store(tmp_path / "elsewhere")))
        assert first == second, "as if it were the first"
    assert main(["audit", "vectors", "x.npy", "--profile", "smok"]) == 1
    assert "Did you mean 'smoke'" in capsys.readouterr().err


def test_conditions_ask_the_attacks_on_the_store_and_not_what_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "vectors", "x.npy", "--fail-if", "f1.low > 0.3"]) == 1
    assert "Add --profile, such as --profile smoke" in capsys.readouterr().err
    steps = plan.steps(Embeddings(source="x"), Encoder(length="unit"), SMALL, DEFAULT)
    words, behind = steps[0], steps[-2]
    together, apart = (
        plan.steps(Embeddings(source="x", texts=texts), None, SMALL, DEFAULT)[0] for texts in ("", "texts.csv")
    )

    def status(condition: str, **read: tuple[Step, float]) -> int:
        results = [(step, held(step, f1)) for step, f1 in read.values()]
        return conclusion.failed_any([Condition.parse(condition)], results)

    assert status("f1.low > 0.3", plain=(words, 0.5)) == 3
    assert "knows the encoder and holds texts of the same kind: f1.low is" in capsys.readouterr().err
    assert status("f1.low > 0.3", plain=(words, 0.2), behind=(behind, 0.5)) == 0
    assert "not excluded" not in capsys.readouterr().err
    assert status("f1.low > 0.3", plain=(words, 0.32), behind=(behind, 0.32)) == 0
    message = capsys.readouterr().err
    assert "holds texts of the same kind: f1.low > 0.3 does not hold, but the interval holds its bound" in message
    assert message.count("not excluded") == 1
    for read in (0.1, 0.2):
        assert status("f1.low > 0.3", plain=(apart, read)) == 4, "texts moved by a row are read a little, too"
        assert "No condition is decided" in capsys.readouterr().err
        assert status("f1.low > 0.3", plain=(together, read)) == 0, "each text lies beside its vector"
    assert status("f1.low > 0.3", plain=(apart, 0.1), behind=(replace(apart, name=FRONTIER), 0.2)) == 4
    assert status("f1.low > 0.1", plain=(apart, 0.2)) == 3
    with pytest.raises(InvalidSpec, match="no estimate 'f2'"):
        status("f2.low > 0.3", plain=(words, 0.2))


def held(step: Step, f1: float) -> Result:
    return Result(step.experiment.as_dict(), {"f1": estimate(f1, f1 - 0.05, 0.1)}, PROVENANCE)


def test_labels_are_said_to_take_longer() -> None:
    plain, labelled = (profiles.PROFILES["smoke"].announced(labelled=labelled) for labelled in (False, True))
    assert "with labels" in labelled and "with labels" not in plain
