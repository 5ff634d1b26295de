"""The steps of `compare`: read a config, compare objects or rules, and print the result."""
