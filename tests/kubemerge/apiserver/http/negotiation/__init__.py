"""Content negotiation, compared with a real API server."""
