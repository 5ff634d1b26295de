"""Reading expressions and checking their types."""
