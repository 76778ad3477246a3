"""The dashboard: `python -m streamlit run dashboard/app.py`."""

import sys
from pathlib import Path

import streamlit as st

if (root := str(Path(__file__).resolve().parent.parent)) not in sys.path:
    sys.path.insert(0, root)

from dashboard import navigation

ASSETS = Path(__file__).parent / "assets"

st.set_page_config(page_title="Telltale", page_icon=str(ASSETS / "mark.svg"), layout="wide")
st.logo(str(ASSETS / "telltale.svg"), size="large")
st.html(ASSETS / "style.css")
st.navigation(navigation.pages(), position="top").run()
