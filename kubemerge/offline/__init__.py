"""A config with what is live beside it, and what an apply makes of them."""
