"""Comparison with the reference: the Kubernetes libraries themselves, called through a small Go program."""
