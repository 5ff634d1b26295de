"""Regular expressions with Go's syntax (RE2), matched in linear time."""
