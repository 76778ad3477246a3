"""Parts of the pages that at least two topics share."""
