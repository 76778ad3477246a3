"""Workshop rooms: their state, their people with roles, and the votes; without Streamlit."""
