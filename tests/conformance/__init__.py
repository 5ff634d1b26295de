"""Comparison with the reference: the Kubernetes libraries themselves, asked through a small Go program."""
