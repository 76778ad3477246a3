"""Two to four stored results side by side."""
