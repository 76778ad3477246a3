"""The plan of a classifier's audit counts the documents that its shadow classifiers can be trained on."""

from pathlib import Path

import pytest

from core.audits import classifier_plan, model_plan
from core.datasets.marked_documents import ReadMarkedDocuments
from core.experiment import Experiment
from core.sources import classifiers
from core.text.marked import MarkedDocuments

PROFILE = model_plan.PROFILES["thorough"]


def audit_of(file: str | Path) -> Experiment:
    return model_plan.experiment("classifier", {"source": str(file)}, {"source": "notes.csv"}, PROFILE)


def marked(inside: int, outside: int) -> MarkedDocuments:
    count = inside + outside
    return MarkedDocuments(
        texts=tuple(f"note {number}" for number in range(count)),
        labels=("a", "b") * (count // 2),
        members=("in",) * inside + ("out",) * outside,
    )


def minutes(inside: int, outside: int) -> float:
    return classifier_plan.expected(audit_of("model.skops"), marked(inside, outside), PROFILE).minutes


def test_shadow_classifiers_train_on_no_more_than_the_adversary_has() -> None:
    assert minutes(5_000, 5_000) == minutes(5_000, 20_000), "as many as the model"
    assert minutes(5_000, 100) < 0.7 * minutes(5_000, 5_000), "half of those in, and few others"


def test_what_was_read_is_named_with_its_size_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifiers, "check", lambda _: None)
    for name, size, inside, outside in (("mine.skops", 7, 2, 4), ("other.skops", 1_234, 30, 10)):
        (file := tmp_path / name).write_bytes(bytes(size))
        reading = ReadMarkedDocuments(marked(inside, outside), inside + outside, 0, 0, 0)
        model, documents, _ = classifier_plan.described(audit_of(file), reading)
        assert model.startswith(f"{name}: a classifier, {size:,} bytes.")
        assert f"{inside} in, {outside} out" in documents
