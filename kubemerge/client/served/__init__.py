"""Served resources and their merge rules."""
