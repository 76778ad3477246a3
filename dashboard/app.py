"""The dashboard: `python -m streamlit run dashboard/app.py` serves it, and runs this file again for every visit."""

import sys
from pathlib import Path

import streamlit as st

if (root := str(Path(__file__).resolve().parent.parent)) not in sys.path:
    sys.path.insert(0, root)

ASSETS = Path(__file__).parent / "assets"

if __name__ == "__main__":
    from dashboard import navigation
    from dashboard.kit import address, folders, visitors
    from dashboard.kit.browser import scheme
    from dashboard.kit.forms import upload_limit

    admitted = visitors.admitted()
    page = st.navigation(navigation.pages(), position="top" if admitted else "hidden", expanded=True)
    st.set_page_config(
        page_title=navigation.tab_title(page.title),
        page_icon=str(ASSETS / "mark.svg"),
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    st.logo(str(ASSETS / "telltale.svg"), size="large")
    st.html(ASSETS / "style.css")
    if not admitted:
        visitors.gate()
        st.stop()
    scheme.watch()
    folders.check()
    if address.TOUR in st.query_params:
        from dashboard.topics.lessons.tour import bar

        bar.show()
    with upload_limit.released():
        page.run()
else:
    from dashboard import server

    server.keep_a_while()
    # What the server imports; Streamlit finds it by this name.
    app = st.App(Path(__file__), routes=server.ROUTES, middleware=server.MIDDLEWARE, lifespan=server.lifespan)
