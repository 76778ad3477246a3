"""How a run works: engine, store, progress, seeding and training by epochs."""
