"""Encoder fingerprint: which encoder made an embedding; and the encoders on record."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import fingerprint, known

ICON = ":material/fingerprint:"
ORDER = 29
QUESTION = "Who wrote it?"

result, experiment = attack_page.opened("encoder_fingerprint", absent=known.show)
fingerprint.show(result)
known.show()
