"""Classes of storage, its drivers, and what they attach."""
