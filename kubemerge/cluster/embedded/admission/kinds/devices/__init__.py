"""Devices and claims of them."""
