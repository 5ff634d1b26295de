"""Tests of what is made of options."""
