"""Drift repair, judged by kubectl and a real API server."""
