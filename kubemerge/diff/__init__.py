"""What an apply would change, as texts and differences of them; the colours are put on by `cli`."""
