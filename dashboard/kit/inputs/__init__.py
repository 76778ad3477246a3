"""What forms and links may set: declared parameters, their texts, what a server allows, uploaded files."""
