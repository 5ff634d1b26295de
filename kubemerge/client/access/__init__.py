"""Kubeconfigs and credentials."""
