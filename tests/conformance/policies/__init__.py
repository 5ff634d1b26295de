"""Admission policies: requests to a real API server with bound policies, and its responses."""
