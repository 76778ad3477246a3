"""The plan of a classifier's audit counts the documents that its shadow classifiers can be trained on."""

from core.audits import classifier_plan, model_plan
from core.text.marked import MarkedDocuments


def minutes(inside: int, outside: int) -> float:
    profile = model_plan.PROFILES["thorough"]
    audit = model_plan.experiment("classifier", {"source": "model.skops"}, {"source": "notes.csv"}, profile)
    count = inside + outside
    documents = MarkedDocuments(
        texts=tuple(f"note {number}" for number in range(count)),
        labels=("a", "b") * (count // 2),
        members=("in",) * inside + ("out",) * outside,
    )
    return classifier_plan.expected(audit, documents, profile).minutes


def test_shadow_classifiers_train_on_no_more_than_the_adversary_has() -> None:
    assert minutes(5_000, 5_000) == minutes(5_000, 20_000), "as many as the model"
    assert minutes(5_000, 100) < 0.7 * minutes(5_000, 5_000), "half of those in, and few others"
