"""The Common Expression Language as CustomResourceDefinitions use it, with the libraries of Kubernetes.

It is read (`parser`), its types are checked (`checker`), and it is evaluated with a bound on the work (`evaluator`).
"""
