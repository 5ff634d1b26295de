"""The default values that an API server fills in."""
