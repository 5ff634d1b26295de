"""The unchanged test suites of clients on a served cluster. They are fetched, and not stored here."""
