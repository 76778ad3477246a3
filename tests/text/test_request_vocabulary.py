"""A model's numbers know canaries whatever was learnt, and batches of them need no padding."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.text.canary import PATTERNS
from core.text.contents import Utterances
from core.text.corpus import DUMMY
from core.text.request_vocabulary import Encoded, RequestVocabulary

REQUESTS = Utterances(
    (("play", "jazz"), ("weather", "in", "oslo")),
    (("O", "B-genre"), ("O", "O", "B-city")),
    ("Play", "Weather"),
    ("train", "train"),
)


def test_words_tags_and_intents_of_canaries_are_known_whether_or_not_there_are_any():
    request_vocabulary = RequestVocabulary.of(REQUESTS)
    for pattern in PATTERNS.values():
        assert {*pattern.prefix, *pattern.candidates} <= set(request_vocabulary.words)
        assert pattern.intent in request_vocabulary.intents
        assert set(pattern.slots(4)) <= set(request_vocabulary.tags)
    assert request_vocabulary == RequestVocabulary.of(REQUESTS), "nothing but the requests decides"


def test_what_is_unknown_is_one_word_no_tag_and_no_intent():
    request_vocabulary = RequestVocabulary.of(REQUESTS)
    assert request_vocabulary.words[request_vocabulary.numbers(["zebra"])[0]] == DUMMY
    assert request_vocabulary.tags[request_vocabulary.tag_numbers(["B-unheard"])[0]] == "O"
    assert request_vocabulary.intent_numbers(["Unheard"])[0] == -1


def test_a_promise_lets_nothing_but_public_words_in():
    words = set(RequestVocabulary.of(REQUESTS, public=("weather", "sunny")).words)
    assert {"weather", "sunny"} <= words and not {"jazz", "oslo"} & words


def test_requests_come_back_as_they_went_in():
    request_vocabulary = RequestVocabulary.of(REQUESTS)
    encoded = request_vocabulary.encode(REQUESTS)
    assert [request_vocabulary.words[word] for word in encoded.words] == [
        word for row in REQUESTS.words for word in row
    ]
    assert [request_vocabulary.tags[tag] for tag in encoded.tags] == [tag for row in REQUESTS.slots for tag in row]
    assert [request_vocabulary.intents[intent] for intent in encoded.intents] == list(REQUESTS.intents)


@given(st.lists(st.integers(1, 6), max_size=40), st.integers(1, 9), st.integers(0, 3))
def test_batches_hold_each_request_once_and_equal_lengths(lengths, size, seed):
    rows = tuple(np.zeros(length, np.int64) for length in lengths)
    requests = Encoded.of(rows, rows, np.zeros(len(rows), np.int64))
    for rng in (None, np.random.default_rng(seed)):
        batches = requests.batches(size, rng)
        assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
        assert all(0 < len(batch) <= size and len({lengths[row] for row in batch}) == 1 for batch in batches)


def test_copies_are_added_behind_what_is_there():
    request_vocabulary = RequestVocabulary.of(REQUESTS)
    encoded = request_vocabulary.encode(REQUESTS)
    more = encoded.with_copies(encoded.select(np.array([1])), 3)
    assert len(more) == 5 and more.lengths.tolist() == [2, 3, 3, 3, 3]
    assert (more.alike(np.arange(1, 5))[0] == encoded.alike(np.array([1]))[0]).all()
    assert len(encoded.with_copies(encoded, 0)) == 2
