"""Audit logs: requests, and the events that a real server writes for them."""
