"""Regular expressions as Go reads them (RE2), matched in linear time: a pattern of an untrusted schema cannot hang."""
