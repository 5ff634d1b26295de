"""Server-side apply compared with the Go reference: random sequences of writes, and recorded ones."""
