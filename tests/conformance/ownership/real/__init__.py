"""Server-side apply against a real API server: random sequences of writes over HTTP, and recorded ones."""
