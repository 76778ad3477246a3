"""Tours: a talk of a few minutes through the pages; a bar above each says where to look, and keys lead on."""
