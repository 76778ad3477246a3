"""Figures: tables of a result in, a plotly figure and a sentence that reads it aloud out. No page, no computing."""
