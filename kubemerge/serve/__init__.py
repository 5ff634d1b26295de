"""The embedded cluster as an API server: what goes over the wire."""
