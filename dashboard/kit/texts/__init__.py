"""Texts of a dataset on a page: excerpts, victims, marked words."""
