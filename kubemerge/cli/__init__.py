"""The command line: what it answers to, what options mean, and what is said while a command runs."""
