"""Pattern reconstruction: secrets in texts of a fixed format, such as dates of birth, from their embeddings."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import comparison
from dashboard.topics.patterns import read_back, reconstruction

ICON = ":material/pin:"
ORDER = 20
QUESTION = "What does it say?"

result, experiment = attack_page.opened("pattern_reconstruction", reconstruction.live)
reconstruction.show(result, experiment)
read_back.show(result, experiment)
reconstruction.curve(result)
comparison.show(result, experiment)
