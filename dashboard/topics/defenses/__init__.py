"""What defenses hide and what they cost."""
