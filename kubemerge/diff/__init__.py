"""What an apply would change, as text and as differences; colours are added by `cli`."""
