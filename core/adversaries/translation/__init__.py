"""What adversaries of translation membership are made of: features of pairs, rules, and quantile regression."""
