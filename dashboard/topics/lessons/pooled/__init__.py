"""The experiment of a room: everybody runs it with a seed of their own, and all see the dots and their mean."""
