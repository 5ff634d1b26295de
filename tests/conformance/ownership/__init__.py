"""Server-side apply against the Go reference: random sequences of writes, and recorded ones."""
