"""Helm: its releases, its requests and its plan."""
