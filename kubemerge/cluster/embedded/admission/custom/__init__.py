"""Custom resources: what an API server makes of a definition, and of the objects that it defines."""
