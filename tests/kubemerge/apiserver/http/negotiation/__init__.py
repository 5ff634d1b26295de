"""Forms of answers, compared with those of a real API server."""
