"""The package as people get it: built, looked at, installed into empty environments, and used from there."""
