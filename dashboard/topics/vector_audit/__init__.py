"""What a copy of a vector store gives away."""
