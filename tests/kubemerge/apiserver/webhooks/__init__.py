"""Webhooks of a served cluster."""
