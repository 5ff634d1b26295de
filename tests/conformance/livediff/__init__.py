"""Predictions about live objects from files, compared with `kubectl diff` and `kubectl apply` on a real API server."""
