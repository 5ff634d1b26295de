"""The embedded cluster: an API server's behaviour in one SQLite file."""
