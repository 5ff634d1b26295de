"""Nodes, leases, events, and the templates of pods that other kinds keep."""
