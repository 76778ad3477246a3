"""Methods of inversion on the same texts: what tells two of one method apart."""

from core import catalog
from core.experiment import Experiment
from dashboard.topics.inversion import same_texts


def promised(name: str) -> Experiment:
    (entry,) = (entry for entry in catalog.entries() if entry.name == name)
    return entry.experiment


def test_two_ways_of_one_method_stand_beside_each_other_by_name() -> None:
    linear, plain = promised("inversion_multiset_lstm"), promised("inversion_multiset_lstm_plain")
    assert [same_texts.name(each) for each in (linear, plain)] == [
        "word by word",
        "word by word (from the frequencies)",
    ]
    assert same_texts.variants(linear) == [plain] and same_texts.variants(plain) == [linear]
    assert same_texts.variants(promised("inversion_multilabel_lstm")) == []
