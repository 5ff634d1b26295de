"""Changes of an apply, as text and as differences. `cli` adds colours."""
