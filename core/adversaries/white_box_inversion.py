"""The base of inversion attacks whose adversary holds the whole encoder."""

from typing import ClassVar

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.errors import Incompatible
from core.games.inversion.contract import InversionAttack


class WhiteBoxInversion(InversionAttack):
    """An attack whose adversary holds the whole encoder."""

    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts and the whole encoder that made them, and holds other texts. It "
        "never sees a victim’s text."
    )
    needs: ClassVar[type[Access]] = EncoderInternals

    def opened(self, access: SentenceEmbeddings) -> EncoderInternals:
        """Return the access to the inside of the encoder.

        Raises:
            Incompatible: It gives embeddings only.
        """
        if not isinstance(access, EncoderInternals):
            raise Incompatible(f"{self.part_name()} needs {EncoderInternals.title}. It has {access.title}.")
        return access
