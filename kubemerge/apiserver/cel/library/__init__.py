"""The functions and macros of CEL and of Kubernetes."""
