"""The audit log of the server: `policy` selects requests, `record` collects an event, and `log` writes it."""
