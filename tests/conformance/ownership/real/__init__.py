"""Server-side apply compared with a real API server: random sequences of writes over HTTP, and recorded ones."""
