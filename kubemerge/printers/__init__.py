"""Objects as `get` prints them: as tables, in columns of one's own, and along paths. Nothing here prints."""
