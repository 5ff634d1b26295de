"""Requests and their answers: connections, refusals, paths, and pages of lists."""
