"""Figures of the topic; no Streamlit."""
