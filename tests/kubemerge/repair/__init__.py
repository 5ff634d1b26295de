"""Tests of drift repair."""
