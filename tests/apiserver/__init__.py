"""The embedded cluster beside a real API server: the same command lines of kubectl, the same answers."""
