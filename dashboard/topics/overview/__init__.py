"""What each attack found."""
