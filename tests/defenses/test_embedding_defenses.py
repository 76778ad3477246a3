"""What every defense of embeddings guarantees, and what it takes from a naive adversary."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from core.defenses import Chain, EmbeddingDefense, Mechanism
from core.defenses.adversarial_mapping import AdversarialMapping
from core.defenses.fewer_dimensions import FewerDimensions
from core.defenses.gaussian import Gaussian, GaussianNoise
from core.defenses.laplace import Laplace, LaplaceNoise, one_word_apart
from core.defenses.quantisation import Quantisation
from core.defenses.rotation import Rotation
from core.defenses.rounding import Rounding
from core.defenses.shuffled_coordinates import ShuffledCoordinates
from core.defenses.subspace_projection import SubspaceProjection
from core.errors import Incompatible
from core.registry import parts
from core.runtime.seeding import generator
from core.targets import retrieval
from core.text.secrets import Keyword
from tests.defenses import planted

KEPT = ("first", "principal", "random")
QUICK: dict[str, dict[str, Any]] = {"adversarial_mapping": {"rounds": 3}, "laplace": {"pairs": 20}}
STRONGEST = (
    Rounding(decimals=0),
    Laplace(epsilon=1e-3),
    AdversarialMapping(distortion=0, rounds=150),
    Gaussian(scale=1000),
    SubspaceProjection(share=1.0),
    SubspaceProjection(share=0.1, subspace="between"),
)
WEAKEST = (
    Rounding(decimals=8),
    Laplace(epsilon=1e6),
    Gaussian(scale=0.001),
    Quantisation(bits=16),
    FewerDimensions(share=1.0, kept="random"),
    AdversarialMapping(distortion=1000, rounds=20, form="correction"),
)
HOLDER, AUXILIARY, VICTIMS = (planted.texts(1000, seed) for seed in (1, 2, 3))

EVERY = [cls.parse(QUICK.get(cls.part_name(), {})) for cls in parts("defense") if issubclass(cls, EmbeddingDefense)] + [
    SubspaceProjection(subspace="between"),
    AdversarialMapping(rounds=3, form="correction"),
]


def _name(defense: EmbeddingDefense) -> str:
    changed = [str(value) for name, value in defense.as_dict().items() if isinstance(value, str) and name != "part"]
    return "-".join([defense.part_name(), *changed])


every = pytest.mark.parametrize("defense", EVERY, ids=_name)


def _set_up(defense: EmbeddingDefense, count: int = 24, **changes: Any) -> Mechanism:
    return defense.mechanism(planted.holdings(HOLDER[:count], **changes), generator(0, "set-up"))


@cache
def _on_few(defense: EmbeddingDefense) -> Mechanism:
    return _set_up(defense)


@cache
def _on_all(defense: EmbeddingDefense) -> Mechanism:
    return defense.mechanism(planted.holdings(HOLDER), generator(0, "set-up"))


@every
@settings(max_examples=25)
@given(data=st.data())
def test_shape_and_type_are_kept_and_values_are_finite(defense: EmbeddingDefense, data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 5))
    coordinate = st.floats(-1e3, 1e3, width=32)
    embeddings = data.draw(arrays(np.float32, (rows, planted.DIMENSION), elements=coordinate, fill=coordinate))
    before = embeddings.copy()
    released = _on_few(defense)(embeddings, generator(1, "release"))
    assert released.shape == embeddings.shape
    assert released.dtype == np.float32
    assert np.isfinite(released).all()
    assert np.array_equal(embeddings, before), "the input is not changed"


@every
def test_equal_generators_give_equal_bytes(defense: EmbeddingDefense) -> None:
    embeddings = planted.encode(VICTIMS[:50])
    first, second = (_set_up(defense)(embeddings, generator(1, "release")) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@every
def test_one_text_is_enough(defense: EmbeddingDefense) -> None:
    released = _set_up(defense, count=1)(planted.encode(HOLDER[:1]), generator(1, "release"))
    assert released.shape == (1, planted.DIMENSION)
    assert np.isfinite(released).all()


@every
def test_equal_embeddings_stay_equal(defense: EmbeddingDefense) -> None:
    constant = np.full((24, planted.DIMENSION), 0.1, np.float32)

    def encode(texts: Any) -> NDArray[np.float32]:
        return np.full((len(texts), planted.DIMENSION), 0.1, np.float32)

    released = _set_up(defense, embeddings=constant, encode=encode)(constant, generator(1, "release"))
    assert np.isfinite(released).all()
    assert np.allclose(released, released[0], atol=1e-6)


@pytest.mark.sampled(every=4)  # 4 and the number of defenses have no common factor, so that each comes first and second
@pytest.mark.parametrize("first", EVERY, ids=_name)
@pytest.mark.parametrize("second", EVERY, ids=_name)
def test_defenses_can_be_combined(first: EmbeddingDefense, second: EmbeddingDefense) -> None:
    before = _set_up(first)
    rng = generator(2, "noise")

    def encode(texts: Any) -> NDArray[np.float32]:
        return before(planted.encode(texts), rng)

    after = _set_up(second, embeddings=encode(HOLDER[:24]), encode=encode)
    released = after(encode(VICTIMS[:10]), generator(3, "release"))
    assert released.shape == (10, planted.DIMENSION)
    assert np.isfinite(released).all()


@pytest.mark.parametrize("defense", STRONGEST, ids=_name)
def test_a_naive_adversary_is_at_chance_at_the_strongest_setting(defense: EmbeddingDefense) -> None:
    released = _on_all(defense)(planted.encode(VICTIMS), generator(1, "release"))
    for secret in planted.SECRETS:
        naive = planted.Linear.fit(planted.encode(AUXILIARY), planted.answers(secret, AUXILIARY))
        truth = planted.answers(secret, VICTIMS)
        chance = 1 / len(secret.values)
        assert naive.accuracy(planted.encode(VICTIMS), truth) > 0.95, "without a defense the secret is inferred"
        error = 3 * np.sqrt(chance * (1 - chance) / len(truth))
        assert naive.accuracy(released, truth) == pytest.approx(chance, abs=error)


@pytest.mark.parametrize("defense", WEAKEST, ids=_name)
def test_little_changes_at_the_weakest_setting(defense: EmbeddingDefense) -> None:
    plain = planted.encode(VICTIMS)
    released = _on_all(defense)(plain, generator(1, "release"))
    assert np.abs(released - plain).max() < 1e-3


def test_a_mapping_without_secrets_changes_nothing() -> None:
    same = tuple(text for text in HOLDER if text.startswith("rome spring"))
    plain = planted.encode(VICTIMS)
    mechanism = AdversarialMapping().mechanism(planted.holdings(same), generator(0))
    assert np.array_equal(mechanism(plain, generator(1)), plain)


def test_a_projection_of_one_direction_keeps_all_others() -> None:
    defense = SubspaceProjection(share=1e-3)
    plain = planted.encode(VICTIMS)
    removed = defense.directions(planted.holdings(HOLDER))
    released = defense.mechanism(planted.holdings(HOLDER), generator(0))(plain, generator(1))
    assert removed.shape == (planted.DIMENSION, 1)
    assert np.abs(released @ removed).max() < 1e-6
    left = plain - (plain @ removed) @ removed.T
    assert np.allclose(released, left / np.linalg.norm(left, axis=1, keepdims=True), atol=1e-6)


def test_the_papers_matrix_removes_variance_and_not_the_difference_of_classes() -> None:
    """The keyword's direction varies least within the classes: *within* leaves it, *between* removes it."""
    rng = generator(0, "embeddings")
    some = tuple(("paris" if number % 2 else "rome") for number in range(400))
    embeddings = rng.normal(size=(400, 10)).astype(np.float32)
    embeddings[:, 0] = 0.01 * embeddings[:, 0] + [word == "paris" for word in some]
    embeddings[:, 1] *= 5
    held = planted.holdings(some, embeddings=embeddings, secrets=(Keyword("Paris"),))
    within = SubspaceProjection(share=0.1).directions(held)
    between = SubspaceProjection(share=0.1, subspace="between").directions(held)
    assert abs(within[1, 0]) > 0.99
    assert abs(within[0, 0]) < 0.1
    difference = embeddings[1::2].mean(axis=0) - embeddings[::2].mean(axis=0)
    assert abs(between[:, 0] @ difference) == pytest.approx(np.linalg.norm(difference), rel=1e-4)


def test_the_scatter_is_the_papers_for_one_keyword() -> None:
    held = planted.holdings(HOLDER[:200], secrets=(Keyword("Paris"),))
    answers = planted.answers(Keyword("Paris"), HOLDER[:200])
    scatter = sum(np.cov(held.embeddings[answers == value].T.astype(np.float64), bias=True) for value in (0, 1))
    vectors = np.linalg.eigh(scatter)[1]
    directions = SubspaceProjection(share=0.1).directions(held)
    assert np.abs((vectors[:, ::-1][:, :5] * directions).sum(axis=0)) == pytest.approx(np.ones(5), abs=1e-6)


def test_removing_the_whole_space_leaves_zeros() -> None:
    for subspace in ("within", "between"):
        defense = SubspaceProjection(share=1.0, subspace=subspace)
        released = defense.mechanism(planted.holdings(HOLDER), generator(0))(planted.encode(VICTIMS), generator(1))
        assert not released.any()


@pytest.mark.parametrize(("decimals", "step"), [(-1, 10), (-2, 100), (0, 1)])
def test_rounding_gives_multiples_of_the_step(decimals: int, step: int) -> None:
    """Tens, hundreds and ones: the nearest, at most half a step away."""
    plain = np.linspace(-260, 260, 50 * planted.DIMENSION, dtype=np.float32).reshape(50, planted.DIMENSION)
    released = _set_up(Rounding(decimals=decimals))(plain, generator(1, "release"))
    steps = released.astype(np.float64) / step
    assert np.abs(steps - steps.round()).max() < 1e-4
    assert np.abs(released - plain).max() <= step / 2 + 1e-4
    assert len(np.unique(steps.round())) == len(np.unique((plain.astype(np.float64) / step).round()))


def test_values_below_half_a_step_become_zero() -> None:
    released = _set_up(Rounding(decimals=-1))(planted.encode(VICTIMS[:20]), generator(1, "release"))
    assert not released.any()
    assert not np.signbit(released).any()


def test_rounding_leaves_no_sign_on_a_zero() -> None:
    released = _set_up(Rounding(decimals=1))(np.full((1, planted.DIMENSION), -0.01, np.float32), generator(1))
    assert not np.signbit(released).any()


def test_storage_formats_keep_what_they_say() -> None:
    plain = planted.encode(VICTIMS)
    eight, one = (_on_all(Quantisation(bits=bits))(plain, generator(1)) for bits in (8, 1))
    span = planted.encode(HOLDER).max(axis=0) - planted.encode(HOLDER).min(axis=0)
    inside = (plain >= planted.encode(HOLDER).min(axis=0)) & (plain <= planted.encode(HOLDER).max(axis=0))
    assert (np.abs(eight - plain) <= span / 255 / 2 + 1e-6)[inside].all()
    assert all(len(np.unique(column)) <= 2 for column in one.T)
    assert (np.sign(one) == np.where(plain > 0, 1, -1))[:, np.abs(plain).mean(axis=0) > 0].all()
    kept = {name: _on_all(FewerDimensions(share=0.2, kept=name))(plain, generator(1)) for name in KEPT}
    assert all(
        np.linalg.matrix_rank(released, tol=1e-3) <= round(0.2 * planted.DIMENSION) for released in kept.values()
    )
    lost = {name: float(((released - plain) ** 2).sum()) for name, released in kept.items()}
    assert lost["principal"] < min(lost["first"], lost["random"])


@pytest.mark.parametrize("defense", [Rotation(), ShuffledCoordinates()])
def test_who_knows_the_key_searches_as_before_and_nobody_else(defense: EmbeddingDefense) -> None:
    plain = planted.encode(VICTIMS[:200])
    mechanism = _on_all(defense)
    turned = mechanism(plain, generator(1))
    assert np.allclose(mechanism.query(plain) @ turned.T, plain @ plain.T, atol=1e-3)
    assert not np.allclose(plain @ turned.T, plain @ plain.T, atol=1e-1)
    with_key, without_key = (
        searched and searched.recall(generator(3))
        for queries in (mechanism.query(plain), None)
        for searched in [retrieval.searched(plain, turned, generator(2), queries)]
    )
    assert with_key is not None and without_key is not None
    assert with_key.value > 0.9 > without_key.high


def test_the_noise_has_the_stated_scale() -> None:
    defense = Laplace(epsilon=10.0, pairs=500)
    held = planted.holdings(HOLDER)
    scale = defense.sensitivity(held, generator(0)) / 10
    noise = defense.mechanism(held, generator(0))(np.zeros((2000, planted.DIMENSION), np.float32), generator(1))
    assert np.abs(noise).mean() == pytest.approx(scale, rel=0.02)


def test_the_noise_is_as_likely_as_its_density_says() -> None:
    noise, held = LaplaceNoise(0.4), planted.holdings(HOLDER)
    expected = planted.encode(planted.texts(6, 1))
    released = noise(expected[:4], generator(2))
    likelihood = noise.log_likelihood(released, expected)
    assert likelihood is not None and LaplaceNoise(0.0).log_likelihood(released, expected) is None
    exact = stats.laplace(scale=0.4).logpdf(released[:, None].astype(float) - expected).sum(axis=2)
    np.testing.assert_allclose(likelihood - likelihood[0, 0], exact - exact[0, 0], rtol=1e-5)

    rounding, sign, turn = (
        defense.mechanism(held, generator(3)) for defense in (Rounding(), Quantisation(bits=1), Rotation())
    )
    for chain in ((noise,), (noise, rounding)):
        assert np.array_equal(Chain(chain, "some").log_likelihood(released, expected), likelihood)
    turned = Chain((turn, noise), "some").log_likelihood(released, expected)
    assert np.array_equal(turned, noise.log_likelihood(released, turn(expected, generator(4))))
    for chain in ((noise, sign), (noise, turn), (noise, noise), (rounding,), (GaussianNoise(0.4),)):
        assert Chain(chain, "some").log_likelihood(released, expected) is None


def test_the_sensitivity_of_a_linear_encoder_is_exact() -> None:
    """Replacing one counted word by another changes the counts by 2, the maximum."""

    def encode(texts: Any) -> NDArray[np.float32]:
        return np.array([[text.split().count(word) for word in ("A", "C", "G")] for text in texts], np.float32)

    texts = ("A C G A", "C C G T")
    held = planted.holdings(texts, embeddings=encode(texts), encode=encode)
    assert Laplace(pairs=100).sensitivity(held, generator(0)) == 2


@given(st.lists(st.text("AB c.", max_size=12), min_size=1, max_size=5), st.integers(0, 2**32))
def test_texts_one_word_apart_are(texts: list[str], seed: int) -> None:
    words = {word for text in texts for word in text.replace(".", " ").split()}
    if len(words) < 2:
        with pytest.raises(Incompatible, match="at least 2 different words"):
            one_word_apart(texts, 5, generator(seed))
        return
    rows, changed = one_word_apart(texts, 5, generator(seed))
    for row, other in zip(rows, changed, strict=True):
        before, after = (text.replace(".", " ").split() for text in (texts[row], other))
        assert len(before) == len(after)
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
        assert set(after) <= words


def test_a_weak_defense_keeps_utility_against_an_adaptive_adversary() -> None:
    """An adaptive adversary need not fail; the mood can be predicted after a weak defense."""
    for defense in (*STRONGEST, *WEAKEST):
        mechanism = _on_all(defense)
        victims, auxiliary = (
            mechanism(planted.encode(texts), generator(1, "release")) for texts in (VICTIMS, AUXILIARY)
        )
        for secret in (*planted.SECRETS, planted.MOOD):
            adaptive = planted.Linear.fit(auxiliary, planted.answers(secret, AUXILIARY))
            share = adaptive.accuracy(victims, planted.answers(secret, VICTIMS))
            assert 0 <= share <= 1
            if secret is planted.MOOD and defense in WEAKEST:
                assert share > 0.95
