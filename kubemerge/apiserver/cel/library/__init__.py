"""Functions and macros of CEL and Kubernetes."""
