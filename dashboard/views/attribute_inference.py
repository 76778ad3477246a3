"""Author inference from sentence embeddings."""

from dashboard.kit import attack_page
from dashboard.topics.authors import authors, authorship, comparison

ICON = ":material/person_search:"
ORDER = 22
QUESTION = "Who wrote it?"

result, experiment = attack_page.opened("attribute_inference", authorship.live)
authorship.show(result)
authorship.confused(result)
authors.show(result, experiment)
comparison.show(result, experiment)
