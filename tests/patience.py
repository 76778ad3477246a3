"""How long a test waits for a page, a browser or another process: far longer than the busiest machine takes."""

PATIENCE = 900.0
"""Seconds. Only what never comes is a failure, so no wait is shorter; pytest ends a test after four times as long."""
FOREVER = 4 * 3600.0
"""Seconds that a stand-in for a long run sleeps: it is killed, and never ends by itself."""
UNANSWERED = 60.0
"""Seconds after which what was pressed in a browser is pressed again: far more than a page takes that is drawn anew."""
