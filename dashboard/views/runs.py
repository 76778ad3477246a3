"""Every run of this machine, queued, running and finished, and the visitor's own uploads."""

import streamlit as st

from dashboard.kit import address, visitors
from dashboard.topics.runs import job_list, own_uploads

TITLE = "Runs"
ICON = ":material/list_alt:"
ORDER = 90

st.title("Runs", anchor=False)
address.clear()
st.markdown("Each run is a separate process: it continues without this page and the server, and resumes after a crash.")
visitors.account()
job_list.listing()
own_uploads.listing()
