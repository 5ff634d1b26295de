"""What bounds others: quotas, ranges of limits, and the order in which a server answers."""
