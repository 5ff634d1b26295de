"""The store of a cluster: SQLite rows, transactions, history, pages of lists, and indexes."""
