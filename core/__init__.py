"""Attacks on text models, the defenses against them, and the security games that score both."""

import os

# Threads of torch that wait for each other otherwise keep a core busy, which slows everyone down tenfold as soon as a
# second run, or a second person, needs that core. It is read when the first library with OpenMP is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
