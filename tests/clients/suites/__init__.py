"""The test suites of clients on a served cluster, as their authors wrote them. They are fetched, and not stored
here."""
