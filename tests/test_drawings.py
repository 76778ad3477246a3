"""Drawings: drawn from what a run kept, once, as they always were; damaged ones are drawn again."""

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import __main__ as command_line
from core import catalog, drawings
from core.adversaries.pairs import word_map
from core.adversaries.pairs.adversaries import PairAdversary
from core.adversaries.pairs.plan import Plan
from core.adversaries.pairs.sparse_linear import SparseLinear
from core.attacks.word_pairs import WordPairs
from core.commands import experiments
from core.commands import shipped as shipped_commands
from core.datasets.documents import Documents
from core.errors import Incompatible, StoreError
from core.experiment import Experiment, run
from core.games.membership.contract import Played
from core.kernels.projection import METHODS
from core.report import verification
from core.report.evidence import build
from core.result import Drawing, Result, Tables, table
from core.runtime.context import Arrays, RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.runtime.table_files import parquet
from tests.errands import tiny

FILE = "word_map.parquet"


@pytest.fixture(scope="module")
def ran(planted: Documents, shared_store: Store) -> Experiment:
    """An experiment whose result is in the shared store, and what its drawing is drawn from."""
    experiment = Experiment.parse(tiny(planted.source))
    run(experiment, RunContext(store=shared_store, engine=Engine(workers=1)))
    return experiment


@pytest.fixture
def undrawn(ran: Experiment, shared_store: Store) -> Iterator[RunContext]:
    """A context with the result and with what was kept, but without the drawing."""
    of, key = place(ran)
    kept, files = shared_store.get_arrays(of, key), shared_store.get_files(of)
    assert kept is not None and files is not None
    yield RunContext(store=shared_store)
    shared_store.delete(of)
    shared_store.put_arrays(of, key, kept)
    shared_store.put_files(of, files)


def place(experiment: Experiment) -> tuple[str, str]:
    """Return the keys of a result and of its drawing."""
    of = experiment.key
    return of, experiment.drawings["word_map"].key("word_map", of)


def drawn(store: Store, experiment: Experiment) -> dict[str, bytes]:
    files = store.get_drawing(*place(experiment))
    assert files is not None
    return files


def test_a_drawing_is_no_part_of_a_result_and_comes_out_the_same_each_time(
    ran: Experiment, undrawn: RunContext
) -> None:
    store, of = undrawn.store, ran.key
    before = store.get_files(of)
    assert drawings.missing(store, ran) == ["word_map"]
    assert drawings.load(store, of, "word_map", ran.drawings["word_map"]) is None
    drawings.draw(ran, undrawn)
    assert drawings.missing(store, ran) == []
    maps, first = drawings.load(store, of, "word_map", ran.drawings["word_map"]), drawn(store, ran)
    assert maps is not None and set(maps["method"]) == {"pca", "umap"}
    assert maps.equals(table(word_map.SCHEMA, maps.to_dict("list")))
    assert before is not None and FILE not in before and store.get_files(of) == before, "the result is as it was"
    drawings.draw(ran, RunContext(store=store, progress=_Refusing()))
    (store.drawing_folders(*place(ran))[1] / FILE).unlink()
    drawings.draw(ran, undrawn)
    assert drawn(store, ran) == first


class _Refusing(Progress):
    """Fails where anything is computed."""

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        raise AssertionError(name)


def test_maps_are_those_of_the_whole_vocabulary_target_by_target() -> None:
    """What is kept is a part of the vectors; laid out from the whole of them, the points are the same to the byte."""
    rng = np.random.default_rng(0)
    words = tuple(f"word{number:02}" for number in range(60))
    left, right = (rng.permutation(40)[:20] for _ in range(2))
    plan = Plan(
        words=words,
        left=left,
        right=right,
        occurrences=np.ones(20, np.int64),
        starts=np.array([0, 12, 12, 20]),
        anchors=np.arange(40, 60),
        everywhere=np.arange(0),
        within=(),
        dimension=6,
    )
    weights = [np.array([0, 3, 5, 7, 11]), np.arange(0), np.array([1, 2])]
    functions = [SparseLinear(features, *[np.ones(len(features))] * 3, 0.0) for features in weights]
    vectors = {item: rng.normal(size=(60, 6)).astype(np.float32) for item in (0, 1, 4)}
    vectors[1][left[3]] = np.nan  # a model that does not know a word
    models = [(1, 0), (4, 0), (0, 1)]
    for distance in ("l2", "scaled"):
        answer = PairAdversary(plan, functions, "word_pairs", 5, distance=distance)  # type: ignore[arg-type]
        rows: list[dict[str, Any]] = []
        for target, (without, within) in enumerate(models):
            chosen = np.unique([end[pair] for pair in answer.pairs(target) for end in (left, right)]).astype(int)
            sides = [vectors[item] for item in (without, within)]
            if distance == "scaled":
                sides = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides]
            for method in METHODS:
                of_words, of_anchors = ([side[index] for side in sides] for index in (chosen, plan.anchors))
                for member, points in enumerate(word_map.word_map(*of_words, *of_anchors, method, 9)):
                    rows += [
                        {
                            "target": target,
                            "member": bool(member),
                            "method": method,
                            "word": words[word],
                            "x": x,
                            "y": y,
                        }
                        for word, (x, y) in zip(chosen, points, strict=True)
                    ]
        kept = word_map.kept(answer, models, vectors, 9)
        assert parquet(word_map.draw(kept, Progress())) == parquet(table(word_map.SCHEMA, rows)), distance


def test_two_that_ask_at_once_draw_once(ran: Experiment, undrawn: RunContext, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, count = threading.Event(), threading.Event(), [0]

    def slow(kept: Arrays, progress: Progress) -> pd.DataFrame:
        count[0] += 1
        begun.set()
        go_on.wait()
        return table(word_map.SCHEMA, [])

    monkeypatch.setattr(WordPairs, "drawings", {"word_map": Drawing(word_map.SCHEMA, slow)})
    askers = [threading.Thread(target=drawings.draw, args=(ran, RunContext(store=undrawn.store))) for _ in range(2)]
    askers[0].start()
    begun.wait()
    askers[1].start()
    go_on.set()
    for asker in askers:
        asker.join()
    assert count == [1] and drawings.missing(undrawn.store, ran) == []
    assert not list((undrawn.store.root / "claims").glob("*/*"))


def test_a_damaged_drawing_is_set_aside_and_drawn_again_and_what_was_not_kept_stays_missing(
    ran: Experiment, undrawn: RunContext
) -> None:
    store = undrawn.store
    drawings.draw(ran, undrawn)
    whole, path = drawn(store, ran), store.drawing_folders(*place(ran))[1] / FILE
    before = len(list((store.root / "damaged").glob("*/*")))
    path.write_bytes(path.read_bytes()[:-1])
    assert drawings.load(store, ran.key, "word_map", ran.drawings["word_map"]) is None
    assert len(list((store.root / "damaged").glob("*/*"))) == before + 1
    drawings.draw(ran, undrawn)
    assert drawn(store, ran) == whole
    path.write_bytes(b"")
    of, key = place(ran)
    (store.root / "parts" / of / f"{key}.npz").write_bytes(bytes(64))
    drawings.draw(ran, undrawn)
    assert drawings.missing(store, ran) == ["word_map"] and not store.has_arrays(of, key)


def test_a_drawing_of_another_version_has_another_key_and_an_unreadable_one_is_named(store: Store) -> None:
    drawing = WordPairs.drawings["word_map"]
    key = drawing.key("word_map", "a")
    others = replace(drawing, version=2).key("word_map", "a"), drawing.key("map", "a"), drawing.key("word_map", "b")
    assert len({key, *others}) == 4
    store.put_drawing("a", key, {"another.parquet": b""})
    with pytest.raises(StoreError, match=f"The drawing {key} is intact but cannot be read"):
        drawings.load(store, "a", "word_map", drawing)


def test_a_drawing_goes_with_its_result_and_what_was_kept_for_it(ran: Experiment, undrawn: RunContext) -> None:
    store, (of, key) = undrawn.store, place(ran)
    drawings.draw(ran, undrawn)
    store.delete(of)
    assert store.get_drawing(of, key) is None and not store.has_arrays(of, key)
    assert not (store.root / "drawings" / of).exists()


def test_a_result_is_shipped_with_its_drawing(ran: Experiment, undrawn: RunContext, tmp_path: Path) -> None:
    drawings.draw(ran, undrawn)
    shipping = replace(undrawn.store, shipped=tmp_path / "shipped")
    shipping.ship(ran.key)
    elsewhere = Store(root=tmp_path / "elsewhere", shipped=shipping.shipped)
    assert drawn(elsewhere, ran) == drawn(undrawn.store, ran)
    (shipping.drawing_folders(*place(ran))[0] / FILE).write_bytes(b"damaged")
    assert drawings.missing(elsewhere, ran) == ["word_map"]
    assert (elsewhere.drawing_folders(*place(ran))[0] / FILE).exists(), "what comes with the code stays where it is"


def test_what_ships_has_its_drawings_and_a_lost_one_is_drawn_again(
    ran: Experiment, undrawn: RunContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = replace(undrawn.store, shipped=tmp_path / "shipped")
    for module in (shipped_commands, experiments):
        monkeypatch.setattr(module, "Store", lambda: store)
    entry = catalog.Entry("tiny", "Tiny", "As small as can be.", ran)
    monkeypatch.setattr(catalog, "entries", lambda: (entry,))
    assert command_line.main(["precompute", "--only", "tiny", "--workers", "1"]) == 0
    assert catalog.check(store) == []
    before, shipped = drawn(store, ran), store.drawing_folders(*place(ran))[0]
    store.delete(ran.key)
    shutil.rmtree(shipped)
    shipped.with_name("another").mkdir()
    other = f"precomputed/drawings/{ran.key}/another is not promised by any entry."
    assert catalog.check(store) == ["tiny: its drawing word_map is absent or damaged.", other]
    assert command_line.main(["precompute", "--only", "tiny", "--workers", "1"]) == 0, "run again, as nothing was kept"
    assert catalog.check(store) == [other] and drawn(store, ran) == before


def test_results_of_an_earlier_version_hold_drawings_and_reports_pass_over_them(
    ran: Experiment, undrawn: RunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their page shows what they hold; a report of one agrees with the same result without it, and the other way."""
    store, of = undrawn.store, ran.key
    (now,) = build([of], store)["results"]
    files = store.get_files(of)
    assert files is not None
    former = {**files, FILE: parquet(table(word_map.SCHEMA, []))}
    store.put_files(of, former)
    result = Result.load(store, of)
    assert result is not None and list(result.tables["word_map"]) == list(word_map.SCHEMA)
    (then,) = build([of], store)["results"]
    assert then["digests"] == now["digests"] and FILE not in then["digests"]
    listed = {**now, "digests": {**now["digests"], FILE: "0" * 64}}  # as a report of an earlier version has it
    store.put_files(of, files)
    monkeypatch.setattr(verification, "run", lambda *_: (result, False))
    assert verification.replay({"results": [{**listed, "withheld": False, "experiment": ran.as_dict()}]}, of, undrawn)[
        0
    ]
    assert verification._compared(listed, store).agrees
    changed = {**listed, "digests": {**listed["digests"], "pairs.parquet": "0" * 64}}
    assert not verification._compared(changed, store).agrees
    assert drawings.former_files({"attack": {"part": "nonsense"}, "game": None}) == frozenset()


def test_an_attack_that_keeps_nothing_for_its_drawing_is_named(
    planted: Documents, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    explain = WordPairs.explain

    def forgetful(self: WordPairs, played: Played, context: RunContext) -> Tables:
        tables = explain(self, played, context)
        context.kept.clear()
        return tables

    monkeypatch.setattr(WordPairs, "explain", forgetful)
    with pytest.raises(Incompatible, match=r"word_pairs declares the drawings \['word_map'\] but gave \[\]"):
        run(Experiment.parse(tiny(planted.source)), RunContext(store=store, engine=Engine(workers=1)))
    assert store.results() == []


def test_a_drawing_of_a_result_that_is_deleted_meanwhile_goes_with_it(ran: Experiment, undrawn: RunContext) -> None:
    store, (of, key) = undrawn.store, place(ran)

    class Deleting(Progress):
        def stage(self, name: str, total: int = 0, done: int = 0) -> None:
            store.delete(of)

    drawings.draw(ran, RunContext(store=store, progress=Deleting()))
    assert not store.has_result(of)
    assert not any(folder.exists() for folder in store.drawing_folders(of, key))
