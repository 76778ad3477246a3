"""A lesson in a room: the screens of facilitators and participants, and the large screen for all."""
