"""The topics: what the pages of one question draw, sections and figures together."""
