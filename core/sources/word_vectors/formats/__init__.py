"""The formats of word vectors, one file each."""
