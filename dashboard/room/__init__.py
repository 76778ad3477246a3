"""Workshop rooms: where each stands, who is in it and in which role, and what was voted; without Streamlit."""
