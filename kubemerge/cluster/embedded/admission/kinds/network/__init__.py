"""Ingresses, network policies, addresses and endpoints."""
