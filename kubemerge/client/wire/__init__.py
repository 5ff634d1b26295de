"""HTTP requests and responses: connections, errors, paths, and pages of lists."""
