"""What each attack found at best."""
