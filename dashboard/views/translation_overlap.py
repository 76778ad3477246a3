"""Translation membership: which sentence pairs a translator was trained on."""

import streamlit as st

from dashboard.kit import attack_page
from dashboard.topics.translation import answer, classifiers, course, example, regimes, setup

ICON = ":material/translate:"
ORDER = 15
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("translation_overlap", setup.live)
answer.show(result, experiment)
setup.show(result)
setup.trained(result)
classifiers.show(result)
classifiers.by_corpus(result)
classifiers.unknown(result)
st.header("From one pair to many", anchor=False)
left, right = st.columns(2, gap="large")
with left:
    course.groups(result)
with right:
    course.roc(result)
course.show(result)
example.show(result, experiment)
regimes.show(result, experiment)
answer.conclude(result, experiment)
