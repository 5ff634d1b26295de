"""What is in the files that people name: bytes, documents, objects, and where each stands."""
