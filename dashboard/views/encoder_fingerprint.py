"""Encoder fingerprint: which encoder made an embedding, and which encoders there are."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import fingerprint, known

TITLE = "Encoder fingerprint"
ICON = ":material/fingerprint:"
ORDER = 29
ATTACK = "encoder_fingerprint"

result, experiment = attack_page.opened(ATTACK, absent=known.show)
fingerprint.show(result)
known.show()
