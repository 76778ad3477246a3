"""The pages of Telltale: they read forms, ask for runs and draw results; they never compute."""

from streamlit import rerun
from streamlit.runtime.pages_manager import PagesManager

# A server that finds a folder ``pages`` beside its main script runs a page without that script, and lists the folder
# in a navigation of its own, until the script has run once. So whoever follows a link first is sent through the script.
if PagesManager.uses_pages_directory:
    PagesManager.uses_pages_directory = False
    rerun()
