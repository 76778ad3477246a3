"""The pages of Telltale: they read forms, ask for runs and draw results; they never compute."""
