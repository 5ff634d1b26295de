"""The Common Expression Language of CustomResourceDefinitions, with the libraries of Kubernetes.

`parser` parses an expression, `checker` checks its types, and `evaluator` evaluates it within a cost limit.
"""
