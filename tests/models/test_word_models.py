"""Every model of word vectors learns, is reproducible and handles edge cases; the kernel matches gensim."""

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import WordNetworks
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.models.fasttext import FastText
from core.models.word2vec import Word2vec
from core.networks.word_embedding import Network
from core.registry import parts
from core.targets.word_vectors import WordModel
from core.text.corpus import Corpus

pytestmark = pytest.mark.first

MODELS = [cls for cls in parts("model") if issubclass(cls, WordModel)]


@pytest.mark.parametrize("cls", MODELS)
def test_words_in_the_same_context_become_similar(cls: type[WordModel]) -> None:
    rng = np.random.default_rng(0)
    texts = []
    for _ in range(400):
        group = rng.choice(["kolmer", "bixtan"])
        company = {"kolmer": "ulf rad tov", "bixtan": "zen gip haw"}[group].split()
        twin = {"kolmer": "perdux", "bixtan": "vanith"}[group]
        texts.append(" ".join(rng.choice([group, twin, *company], 12)))
    mode = {"mode": "skip_gram"} if "mode" in cls.model_fields else {}
    model = cls.parse({"dimension": 16, "minimum_count": 1, "epochs": 10, **mode})
    embedding = model.train(Corpus.encode(texts), np.random.default_rng(1))
    kolmer, perdux, bixtan = embedding.lookup(["kolmer", "perdux", "bixtan"])
    assert cosine(kolmer, perdux) > cosine(kolmer, bixtan) + 0.2


@pytest.mark.parametrize("cls", MODELS)
def test_the_same_generator_gives_the_same_bytes(cls: type[WordModel]) -> None:
    corpus = Corpus.encode(["one two three four five"] * 50)
    model = cls.parse({"dimension": 8, "minimum_count": 1, "epochs": 2})
    first, again, other = (model.train(corpus, np.random.default_rng(seed)).vectors for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


@pytest.mark.parametrize("cls", MODELS)
def test_rare_words_are_ignored_and_an_empty_vocabulary_is_no_error(cls: type[WordModel]) -> None:
    model = cls.parse({"dimension": 8, "minimum_count": 3, "epochs": 1})
    embedding = model.train(Corpus.encode(["one one one two"]), np.random.default_rng(0))
    assert list(embedding.words) == ["one"]
    assert np.isnan(embedding.lookup(["two"])).all()
    assert model.train(Corpus.encode(["one two"]), np.random.default_rng(0)).vectors.shape == (0, 8)


@pytest.mark.parametrize("cls", [cls for cls in MODELS if WordNetworks in cls.provides])
@pytest.mark.parametrize("mode", ["cbow", "skip_gram"])
def test_the_network_has_the_published_vectors(cls: type[WordModel], mode: str) -> None:
    """Input and output vectors predict which words co-occur: here a word and the next one."""
    corpus = Corpus.encode(["one two three four five six seven eight"] * 60)
    options = {"mode": mode} if "mode" in cls.model_fields else {}
    options |= {"subsampling": 0} if "subsampling" in cls.model_fields else {}
    model = cls.parse({"dimension": 8, "minimum_count": 1, "epochs": 40, "window": 1, **options})
    network = model.network(corpus, np.random.default_rng(1))
    assert network.vectors.tobytes() == model.train(corpus, np.random.default_rng(1)).vectors.tobytes()
    again = Network.from_arrays(network.as_arrays())
    inputs, outputs = again.both(["three", "four", "eight", "nothing"])
    assert inputs[0] @ outputs[1] > inputs[0] @ outputs[2]
    assert np.isnan(inputs[3]).all() and np.isnan(outputs[3]).all()
    nothing = model.replace(minimum_count=100).network(corpus, np.random.default_rng(1))
    assert nothing.vectors.shape == nothing.outputs.shape == (0, 8)


def test_default_values_of_newer_fasttext_fields_change_no_key() -> None:
    fields = FastText().identity()
    assert "negatives" not in fields and "learning_rate" not in fields
    assert FastText(negatives=25).identity()["negatives"] == 25
    assert FastText(negatives=25).key != FastText().key


@pytest.mark.parametrize(("mode", "every", "slack"), [("cbow", 2, 0.03), ("skip_gram", 4, 0.06)])
def test_the_kernel_is_as_good_as_gensim(mode: str, every: int, slack: float) -> None:
    """Similarities of words agree with gensim's nearly as well as those of two gensim runs agree with each other."""
    corpus = Corpus.encode(WikipediaExcerpt().load().texts[::every])
    settings = {"mode": mode, "dimension": 48, "epochs": 3, "minimum_count": 20}
    reference = [
        Word2vec.parse({**settings, "trainer": "gensim"}).train(corpus, np.random.default_rng(seed)) for seed in (1, 2)
    ]
    ours = Word2vec.parse(settings).train(corpus, np.random.default_rng(3))
    words = list(ours.words)[:1000]
    pairs = np.random.default_rng(0).integers(len(words), size=(20_000, 2))
    first, second, mine = (similarities(embedding.lookup(words), pairs) for embedding in (*reference, ours))
    among_references = np.corrcoef(first, second)[0, 1]
    assert among_references > 0.8, "gensim does not agree with itself, so the test is void"
    assert np.corrcoef(first, mine)[0, 1] > among_references - slack
    assert np.corrcoef(second, mine)[0, 1] > among_references - slack


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def similarities(vectors: NDArray[np.float32], pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.sum(unit[pairs[:, 0]] * unit[pairs[:, 1]], axis=1)
