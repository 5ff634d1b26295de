"""Flux and Argo CD on a real API server, and `kubemerge plan`, which predicts them."""
