"""Tests of objects generated from options."""
