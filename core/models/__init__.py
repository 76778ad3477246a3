"""Models that can be attacked, one file each."""
