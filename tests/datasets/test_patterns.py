"""Texts that follow a public rule: what is drawn can be read back, and never says more than the rule."""

import hashlib
import pickle
from collections import Counter
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.datasets.patterns.citizen_ids import CitizenIds
from core.datasets.patterns.splice import NUCLEOTIDES, Splice
from core.errors import InvalidDocuments
from core.text.contents import Documents, PatternField, Patterns
from tests.datasets.loopback import needs

MONTH = PatternField("month", ("01", "02"), 4, 6)
DAYS = 36_525


def read(patterns: Patterns, text: str) -> dict[str, str]:
    return {segment.name: segment.values[segment.read(text)] for segment in patterns.segments}


def test_a_selection_keeps_everything() -> None:
    documents = Documents(("a", "b", "c"), ("x", "y", "z"), ("k", "", "l"))
    assert documents.select([2, 0]) == Documents(("c", "a"), ("z", "x"), ("l", "k"))
    assert Documents(("a", "b")).select([1]) == Documents(("b",))
    assert documents.select([]) == Documents(())
    patterns = Patterns(("a", "b"), labels=("k", "l"), segments=(MONTH,), generate=lambda count, rng: ("c",) * count)
    chosen = patterns.select([1])
    assert isinstance(chosen, Patterns)
    assert (chosen.texts, chosen.labels, chosen.segments) == (("b",), ("l",), (MONTH,))
    assert chosen.generate(1, np.random.default_rng(1)) == ("c",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Documents(("a", "b"), ("x",)), "1 owners for 2 documents"),
        (lambda: Documents(("a", "b"), labels=("x", "y", "z")), "3 labels for 2 documents"),
        (
            lambda: Patterns((), segments=(MONTH,), whole=("months",), generate=lambda count, rng: ()),
            "no segment is named 'months'. Did you mean 'month'",
        ),
    ],
)
def test_what_does_not_match_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("text", ["1 9 4 5 0 3", "1945", "", "194\u00b20x", "1945\t02"])
def test_a_value_outside_the_rule_is_refused(text: str) -> None:
    with pytest.raises(InvalidDocuments, match=r"The 'month' of a text must be one of 2 values, '01' to '02'\. Got"):
        MONTH.read(text)
    assert MONTH.read("194502") == MONTH.read("1 9 4 5 0 2") == 1


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 40), spaced=st.booleans())
@settings(max_examples=30)
def test_a_drawn_number_has_valid_parts(seed: int, count: int, spaced: bool) -> None:
    dataset = CitizenIds(spaced=spaced)
    patterns = dataset.load()
    drawn = patterns.generate(count, np.random.default_rng(seed))
    assert drawn == patterns.generate(count, np.random.default_rng(seed))
    assert len(drawn) == count
    for text in drawn:
        digits = text.replace(" ", "")
        assert len(digits) == 18
        assert digits.isascii()
        assert digits.isdigit()
        assert text == (" ".join(digits) if spaced else digits)
        assert 11 <= int(digits[:2]) <= 40
        assert 1 <= int(digits[2:4]) <= 10
        assert 1 <= int(digits[4:6]) <= 10
        parts = read(patterns, text)
        born = date(*(int(parts[name]) for name in patterns.whole))
        assert born.isoformat().replace("-", "") == digits[6:14]


def test_every_number_is_equally_likely() -> None:
    drawn = CitizenIds(spaced=False).generate(200_000, np.random.default_rng(1))
    for at, stop, values in ((0, 6, 3_000), (6, 10, 100), (6, 14, DAYS), (14, 18, 10_000)):
        counts = np.array(list(Counter(text[at:stop] for text in drawn).values()))
        assert len(counts) <= values
        expected = len(drawn) / values
        # Chi-squared with values - 1 degrees of freedom, which is close to a normal; cells never drawn count too.
        chi = float(((counts - expected) ** 2).sum() / expected + (values - len(counts)) * expected)
        assert abs(chi - values) < 5 * np.sqrt(2 * values) + 0.01 * values


def test_the_numbers_are_the_same_each_time_and_distinct() -> None:
    dataset = CitizenIds()
    patterns = dataset.load()
    assert patterns == dataset.load() == CitizenIds().load()
    assert patterns.texts[0] == "1 2 0 9 0 4 2 0 0 2 0 8 2 8 6 9 8 1", "raise the version when the numbers change"
    assert len(patterns) == len(set(patterns.texts)) == 1_000
    assert [len(segment.values) for segment in patterns.segments] == [100, 12, 31]
    most = CitizenIds(victims=100_000, spaced=False).load()
    assert len(set(most.texts)) == 100_000
    again = pickle.loads(pickle.dumps(patterns))  # noqa: S301 - what a worker process receives from its own parent
    assert again == patterns
    assert again.generate(3, np.random.default_rng(1)) == patterns.generate(3, np.random.default_rng(1))


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 40), length=st.integers(4, 60), spaced=st.booleans())
@settings(max_examples=30)
def test_a_drawn_sequence_has_the_length_asked_for(seed: int, count: int, length: int, spaced: bool) -> None:
    drawn = Splice(length=length, spaced=spaced).generate(count, np.random.default_rng(seed))
    assert len(drawn) == count
    for text in drawn:
        letters = text.replace(" ", "")
        assert len(letters) == length
        assert set(letters) <= set(NUCLEOTIDES)
        assert text == (" ".join(letters) if spaced else letters)


def test_nucleotides_are_drawn_alike_and_alone() -> None:
    drawn = Splice(spaced=False).generate(20_000, np.random.default_rng(1))
    letters = np.array([list(text) for text in drawn])  # (texts, position)
    shares = np.array([(letters == letter).mean(axis=0) for letter in NUCLEOTIDES])
    assert np.abs(shares - 0.25).max() < 0.02
    assert abs(float((letters[:, 1:] == letters[:, :-1]).mean()) - 0.25) < 0.005


@needs("splice")
def test_splice_sites(real_home: object) -> None:
    patterns = Splice().load()
    assert isinstance(patterns, Patterns)
    assert len(patterns) == len(set(patterns.texts)) == 2_894
    digest = hashlib.sha256(repr((patterns.texts, patterns.labels)).encode()).hexdigest()[:16]
    assert digest == "04f0c18fc0e047d0", "raise the dataset's version when its texts change"
    assert Counter(patterns.labels) == {"none": 1_648, "splice site": 1_246}
    assert patterns.whole == ()
    assert [segment.name for segment in patterns.segments] == [f"position_{at}" for at in range(1, 21)]
    for text in patterns.texts:
        assert " ".join(read(patterns, text).values()) == text
    # A donor site reads GT after the boundary, an acceptor AG before it.
    sites = [text for text, label in zip(patterns.texts, patterns.labels, strict=True) if label == "splice site"]
    assert np.mean([" G T " in text[19:24] or " A G " in text[15:20] for text in sites]) > 0.99
    assert len(Splice(length=60).load()) == 2_989
    assert Splice(length=60, spaced=False).load().texts[0] == (
        "CCAGCTGCATCACAGGAGGCCAGCGAGCAGGTCTGTTCCAAGGGCCTTCGAGCCAGTCTG"
    )
    assert patterns.texts[0].replace(" ", "") == "CAGCGAGCAGGTCTGTTCCA"
