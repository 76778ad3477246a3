"""Every run of this machine."""
