"""Author inference: ask, watch it run, and see who wrote a text."""

from dashboard.kit import attack_page
from dashboard.topics.authors import authors, authorship, comparison

TITLE = "Author inference"
ICON = ":material/person_search:"
ORDER = 22
ATTACK = "attribute_inference"

result, experiment = attack_page.opened(ATTACK, authorship.live)
authorship.show(result)
authorship.confused(result)
authors.show(result, experiment)
comparison.show(result, experiment)
