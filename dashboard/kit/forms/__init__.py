"""Forms that are read from the declarations of a `Spec`."""
