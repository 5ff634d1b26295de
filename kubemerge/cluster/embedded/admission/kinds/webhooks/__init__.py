"""Webhooks and policies that judge other objects."""
