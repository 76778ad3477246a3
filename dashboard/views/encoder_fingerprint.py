"""Encoder fingerprint: which encoder made an embedding; and the encoders on record."""

from functools import partial

from dashboard.kit import attack_page, tabs
from dashboard.topics.encoders import fingerprint, known

ICON = ":material/fingerprint:"
ORDER = 29
QUESTION = "Who wrote it?"

result, experiment = attack_page.opened("encoder_fingerprint", absent=lambda _: known.show())


def answer() -> None:
    """Draw how often the attack is right, and the encoders on record."""
    fingerprint.show(result)
    known.show()


tabs.show(answer, partial(fingerprint.maps, result, experiment))
