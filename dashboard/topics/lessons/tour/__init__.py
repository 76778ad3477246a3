"""Tours: talks of a few minutes through the pages; a bar above each page says where to look, and keys lead on."""
