"""What is in a repository besides objects: other YAML, what git tracks, where text was rendered from, and settings."""
