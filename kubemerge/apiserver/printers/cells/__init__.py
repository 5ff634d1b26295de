"""The cells of kubectl's tables: functions from an object to a text, shared ones and those of a few kinds."""
