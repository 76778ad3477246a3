"""Questions that a user puts to a service, and its answers: files of JSON lines, read as data and never executed."""
