"""The word-pair attack: its pairs, its shadow models, their measurements, and the functions learnt from them."""
