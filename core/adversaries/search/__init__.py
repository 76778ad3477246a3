"""What inversion by search is made of: what writes texts and edits them, and the search towards an embedding."""
