"""One module a command: its options, and what it prints."""
