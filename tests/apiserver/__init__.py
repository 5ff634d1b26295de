"""The embedded cluster and a real API server: the same kubectl commands, the same output."""
