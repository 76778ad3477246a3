"""The commands of the command line: one module for each group, which adds them to the parser."""
