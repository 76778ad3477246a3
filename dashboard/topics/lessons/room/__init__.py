"""A lesson in a room: who leads it, who takes part, and the screen that all look at."""
