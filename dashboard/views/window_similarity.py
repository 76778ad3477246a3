"""Window membership: ask, watch it run, and see which windows were in."""

import streamlit as st

from dashboard.kit import attack_page
from dashboard.kit.examples import membership
from dashboard.topics.windows import windows

TITLE = "Window membership"
ICON = ":material/frame_inspect:"
ORDER = 11
ATTACK = "window_similarity"

result, experiment = attack_page.opened(ATTACK)
membership.show(result)
left, right = st.columns(2, gap="large")
with left:
    membership.by_group(result)
with right:
    membership.roc(result)
st.header("Why", anchor=False)
membership.statistic(result)
windows.show(result, experiment)
