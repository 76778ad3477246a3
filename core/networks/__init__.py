"""Networks of target models, attacks and defenses; their state is kept as plain arrays."""
