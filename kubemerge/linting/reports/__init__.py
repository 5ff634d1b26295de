"""Findings with their lines, and the output formats of reports."""
