"""What at least two topics share."""
