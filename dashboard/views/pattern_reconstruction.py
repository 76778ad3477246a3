"""Pattern reconstruction: ask, watch it run, and watch a date of birth fall out."""

from dashboard.kit import attack_page
from dashboard.topics.encoders import comparison
from dashboard.topics.patterns import read_back, reconstruction

TITLE = "Pattern reconstruction"
ICON = ":material/pin:"
ORDER = 20
ATTACK = "pattern_reconstruction"

result, experiment = attack_page.opened(ATTACK, reconstruction.live)
reconstruction.show(result, experiment)
read_back.show(result, experiment)
reconstruction.curve(result)
comparison.show(result, experiment)
