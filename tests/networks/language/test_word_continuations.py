"""Continuations by tokens: words as the model would write them, draws that agree with their rates, in any batch."""

from pathlib import Path

import numpy as np
import pytest

from core.encoders.causal import CausalNetwork
from core.networks.language.word_continuations import LONGEST, drawn, greedy, likeliest, log_rates
from tests.language_models import causal

PREFIXES = [["meeting", "at", "noon"], ["budget"], ["call", "me", "about", "the", "lunch"]]


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CausalNetwork:
    return CausalNetwork(causal(tmp_path_factory.mktemp("causal") / "model", request.param, vocabulary=330), "cpu")


def by_hand(network: CausalNetwork, prefix: list[str], words: int) -> list[str]:
    """Return the greedy continuation by reading the whole text again for each token."""
    ((tokens, _),) = network.tokens([" ".join(prefix)], network.longest)
    tokens_of_words: list[list[int]] = []
    while True:
        scores = network.scores(np.concatenate([[network.begins], tokens])[None])[0, -1].detach().numpy()
        scores[~network.written] = -np.inf
        if not tokens_of_words or len(tokens_of_words[-1]) >= LONGEST:
            scores[~network.begins_words] = -np.inf
        token = int(scores.argmax())
        if network.begins_words[token]:
            if len(tokens_of_words) == words:
                return network.spelt(tokens_of_words)
            tokens_of_words.append([])
        tokens_of_words[-1].append(token)
        tokens = np.append(tokens, token)


def test_greedy_is_what_reading_everything_again_gives_in_any_batch(network: CausalNetwork) -> None:
    continuations = greedy(network, PREFIXES, 2)
    assert continuations == [by_hand(network, prefix, 2) for prefix in PREFIXES]
    assert [greedy(network, [prefix], 2)[0] for prefix in PREFIXES] == continuations
    assert all(word and " " not in word for words in continuations for word in words)
    assert greedy(network, [], 2) == []


def test_the_likeliest_word_at_a_position_is_the_first_of_the_continuation(network: CausalNetwork) -> None:
    document, positions = PREFIXES[2], np.array([1, 4, 2])
    expected = [by_hand(network, document[:position], 1)[0] for position in positions]
    suggestions = likeliest(network, [["lunch"], document, []], [np.array([], np.int64), positions, np.array([0])])
    assert suggestions[:2] == [[], expected]
    assert len(suggestions[2]) == 1
    assert likeliest(network, [document[:4], document], [np.array([2]), positions])[1] == expected


def test_of_a_long_document_it_sees_at_least_the_half_before(network: CausalNetwork) -> None:
    document = (PREFIXES[2] * 40)[:150]
    suggestions = likeliest(network, [document], [np.array([0, 70, 149])])[0]
    assert all(suggestions)
    assert likeliest(network, [document], [np.array([149, 70])])[0] == [suggestions[2], suggestions[1]]
    assert all(greedy(network, [document], 2)[0])


def test_one_candidate_is_greedy_and_draws_repeat_with_their_source(network: CausalNetwork) -> None:
    assert drawn(network, PREFIXES, 2, 1, 1.0, np.random.default_rng(0)) == greedy(network, PREFIXES, 2)
    first, same = (drawn(network, PREFIXES, 2, 40, 1.0, np.random.default_rng(2)) for _ in range(2))
    assert first == same != greedy(network, PREFIXES, 2)


def test_rates_are_shares_of_draws(network: CausalNetwork) -> None:
    prefix, count = PREFIXES[1], 600
    draws = [tuple(words) for words in drawn(network, [prefix] * count, 1, 3, 0.3, np.random.default_rng(1))]
    seen = sorted(set(draws))
    rates = np.exp(log_rates(network, [prefix] * len(seen), seen, 3, 0.3))
    shares = np.array([draws.count(words) / count for words in seen])
    usual = rates > 0.02
    assert usual.any(), "the random model spells other words with tokens that the tokeniser would not cut them into"
    assert np.abs(shares - rates)[usual].max() < 4 * np.sqrt(0.25 / count)
    assert rates.sum() <= 1 + 1e-9
    alone = np.exp(log_rates(network, [prefix], [["unheard"]], 1, 1.0))
    assert alone == 0, "not the likeliest tokens"


def test_what_is_cut_off_is_never_said(network: CausalNetwork) -> None:
    assert log_rates(network, [PREFIXES[2] * 40], [["lunch"]], 5, 1.0)[0] == -np.inf


def test_a_model_knows_which_tokens_begin_words(network: CausalNetwork) -> None:
    ((tokens, numbers),) = network.tokens_of_words([PREFIXES[2]], 64)
    begins = network.begins_words[tokens]
    assert begins[1:].tolist() == (np.diff(numbers) > 0).tolist()
    assert network.spelt([tokens[numbers == word].tolist() for word in range(5)]) == PREFIXES[2]
    assert not network.written[network.ends]


def test_folders_stay_as_they_are(tmp_path: Path) -> None:
    network = CausalNetwork(causal(tmp_path / "model", vocabulary=330), "cpu")
    before = [array.tobytes() for array in network.losses([np.arange(5)])]
    greedy(network, PREFIXES, 2)
    assert [array.tobytes() for array in network.losses([np.arange(5)])] == before
