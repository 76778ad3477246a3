"""Parts of pages that redraw by themselves: each takes a result and shows one thing about it."""
