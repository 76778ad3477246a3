"""What a visitor's browser makes of a figure: its colours, what a click on it chooses, and pictures of it."""
