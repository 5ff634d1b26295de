"""Argo CD: its settings, its comparison and its sync."""
