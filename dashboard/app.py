"""The dashboard: `python -m streamlit run dashboard/app.py`."""

import sys
from pathlib import Path

import streamlit as st

if (root := str(Path(__file__).resolve().parent.parent)) not in sys.path:
    sys.path.insert(0, root)

from dashboard import navigation

st.set_page_config(page_title="Telltale", page_icon=":material/fingerprint:", layout="wide")
st.html(Path(__file__).parent / "assets" / "style.css")
st.navigation(navigation.pages(), position="top").run()
