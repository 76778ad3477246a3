"""Word vectors that the user has trained: read from a file, and never unpickled."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, ClassVar, Literal

from core.access import Access, OwnWordVectors
from core.errors import Incompatible, InvalidDocuments, InvalidSpec, InvalidVectors
from core.models.fasttext import FastText
from core.models.glove import Glove
from core.models.word2vec import Word2vec
from core.networks.word_embedding import Embedding
from core.result import Estimate
from core.sources import user_files, word_vectors
from core.sources.word_vectors.trained import Settings, TrainedVectors
from core.spec import parameter, path_parameter
from core.targets.held_model import HeldModel, Hyperparameter, Opened, Origin
from core.targets.model import TextModel
from core.targets.word_vectors import WordModel
from core.text.corpus import Corpus
from core.text.marked import MarkedDocuments

EXAMPLE = "example"
"""Name of the model that comes with Telltale."""

_EXAMPLE = Path(__file__).parents[1] / "sources" / "word_vectors" / "example.bin"
_USUAL: Settings = {"window": 5, "epochs": 5, "minimum_count": 5, "mode": "cbow"}
"""Gensim's defaults, which stand in for what neither the user nor the file states."""

_LEAST_KNOWN = 0.5
"""Share of the documents' words that the model must know."""

_ALGORITHMS: dict[str, type[WordModel]] = {"word2vec": Word2vec, "fasttext": FastText, "glove": Glove}


class OwnVectors(HeldModel):
    """Trained word vectors in a file of the formats of `core.sources.word_vectors`.

    An adversary trains its shadow models in the same way. A fastText binary states its hyper-parameters; for any other
    file the user sets them, and gensim's defaults stand in. The number of dimensions is read.

    The example is gensim's Word2Vec, trained on the passages that `core.datasets.marked_excerpt` marks in.
    """

    title: ClassVar[str] = "Your own word vectors"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({OwnWordVectors})
    reads: ClassVar[type | None] = MarkedDocuments

    source: str = path_parameter(
        EXAMPLE,
        "Path of a word2vec, GloVe, fastText, NumPy or safetensors file, where Telltale runs; “example” is a small "
        "model that comes with it.",
    )
    words: str = path_parameter(
        "",
        "Path of the list of words, one a line, for a NumPy or safetensors file; empty where it lies beside it.",
    )
    algorithm: Literal["word2vec", "fasttext", "glove"] = parameter("word2vec", "How the vectors were trained.")
    mode: Literal["as read", "cbow", "skip_gram"] = parameter(
        "as read", "CBOW or skip-gram; as the file says, otherwise CBOW, gensim’s default."
    )
    window: int = parameter(
        0, "Largest distance of a context word; 0 for what the file says, otherwise 5.", unit="words", ge=0, le=50
    )
    epochs: int = parameter(
        0, "Epochs over the documents; 0 for what the file says, otherwise 5.", unit="epochs", ge=0, le=200
    )
    minimum_count: int = parameter(
        0, "Rarer words were ignored; 0 for what the file says, otherwise 5.", unit="occurrences", ge=0, le=10_000
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings, and the content of the files wherever they lie."""
        fields = super().identity()
        del fields["source"], fields["words"]
        try:
            content = user_files.content_of([path for path in (self.path(), self._listed()) if path])
        except InvalidDocuments:
            content = "none"
        return {**fields, "content": content}

    def path(self) -> Path:
        """Return the file of the vectors.

        Raises:
            InvalidDocuments: There is none.
        """
        if not self.source.strip():
            raise InvalidDocuments("No word vectors are given. Set 'source' to the file that holds them.")
        return _EXAMPLE if self.source == EXAMPLE else user_files.located(self.source)

    def read(self, wanted: Collection[str] | None) -> TrainedVectors:
        """Return the vectors of the words wanted, of all if None.

        Raises:
            InvalidVectors: The file is in no known format, damaged, or a pickle.
        """
        return word_vectors.read(self.path(), wanted, self._listed())

    def opened(self, corpus: Corpus, access: type[Access] = OwnWordVectors) -> Opened:
        """Return access to the vectors.

        Raises:
            InvalidVectors: As for `read`.
            Incompatible: The model knows too few of the words of the documents.
        """
        vectors = self.read(frozenset(corpus.words))
        word_vectors = OwnWordVectors(Embedding(vectors.words, vectors.vectors))
        counts = corpus.counts()
        share = float(counts[word_vectors.knows(corpus.words)].sum() / max(counts.sum(), 1))
        if share < _LEAST_KNOWN:
            raise Incompatible(
                f"The model knows {share:.0%} of the words of these documents, which are read in lower case, without "
                f"digits. At least {_LEAST_KNOWN:.0%} are needed: are these the documents of this model?"
            )
        known = Estimate.counted(share, "share of words", "Share of the documents’ words that the model knows.")
        return Opened(word_vectors, {"known_words": known})

    def alike(self) -> TextModel:
        """Return the model with the hyper-parameters that the user sets, the file states, or gensim defaults to.

        Raises:
            InvalidVectors: As for `read`, or the dimensions are too many to train.
        """
        return self.trained_by(self.read(frozenset()).settings)

    def hyperparameters(self) -> tuple[Hyperparameter, ...]:
        """Return how shadow models are trained: as the user says, as the file states, or by gensim's defaults."""
        read = self.read(frozenset()).settings
        model = self.trained_by(read)
        stated: dict[str, Origin] = {**dict.fromkeys(read, "read"), **dict.fromkeys(self._chosen(), "given")}
        algorithm: Origin = "read" if "buckets" in read else "given" if self.algorithm != "word2vec" else "assumed"
        values = {name: getattr(model, name) for name in (*_USUAL, "dimension") if name in type(model).model_fields}
        return (
            Hyperparameter("algorithm", model.part_name(), algorithm),
            *(Hyperparameter(name, value, stated.get(name, "assumed")) for name, value in values.items()),
        )

    def trained_by(self, read: Settings) -> WordModel:
        """Return the model with the hyper-parameters that the user sets, the file states, or gensim defaults to.

        Raises:
            InvalidVectors: No model here has such hyper-parameters.
        """
        kind = _ALGORITHMS["fasttext" if "buckets" in read else self.algorithm]
        stated = {**_USUAL, **read, **self._chosen()}
        try:
            return kind.parse({name: value for name, value in stated.items() if name in kind.model_fields})
        except InvalidSpec as error:
            raise InvalidVectors(f"Models like {self.path().name} cannot be trained here. {error}") from None

    def _chosen(self) -> dict[str, Any]:
        """Return the hyper-parameters that the user sets."""
        fields = {name: getattr(self, name) for name in _USUAL}
        return {name: value for name, value in fields.items() if value not in (0, "as read")}

    def _listed(self) -> Path | None:
        return user_files.located(self.words) if self.words.strip() else None
