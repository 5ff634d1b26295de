"""Requests with admission and conversion webhooks, and the responses of a real API server."""
