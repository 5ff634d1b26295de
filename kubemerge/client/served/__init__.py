"""What a server serves, and the rules by which it merges."""
