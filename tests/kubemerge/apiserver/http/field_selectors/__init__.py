"""Field selectors of every kind, compared with a real API server."""
