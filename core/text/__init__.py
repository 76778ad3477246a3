"""Shapes of data: documents, requests, sentence pairs, and the words and numbers they are cut into."""
