"""What figures of several topics are made of; no Streamlit."""
