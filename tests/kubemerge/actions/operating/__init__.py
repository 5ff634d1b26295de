"""Tests of operating a cluster."""
