"""The catalogues of risks that auditors cite, and the entries of them that a game tests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Standard:
    """An entry of a catalogue of risks.

    Attributes:
        catalogue: Name and version of the catalogue.
        published: When that version was published, as year and month or day.
        identifier: The entry's own identifier.
        title: The entry's title; of a requirement that has none, in a few words what it asks for.
    """

    catalogue: str
    published: str
    identifier: str
    title: str


_AISVS = ("OWASP AISVS 1.0", "2026-06")
_TOP_10 = ("OWASP Top 10 for LLM Applications 2025", "2024-11")
_ATLAS = ("MITRE ATLAS 2026.09", "2026-09-14")

_DISCLOSED = Standard(*_TOP_10, "LLM02:2025", "Sensitive Information Disclosure")
_VECTORS = Standard(*_TOP_10, "LLM08:2025", "Vector and Embedding Weaknesses")
_MEMBERSHIP = Standard(*_AISVS, "v1.0-C11.2.5", "Simulated membership inference")
_EMBEDDINGS = Standard(*_AISVS, "v1.0-C8.3.4", "Measured resistance of embeddings to leakage")
_INFERRED = Standard(*_ATLAS, "AML.T0024.000", "Infer Training Data Membership")
_INVERTED = Standard(*_ATLAS, "AML.T0024.001", "Invert AI Model")
_FAMILY = Standard(*_ATLAS, "AML.T0014", "Discover AI Model Family")

OF_MEMBERSHIP = (_MEMBERSHIP, _DISCLOSED, _INFERRED)
"""Who or what a model was trained on."""
OF_EXTRACTION = (
    Standard(*_AISVS, "v1.0-C11.2", "Membership-Inference and Model-Inversion Mitigation"),
    _DISCLOSED,
    _INVERTED,
)
"""Secrets of the training data, read out of a model."""
OF_EMBEDDINGS = (_EMBEDDINGS, _DISCLOSED, _VECTORS, _INVERTED)
"""Texts, or what they say, told from their embeddings."""
OF_STORES = (_EMBEDDINGS, _DISCLOSED, _VECTORS)
"""Which texts a store of vectors holds."""
OF_ENCODERS = (_VECTORS, _FAMILY)
"""Which encoder made embeddings."""
